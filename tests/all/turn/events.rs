//! What can be watched of a turn.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolhost::{Call, Event, Turn, TurnOptions, TurnResult};

use super::words::Desk;
use crate::cli::program::Ran;
use crate::support::{host_with, structured};

fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

fn names(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect()
}

#[test]
fn a_call_is_seen_from_its_start_to_its_end() {
    let desk = Desk::new();
    let calls = [("a", "partials", json!({"n": 2}))];
    let events = lines(&desk.start(&calls, &["--stream"]).ends_with(0));
    let expected = [
        "tool.start",
        "tool.partial",
        "tool.partial",
        "tool.done",
        "turn.done",
    ];
    assert_eq!(names(&events), expected);
    assert_eq!(events[1]["index"], 0);
    assert_eq!(events[2]["output"], json!({"step": 2, "of": 2}));
    assert_eq!(events[3]["result"]["told"], json!(["continue", "continue"]));
    let messages = events[4]["messages"].to_string();
    assert!(
        !messages.contains("step"),
        "partial results stay out of it: {messages}"
    );
}

#[test]
fn a_suspension_is_seen_and_going_on_too() {
    let desk = Desk::new();
    let calls = [("a", "always_asks", json!({}))];
    let ran = desk
        .start(&calls, &["--stream", "--state", "turn.json"])
        .ends_with(7);
    let events = lines(&ran);
    assert_eq!(
        names(&events),
        ["tool.start", "tool.suspended", "turn.suspended"]
    );
    assert_eq!(events[1]["pending"]["kind"], "approval");
    let events = lines(&desk.go_on(&["--stream", "--reject", "a"]).ends_with(0));
    assert_eq!(names(&events), ["tool.resume", "tool.error", "turn.done"]);
}

async fn watched(
    n: u64,
    capacity: usize,
) -> (mpsc::Receiver<Event>, tokio::task::JoinHandle<Value>) {
    let host = host_with("contract").await;
    let (sender, events) = mpsc::channel(capacity);
    let running = tokio::spawn(async move {
        let calls = vec![Call::new("a", "partials", json!({"n": n}))];
        let options = TurnOptions {
            events: Some(sender),
            ..TurnOptions::default()
        };
        match host.run_turn(Turn::new(calls), options).await.unwrap() {
            TurnResult::Done(done) => structured(&done.results[0]).clone(),
            TurnResult::Suspended(turn) => panic!("{turn:?}"),
        }
    });
    (events, running)
}

#[tokio::test]
async fn a_slow_reader_slows_the_tool() {
    let (mut events, running) = watched(50, 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!running.is_finished(), "the tool waits for its reader");
    let mut partials = 0;
    while let Some(event) = events.recv().await {
        partials += u32::from(matches!(event, Event::Partial { .. }));
    }
    assert_eq!(partials, 50, "none is lost");
    running.await.unwrap();
}

#[tokio::test]
async fn a_reader_that_goes_away_stops_the_tool() {
    let (mut events, running) = watched(1_000, 1).await;
    while let Some(event) = events.recv().await {
        if matches!(event, Event::Partial { index: 1, .. }) {
            break;
        }
    }
    drop(events);
    let told = running.await.unwrap()["told"].as_array().unwrap().clone();
    assert_eq!(told.last(), Some(&json!("stop")));
    assert!(told.len() < 10, "{}", told.len());
}
