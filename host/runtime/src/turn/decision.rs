//! What somebody outside decided about a call that waits.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolhost_sandbox::Digest;

/// What somebody decided about a call that waits. Made by
/// [`Pending::decide`](super::Pending::decide), it holds for exactly what was
/// shown there, once, and until that expires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decision {
    /// The id of the call.
    pub tool_call_id: String,
    /// The question it decides.
    pub nonce: String,
    /// The arguments that were shown.
    pub arguments_digest: Digest,
    /// What was decided.
    pub reply: Reply,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Reply {
    /// The call may run.
    Approve {
        /// What the reviewer wrote; the tool reads it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Who the reviewer is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Arguments to run it with instead of those that were shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Value>,
    },
    /// The call does not run, or does not go on. Every kind of suspension can be
    /// rejected.
    Reject {
        /// What the reviewer wrote; the model reads it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Who the reviewer is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// The answer to a question, or what came of a sign-in or of something that
    /// the plugin names.
    Answer {
        /// The answer.
        value: Value,
    },
    /// The result of a client tool.
    Result {
        /// The id of the client call; the call's own when it is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The result: `{content?, structuredContent?, isError?}` as in the Model
        /// Context Protocol, or any other JSON, which then is the result itself.
        value: Value,
    },
}

impl Reply {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Approve { .. } => "an approval",
            Self::Reject { .. } => "a rejection",
            Self::Answer { .. } => "an answer",
            Self::Result { .. } => "the result of a client tool",
        }
    }
}
