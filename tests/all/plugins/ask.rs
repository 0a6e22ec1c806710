//! A question waits for its answer, in another process if need be.

use std::path::Path;

use serde_json::{Value, json};
use toolhost_tests::plugin;

use super::run;
use crate::cli::program::{Ran, host_in};

fn start(dir: &Path, arguments: &Value) -> Ran {
    let calls = json!([{ "id": "a", "name": "ask_question", "arguments": arguments }]);
    std::fs::write(dir.join("message.json"), calls.to_string()).unwrap();
    let plugin = plugin("ask").display().to_string();
    let line = ["turn", "--plugin", &plugin, "--message", "@message.json"];
    host_in(dir, [&line[..], &["--state", "turn.json"]].concat())
}

fn answer(dir: &Path, answer: &str) -> Ran {
    let answer = format!("a={answer}");
    host_in(dir, ["turn", "--state", "turn.json", "--answer", &answer])
}

#[test]
fn a_question_is_asked_with_its_options_and_goes_on_with_one_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let question = json!({ "question": "Which branch?", "options": ["main", "next"] });
    start(dir.path(), &question).ends_with(7);
    let state = std::fs::read_to_string(dir.path().join("turn.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    let pending = &state["calls"][0]["pending"];
    assert_eq!(pending["prompt"], "Which branch?");
    assert_eq!(pending["schema"]["enum"], json!(["main", "next"]));

    let refused = answer(dir.path(), "\"other\"").ends_with(6);
    assert!(refused.stderr.contains("does not match"), "{refused:#?}");
    let done = answer(dir.path(), "\"next\"").ends_with(0).json();
    let expected = json!({ "question": "Which branch?", "answer": "next" });
    assert_eq!(done[0]["structuredContent"], expected);
}

#[test]
fn a_form_is_filled_in() {
    let dir = tempfile::tempdir().unwrap();
    let schema = json!({
        "type": "object", "required": ["people"],
        "properties": { "people": { "type": "integer", "minimum": 1 } },
    });
    let question = json!({ "question": "For how many?", "schema": schema });
    start(dir.path(), &question).ends_with(7);
    answer(dir.path(), r#"{"people": 0}"#).ends_with(6);
    let done = answer(dir.path(), r#"{"people": 4}"#).ends_with(0).json();
    assert_eq!(done[0]["structuredContent"]["answer"]["people"], 4);
}

#[test]
fn a_question_that_nobody_could_answer_is_not_asked() {
    for (arguments, said) in [
        (json!({ "question": "?", "options": ["only"] }), "no choice"),
        (
            json!({ "question": "?", "schema": { "type": "text" } }),
            "the type",
        ),
        (json!({ "question": " " }), "is empty"),
    ] {
        let ran = run("ask", "ask_question", &arguments, &[]).ends_with(1);
        assert!(ran.stderr.contains(said), "{ran:#?}");
    }
}

/// `host run` keeps no question: the tool itself looks whether it was answered.
#[test]
fn an_answer_that_does_not_fit_is_refused_where_nobody_kept_the_question() {
    let form =
        json!({ "question": "For how many?", "schema": { "type": "integer", "minimum": 1 } });
    let choice = json!({ "question": "Which?", "options": ["a", "b"], "multiple": true });
    let words = json!({ "question": "Why?" });
    let go_on = |question: &Value, answer: Value| {
        let context = json!({ "resumption": { "state": "", "answer": answer } }).to_string();
        run("ask", "ask_question", question, &["--context", &context])
    };
    for (question, answer, said) in [
        (&form, json!("four"), "of the type `integer`"),
        (&form, json!(0), "needs 1 at least"),
        (&choice, json!("a"), "of the type `array`"),
        (&choice, json!(["c"]), "none of the options: `a`, `b`"),
        (&words, json!(7), "of the type `string`"),
    ] {
        let ran = go_on(question, answer).ends_with(1);
        assert!(ran.stderr.contains(said), "{ran:#?}");
    }
    assert_eq!(go_on(&form, json!(4)).ends_with(0).json()["answer"], 4);
}
