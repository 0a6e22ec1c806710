//! What the strict modes of OpenAI and Anthropic have in common.

use serde_json::{Map, Value, json};

use super::error::Problem;
use super::walk::{self, Place};
use super::{Note, Strict};

/// Whether a schema can be used in a provider's strict mode.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum StrictSupport {
    /// It can.
    Ok,
    /// It cannot.
    No {
        /// The property that rules it out, as in `place.lat` or `tags[]`; empty for
        /// the arguments as a whole.
        property: String,
        /// The keyword that rules it out.
        keyword: String,
        /// Why, and what to do.
        reason: String,
    },
}

impl StrictSupport {
    pub(super) fn no(
        property: impl Into<String>,
        keyword: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self::No {
            property: property.into(),
            keyword: keyword.into(),
            reason: reason.into(),
        }
    }

    /// Whether it can.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        *self == Self::Ok
    }
}

/// The first thing that rules strict mode out, as an error, so that `?` ends the
/// search.
pub(super) type Found = Result<(), StrictSupport>;

/// Whether a tool is exported in strict mode.
pub(super) fn decide(
    strict: Strict,
    support: impl FnOnce() -> StrictSupport,
    notes: &mut Vec<Note>,
) -> Result<bool, Problem> {
    if strict == Strict::Off {
        return Ok(false);
    }
    match support() {
        StrictSupport::Ok => Ok(true),
        StrictSupport::No {
            property,
            keyword,
            reason,
        } if strict == Strict::Require => Err(Problem::NotStrict {
            property,
            keyword,
            reason,
        }),
        StrictSupport::No {
            property,
            keyword,
            reason,
        } => {
            let message = format!("rules strict mode out: {reason}");
            notes.push(Note::new(property, keyword, message));
            Ok(false)
        }
    }
}

/// Refuses objects that take members they do not name.
pub(super) fn check_closed(schema: &Map<String, Value>, place: &Place) -> Found {
    let no =
        |keyword: &str, reason: &str| Err(StrictSupport::no(&*place.property, keyword, reason));
    match schema.get("additionalProperties") {
        None | Some(Value::Bool(false)) => {}
        Some(_) => {
            let reason = "objects must be closed: write `\"additionalProperties\": false`";
            return no("additionalProperties", reason);
        }
    }
    // At the top this is a tool without arguments; inside it is a map.
    let closed = schema.contains_key("additionalProperties");
    if !(schema.contains_key("properties") || place.is_top() || closed) {
        return no(
            "properties",
            "an object must name its properties, if need be none",
        );
    }
    Ok(())
}

/// Refuses schemas that take any value.
pub(super) fn check_says_something(schema: &Value, place: &Place) -> Found {
    const SAYING: [&str; 7] = [
        "type",
        "properties",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "$ref",
    ];
    let says = SAYING.iter().any(|keyword| schema.get(keyword).is_some());
    if says || place.is_top() {
        return Ok(());
    }
    let reason = "a value of any type cannot be sampled: say which `type` it has";
    Err(StrictSupport::no(&*place.property, "type", reason))
}

/// Refuses keywords that a provider takes anywhere but at the top.
pub(super) fn check_top(schema: &Value, refused: &[&'static str]) -> Found {
    let mut keywords = refused.iter();
    match keywords.find(|keyword| schema.get(keyword).is_some()) {
        Some(keyword) => Err(StrictSupport::no(
            "",
            *keyword,
            "the keyword is not taken at the top",
        )),
        None => Ok(()),
    }
}

/// Refuses keywords.
pub(super) fn check_keywords(
    schema: &Map<String, Value>,
    place: &Place,
    refused: &[&str],
) -> Found {
    match schema.keys().find(|keyword| refused.contains(&&***keyword)) {
        Some(keyword) => Err(StrictSupport::no(
            &*place.property,
            &**keyword,
            "the keyword is not supported: leave it to the host or the tool to check",
        )),
        None => Ok(()),
    }
}

/// Formats that both know.
pub(super) const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Closes the objects of a schema that has passed the checks, writes out what the
/// provider wants to see, and removes annotations it does not know.
pub(super) fn close(
    schema: &mut Value,
    annotations: &[&str],
    formats: &[&str],
    notes: &mut Vec<Note>,
) {
    walk::change(schema, &Place::default(), &mut |schema, place| {
        for &keyword in annotations {
            if schema.shift_remove(keyword).is_some() && keyword == "default" {
                let message = "is left out: in strict mode every value is given";
                notes.push(Note::new(&*place.property, keyword, message));
            }
        }
        if let Some(Value::String(format)) = schema.get("format")
            && !formats.contains(&&**format)
        {
            let message = format!("`{format}` is left out: it is not known in strict mode");
            notes.push(Note::new(&*place.property, "format", message));
            schema.shift_remove("format");
        }
        if walk::is_object(schema) {
            schema.entry("properties").or_insert_with(|| json!({}));
            schema.entry("required").or_insert_with(|| json!([]));
            schema.insert("additionalProperties".into(), json!(false));
        }
    });
}
