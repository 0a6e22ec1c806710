//! What the call knows about its run, and the transcript before it.

use guest_support::bindings::run::{self, MessageRange};
use guest_support::bindings::types::{ExecutionContext, PrincipalKind};
use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "echo_context",
        description: "Returns the call and every field of its execution context; documents as the text that crossed.",
        properties: r#"{"text":{"type":"string"},"count":{"type":"integer","default":7},"any":{}}"#,
        run: echo_context,
    },
    Tool {
        name: "echo_arguments",
        description: "Returns the text of the arguments as a text block, or `absent`.",
        properties: r#"{"any":{},"number":{"type":"number"},"integer":{"type":"integer"},"flag":{"type":"boolean"},"text":{"type":"string"},"list":{"type":"array","items":{"type":"integer"}}}"#,
        run: echo_arguments,
    },
    Tool {
        name: "messages",
        description: "Counts the messages before the call and reads those from `start` to `end`.",
        properties: r#"{"start":{"type":"integer","minimum":0,"default":0},"end":{"type":"integer","minimum":0}}"#,
        run: messages,
    },
];

fn echo_context(request: &Request) -> Answer {
    structured(json!({
        "call": {
            "toolName": request.call.tool_name,
            "arguments": request.call.arguments,
        },
        "context": context(&request.context),
    }))
}

/// Every field, destructured so that a new one cannot be forgotten here.
fn context(context: &ExecutionContext) -> Value {
    let ExecutionContext {
        tool_call_id,
        session_id,
        run_id,
        request_id,
        principal,
        approval,
        attempt,
        deadline_ms,
        trace_parent,
        idempotency_key,
        metadata,
        usage,
        resumption,
    } = context;
    json!({
        "toolCallId": tool_call_id,
        "sessionId": session_id,
        "runId": run_id,
        "requestId": request_id,
        "principal": principal.as_ref().map(|principal| json!({
            "id": principal.id,
            "kind": kind(&principal.kind),
            "claims": principal.claims,
            "verified": principal.verified,
        })),
        "approval": approval.as_ref().map(|approval| json!({
            "note": approval.note,
            "by": approval.by,
        })),
        "attempt": attempt,
        "deadlineMs": deadline_ms,
        "traceParent": trace_parent,
        "idempotencyKey": idempotency_key,
        "metadata": metadata,
        "usage": usage.as_ref().map(|usage| json!({
            "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens,
        })),
        "resumption": resumption.as_ref().map(|resumption| json!({
            "state": resumption.state,
            "answer": resumption.answer,
        })),
    })
}

fn kind(kind: &PrincipalKind) -> Value {
    match kind {
        PrincipalKind::User => "user".into(),
        PrincipalKind::Service => "service".into(),
        PrincipalKind::Agent => "agent".into(),
        PrincipalKind::Other(other) => json!({ "other": other }),
    }
}

fn echo_arguments(request: &Request) -> Answer {
    guest_support::text(request.call.arguments.as_deref().unwrap_or("absent"))
}

fn messages(request: &Request) -> Answer {
    let cut = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let range = MessageRange {
        start: cut(request.number("start", 0)),
        end: request.get("end").and_then(Value::as_u64).map(cut),
    };
    structured(json!({
        "count": said(run::message_count()),
        "messages": said(run::messages(range)),
    }))
}
