//! Cancelling a turn.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::mpsc;
use toolhost::{Call, CancelHandle, ErrorKind, Event, LimitsPatch, Turn, TurnOptions, TurnResult};

use crate::support::host_with;

async fn cancelled(tool: &str, events: Option<mpsc::Sender<Event>>) -> (Vec<ErrorKind>, Duration) {
    let host = host_with("misbehave").await;
    let cancel = CancelHandle::new();
    let options = TurnOptions {
        concurrency: 1,
        cancel: cancel.clone(),
        events,
        limits: LimitsPatch {
            grace: Some("2s".parse().unwrap()),
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
        assert!(waited < Duration::from_secs(1), "{tool}: {waited:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_sleeps_does_not_hold_up_an_abort() {
    let (sender, mut events) = mpsc::channel(1);
    let (kinds, waited) = cancelled("spin", Some(sender)).await;
    assert_eq!(kinds, [ErrorKind::Aborted, ErrorKind::NotRun]);
    assert!(waited < Duration::from_secs(1), "{waited:?}");
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
