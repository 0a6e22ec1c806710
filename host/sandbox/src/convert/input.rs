//! The call and its context, on their way to the guest.

use std::time::Duration;

use toolhost_tool::{ExecutionContext, Principal, PrincipalKind};

use crate::bindings::types;

/// A call whose arguments were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The id the model gave the call.
    pub tool_call_id: String,
    /// The plugin's own name of the tool.
    pub tool_name: String,
    /// The arguments as JSON text; `None` when none were given.
    pub arguments: Option<String>,
}

pub(crate) fn wit_call(input: &Input) -> types::Call {
    types::Call {
        tool_name: input.tool_name.clone(),
        arguments: input.arguments.clone(),
    }
}

/// The context as the guest reads it. `allowed` is how long the call may take.
pub(crate) fn context(
    tool_call_id: &str,
    context: &ExecutionContext,
    allowed: Duration,
) -> types::ExecutionContext {
    let json = |value: &Option<serde_json::Value>| value.as_ref().map(ToString::to_string);
    types::ExecutionContext {
        tool_call_id: tool_call_id.to_owned(),
        session_id: context.session_id.clone(),
        run_id: context.run_id.clone(),
        request_id: context.request_id.clone(),
        principal: context.principal.as_ref().map(principal),
        approval: context.approval.as_ref().map(|approval| types::Approval {
            note: approval.note.clone(),
            by: approval.by.clone(),
        }),
        attempt: context.attempt,
        deadline_ms: u64::try_from(allowed.as_millis()).unwrap_or(u64::MAX),
        trace_parent: context.trace_parent.clone(),
        idempotency_key: context
            .idempotency_key
            .clone()
            .unwrap_or_else(|| tool_call_id.to_owned()),
        metadata: json(&context.metadata),
        usage: context.usage.map(|usage| types::TokenUsage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
        }),
        resumption: context
            .resumption
            .as_ref()
            .map(|resumption| types::Resumption {
                state: resumption.state.clone(),
                answer: json(&resumption.answer),
            }),
    }
}

fn principal(principal: &Principal) -> types::Principal {
    types::Principal {
        id: principal.id.clone(),
        kind: match &principal.kind {
            PrincipalKind::User => types::PrincipalKind::User,
            PrincipalKind::Service => types::PrincipalKind::Service,
            PrincipalKind::Agent => types::PrincipalKind::Agent,
            PrincipalKind::Other(kind) => types::PrincipalKind::Other(kind.clone()),
        },
        claims: principal.claims.as_ref().map(ToString::to_string),
        verified: principal.verified,
    }
}
