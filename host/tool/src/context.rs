//! What a call knows about the run it belongs to.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::bytes_as_base64;

/// The execution context of a call. Every field is optional: an empty context
/// is a call that belongs to no run.
///
/// As JSON its keys are in camel case, unknown keys are refused, and
/// `resumption.state` is base64.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExecutionContext {
    /// The conversation the call belongs to.
    pub session_id: Option<String>,
    /// The run of the agent loop within the session.
    pub run_id: Option<String>,
    /// The request that started the run.
    pub request_id: Option<String>,
    /// Who the run acts for.
    pub principal: Option<Principal>,
    /// The approval this call was given.
    pub approval: Option<Approval>,
    /// How many attempts of this call failed before; 0 for the first.
    pub attempt: u32,
    /// Milliseconds until the call is to be ended. It can shorten the wall-clock
    /// limit of the call, never lengthen it.
    pub deadline_ms: Option<u64>,
    /// W3C `traceparent` of the span the call runs in.
    pub trace_parent: Option<String>,
    /// The same for every attempt of one call. Made from the call's id when
    /// absent.
    pub idempotency_key: Option<String>,
    /// What the caller wants the tool to know.
    pub metadata: Option<Value>,
    /// Tokens the run has used so far.
    pub usage: Option<TokenUsage>,
    /// Set when the call goes on after a suspension.
    pub resumption: Option<Resumption>,
    /// The transcript before the call. Tools read it on demand, and only where
    /// the operator grants `messages`.
    pub messages: Messages,
}

/// Who a run acts for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Principal {
    /// A stable identifier.
    pub id: String,
    /// What it is.
    pub kind: PrincipalKind,
    /// What is known of it; a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Value>,
    /// Whether the host checked the claims. `false` by default: they are only
    /// repeated.
    #[serde(default)]
    pub verified: bool,
}

/// What a principal is. As JSON a string; one that is not listed here is
/// [`PrincipalKind::Other`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrincipalKind {
    /// A person.
    User,
    /// A program.
    Service,
    /// An agent that acts on its own.
    Agent,
    /// Anything else.
    #[serde(untagged)]
    Other(String),
}

/// An approval that a call was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Approval {
    /// What the reviewer wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Who the reviewer is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Tokens used by a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenUsage {
    /// Tokens sent to the model.
    pub input_tokens: u64,
    /// Tokens that the model wrote.
    pub output_tokens: u64,
}

/// Why a call is run again after it suspended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resumption {
    /// The bytes that the suspension carried.
    #[serde(with = "bytes_as_base64", default)]
    pub state: Vec<u8>,
    /// What came back, such as the answer to a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
}

/// Where the messages before a call come from. They are asked for only when the
/// tool asks for them.
pub trait Transcript: Send + Sync {
    /// How many messages there are.
    fn len(&self) -> usize;

    /// The messages of `range`, oldest first. `range` is never out of bounds.
    fn read(&self, range: Range<usize>) -> Vec<Value>;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Transcript for Vec<Value> {
    fn len(&self) -> usize {
        self.len()
    }

    fn read(&self, range: Range<usize>) -> Vec<Value> {
        self.get(range).unwrap_or_default().to_vec()
    }
}

/// The transcript of a context: empty by default, cheap to clone. As JSON an
/// array of messages.
#[derive(Clone, Default)]
pub struct Messages(Option<Arc<dyn Transcript>>);

impl Messages {
    /// Messages that come from `transcript`.
    pub fn new(transcript: impl Transcript + 'static) -> Self {
        Self(Some(Arc::new(transcript)))
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |transcript| transcript.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The messages of `range`, oldest first; the range is cut to what there is.
    #[must_use]
    pub fn read(&self, range: Range<usize>) -> Vec<Value> {
        let end = range.end.min(self.len());
        match &self.0 {
            Some(transcript) if range.start < end => transcript.read(range.start..end),
            _ => Vec::new(),
        }
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Messages({})", self.len())
    }
}

impl<'de> Deserialize<'de> for Messages {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let messages = Vec::<Value>::deserialize(deserializer)?;
        Ok(if messages.is_empty() {
            Self(None)
        } else {
            Self::new(messages)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_context_file_is_read_field_by_field() {
        let context: ExecutionContext = serde_json::from_value(json!({
            "sessionId": "s", "attempt": 2, "deadlineMs": 900,
            "principal": {"id": "ada", "kind": "user", "claims": {"role": "admin"}, "verified": true},
            "usage": {"inputTokens": 10, "outputTokens": 4},
            "resumption": {"state": "AAEC", "answer": "yes"},
            "messages": [{"role": "user", "content": "hi"}],
        }))
        .unwrap();
        assert_eq!(context.session_id.as_deref(), Some("s"));
        assert_eq!(context.principal.unwrap().kind, PrincipalKind::User);
        assert_eq!(context.resumption.unwrap().state, [0, 1, 2]);
        assert_eq!(
            context.messages.read(0..9),
            [json!({"role": "user", "content": "hi"})]
        );
    }

    #[test]
    fn an_unknown_principal_kind_is_kept() {
        let kind: PrincipalKind = serde_json::from_value(json!("robot")).unwrap();
        assert_eq!(kind, PrincipalKind::Other("robot".into()));
        assert_eq!(serde_json::to_value(kind).unwrap(), json!("robot"));
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        let error = serde_json::from_value::<ExecutionContext>(json!({"sesionId": "s"}));
        assert!(error.unwrap_err().to_string().contains("sesionId"));
    }

    #[test]
    fn a_range_past_the_end_is_cut() {
        let messages = Messages::new(vec![json!(1), json!(2)]);
        assert_eq!(messages.read(1..100), [json!(2)]);
        assert!(messages.read(5..9).is_empty());
    }
}
