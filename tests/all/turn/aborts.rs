//! Cancelling a turn.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc;
use toolhost::{
    Call, CancelHandle, ErrorKind, Event, ExecutionContext, Host, LimitsPatch, PluginOptions, Turn,
    TurnOptions, TurnResult,
};

use toolhost_tests::guest;

use super::words::native;
use crate::support::{cache_dir, host_with};

async fn cancelled(tool: &str, events: Option<mpsc::Sender<Event>>) -> (Vec<ErrorKind>, Duration) {
    let host = host_with("misbehave").await;
    let cancel = CancelHandle::new();
    let options = TurnOptions {
        concurrency: 1,
        cancel: cancel.clone(),
        events,
        limits: LimitsPatch {
            grace: Some("20s".parse().unwrap()),
            ..LimitsPatch::default()
        },
        ..TurnOptions::default()
    };
    let calls = vec![
        Call::new("a", tool, json!({"how": "spin"})),
        Call::new("b", "ok", json!({})),
    ];
    let calls = calls.into_iter().map(|mut call| {
        if call.tool_name != "ignore_abort" {
            call.arguments = toolhost::Arguments::Value(json!({}));
        }
        call
    });
    let turn = Turn::new(calls.collect());
    let running = tokio::spawn(async move { host.run_turn(turn, options).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let started = Instant::now();
    cancel.cancel();
    let TurnResult::Done(done) = running.await.unwrap().unwrap() else {
        panic!("a cancelled turn does not wait");
    };
    let kinds = done
        .results
        .iter()
        .map(|result| result.outcome.as_ref().unwrap_err().kind);
    (kinds.collect(), started.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_turn_settles_at_once() {
    for tool in ["block_on_signal", "spin"] {
        let (kinds, waited) = cancelled(tool, None).await;
        assert_eq!(kinds, [ErrorKind::Aborted, ErrorKind::NotRun], "{tool}");
        assert!(waited < Duration::from_secs(5), "{tool}: {waited:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_sleeps_does_not_hold_up_an_abort() {
    let (sender, mut events) = mpsc::channel(1);
    let (kinds, waited) = cancelled("spin", Some(sender)).await;
    assert_eq!(kinds, [ErrorKind::Aborted, ErrorKind::NotRun]);
    assert!(waited < Duration::from_secs(5), "{waited:?}");
    // When it wakes up it still gets one end for each call.
    let mut ends = Vec::new();
    while let Some(event) = events.recv().await {
        if event.is_terminal() {
            ends.push(event.tool_call_id().to_owned());
        }
    }
    ends.sort();
    assert_eq!(ends, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_of_an_aborted_call_is_gone_after_its_grace_time() {
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .max_calls(1)
        .build()
        .unwrap();
    let options = PluginOptions::default();
    host.load(guest("misbehave"), options).await.unwrap();
    let cancel = CancelHandle::new();
    let options = TurnOptions {
        cancel: cancel.clone(),
        limits: LimitsPatch {
            grace: Some("2s".parse().unwrap()),
            fuel: Some(u64::MAX),
            ..LimitsPatch::default()
        },
        ..TurnOptions::default()
    };
    let turn = Turn::new(vec![Call::new("a", "spin", json!({}))]);
    let running = tokio::spawn({
        let host = host.clone();
        async move { host.run_turn(turn, options).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let cancelled = Instant::now();
    cancel.cancel();
    running.await.unwrap().unwrap();
    assert!(cancelled.elapsed() < Duration::from_millis(1_500));
    // The only sandbox of this host is free again once the guest is killed.
    let next = host.call(Call::new("b", "ok", json!({})), ExecutionContext::default());
    assert!(!next.await.is_error());
    let waited = cancelled.elapsed();
    assert!(
        waited > Duration::from_millis(1_900) && waited < Duration::from_secs(20),
        "{waited:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_dropped_is_cancelled() {
    let stopped = CancelHandle::new();
    let told = stopped.clone();
    let host = crate::support::host();
    let tool = native("wait", move |_, context| {
        let told = told.clone();
        async move {
            context.aborted().await;
            told.cancel();
            Ok(json!(null))
        }
    });
    host.register(tool).unwrap();
    let turn = Turn::new(vec![Call::new("a", "wait", json!({}))]);
    let running = host.run_turn(turn, TurnOptions::default());
    assert!(
        tokio::time::timeout(Duration::from_millis(100), running)
            .await
            .is_err()
    );
    tokio::time::timeout(Duration::from_secs(5), stopped.cancelled())
        .await
        .unwrap();
}
