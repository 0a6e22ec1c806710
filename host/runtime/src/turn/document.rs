//! A suspended turn as one JSON document, of which a digest is a part.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolhost_tool::json::{self as strict, JsonLimits};
use toolhost_tool::permission::Mode;

use super::error::StateError;
use super::saved::{SavedCall, SavedContext};
use super::suspended::SuspendedTurn;
use crate::approval::canonical_digest;

/// What the document calls itself.
const FORMAT: &str = "toolhost-suspended-turn";

/// The version of the document. A host reads its own only: a field that it does
/// not know could be one that forbids something.
const VERSION: u64 = 1;

/// The most bytes of a document that are read. A turn has up to some thousand
/// calls, each with up to 1 MiB of result.
const MAX_BYTES: usize = 1 << 30;

/// What is nested deeper is kept as text where the document could not be read
/// otherwise.
const MAX_SAVED_DEPTH: usize = 100;

/// The most JSON values in it; each takes about 80 bytes.
const MAX_VALUES: usize = 1 << 24;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Document {
    format: String,
    version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    context: SavedContext,
    calls: Vec<SavedCall>,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    custom_data: Value,
}

pub(super) fn write(turn: &SuspendedTurn) -> String {
    let document = Document {
        format: FORMAT.into(),
        version: VERSION,
        mode: turn.mode,
        context: SavedContext::of(&turn.context),
        calls: turn.slots.iter().map(SavedCall::of).collect(),
        custom_data: turn.custom_data.clone(),
    };
    let mut value = json!(document);
    if strict::depth_of(&value) > strict::MAX_DEPTH {
        shorten(&mut value, MAX_SAVED_DEPTH);
    }
    let digest = canonical_digest(value.clone());
    value["digest"] = json!(digest);
    value.to_string()
}

/// Puts what is nested too deep into a text of its own. Results are kept exactly,
/// see `saved`; what is met here is rare: media of unknown kinds, details of
/// errors, metadata, messages of the transcript.
fn shorten(value: &mut Value, levels: usize) {
    let inner: Box<dyn Iterator<Item = &mut Value>> = match value {
        Value::Array(items) => Box::new(items.iter_mut()),
        Value::Object(fields) => Box::new(fields.values_mut()),
        _ => return,
    };
    if levels > 0 {
        inner.for_each(|value| shorten(value, levels - 1));
        return;
    }
    drop(inner);
    *value = Value::String(value.to_string());
}

pub(super) fn read(text: &str) -> Result<SuspendedTurn, StateError> {
    let limits = JsonLimits {
        bytes: MAX_BYTES,
        values: MAX_VALUES,
        ..JsonLimits::default()
    };
    let mut value =
        strict::parse(text, &limits).map_err(|error| StateError::Json(error.to_string()))?;
    if value["format"] != FORMAT {
        return Err(StateError::Format);
    }
    let version = value["version"].as_u64().unwrap_or_default();
    if version != VERSION {
        return Err(StateError::Version {
            found: version,
            known: VERSION,
        });
    }
    let digest = value
        .as_object_mut()
        .and_then(|fields| fields.remove("digest"))
        .unwrap_or(Value::Null);
    if json!(canonical_digest(value.clone())) != digest {
        return Err(StateError::Edited);
    }
    let document: Document =
        serde_json::from_value(value).map_err(|error| StateError::Content(error.to_string()))?;
    let slots = document
        .calls
        .into_iter()
        .map(SavedCall::into_slot)
        .collect::<Result<_, _>>()?;
    Ok(SuspendedTurn {
        context: document.context.into_context()?,
        mode: document.mode,
        slots,
        custom_data: document.custom_data,
    })
}
