//! The audit log: what the operator can read afterwards of every call.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::program::{Ran, guest_path, host_in};

fn run(folder: &Path, guest: &str, tool: &str, arguments: &Value, more: &[&str]) -> Ran {
    let (plugin, arguments) = (guest_path(guest), arguments.to_string());
    let mut line = vec!["run", "--plugin", &plugin, "--json", "--tool", tool];
    line.extend(["--args", &arguments, "--audit", "audit.jsonl"]);
    line.extend(more);
    host_in(folder, line)
}

fn lines(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("audit.jsonl")).expect("there is a log");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

#[test]
fn every_call_has_a_line_whatever_became_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let context =
        json!({"principal": {"id": "ada", "kind": "user", "verified": true}, "runId": "r1"});
    let context = context.to_string();
    run(
        folder.path(),
        "relay",
        "inner",
        &json!({"text": "hush"}),
        &["--context", &context],
    )
    .ends_with(0);
    run(folder.path(), "relay", "inner", &json!({"text": 7}), &[]).ends_with(6);
    run(folder.path(), "relay", "missing", &json!({}), &[]);
    run(
        folder.path(),
        "misbehave",
        "spin",
        &json!({}),
        &["--fuel", "1M"],
    )
    .ends_with(4);

    let lines = lines(folder.path());
    let outcomes: Vec<_> = lines
        .iter()
        .map(|line| (&line["outcome"], &line["error"]["name"]))
        .collect();
    assert_eq!(outcomes[0], (&json!("done"), &Value::Null));
    assert_eq!(outcomes[1].1, "ToolArgumentsValidationError");
    assert_eq!(outcomes[2].1, "ToolNotFoundError");
    assert_eq!(outcomes[3].1, "FuelExhaustedError");
    assert_eq!(
        (&lines[0]["principal"], &lines[0]["runId"]),
        (&json!("ada"), &json!("r1"))
    );
    assert_eq!(lines[0]["source"], "relay");
    assert_eq!(lines[0]["plugin"].as_str().unwrap().len(), 64);
    assert!(lines[0]["time"].as_str().unwrap().ends_with('Z'));
    assert!(
        !format!("{lines:?}").contains("hush"),
        "arguments are a digest"
    );
}

#[test]
fn a_refusal_has_a_line_of_its_own_and_so_has_each_inner_call() {
    let folder = tempfile::tempdir().unwrap();
    run(
        folder.path(),
        "relay",
        "relay",
        &json!({"tool": "inner"}),
        &[],
    )
    .ends_with(0);
    run(
        folder.path(),
        "relay",
        "relay",
        &json!({"tool": "inner"}),
        &["--allow-tool", "inner"],
    )
    .ends_with(0);

    let lines = lines(folder.path());
    assert_eq!(lines[1]["event"], "denial");
    assert_eq!(lines[1]["denial"]["allowWith"], "--allow-tool inner");
    // The inner call ends first.
    assert_eq!(
        (&lines[2]["toolName"], &lines[3]["toolName"]),
        (&json!("inner"), &json!("relay"))
    );
    assert_eq!(lines[3]["effects"][0]["target"], "inner");
}

#[test]
fn arguments_are_kept_whole_where_the_operator_asks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[audit]\nfile = \"elsewhere.jsonl\"\narguments = \"full\"\n";
    fs::write(folder.path().join("host.toml"), config).unwrap();
    run(
        folder.path(),
        "relay",
        "inner",
        &json!({"text": "hush"}),
        &["--config", "host.toml"],
    )
    .ends_with(0);
    let line = &lines(folder.path())[0];
    assert!(
        line["arguments"]["json"].to_string().contains("hush"),
        "{line}"
    );
}

/// The line before was cut off when a machine went down.
#[test]
fn each_line_is_whole_whatever_was_there_before() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("audit.jsonl"), "{\"time\":").unwrap();
    run(folder.path(), "relay", "inner", &json!({}), &[]).ends_with(0);
    let text = fs::read_to_string(folder.path().join("audit.jsonl")).unwrap();
    let (cut, line) = text.split_once('\n').unwrap();
    assert_eq!(cut, "{\"time\":");
    let line: Value = serde_json::from_str(line.trim_end()).unwrap();
    assert_eq!(line["toolName"], "inner");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_no_call_and_is_not_hidden() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("audit.jsonl")).unwrap();
    let ended = run(folder.path(), "relay", "inner", &json!({}), &[])
        .ends_with(0)
        .json();
    let logs = ended["report"]["logs"].to_string();
    assert!(logs.contains("the audit log cannot be written"), "{logs}");
}

#[test]
fn a_log_that_cannot_be_opened_is_told_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("audit.jsonl")).unwrap();
    let ran = run(folder.path(), "relay", "inner", &json!({}), &[]).ends_with(2);
    assert!(
        ran.stdout.contains("cannot write the audit log"),
        "{ran:#?}"
    );
}
