//! A list that stays from call to call, one for each session.

use std::path::Path;

use serde_json::{Value, json};

use super::run;
use crate::cli::program::Ran;

fn call(dir: &Path, session: &str, tool: &str, arguments: &Value, more: &[&str]) -> Ran {
    let file = dir.join("state.db").display().to_string();
    let context = json!({ "sessionId": session }).to_string();
    let mut line = vec![
        "--storage",
        "session",
        "--storage-file",
        &file,
        "--context",
        &context,
    ];
    line.extend(more);
    run("todo", tool, arguments, &line)
}

#[test]
fn a_list_is_written_in_one_call_and_read_in_another() {
    let dir = tempfile::tempdir().unwrap();
    let plan = json!({ "todos": [
        { "content": "plan", "status": "completed" },
        { "content": "build", "status": "in_progress" },
        { "content": "test" },
    ]});
    let said = call(dir.path(), "s", "todo_write", &plan, &[])
        .ends_with(0)
        .stdout;
    let expected =
        "[x] 1: plan\n[>] 2: build\n[ ] 3: test\n1 of 3 completed, 1 in progress, 1 pending\n";
    assert_eq!(said, expected);
    let read = call(dir.path(), "s", "todo_read", &json!({}), &[])
        .ends_with(0)
        .stdout;
    assert_eq!(read, expected);

    // An item is known by its id or by its text; a new one gets a new id.
    let next = json!({ "todos": [
        { "id": "2", "content": "build it all", "status": "completed" },
        { "content": "test", "status": "in_progress" },
        { "content": "ship" },
    ]});
    let said = call(dir.path(), "s", "todo_write", &next, &[])
        .ends_with(0)
        .stdout;
    assert!(
        said.starts_with("[x] 2: build it all\n[>] 3: test\n[ ] 4: ship\n"),
        "{said}"
    );
}

#[test]
fn another_session_has_another_list() {
    let dir = tempfile::tempdir().unwrap();
    let todos = json!({ "todos": [{ "content": "mine" }] });
    call(dir.path(), "a", "todo_write", &todos, &[]).ends_with(0);
    let read = call(dir.path(), "b", "todo_read", &json!({}), &[])
        .ends_with(0)
        .quietly();
    assert_eq!(read, "the list is empty\n");
}

#[test]
fn two_things_at_once_are_refused_and_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let todos = json!({ "todos": [{ "content": "one" }] });
    call(dir.path(), "s", "todo_write", &todos, &[]).ends_with(0);
    let two = json!({ "todos": [
        { "content": "a", "status": "in_progress" },
        { "content": "b", "status": "in_progress" },
    ]});
    let refused = call(dir.path(), "s", "todo_write", &two, &[]).ends_with(1);
    assert!(
        refused.stderr.contains("one at most may be"),
        "{refused:#?}"
    );
    let read = call(dir.path(), "s", "todo_read", &json!({}), &[])
        .ends_with(0)
        .quietly();
    assert!(read.starts_with("[ ] 1: one\n"), "{read}");
}

#[test]
fn without_storage_nothing_is_kept_and_the_grant_is_named() {
    let todos = json!({ "todos": [{ "content": "one" }] });
    let refused = run("todo", "todo_write", &todos, &[]).ends_with(1);
    assert!(refused.stderr.contains("--storage"), "{refused:#?}");
}

#[test]
fn a_change_is_told_to_whoever_watches() {
    let dir = tempfile::tempdir().unwrap();
    let todos = json!({ "todos": [{ "content": "one" }] });
    let more = ["--json", "--stream"];
    let ran = call(dir.path(), "s", "todo_write", &todos, &more).ends_with(0);
    let mut lines = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let event = lines.find(|line| line.to_string().contains("todo.updated"));
    let event = event.unwrap_or_else(|| panic!("no event: {ran:#?}"));
    assert!(event.to_string().contains(r#""pending":1"#), "{event}");
}
