//! Calls other tools, and is called by them: what a call from inside a sandbox
//! may reach, how deep and how often.

use std::time::Duration;

use toolhost_sdk::serde_json::{Value, json};
use toolhost_sdk::{CallFailure, Context, Outcome, Output, Suspension, ToolError, tool};

/// Calls another tool, and tells how each call went.
#[tool]
fn relay(
    /// The tool to call.
    tool: String,
    /// What it is called with; nothing when absent.
    arguments: Option<Value>,
    /// How often it is called.
    times: Option<u32>,
    ctx: &Context,
) -> Value {
    let calls = (0..times.unwrap_or(1)).map(|_| {
        told(match &arguments {
            Some(arguments) => ctx.call_tool(&tool, arguments),
            None => ctx.call_tool(&tool, &()),
        })
    });
    calls.collect()
}

/// The structured result or the text, or the failure.
fn told(ended: Result<Output, CallFailure>) -> Value {
    match ended {
        Ok(output) => output
            .structured
            .clone()
            .unwrap_or_else(|| json!(format!("{:?}", output.content))),
        Err(failure) => json!({
            "kind": failure.kind, "name": failure.name, "message": failure.message,
            "retryable": failure.retryable, "error": failure.error,
        }),
    }
}

/// Tells what it knows of its call.
#[tool(programmatic, read_only)]
fn inner(
    /// Given back.
    text: Option<String>,
    ctx: &Context,
) -> Value {
    json!({
        "text": text,
        "toolCallId": ctx.tool_call_id(),
        "idempotencyKey": ctx.idempotency_key(),
        "sessionId": ctx.session_id(),
        "principal": ctx.principal().map(|principal| principal.id),
        "approved": ctx.approval().is_some(),
        "attempt": ctx.attempt(),
    })
}

/// Calls itself until it is refused, and tells how deep it came.
#[tool(programmatic)]
fn deeper(ctx: &Context) -> Value {
    match ctx.call_tool("deeper", &()) {
        Ok(output) => {
            let below = output.structured.unwrap_or_default();
            json!({ "depth": below["depth"].as_u64().unwrap_or_default() + 1, "why": below["why"] })
        }
        Err(failure) => json!({ "depth": 0, "why": failure.message }),
    }
}

/// Calls itself twice, each of which calls itself twice, and so on.
#[tool(programmatic)]
fn wider(ctx: &Context) -> Value {
    let calls = [ctx.call_tool("wider", &()), ctx.call_tool("wider", &())];
    calls.into_iter().map(told).collect()
}

/// A tool that says nothing of programs.
#[tool(read_only)]
fn for_models() -> &'static str {
    "called by a model"
}

/// A tool that asks a person first.
#[tool(programmatic, approval = "always")]
fn asked() -> &'static str {
    "agreed"
}

/// A tool that waits for an answer.
#[tool(programmatic)]
fn question(ctx: &Context) -> Outcome<String> {
    ctx.suspend(Suspension::question("Which city?"))
}

/// Sleeps.
#[tool(programmatic)]
fn nap(
    /// For so many milliseconds.
    ms: u64,
) -> u64 {
    std::thread::sleep(Duration::from_millis(ms));
    ms
}

/// Fails once, then calls another tool and fails again, so that it is run anew.
#[tool(max_retries = 2)]
fn retrying(
    /// The tool to call in each attempt.
    tool: String,
    ctx: &Context,
) -> Result<Value, ToolError> {
    let called = told(ctx.call_tool(&tool, &json!({ "text": "again" })));
    if ctx.attempt() == 0 {
        return Err(ToolError::new("NotYetError", "not yet").retryable());
    }
    Ok(called)
}

toolhost_sdk::plugin!(
    relay, inner, deeper, wider, for_models, asked, question, nap, retrying
);
