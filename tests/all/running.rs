//! A call on its way: partial results, backpressure, cancelling.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::{Call, ErrorKind, ExecutionContext, Host, LimitsPatch, Running};

use crate::support::{call_limited, error, host_with, structured};

fn start(host: &Host, tool: &str, arguments: Value) -> Running {
    let call = Call::new("call-1", tool, arguments);
    host.start(call, ExecutionContext::default(), LimitsPatch::default())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn partial_results_come_in_order_and_before_the_end() {
    let host = host_with("contract").await;
    let mut running = start(&host, "partials", json!({"n": 5}));
    let mut seen = Vec::new();
    while let Some(partial) = running.partial().await {
        seen.push(partial["step"].as_u64().expect("a step"));
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted(), "{seen:?}");
    let result = running.result().await;
    assert_eq!(structured(&result)["told"], json!(vec!["continue"; 5]));
    assert_eq!(result.report.partials, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_holds_the_tool_up_and_loses_nothing() {
    let host = host_with("contract").await;
    let mut running = start(&host, "partials", json!({"n": 40}));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut count = 0;
    while running.partial().await.is_some() {
        count += 1;
    }
    assert_eq!(count, 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_is_told_when_its_reader_has_gone() {
    let host = host_with("contract").await;
    let mut running = start(&host, "partials", json!({"n": 1_000, "delay": 5}));
    running.partial().await.expect("one partial");
    let result = running.result().await;
    let told = structured(&result)["told"].to_string();
    assert!(told.ends_with("\"stop\"]"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_partials_that_nobody_reads_is_held_up_until_the_deadline() {
    let host = host_with("misbehave").await;
    let limits: LimitsPatch = serde_json::from_value(json!({"wall-clock": "200ms"})).unwrap();
    let call = Call::new(
        "c",
        "flood_partials",
        json!({"n": 1_000_000, "bytes": 1_000}),
    );
    let mut running = host.start(call, ExecutionContext::default(), limits);
    tokio::time::sleep(Duration::from_millis(600)).await;
    let mut count = 0;
    while running.partial().await.is_some() {
        count += 1;
    }
    assert!(count < 20, "{count} partials were buffered");
    assert_eq!(error(&running.result().await).name, "DeadlineExceededError");
}

/// Cancels a running call and returns how it ended and how long that took.
async fn cancelled(
    guest: &str,
    tool: &str,
    arguments: Value,
    grace: &str,
) -> (toolhost::CallResult, Duration) {
    let host = host_with(guest).await;
    let limits: LimitsPatch = serde_json::from_value(json!({"grace": grace})).expect("a patch");
    let call = Call::new("call-1", tool, arguments);
    let running = host.start(call, ExecutionContext::default(), limits);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    running.cancel();
    let result = running.result().await;
    (result, started.elapsed())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_listens_ends_at_once_and_the_outcome_says_aborted() {
    for (guest, tool, arguments) in [
        ("contract", "await_abort", json!({"ms": 20_000})),
        ("contract", "poll_abort", json!({"ms": 20_000})),
        ("misbehave", "block_on_signal", json!({"ms": 0})),
    ] {
        let (result, took) = cancelled(guest, tool, arguments, "15s").await;
        let error = error(&result);
        assert_eq!(
            (error.name.as_str(), error.kind),
            ("ToolAbortedError", ErrorKind::Aborted)
        );
        assert!(
            took < Duration::from_secs(10),
            "{tool} took {took:?}, its grace time"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_does_not_listen_is_killed_after_its_grace_time() {
    for (tool, arguments) in [
        ("sleep", json!({"ms": 60_000})),
        ("spin", json!({})),
        ("ignore_abort", json!({})),
    ] {
        let (result, took) = cancelled("misbehave", tool, arguments, "250ms").await;
        assert_eq!(
            error(&result).name,
            "ToolAbortedError",
            "{tool}: {result:?}"
        );
        assert!(
            took >= Duration::from_millis(240),
            "{tool} was killed after {took:?}"
        );
        assert!(
            took < Duration::from_secs(15),
            "{tool} was killed after {took:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_was_cancelled_before_it_began_never_enters_the_guest() {
    let host = host_with("misbehave").await;
    let options = toolhost::CallOptions::default();
    options.cancel.cancel();
    let call = Call::new("c", "ok", json!({}));
    let result = host
        .call_with(call, ExecutionContext::default(), options)
        .await;
    assert_eq!(error(&result).name, "ToolAbortedError");
    assert_eq!(result.report.fuel, 0);
}

#[tokio::test]
async fn a_tool_that_sends_without_end_is_told_to_stop() {
    let host = host_with("misbehave").await;
    let flood = async |limits: LimitsPatch, n: u32| {
        call_limited(&host, "flood_partials", json!({"n": n}), limits).await
    };
    let result = flood(LimitsPatch::default(), 10_005).await;
    assert_eq!(structured(&result)["taken"], 10_000);
    let end = structured(&result)["end"].as_str().unwrap();
    assert!(
        end.contains("TooLarge") && end.contains("`emitted`"),
        "{end}"
    );
    let denial = &result.report.denials[0];
    assert_eq!((&*denial.capability, &*denial.target), ("limit", "emitted"));
    assert_eq!(
        denial.allow_with.as_deref(),
        Some("a higher emitted than 10000 under [limits]")
    );

    let limits = LimitsPatch {
        emitted: Some(3),
        ..LimitsPatch::default()
    };
    assert_eq!(structured(&flood(limits, 5).await)["taken"], 3);
}
