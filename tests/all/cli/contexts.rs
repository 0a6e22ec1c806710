//! The execution context from the command line, and calls that wait for an
//! answer.

use serde_json::{Value, json};

use super::program::run;

#[test]
fn the_context_reaches_the_tool() {
    let context = r#"{
        "toolCallId": "toolu_7", "sessionId": "s-1", "attempt": 2,
        "principal": {"id": "ada", "kind": "user", "verified": true}
    }"#;
    let ran = run(
        "contract",
        "echo_context",
        &["--context", context, "--json"],
    )
    .ends_with(0);
    let object = ran.json();
    assert_eq!(object["toolCallId"], "toolu_7");
    let seen = object["result"].to_string();
    for word in ["toolu_7", "s-1", "ada"] {
        assert!(seen.contains(word), "{seen}");
    }
}

#[test]
fn a_misspelt_key_of_the_context_is_answered_with_the_right_one() {
    let said = run(
        "contract",
        "echo_context",
        &["--context", r#"{"sesionId": "s"}"#],
    )
    .ends_with(2)
    .without_output();
    assert!(
        said.starts_with("error: the value of `--context` cannot be used\n"),
        "{said}"
    );
    assert!(
        said.ends_with("\nhint: did you mean `sessionId`?\n"),
        "{said}"
    );
}

#[test]
fn a_call_that_asks_for_approval_goes_on_as_the_hint_says() {
    let ran = run("contract", "always_asks", &[]).ends_with(7);
    assert_eq!(ran.json(), json!({ "kind": "approval" }));
    let context = context_of_the_hint(&ran.stderr);

    let ran = run("contract", "always_asks", &["--context", &context]).ends_with(0);
    assert_eq!(
        ran.json(),
        json!({ "ran": true, "note": null, "by": "YOU" })
    );
    ran.quietly();
}

#[test]
fn a_question_is_answered_as_the_hint_says() {
    let question = ["--args", r#"{"kind": "question", "state": "page 2"}"#];
    let ran = run("contract", "suspend", &question).ends_with(7);
    assert_eq!(ran.json()["prompt"], "Which city?");
    let context = context_of_the_hint(&ran.stderr).replace("ANSWER", "Vienna");

    let [args, value] = question;
    let ran = run("contract", "suspend", &[args, value, "--context", &context]).ends_with(0);
    assert_eq!(ran.json()["state"], "page 2");
    assert!(
        ran.json()["answer"].to_string().contains("Vienna"),
        "{ran:#?}"
    );
}

#[test]
fn with_json_a_suspension_is_part_of_the_object() {
    let ran = run("contract", "always_asks", &["--json"]).ends_with(7);
    assert_eq!(ran.json()["suspended"], json!({ "kind": "approval" }));
    assert_eq!(ran.json()["result"], Value::Null);
    ran.quietly();
}

/// What stands between the quotes of `--context '…'`.
fn context_of_the_hint(said: &str) -> String {
    let hint = said
        .split("--context '")
        .nth(1)
        .unwrap_or_else(|| panic!("no context: {said}"));
    hint.split('\'').next().unwrap_or_default().to_owned()
}
