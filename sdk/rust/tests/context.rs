//! A tool uses its context; a unit test plays the host.

use std::time::Duration;

use serde_json::{Value, json};
use toolhost_sdk::{
    Approval, CallFailure, Context, LogLevel, RunError, TokenUsage, ToolError, testing, tool,
};

/// Reads lines for as long as somebody wants them.
#[tool]
fn read(ctx: &Context, lines: u32) -> u32 {
    for line in 1..=lines {
        if ctx.is_aborted() {
            ctx.warn("cut short");
            return line - 1;
        }
        if ctx.emit(&json!({ "lines": line })).is_stop() {
            return line;
        }
    }
    lines
}

#[test]
fn partial_results_are_recorded() {
    let ctx = Context::fake().build();
    assert_eq!(read(&ctx, 2), 2);
    let recording = ctx.recording();
    assert_eq!(
        recording.partials,
        [json!({ "lines": 1 }), json!({ "lines": 2 })]
    );
    assert!(recording.logs.is_empty());
}

#[test]
fn a_cancel_in_the_middle_is_seen() {
    let ctx = Context::fake().abort_after_partials(2).build();
    assert_eq!(read(&ctx, 9), 2);
    let log = (LogLevel::Warn, "cut short".to_owned());
    assert_eq!(ctx.recording().logs, [log]);
    assert!(ctx.abort_signal().is_ready());

    let ctx = Context::fake().aborted().build();
    assert_eq!(read(&ctx, 9), 0);
}

#[test]
fn a_reader_who_goes_is_seen() {
    let ctx = Context::fake().stop_after_partials(3).build();
    assert_eq!(read(&ctx, 9), 3);
}

#[test]
fn what_is_no_json_is_left_out_with_a_warning() {
    let ctx = Context::fake().build();
    let no_json = std::collections::HashMap::from([((1, 2), 3)]);
    assert!(!ctx.emit(&no_json).is_stop());
    assert!(matches!(ctx.try_emit(&no_json), Err(RunError::Invalid(_))));
    let recording = ctx.recording();
    assert!(recording.partials.is_empty());
    assert!(
        recording.logs[0]
            .1
            .starts_with("a partial result was left out")
    );
}

/// Repeats the last word of the conversation.
#[tool]
fn recall(ctx: &Context) -> Result<Value, ToolError> {
    let count = ctx.message_count()?;
    let last = ctx.messages(count.saturating_sub(1)..)?;
    ctx.attach_metadata(&json!({ "read": last.len() }))?;
    Ok(last.into_iter().next().unwrap_or_default())
}

#[test]
fn the_transcript_is_read_in_parts() {
    let ctx = Context::fake()
        .message(json!({ "n": 0 }))
        .message(json!({ "n": 1 }))
        .build();
    assert_eq!(recall(&ctx).unwrap(), json!({ "n": 1 }));
    assert_eq!(ctx.recording().metadata, [json!({ "read": 1 })]);
    assert_eq!(ctx.messages(..).unwrap().len(), 2);
    assert_eq!(ctx.messages(..1).unwrap(), [json!({ "n": 0 })]);
    assert_eq!(ctx.messages(0..=0).unwrap().len(), 1);
    assert_eq!(ctx.messages(1..99).unwrap().len(), 1);
    assert!(ctx.messages(7..).unwrap().is_empty());
}

#[test]
fn a_transcript_that_is_not_granted_is_an_error_to_pass_on() {
    let ctx = Context::fake().messages_denied().build();
    let error = testing::call_with::<RecallTool>(&json!({}), &ctx).unwrap_err();
    assert_eq!(error.name, "ContextDeniedError");
}

