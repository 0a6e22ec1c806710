//! What a reviewer agreed to, and to what exactly.
//!
//! An approval is bound to what was shown: the tool, the plugin's file and the
//! arguments that would run. If any of them is another when the call goes on,
//! the approval covers nothing and the call is asked about anew. Without this a
//! plugin could be exchanged, or arguments be changed, between the question and
//! the answer.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolhost_sandbox::Digest;
use toolhost_tool::Approval;

use crate::tool::Tool;

/// Decisions of this process that are remembered, so that none is used twice.
/// One takes about 100 bytes.
const MAX_REMEMBERED: usize = 100_000;

/// What would run, as a reviewer is shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
    /// The plugin's file; none for a tool of the embedding program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) plugin_digest: Option<Digest>,
    /// The arguments.
    pub(crate) arguments_digest: Digest,
}

impl Shown {
    pub(crate) fn new(tool: &Tool, arguments: Option<&str>) -> Self {
        Self {
            plugin_digest: plugin_digest(tool),
            arguments_digest: arguments_digest(arguments),
        }
    }

    /// Why an approval of `self` does not cover `other`.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.plugin_digest != other.plugin_digest {
            Some("the plugin is another than the one that was shown")
        } else if self.arguments_digest != other.arguments_digest {
            Some("the arguments are others than those that were shown")
        } else {
            None
        }
    }
}

/// An approval that was given, with what it covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Consent {
    pub(crate) approval: Approval,
    /// The plugin that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) plugin_digest: Option<Digest>,
    /// The arguments that were shown. Absent when the reviewer wrote them: then
    /// they are what was written, once validated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments_digest: Option<Digest>,
}

impl Consent {
    /// What is covered, where `validated` are the arguments of the call before
    /// any hook changed them.
    pub(crate) fn shown(&self, validated: Option<&str>) -> Shown {
        Shown {
            plugin_digest: self.plugin_digest,
            arguments_digest: self
                .arguments_digest
                .unwrap_or_else(|| arguments_digest(validated)),
        }
    }
}

/// The digest of the file that runs `tool`.
pub(crate) fn plugin_digest(tool: &Tool) -> Option<Digest> {
    tool.plugin().map(|plugin| plugin.info().digest)
}

/// SHA-256 of the arguments in one canonical form: keys in order, no spaces.
/// Absent arguments are neither `null` nor `{}`: their text is none of JSON's.
pub(crate) fn arguments_digest(arguments: Option<&str>) -> Digest {
    match arguments {
        None => Digest::of(b"absent"),
        Some(text) => match serde_json::from_str(text) {
            Ok(value) => canonical_digest(value),
            // The text was validated, so this is never reached; its own bytes
            // are as good a name for it.
            Err(_) => Digest::of(text.as_bytes()),
        },
    }
}

/// SHA-256 of a document in its canonical form. It is that of RFC 8785, but for
/// numbers: an integer keeps all of its digits, where the RFC would give two
/// integers beyond 2⁵³ one digest, and so one approval.
pub(crate) fn canonical_digest(mut value: Value) -> Digest {
    value.sort_all_objects();
    Digest::of(value.to_string().as_bytes())
}

/// 128 random bits as 32 hexadecimal digits.
pub(crate) fn nonce() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
}

/// The nonces of decisions that were used in this process.
#[derive(Debug, Default)]
pub(crate) struct UsedNonces(Mutex<HashMap<String, u64>>);

impl UsedNonces {
    /// Marks all of `nonces` as used, each with its expiry, or none of them: then
    /// the index of one that was used already.
    pub(crate) fn take(&self, nonces: &[(String, Option<u64>)]) -> Result<(), usize> {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = nonces
            .iter()
            .position(|(nonce, _)| used.contains_key(nonce))
        {
            return Err(index);
        }
        if used.len() >= MAX_REMEMBERED {
            let now = now();
            used.retain(|_, expires_at| *expires_at > now);
        }
        let entries = nonces.iter().cloned();
        used.extend(entries.map(|(nonce, expires_at)| (nonce, expires_at.unwrap_or(u64::MAX))));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_and_spaces_do_not_matter() {
        let one = arguments_digest(Some(r#"{"a": 1, "b": {"x": 1, "y": [2]}}"#));
        let other = arguments_digest(Some(r#"{"b":{"y":[2],"x":1},"a":1}"#));
        assert_eq!(one, other);
    }

    #[test]
    fn what_differs_has_another_digest() {
        let texts = [
            None,
            Some("null"),
            Some("{}"),
            Some(r#"{"a":null}"#),
            Some(r#"{"a":9007199254740992}"#),
            Some(r#"{"a":9007199254740993}"#),
            Some(r#"{"a":[1,2]}"#),
            Some(r#"{"a":[2,1]}"#),
            Some(r#"{"a":"1"}"#),
        ];
        let digests: std::collections::HashSet<_> = texts
            .map(|text| arguments_digest(text).to_string())
            .into_iter()
            .collect();
        assert_eq!(digests.len(), texts.len());
    }

    #[test]
    fn a_nonce_is_used_once_and_with_all_others_or_not() {
        let used = UsedNonces::default();
        let (one, other) = ((nonce(), None), (nonce(), None));
        assert_eq!(one.0.len(), 32);
        assert_eq!(used.take(std::slice::from_ref(&one)), Ok(()));
        assert_eq!(used.take(&[other.clone(), one]), Err(1));
        assert_eq!(used.take(&[other]), Ok(()));
    }
}
