//! How a call ends when it does not fail.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::{Output, bytes_as_base64};

/// How a call ends when it does not fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// With a result.
    Done(Output),
    /// It waits for something outside the host.
    Suspended(Suspension),
}

/// What a suspended call waits for. No live sandbox is kept: the call is run
/// again, with a [`Resumption`](crate::Resumption) in its context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suspension {
    /// What has to happen.
    #[serde(flatten)]
    pub kind: SuspensionKind,
    /// The plugin's own state, to be handed back unread. Base64 as JSON.
    #[serde(
        with = "bytes_as_base64",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    pub state: Vec<u8>,
}

/// What has to happen before a suspended call goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum SuspensionKind {
    /// A person has to agree.
    Approval {
        /// Why it is asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The caller has to run tools of its own.
    ClientTools {
        /// The calls to run.
        calls: Vec<ClientCall>,
    },
    /// A person has to answer.
    Question {
        /// What is asked.
        prompt: String,
        /// JSON Schema of the answer; any text when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        schema: Option<Value>,
    },
    /// A person has to sign in somewhere.
    SignIn {
        /// Where.
        url: String,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        prompt: Option<String>,
    },
    /// Something this version does not know.
    Other {
        /// The plugin's name for it.
        name: String,
        /// What the caller needs to know.
        data: Value,
    },
}

/// A call that the caller runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientCall {
    /// The id under which its result comes back.
    pub tool_call_id: String,
    /// The caller's tool.
    pub tool_name: String,
    /// Its arguments.
    pub arguments: Value,
}