#[test]
fn every_fact_is_there() {
    let ctx = Context::fake()
        .tool_call_id("c")
        .session_id("s")
        .run_id("r")
        .request_id("q")
        .approval(Approval {
            note: Some("fine".into()),
            by: None,
        })
        .attempt(2)
        .deadline(Duration::from_millis(1500))
        .trace_parent("00-1")
        .idempotency_key("k")
        .metadata(json!({ "tenant": 7 }))
        .usage(TokenUsage {
            input_tokens: 1,
            output_tokens: 2,
        })
        .build();
    assert_eq!(ctx.tool_call_id(), "c");
    assert_eq!(ctx.session_id(), Some("s"));
    assert_eq!(ctx.run_id(), Some("r"));
    assert_eq!(ctx.request_id(), Some("q"));
    assert_eq!(ctx.approval().unwrap().note.unwrap(), "fine");
    assert_eq!(ctx.attempt(), 2);
    assert_eq!(ctx.deadline(), Duration::from_millis(1500));
    assert_eq!(ctx.trace_parent(), Some("00-1"));
    assert_eq!(ctx.idempotency_key(), "k");
    assert_eq!(ctx.metadata().unwrap()["tenant"], 7);
    assert_eq!(ctx.usage().unwrap().output_tokens, 2);
    assert!(ctx.principal().is_none() && ctx.resumption().is_none());
}

#[derive(serde::Deserialize)]
struct Tenant {
    tenant: u8,
}

#[test]
fn metadata_is_read_as_a_type() {
    let ctx = Context::fake().metadata(json!({ "tenant": 7 })).build();
    assert_eq!(ctx.metadata_as::<Tenant>().unwrap().unwrap().tenant, 7);
    assert!(matches!(ctx.metadata_as::<u8>(), Err(RunError::Invalid(_))));
    assert!(
        Context::fake()
            .build()
            .metadata_as::<Tenant>()
            .unwrap()
            .is_none()
    );
}

/// Adds up a column by way of another tool.
#[tool]
fn sum(column: &str, ctx: &Context) -> Result<i64, CallFailure> {
    let table = ctx.call_tool("csv_query", &json!({ "select": [column] }))?;
    let rows = table.structured.unwrap_or_default();
    let numbers = rows.as_array().into_iter().flatten();
    Ok(numbers.filter_map(Value::as_i64).sum())
}

#[test]
fn another_tool_is_played_by_the_test() {
    let ctx = Context::fake()
        .tool("csv_query", |arguments| {
            assert_eq!(arguments["select"], json!(["amount"]));
            Ok(json!([1, 2, 39]))
        })
        .build();
    assert_eq!(sum("amount", &ctx).unwrap(), 42);
    let call = ("csv_query".to_owned(), json!({ "select": ["amount"] }));
    assert_eq!(ctx.recording().calls, [call]);
}

#[test]
fn a_tool_that_is_not_granted_is_a_failure_to_pass_on() {
    let ctx = Context::fake().build();
    let arguments = json!({ "column": "amount" });
    let error = testing::call_with::<SumTool>(&arguments, &ctx).unwrap_err();
    assert_eq!(error.name, "ToolDeniedError");
    assert_eq!(ctx.recording().calls.len(), 1);

    let mut busy = CallFailure::new("execution", "BusyError", "try later");
    busy.retryable = true;
    let ctx = Context::fake().failing_tool("csv_query", busy).build();
    let error = testing::call_with::<SumTool>(&arguments, &ctx).unwrap_err();
    assert!(error.retryable && error.details.is_none());
}

#[test]
fn no_arguments_at_all_are_none() {
    let ctx = Context::fake().tool("now", Ok::<Value, _>).build();
    let output = ctx.call_tool("now", &()).unwrap();
    assert_eq!(output.structured, Some(Value::Null));
    let no_json = std::collections::HashMap::from([((1, 2), 3)]);
    let failure = ctx.call_tool("now", &no_json).unwrap_err();
    assert_eq!(failure.kind, "validation");
}

#[test]
fn events_are_recorded_and_their_names_checked() {
    let ctx = Context::fake().build();
    let flow = ctx.emit_event("todo.updated", &json!({ "open": 2 }));
    assert!(!flow.unwrap().is_stop());
    let event = ("todo.updated".to_owned(), json!({ "open": 2 }));
    assert_eq!(ctx.recording().events, [event]);
    for name in ["", "tool.done", "to do", &"x".repeat(65)] {
        let refused = ctx.emit_event(name, &1).unwrap_err();
        assert!(matches!(refused, RunError::Invalid(_)), "{name}");
    }
}

#[test]
fn a_secret_is_there_when_it_is_revealed() {
    let ctx = Context::fake().secret("signing-key", "hunter22").build();
    assert_eq!(ctx.secret_token("signing-key").unwrap(), "hunter22");
    assert!(matches!(
        ctx.secret_token("other"),
        Err(RunError::Denied(_))
    ));
}
