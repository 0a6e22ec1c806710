//! What a suspended call waits for, as it is shown to whoever decides.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolhost_sandbox::Digest;
use toolhost_tool::{Suspension, SuspensionKind, json};

use super::decision::{Decision, Reply};
use crate::approval;
use crate::pipeline::Showing;

/// Arguments that are nested deeper are shown as text: the document they are
/// shown in has to stay readable by every JSON reader.
const MAX_SHOWN_DEPTH: usize = 64;

/// A call that waits for something outside.
///
/// As JSON: `{toolCallId, toolName, kind, …, arguments?, argumentsDigest,
/// pluginDigest?, nonce, expiresAt?}`; what follows `kind` is that of
/// [`SuspensionKind`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// The id of the call.
    pub tool_call_id: String,
    /// Its tool.
    pub tool_name: String,
    /// What has to happen, and the plugin's own state.
    #[serde(flatten)]
    pub suspension: Suspension,
    /// The arguments the tool runs with; absent when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// SHA-256 of the arguments in their canonical form.
    pub arguments_digest: Digest,
    /// SHA-256 of the plugin's file; absent for a tool of the embedding program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin_digest: Option<Digest>,
    /// Names this question. A decision carries it, and is used once.
    pub nonce: String,
    /// When an approval is no longer taken, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
    /// Why it is asked once more, when a decision was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_again: Option<String>,
    /// Whether the tool itself suspended the call, after it had begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_tool: bool,
    /// Results of client tools that have come so far, by their ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub results: BTreeMap<String, Value>,
}

impl Pending {
    pub(super) fn new(
        tool_call_id: String,
        tool_name: String,
        suspension: Suspension,
        showing: &Showing,
        approval_time: Duration,
    ) -> Self {
        let mut pending = Self {
            tool_call_id,
            tool_name,
            suspension,
            arguments: showing.arguments.as_deref().map(shown_arguments),
            arguments_digest: showing.shown.arguments_digest,
            plugin_digest: showing.shown.plugin_digest,
            nonce: String::new(),
            expires_at: None,
            asked_again: showing.asked_again.map(str::to_owned),
            by_tool: showing.by_tool,
            results: BTreeMap::new(),
        };
        pending.renew(approval_time);
        pending
    }

    /// Asks as if for the first time: decisions about the earlier question do
    /// not count.
    pub(super) fn renew(&mut self, approval_time: Duration) {
        self.nonce = approval::nonce();
        self.expires_at = self
            .is_approval()
            .then(|| approval::now().saturating_add(approval_time.as_secs()));
    }

    /// A decision about exactly this question.
    #[must_use]
    pub fn decide(&self, reply: Reply) -> Decision {
        Decision {
            tool_call_id: self.tool_call_id.clone(),
            nonce: self.nonce.clone(),
            arguments_digest: self.arguments_digest,
            reply,
        }
    }

    /// What it waits for, in words.
    #[must_use]
    pub fn waits_for(&self) -> &'static str {
        match self.suspension.kind {
            SuspensionKind::Approval { .. } => "an approval",
            SuspensionKind::ClientTools { .. } => "results of client tools",
            SuspensionKind::Question { .. } => "an answer",
            SuspensionKind::SignIn { .. } => "a sign-in",
            SuspensionKind::Other { .. } => "something that its plugin names",
        }
    }

    pub(super) fn is_approval(&self) -> bool {
        matches!(self.suspension.kind, SuspensionKind::Approval { .. })
    }

    pub(super) fn has_expired(&self) -> bool {
        self.expires_at
            .is_some_and(|expires_at| approval::now() >= expires_at)
    }
}

fn shown_arguments(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) if json::depth_of(&value) <= MAX_SHOWN_DEPTH => value,
        _ => Value::String(text.to_owned()),
    }
}
