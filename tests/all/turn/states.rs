//! The document of a suspended turn, and what may happen to it.

use serde_json::json;
use toolhost::SuspendedTurn;

use super::words::{Desk, STATE, result};

fn suspended() -> Desk {
    let desk = Desk::new();
    let calls = [
        ("a", "always_asks", json!({})),
        ("b", "echo_context", json!({})),
    ];
    desk.start(&calls, STATE).ends_with(7);
    desk
}

fn text(desk: &Desk) -> String {
    std::fs::read_to_string(desk.path("turn.json")).unwrap()
}

#[test]
fn an_edited_state_is_refused() {
    let desk = suspended();
    let whole = text(&desk);
    let edited = whole.replace("always_asks", "guarded");
    desk.write("turn.json", &edited);
    let refused = desk.go_on(&["--approve", "a"]).ends_with(2);
    assert!(
        refused.stderr.contains("changed after it was written"),
        "{refused:#?}"
    );
    assert_eq!(text(&desk), edited, "it is left as it is");

    // As it was, it still works.
    desk.write("turn.json", &whole);
    desk.go_on(&["--approve", "a"]).ends_with(0);
}

#[test]
fn a_state_that_is_only_written_another_way_still_works() {
    let desk = suspended();
    desk.write("turn.json", &format!("{:#}", desk.state()));
    desk.go_on(&["--approve", "a"]).ends_with(0);
}

#[test]
fn a_state_cut_short_anywhere_is_refused() {
    let desk = suspended();
    let whole = text(&desk);
    let whole = whole.trim_end();
    for end in (0..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        assert!(
            SuspendedTurn::from_json(&whole[..end]).is_err(),
            "cut at {end}"
        );
    }
    desk.write("turn.json", &whole[..whole.len() / 2]);
    let refused = desk.go_on(&["--approve", "a"]).ends_with(2);
    assert!(refused.stderr.contains("cut short"), "{refused:#?}");
}

#[test]
fn a_state_of_another_version_is_refused_by_its_version() {
    let desk = suspended();
    let mut state = desk.state();
    state["version"] = json!(2);
    desk.write("turn.json", &state.to_string());
    let refused = desk.go_on(&["--approve", "a"]).ends_with(2);
    assert!(
        refused
            .stderr
            .contains("version 2, and this host reads version 1"),
        "{refused:#?}"
    );

    desk.write("turn.json", r#"{"hello": "world"}"#);
    let refused = desk.go_on(&["--approve", "a"]).ends_with(2);
    assert!(
        refused.stderr.contains("not the state of a suspended turn"),
        "{refused:#?}"
    );
}

#[test]
fn a_waiting_turn_is_not_overwritten() {
    let desk = suspended();
    let before = text(&desk);
    let refused = desk
        .start(&[("c", "echo_context", json!({}))], STATE)
        .ends_with(2);
    assert!(refused.stderr.contains("is there already"), "{refused:#?}");
    assert_eq!(text(&desk), before);
}

#[test]
fn without_a_file_the_state_is_printed() {
    let desk = Desk::new();
    let ran = desk
        .start(&[("a", "always_asks", json!({}))], &[])
        .ends_with(7);
    desk.write("turn.json", &ran.stdout);
    let done = desk.go_on(&["--approve", "a"]).ends_with(0);
    assert_eq!(result(&done.json(), "a")["isError"], false);
}

#[test]
fn what_the_calls_know_of_the_run_is_kept() {
    let desk = Desk::new();
    let context = r#"{"sessionId": "s-7", "principal": {"id": "ada", "kind": "user"},
        "metadata": {"ratio": 0.1}, "messages": [{"role": "user", "content": "hi"}]}"#;
    desk.write("context.json", context);
    desk.write("host.toml", "[grants]\nallow-messages = true\n[permissions]\n\
         rules = [{ action = 'ask', tool = 'echo_context' }, { action = 'ask', tool = 'messages' }]\n");
    let calls = [
        ("a", "echo_context", json!({})),
        ("b", "messages", json!({})),
    ];
    let more = [
        "--state",
        "turn.json",
        "--context",
        "@context.json",
        "--config",
        "host.toml",
    ];
    desk.start(&calls, &more).ends_with(7);
    let done = desk
        .go_on(&["--approve", "a", "--approve", "b"])
        .ends_with(0)
        .json();
    let known = &result(&done, "a")["structuredContent"]["context"];
    assert_eq!(known["sessionId"], "s-7");
    assert_eq!(known["principal"]["id"], "ada");
    assert!(
        known["metadata"].as_str().unwrap().contains("0.1"),
        "{known:#}"
    );
    assert!(result(&done, "b").to_string().contains("hi"), "{done:#}");
}

#[test]
fn results_nested_as_deep_as_json_goes_survive() {
    let desk = Desk::with_plugin("misbehave");
    desk.write(
        "host.toml",
        "[permissions]\nrules = [{ action = 'ask', tool = 'ok' }]\n",
    );
    let deep = |depth: u32, part: &str| json!({ "depth": depth, "part": part });
    let calls = [
        ("a", "deep_json", deep(120, "structured")),
        ("b", "deep_json", deep(126, "custom-data")),
        ("d", "deep_json", deep(126, "details")),
        ("e", "deep_json", deep(126, "metadata")),
        ("c", "ok", json!({})),
    ];
    desk.start(&calls, &["--config", "host.toml", "--state", "turn.json"])
        .ends_with(7);
    let done = desk.go_on(&["--approve", "c"]).ends_with(0).json();
    let deepest = "[".repeat(120);
    let text = result(&done, "a")["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(&deepest), "{done}");
}

#[test]
fn a_report_tells_of_the_whole_call() {
    let desk = Desk::new();
    let calls = [("a", "suspend", json!({"kind": "question"}))];
    desk.start(&calls, STATE).ends_with(7);
    let before = desk.state()["calls"][0]["spent"]["fuel"].as_u64().unwrap();
    let done = desk
        .go_on(&["--answer", "a=Vienna", "--json"])
        .ends_with(0)
        .json();
    let fuel = done["results"][0]["report"]["fuel"].as_u64().unwrap();
    assert!(before > 0 && fuel > before, "{before} {fuel}");
}

#[test]
fn one_process_at_a_time_goes_on_with_a_turn() {
    let desk = suspended();
    let held = std::fs::File::open(desk.path("turn.json")).unwrap();
    held.lock().unwrap();
    let refused = desk.go_on(&["--approve", "a"]).ends_with(2);
    assert!(
        refused.stderr.contains("another process goes on"),
        "{refused:#?}"
    );
    drop(held);
    desk.go_on(&["--approve", "a"]).ends_with(0);
}
