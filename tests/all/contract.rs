//! Every part of the contract crosses the boundary, from a real guest.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use toolhost::{
    Approval, ApprovalRequirement, Call, CallResult, ContentBlock, ExecutionContext, Grants,
    LimitsPatch, LogLevel, MediaSource, Messages, Offer, Outcome, PluginOptions, Resumption,
    SuspensionKind, Transcript,
};

use crate::support::{call, error, host_with, load, structured};

async fn call_in(
    host: &toolhost::Host,
    tool: &str,
    arguments: Value,
    context: Value,
) -> CallResult {
    let context: ExecutionContext = serde_json::from_value(context).expect("a context");
    host.call(Call::new("call-7", tool, arguments), context)
        .await
}

/// What the guest gets is the text of the value, not the spaces the model put in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_megabyte_of_arguments_reaches_the_guest_whole() {
    let host = host_with("length").await;
    let rows = vec![r#"{ "name": "a-\u0072ow", "numbers": [1.0, -22.5] }"#; 20_000];
    let text = format!(r#" {{ "n": 3, "rows": [{}] }} "#, rows.join(" , "));
    let compact = text.replace(r"\u0072", "r").replace("1.0", "1");
    let compact = compact.replace(' ', "");
    let call = Call::from_text("call-7", "length", text);
    let result = host.call(call, ExecutionContext::default()).await;
    assert_eq!(structured(&result), compact.len(), "{result:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_field_of_the_context_reaches_the_guest_unchanged() {
    let host = host_with("contract").await;
    let result = call_in(
        &host,
        "echo_context",
        json!({"any": {"b": 1, "a": [true, null]}}),
        json!({
            "sessionId": "session", "runId": "run", "requestId": "request",
            "principal": {"id": "ada", "kind": "robot", "claims": {"n": 9_007_199_254_740_993_u64}, "verified": true},
            "approval": {"note": "fine", "by": "grace"},
            "attempt": 3, "deadlineMs": 1_500, "traceParent": "00-ab-cd-01",
            "idempotencyKey": "key", "metadata": {"π": "3.14"},
            "usage": {"inputTokens": 18_446_744_073_709_551_615_u64, "outputTokens": 2},
            "resumption": {"state": "AP8=", "answer": null},
        }),
    )
    .await;
    let seen = structured(&result);
    let context = &seen["context"];
    for (field, expected) in [
        ("toolCallId", json!("call-7")),
        ("sessionId", json!("session")),
        ("runId", json!("run")),
        ("requestId", json!("request")),
        ("attempt", json!(3)),
        ("traceParent", json!("00-ab-cd-01")),
        ("idempotencyKey", json!("key")),
        ("approval", json!({"note": "fine", "by": "grace"})),
        ("metadata", json!(r#"{"π":"3.14"}"#)),
        (
            "usage",
            json!({"inputTokens": 18_446_744_073_709_551_615_u64, "outputTokens": 2}),
        ),
    ] {
        assert_eq!(context[field], expected, "{field} in {context}");
    }
    assert_eq!(context["principal"]["id"], "ada");
    assert_eq!(context["principal"]["verified"], true);
    assert_eq!(context["principal"]["claims"], r#"{"n":9007199254740993}"#);
    assert!(context["principal"]["kind"].to_string().contains("robot"));
    assert_eq!(context["deadlineMs"], 1_500);
    assert!(
        context["resumption"].to_string().contains("255"),
        "{context}"
    );
    let arguments = seen["call"]["arguments"].as_str().expect("text");
    assert!(
        arguments.starts_with(r#"{"any":{"b":1,"a":[true,null]}"#),
        "{arguments}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_context_is_empty_for_the_guest() {
    let host = host_with("contract").await;
    let result = call(&host, "echo_context", json!({})).await;
    let context = &structured(&result)["context"];
    for field in [
        "sessionId",
        "principal",
        "approval",
        "metadata",
        "usage",
        "resumption",
    ] {
        assert_eq!(context[field], Value::Null, "{field}");
    }
    assert_eq!(
        (&context["attempt"], &context["deadlineMs"]),
        (&json!(0), &json!(30_000))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn absent_arguments_are_not_null_arguments() {
    let host = host_with("contract").await;
    let mut absent = Call::new("c", "echo_arguments", json!({}));
    absent.arguments = toolhost::Arguments::Absent;
    let result = host.call(absent, ExecutionContext::default()).await;
    assert!(
        result.to_json()["result"].to_string().contains("absent"),
        "{result:?}"
    );
    let null = call(&host, "echo_arguments", Value::Null).await;
    assert_eq!(error(&null).name, "ToolArgumentsValidationError");
}

/// Counts what is read of it.
struct Counting(Arc<AtomicUsize>);

impl Transcript for Counting {
    fn len(&self) -> usize {
        1_000_000
    }

    fn read(&self, range: Range<usize>) -> Vec<Value> {
        self.0.fetch_add(range.len(), Ordering::SeqCst);
        range
            .map(|index| json!({"role": "user", "content": index}))
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_are_read_on_demand_and_only_where_granted() {
    let read = Arc::new(AtomicUsize::new(0));
    let context = || ExecutionContext {
        messages: Messages::new(Counting(Arc::clone(&read))),
        ..ExecutionContext::default()
    };
    let call = || Call::new("c", "messages", json!({"start": 10, "end": 12}));

    let host = host_with("contract").await;
    let denied = host.call(call(), context()).await;
    assert!(
        structured(&denied).to_string().contains("Denied"),
        "{denied:?}"
    );
    assert_eq!(
        denied.report.denials[0].allow_with.as_deref(),
        Some("--allow-messages")
    );
    assert_eq!(read.load(Ordering::SeqCst), 0);

    let grants = Grants {
        messages: true,
        ..Grants::default()
    };
    let (host, _) = load(
        "contract",
        PluginOptions {
            grants,
            ..PluginOptions::default()
        },
    )
    .await;
    let granted = host.call(call(), context()).await;
    let seen = structured(&granted);
    assert_eq!(seen["count"]["ok"], 1_000_000, "{seen}");
    let messages = seen["messages"]["ok"].to_string();
    assert!(messages.contains("10") && messages.contains("11") && !messages.contains("12"));
    assert_eq!(read.load(Ordering::SeqCst), 2, "nothing else was read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metadata_and_logs_are_in_the_report_and_never_in_the_result() {
    let host = host_with("contract").await;
    let result = call(&host, "metadata", json!({"value": {"secret": 42}})).await;
    assert_eq!(result.report.metadata, [json!({"secret": 42})]);
    let levels: Vec<LogLevel> = result.report.logs.iter().map(|line| line.level).collect();
    for level in [
        LogLevel::Trace,
        LogLevel::Debug,
        LogLevel::Info,
        LogLevel::Warn,
        LogLevel::Error,
    ] {
        assert!(levels.contains(&level), "{level:?} in {levels:?}");
    }
    assert!(!result.to_json()["result"].to_string().contains("secret"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_content_comes_back() {
    let host = host_with("contract").await;
    let result = call(&host, "content", json!({})).await;
    let output = result.output().expect("done");
    assert!(matches!(&output.content[0], ContentBlock::Text { text } if text == "some text"));
    let ContentBlock::Image(image) = &output.content[1] else {
        panic!("{output:?}")
    };
    assert_eq!(image.mime_type, "image/png");
    assert!(matches!(&image.source, MediaSource::Bytes { data } if data.starts_with(b"\x89PNG")));
    assert!(matches!(&output.content[2], ContentBlock::Audio(_)));
    assert!(
        matches!(&output.content[3], ContentBlock::File { name: Some(name), .. } if name == "report.csv")
    );
    assert!(matches!(&output.content[5], ContentBlock::Other { kind, .. } if kind == "map"));
    assert_eq!(output.structured, Some(json!({"rows": 1})));
    assert_eq!(output.custom_data, Some(json!({"for": "the program"})));
    assert_eq!(
        result.model_content(),
        [ContentBlock::Text {
            text: "what the model sees".into()
        }]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_suspends_and_goes_on_with_its_own_state() {
    let host = host_with("contract").await;
    for kind in ["approval", "client-tools", "question", "sign-in", "other"] {
        let arguments = json!({"kind": kind, "state": "page 3"});
        let first = call(&host, "suspend", arguments.clone()).await;
        let Ok(Outcome::Suspended(suspension)) = &first.outcome else {
            panic!("{first:?}")
        };
        let matches = match &suspension.kind {
            SuspensionKind::Approval { .. } => kind == "approval",
            SuspensionKind::ClientTools { calls } => kind == "client-tools" && calls.len() == 2,
            SuspensionKind::Question { prompt, .. } => {
                kind == "question" && prompt == "Which city?"
            }
            SuspensionKind::SignIn { url, .. } => kind == "sign-in" && url.starts_with("https://"),
            SuspensionKind::Other { name, .. } => kind == "other" && name == "payment",
        };
        assert!(matches, "{kind}: {suspension:?}");
        assert_eq!(first.to_json()["suspended"]["kind"], kind);

        let context = ExecutionContext {
            resumption: Some(Resumption {
                state: suspension.state.clone(),
                answer: Some(json!("Vienna")),
            }),
            ..ExecutionContext::default()
        };
        let second = host
            .call(Call::new("call-1", "suspend", arguments), context)
            .await;
        let resumed = structured(&second).to_string();
        assert!(
            resumed.contains("page 3") && resumed.contains("Vienna"),
            "{kind}: {resumed}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tools_own_error_keeps_all_its_fields() {
    let host = host_with("contract").await;
    let arguments = json!({
        "name": "CityNotFoundError", "message": "no such city", "code": "E404",
        "retryable": true, "details": {"city": "Atlantis"}, "propagate": true,
    });
    let result = call(&host, "fail", arguments).await;
    assert_eq!(
        result.to_json()["result"],
        json!({
            "error": "CityNotFoundError", "toolName": "fail", "message": "no such city",
            "kind": "execution", "code": "E404", "details": {"city": "Atlantis"},
            "retryable": true, "propagate": true,
        })
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_that_the_contract_does_not_name_is_an_error() {
    let host = host_with("contract").await;
    let result = call(&host, "other_outcome", json!({})).await;
    assert_eq!(error(&result).name, "InvalidOutputError");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn needs_approval_decides_whether_a_call_runs() {
    let host = host_with("contract").await;
    for (decision, expected) in [
        ("not-needed", "done"),
        ("ask", "asked"),
        ("ask-silently", "asked"),
        ("other", "asked"),
        ("deny", "ToolDeniedError"),
        ("trap", "GuestTrapError"),
    ] {
        let result = call(&host, "guarded", json!({"decision": decision})).await;
        let ended = match &result.outcome {
            Ok(Outcome::Done(_)) => "done",
            Ok(Outcome::Suspended(suspension)) => match suspension.kind {
                SuspensionKind::Approval { .. } => "asked",
                _ => "suspended",
            },
            Err(error) => &error.name,
        };
        assert_eq!(ended, expected, "{decision}");
    }
    let failed = call(&host, "guarded", json!({"decision": "error"})).await;
    assert_eq!(failed.to_json()["result"]["kind"], "execution");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_always_asks_runs_once_it_is_approved() {
    let host = host_with("contract").await;
    for tool in ["always_asks", "other_approval"] {
        let asked = call(&host, tool, json!({})).await;
        assert!(
            matches!(asked.outcome, Ok(Outcome::Suspended(_))),
            "{asked:?}"
        );
        let context = ExecutionContext {
            approval: Some(Approval::default()),
            ..ExecutionContext::default()
        };
        let approved = host.call(Call::new("c", tool, json!({})), context).await;
        assert!(approved.output().is_some(), "{approved:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_validate_hook_finds_what_a_schema_cannot_say() {
    let host = host_with("contract").await;
    let good = call(&host, "span", json!({"start": 1, "end": 2})).await;
    assert!(!good.is_error(), "{good:?}");
    let bad = call(&host, "span", json!({"start": 2, "end": 1})).await;
    let error = error(&bad);
    assert_eq!(
        (error.name.as_str(), error.issues.len()),
        ("ToolArgumentsValidationError", 2)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_model_output_hook_writes_what_the_model_sees() {
    let host = host_with("contract").await;
    let result = call(&host, "dressed", json!({})).await;
    let ContentBlock::Text { text } = &result.model_content()[0] else {
        panic!("{result:?}")
    };
    assert!(text.starts_with("dressed"), "{text}");
    let trapped = call(&host, "dressed", json!({"view": "trap"})).await;
    assert_eq!(error(&trapped).name, "GuestTrapError");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prepare_hook_offers_hides_and_changes_a_tool() {
    let host = host_with("contract").await;
    let offer = async |answer: &str| {
        let context = ExecutionContext {
            metadata: Some(json!({"offer": answer})),
            ..ExecutionContext::default()
        };
        host.prepare("shy", &context).await
    };
    assert!(matches!(offer("unchanged").await, Ok(Offer::Unchanged)));
    assert!(matches!(offer("hide").await, Ok(Offer::Hide)));
    assert!(matches!(offer("other").await, Ok(Offer::Hide)));
    assert!(
        matches!(offer("offer-as").await, Ok(Offer::As(definition)) if definition.name == "shy")
    );
    for refused in ["rename", "bad-schema"] {
        assert_eq!(
            offer(refused).await.unwrap_err().name,
            "InvalidOutputError",
            "{refused}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hooks_are_limited_like_the_tool_itself() {
    let host = host_with("contract").await;
    let limits = || serde_json::from_value::<LimitsPatch>(json!({"wall-clock": "100ms"})).unwrap();
    for (tool, arguments) in [
        ("guarded", json!({"decision": "spin"})),
        ("span", json!({"start": 1, "end": 2, "trouble": "spin"})),
        ("dressed", json!({"view": "spin"})),
    ] {
        let result = crate::support::call_limited(&host, tool, arguments, limits()).await;
        assert_eq!(
            error(&result).name,
            "DeadlineExceededError",
            "{tool}: {result:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_definition_keeps_all_its_fields() {
    let host = host_with("contract").await;
    let tool = host.tool("every_field").expect("it is there");
    let definition = tool.definition();
    assert!(definition.display_name.is_some() && definition.output_schema.is_some());
    assert!(definition.meta.is_some() && definition.max_retries > 0);
    let annotations = &definition.annotations;
    assert!(annotations.title.is_some() && annotations.read_only.is_some());
    assert_ne!(definition.approval, ApprovalRequirement::AskHook);
    let broken = call(&host, "every_field", json!({"break": true})).await;
    assert!(
        broken.is_error(),
        "the result does not match its schema: {broken:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hooks_and_the_tool_share_one_budget() {
    let host = host_with("contract").await;
    let arguments = || json!({"start": 1, "end": 2});
    let alone = call(&host, "span", arguments()).await;
    let both = alone.report.fuel;
    // Enough for the hook or for the tool, not for one after the other.
    let limits: LimitsPatch = serde_json::from_value(json!({"fuel": both * 3 / 4})).unwrap();
    let result = crate::support::call_limited(&host, "span", arguments(), limits).await;
    assert_eq!(error(&result).name, "FuelExhaustedError", "{result:?}");
}
