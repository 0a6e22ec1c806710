//! Rules and modes, by a configuration file and by a flag.

use serde_json::json;

use super::words::{Desk, result, told};
use crate::cli::program::run;

fn desk(permissions: &str) -> Desk {
    let desk = Desk::new();
    desk.write("host.toml", &format!("[permissions]\n{permissions}"));
    desk
}

const CONFIG: &[&str] = &["--config", "host.toml"];

#[test]
fn deny_beats_ask_and_ask_beats_allow() {
    let desk = desk(
        "rules = [
            { action = 'allow', tool = '*' },
            { action = 'ask', tool = 'echo_*' },
            { action = 'deny', tool = 'echo_context', reason = 'it says too much' },
        ]",
    );
    let calls = [
        ("a", "always_asks", json!({})),
        ("b", "echo_arguments", json!({})),
        ("c", "echo_context", json!({})),
    ];
    let ran = desk
        .start(&calls, &["--config", "host.toml", "--state", "turn.json"])
        .ends_with(7);
    assert!(ran.stderr.contains("`b` (echo_arguments)"), "{ran:#?}");
    let results = desk.go_on(&["--approve", "b"]).ends_with(0).json();
    assert_eq!(result(&results, "a")["structuredContent"]["ran"], true);
    assert_eq!(result(&results, "b")["isError"], false);
    let denied = told(&results, "c");
    assert_eq!(denied["error"], "ToolDeniedError");
    assert!(
        denied["reason"]
            .as_str()
            .unwrap()
            .contains("it says too much")
    );
}

#[test]
fn a_denial_holds_against_an_approval() {
    let desk = desk("rules = [{ action = 'ask', tool = 'echo_context' }]");
    let calls = [("a", "echo_context", json!({}))];
    desk.start(&calls, &["--config", "host.toml", "--state", "turn.json"])
        .ends_with(7);
    desk.write(
        "host.toml",
        "[permissions]\nrules = [{ action = 'deny', tool = 'echo_context' }]",
    );
    let results = desk.go_on(&["--approve", "a"]).ends_with(0).json();
    assert_eq!(told(&results, "a")["kind"], "denied");
}

#[test]
fn in_mode_plan_only_read_only_tools_run() {
    let desk = desk("");
    let results = desk.start(&[("a", "echo_context", json!({}))], &["--mode", "plan"]);
    let denied = told(&results.ends_with(0).json(), "a");
    assert!(
        denied["reason"].as_str().unwrap().contains("plan"),
        "{denied:#}"
    );
}

#[test]
fn unattended_nobody_is_asked() {
    let desk = desk("mode = 'unattended'");
    let calls = [
        ("a", "always_asks", json!({})),
        ("b", "guarded", json!({"decision": "ask"})),
        ("c", "guarded", json!({"decision": "not-needed"})),
    ];
    let results = desk.start(&calls, CONFIG).ends_with(0).json();
    for id in ["a", "b"] {
        assert_eq!(told(&results, id)["kind"], "denied");
    }
    assert_eq!(result(&results, "c")["structuredContent"]["ran"], true);
    // A flag has the last word.
    desk.start(
        &calls,
        &[
            "--config",
            "host.toml",
            "--mode",
            "default",
            "--state",
            "turn.json",
        ],
    )
    .ends_with(7);
}

#[test]
fn the_tools_own_hook_is_asked_only_when_all_else_leaves_it_open() {
    let desk = desk("rules = [{ action = 'allow', tool = 'guarded' }]");
    let spins = [("a", "guarded", json!({"decision": "spin"}))];
    let results = desk.start(&spins, CONFIG).ends_with(0).json();
    assert_eq!(result(&results, "a")["structuredContent"]["ran"], true);
    let fails = [("a", "guarded", json!({"decision": "error"}))];
    let results = desk.start(&fails, &[]).ends_with(0).json();
    assert_eq!(told(&results, "a")["kind"], "execution");
}

#[test]
fn a_rule_that_fits_no_tool_is_told() {
    let desk = desk("rules = [{ action = 'deny', tool = 'remove_*' }]");
    let ran = desk
        .start(&[("a", "echo_context", json!({}))], CONFIG)
        .ends_with(0);
    assert!(
        ran.stderr.contains("there is no tool for the rule"),
        "{ran:#?}"
    );
}

#[test]
fn the_rules_hold_for_a_single_call_too() {
    let desk =
        desk("rules = [{ action = 'deny', tool = 'echo_context', reason = 'it says too much' }]");
    let config = desk.path("host.toml").display().to_string();
    let ran = run("contract", "echo_context", &["--config", &config]).ends_with(3);
    assert!(ran.stderr.contains("it says too much"), "{ran:#?}");
}
