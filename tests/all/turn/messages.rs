//! Messages of the model APIs, read and answered in their own form.

use serde_json::{Value, json};

use super::words::{Desk, STATE, result, told};
use crate::cli::program::{guest_path, host, host_with_stdin};

#[test]
fn each_api_gets_its_own_form_back() {
    let desk = Desk::new();
    let arguments = json!({"value": 1});
    let text = arguments.to_string();
    let anthropic = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "t1", "name": "metadata", "input": arguments}]});
    let chat = json!({"role": "assistant", "tool_calls": [
        {"id": "t1", "type": "function", "function": {"name": "metadata", "arguments": text}}]});
    let responses =
        json!([{"type": "function_call", "call_id": "t1", "name": "metadata", "arguments": text}]);
    let gemini = json!({"role": "model", "parts": [{"functionCall": {"id": "t1", "name": "metadata", "args": arguments}}]});
    let vercel = json!({"role": "assistant", "content": [
        {"type": "tool-call", "toolCallId": "t1", "toolName": "metadata", "input": arguments}]});
    for (message, at, expected) in [
        (anthropic, "/content/0/tool_use_id", json!("t1")),
        (chat, "/0/tool_call_id", json!("t1")),
        (responses, "/0/call_id", json!("t1")),
        (gemini, "/parts/0/functionResponse/name", json!("metadata")),
        (vercel, "/content/0/toolCallId", json!("t1")),
    ] {
        let ran = desk.start_message(&message, &[]).ends_with(0).json();
        assert_eq!(ran.pointer(at), Some(&expected), "{ran:#}");
    }
}

#[test]
fn one_failure_does_not_touch_the_others() {
    let desk = Desk::new();
    let calls = [
        ("a", "fail", json!({"name": "Broken", "message": "no"})),
        ("b", "echo_contxt", json!({})),
        ("c", "suspend", json!({"kind": 7})),
        ("d", "echo_context", json!({})),
    ];
    let results = desk.start(&calls, &[]).ends_with(0).json();
    assert_eq!(told(&results, "a")["error"], "Broken");
    assert_eq!(told(&results, "b")["suggestions"], json!(["echo_context"]));
    assert_eq!(told(&results, "c")["kind"], "validation");
    assert_eq!(result(&results, "d")["isError"], false);
}

#[test]
fn an_error_that_propagates_ends_the_run() {
    let desk = Desk::new();
    let last = json!({"name": "Fatal", "message": "stop", "propagate": true});
    let calls = [
        ("a", "echo_context", json!({})),
        ("b", "fail", last),
        ("c", "echo_context", json!({})),
        ("d", "always_asks", json!({})),
    ];
    let ran = desk
        .start(&calls, &["--concurrency", "1", "--state", "turn.json"])
        .ends_with(1);
    let results = ran.json();
    assert_eq!(result(&results, "a")["isError"], false);
    assert_eq!(told(&results, "b")["error"], "Fatal");
    for id in ["c", "d"] {
        assert_eq!(told(&results, id)["error"], "ToolNotRunError");
    }
    assert!(!desk.is_waiting());
}

#[test]
fn a_message_that_cannot_be_used_runs_nothing() {
    let plugin = guest_path("contract");
    let line = ["turn", "--plugin", &plugin];
    for (message, said) in [
        ("{oops", "cannot be read"),
        ("{}", "no tool call was found"),
        (
            r#"[{"id":"a","name":"x"},{"id":"a","name":"y"}]"#,
            "the id `a` is at",
        ),
    ] {
        let ran = host_with_stdin(message.as_bytes(), &line).ends_with(2);
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.contains(said), "{ran:#?}");
    }
    let ran = host_with_stdin(b"[]", &["turn"]).ends_with(2);
    assert!(!ran.stderr.is_empty());
}

#[test]
fn a_thousand_calls_are_one_turn() {
    let desk = Desk::new();
    let ids: Vec<String> = (0..1_000).map(|number| format!("call-{number}")).collect();
    let calls: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "name": "echo_context"}))
        .collect();
    let results = desk.start_message(&json!(calls), &[]).ends_with(0).json();
    let told: Vec<&str> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let known = &result["structuredContent"]["context"]["toolCallId"];
            assert_eq!(known, &result["toolCallId"]);
            result["toolCallId"].as_str().unwrap()
        })
        .collect();
    assert_eq!(told, ids);
}

#[test]
fn the_result_that_ends_the_run_is_named() {
    let desk = Desk::new();
    let calls = [
        ("a", "echo_context", json!({})),
        ("b", "every_field", json!({})),
    ];
    let ran = desk.start(&calls, &["--json"]).ends_with(0).json();
    assert_eq!(ran["finalAnswer"], "b", "{ran:#}");
    assert_eq!(ran["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn flags_that_do_not_belong_together_are_told_so() {
    let desk = Desk::new();
    desk.start(&[("a", "always_asks", json!({}))], STATE)
        .ends_with(7);
    let ran = desk
        .go_on(&["--approve", "a", "--message", "[]"])
        .ends_with(2);
    assert!(ran.stderr.contains("belongs to a new turn"), "{ran:#?}");
    let ran = host(["turn", "--approve", "a"]).ends_with(2);
    assert!(ran.stderr.contains("--state"), "{ran:#?}");
}
