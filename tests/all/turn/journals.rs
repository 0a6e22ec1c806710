//! Same call, same effect, whatever becomes of the process.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::words::{Desk, result, told};
use crate::cli::program::{command, guest_path};

const JOURNAL: &[&str] = &["--journal", "calls.db"];

/// A desk whose tools may write below `/out`.
fn desk() -> Desk {
    let desk = Desk::with_plugin("env");
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.write("host.toml", "[grants]\ndirs = ['out::/out:rw']\n");
    desk
}

#[test]
fn a_finished_call_is_answered_and_not_run_again() {
    let desk = desk();
    let more = ["--journal", "calls.db", "--config", "host.toml"];
    let calls = [("a", "append_file", json!({"path": "/out/log", "bytes": 7}))];
    let first = desk.start(&calls, &more).ends_with(0).json();
    let written = || std::fs::metadata(desk.path("out/log")).unwrap().len();
    assert_eq!(written(), 7);
    let again = desk.start(&calls, &more).ends_with(0).json();
    assert_eq!(again, first);
    assert_eq!(written(), 7, "it was not written twice");
}

#[test]
fn the_same_id_with_other_arguments_is_refused() {
    let desk = Desk::new();
    let first = [
        ("a", "metadata", json!({"value": 1})),
        ("b", "fail", json!({"name": "Sad", "message": "m"})),
    ];
    desk.start(&first, JOURNAL).ends_with(0);
    let second = [
        ("a", "metadata", json!({"value": 2})),
        ("b", "fail", json!({"message": "m", "name": "Sad"})),
    ];
    let results = desk.start(&second, JOURNAL).ends_with(0).json();
    assert_eq!(told(&results, "a")["kind"], "denied");
    assert_eq!(
        told(&results, "b")["error"],
        "Sad",
        "the order of keys does not matter"
    );
}

#[test]
fn an_approved_call_is_answered_without_asking_again() {
    let desk = Desk::new();
    let calls = [("a", "always_asks", json!({}))];
    desk.start(&calls, &["--journal", "calls.db", "--state", "turn.json"])
        .ends_with(7);
    desk.go_on(&["--approve", "a"]).ends_with(0);
    let results = desk.start(&calls, JOURNAL).ends_with(0).json();
    assert_eq!(result(&results, "a")["structuredContent"]["ran"], true);
}

#[test]
fn a_question_is_no_failed_attempt() {
    let desk = Desk::new();
    let calls = [("a", "suspend", json!({"kind": "question"}))];
    let more = ["--journal", "calls.db", "--state", "turn.json"];
    desk.start(&calls, &more).ends_with(7);
    let done = desk
        .go_on(&["--answer", "a=Vienna", "--json"])
        .ends_with(0)
        .json();
    assert_eq!(done["results"][0]["report"].get("logs"), None, "{done:#}");
}

#[test]
fn a_call_that_was_killed_runs_again_and_says_so() {
    let desk = Desk::new();
    let message = json!([{"id": "a", "name": "await_abort", "arguments": {"ms": 20_000}},
                         {"id": "b", "name": "echo_context"}]);
    desk.write("message.json", &message.to_string());
    let plugin = guest_path("contract");
    let line = [
        "turn",
        "--plugin",
        &plugin,
        "--message",
        "@message.json",
        "--journal",
        "calls.db",
        "--stream",
    ];
    let mut child = command(line)
        .current_dir(desk.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .expect("host runs");
    // It is killed once `b` is done and `a` has started.
    let mut seen = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().expect("stdout is piped"));
    while !(seen.contains(r#""event":"tool.done""#)) {
        assert!(
            std::io::BufRead::read_line(&mut out, &mut seen).unwrap() > 0,
            "{seen}"
        );
    }
    std::thread::sleep(Duration::from_millis(200));
    child.kill().unwrap();
    child.wait().unwrap();

    let calls = [
        ("a", "await_abort", json!({"ms": 20_000})),
        ("b", "echo_context", json!({})),
    ];
    // The arguments are the same, so a shorter wait has to come from outside.
    let more = [
        "--journal",
        "calls.db",
        "--json",
        "--context",
        r#"{"deadlineMs": 300}"#,
    ];
    let done = desk.start(&calls, &more).ends_with(0).json();
    let logs = &done["results"][0]["report"]["logs"];
    assert!(logs.to_string().contains("this is attempt 2"), "{done:#}");
}

#[test]
fn a_journal_survives_being_killed_at_any_point() {
    let desk = Desk::new();
    let calls: Vec<Value> = (0..40)
        .map(|number| json!({"id": format!("k{number}"), "name": "echo_context"}))
        .collect();
    desk.write("message.json", &json!(calls).to_string());
    let plugin = guest_path("contract");
    let line = [
        "turn",
        "--plugin",
        &plugin,
        "--message",
        "@message.json",
        "--journal",
        "calls.db",
    ];
    for wait in [5, 15, 25, 35, 45, 60, 80, 100] {
        let mut child = command(line)
            .current_dir(desk.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("host runs");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let results = desk
        .start_message(&json!(calls), JOURNAL)
        .ends_with(0)
        .json();
    for result in results.as_array().unwrap() {
        assert_eq!(result["isError"], false, "{result:#}");
    }
}

#[test]
fn a_file_that_is_no_journal_is_refused_before_anything_runs() {
    let desk = Desk::new();
    desk.write("calls.db", &"these are my notes. ".repeat(100));
    let ran = desk
        .start(&[("a", "echo_context", json!({}))], JOURNAL)
        .ends_with(2);
    assert!(ran.stderr.contains("cannot use the journal"), "{ran:#?}");
}
