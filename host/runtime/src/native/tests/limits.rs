//! Partial results, limits, deadlines and cancelling.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use toolhost_policy::LimitsPatch;
use toolhost_tool::{ErrorKind, LogLevel};

use super::*;
use crate::running::Running;

fn limits(patch: Value) -> LimitsPatch {
    serde_json::from_value(patch).expect("the limits can be read")
}

fn start(host: &Host, name: &str) -> Running {
    let call = Call::new("call-1", name, json!({}));
    host.start(call, ExecutionContext::default(), LimitsPatch::default())
}

fn counting(to: u32) -> Result<Tool, Error> {
    tool("count")
        .execute(move |_: Value, context: ToolContext| async move {
            for step in 0..to {
                if context.emit_partial(json!({"step": step})).await? == Flow::Stop {
                    context.attach_metadata(json!({"stoppedAt": step}))?;
                    break;
                }
            }
            Ok::<_, ToolError>(())
        })
        .build()
}

#[tokio::test]
async fn partial_results_come_in_order_and_the_last_is_the_result() {
    let mut running = start(&host_with(counting(30)), "count");
    let mut seen = Vec::new();
    while let Some(partial) = running.partial().await {
        seen.push(partial["step"].as_u64().expect("a step"));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(seen, (0..30).collect::<Vec<_>>());
    let result = running.result().await;
    assert_eq!(worked(&result), json!({"step": 29}));
    assert_eq!(result.report.partials, 30);
}

#[tokio::test]
async fn a_tool_is_told_when_its_reader_has_gone() {
    let mut running = start(&host_with(counting(1_000_000)), "count");
    running.partial().await.expect("one partial");
    let result = running.result().await;
    assert!(!result.is_error(), "{result:?}");
    assert!(result.report.metadata[0]["stoppedAt"].is_number());
}

#[tokio::test]
async fn a_context_that_outlives_its_call_holds_nobody_up() {
    let kept = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&kept);
    let built = tool("leak")
        .execute(move |_: Value, context: ToolContext| {
            *keep.lock().expect("no panic") = Some(context);
            async { 1 }
        })
        .build();
    let mut running = start(&host_with(built), "leak");
    assert_eq!(running.partial().await, None);
    assert_eq!(worked(&running.result().await), 1);
    let context = kept.lock().expect("no panic").take().expect("a context");
    let flow = context.emit_partial(2).await.expect("it is small");
    assert_eq!(flow, Flow::Stop);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_takes_too_long_is_ended_even_if_it_blocks_its_thread() {
    let sleeps = tool("slow")
        .limits(limits(json!({"wall-clock": "50ms"})))
        .execute(async |_: Value, _: ToolContext| {
            tokio::time::sleep(Duration::from_mins(1)).await;
        })
        .build();
    let blocks = tool("slow")
        .limits(limits(json!({"wall-clock": "50ms"})))
        .execute(async |_: Value, _: ToolContext| std::thread::sleep(Duration::from_secs(2)))
        .build();
    for built in [sleeps, blocks] {
        let started = Instant::now();
        let error = failed(call(&host_with(built), "slow", json!({})).await);
        assert!(started.elapsed() < Duration::from_secs(1));
        assert_eq!(
            (error.name.as_str(), error.kind),
            ("DeadlineExceededError", ErrorKind::Sandbox)
        );
        assert_eq!(error.limit.expect("a limit").allowed, 50);
    }
}

#[tokio::test]
async fn a_cancelled_tool_may_put_things_in_order_and_is_then_dropped() {
    let listens = tool("wait")
        .execute(async |_: Value, context: ToolContext| {
            context.aborted().await;
            context.log(LogLevel::Info, "closed the door");
        })
        .build();
    let ignores = tool("wait")
        .execute(async |_: Value, _: ToolContext| std::future::pending::<()>().await)
        .build();
    for (built, logs, at_least, at_most) in [(listens, 1, 0, 200), (ignores, 0, 240, 5_000)] {
        let running = start(&host_with(built), "wait");
        tokio::time::sleep(Duration::from_millis(20)).await;
        let started = Instant::now();
        running.cancel();
        let result = running.result().await;
        let took = started.elapsed().as_millis();
        assert!((at_least..at_most).contains(&took), "{took} ms");
        assert_eq!(result.report.logs.len(), logs);
        assert_eq!(failed(result).kind, ErrorKind::Aborted);
    }
}

#[tokio::test]
async fn what_a_tool_says_is_limited() {
    let built = tool("talk")
        .limits(limits(
            json!({"output": "1KiB", "partial": "100B", "log": "100B"}),
        ))
        .parameters(r#"what: enum("output", "partial", "log", "metadata")"#)
        .execute(async |arguments: Value, context: ToolContext| {
            let much = "x".repeat(2_000);
            match arguments["what"].as_str().unwrap_or_default() {
                "partial" => context.emit_partial(&much).await.map(drop)?,
                "metadata" => context.attach_metadata(&much)?,
                "log" => context.log(LogLevel::Info, &much),
                _ => return Ok(much),
            }
            Ok::<_, ToolError>("fine".to_owned())
        })
        .build();
    let host = host_with(built);
    for what in ["output", "partial", "metadata"] {
        let error = failed(call(&host, "talk", json!({"what": what})).await);
        assert_eq!(error.name, "OutputLimitError", "{what}");
    }
    let result = call(&host, "talk", json!({"what": "log"})).await;
    assert_eq!(worked(&result), "fine");
    assert_eq!(result.report.logs_dropped_bytes, 2_000);
}

#[tokio::test]
async fn what_the_caller_says_of_the_run_reaches_the_tool() {
    let built = tool("who")
        .execute(async |_: Value, context: ToolContext| {
            json!([
                context.tool_name(),
                context.tool_call_id(),
                context.principal().map(|principal| &principal.id),
                context.attempt(),
                context.idempotency_key(),
                context.metadata(),
                context.messages().len(),
                context.time_left() <= Duration::from_millis(900),
            ])
        })
        .build();
    let context = serde_json::from_value(json!({
        "principal": {"id": "ada", "kind": "user"}, "attempt": 2, "deadlineMs": 900,
        "metadata": {"a": 1}, "messages": [{"role": "user"}],
    }));
    let call = Call::new("c-9", "who", json!({}));
    let result = host_with(built)
        .call(call, context.expect("a context"))
        .await;
    assert_eq!(
        worked(&result),
        json!(["who", "c-9", "ada", 2, "c-9", {"a": 1}, 1, true])
    );
}

#[tokio::test]
async fn a_tool_whose_caller_is_gone_is_dropped() {
    let alive = Arc::new(());
    let held = Arc::downgrade(&alive);
    let slot = Mutex::new(Some(alive));
    let built = tool("wait")
        .execute(move |_: Value, _: ToolContext| {
            let alive = slot.lock().expect("no panic").take();
            async move {
                std::future::pending::<()>().await;
                drop(alive);
            }
        })
        .build();
    let host = host_with(built);
    let given_up = Duration::from_millis(20);
    let result = tokio::time::timeout(given_up, call(&host, "wait", json!({}))).await;
    assert!(result.is_err(), "it waits for ever");
    for _ in 0..100 {
        if held.upgrade().is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it still runs");
}
