//! An approval holds for exactly what was shown.

use serde_json::json;

use super::words::{Desk, STATE, rebuild, result, told};

#[test]
fn a_call_that_asks_waits_and_runs_once_it_is_approved() {
    let desk = Desk::new();
    let calls = [
        ("a", "always_asks", json!({})),
        ("b", "echo_context", json!({})),
    ];
    let said = desk.start(&calls, STATE).ends_with(7).without_output();
    assert!(
        said.contains("`a` (always_asks) waits for an approval"),
        "{said}"
    );
    assert!(said.contains("--approve a"), "{said}");

    let done = desk
        .go_on(&["--approve", "a=only today", "--by", "ada"])
        .ends_with(0);
    let results = done.json();
    let a = result(&results, "a");
    assert_eq!(
        a["structuredContent"],
        json!({"ran": true, "note": "only today", "by": "ada"})
    );
    assert_eq!(result(&results, "b")["isError"], false);
    assert!(!desk.is_waiting(), "the turn is done");
}

#[test]
fn a_rejected_call_tells_the_model_why() {
    let desk = Desk::new();
    desk.start(&[("a", "always_asks", json!({}))], STATE)
        .ends_with(7);
    let done = desk.go_on(&["--reject", "a=use the archive"]).ends_with(0);
    let error = told(&done.json(), "a");
    assert_eq!(error["kind"], "rejected");
    assert_eq!(error["note"], "use the archive");
}

#[test]
fn what_is_shown_names_tool_plugin_and_arguments() {
    let desk = Desk::new();
    let arguments = json!({"decision": "ask"});
    desk.start(&[("a", "guarded", arguments.clone())], STATE)
        .ends_with(7);
    let pending = desk.pending("a");
    assert_eq!(pending["toolName"], "guarded");
    assert_eq!(pending["arguments"], arguments);
    for digest in ["argumentsDigest", "pluginDigest"] {
        assert_eq!(
            pending[digest].as_str().map(str::len),
            Some(64),
            "{pending:#}"
        );
    }
    assert_eq!(pending["nonce"].as_str().map(str::len), Some(32));
    assert!(pending["expiresAt"].as_u64() > Some(1_700_000_000));
}

#[test]
fn another_plugin_is_asked_about_anew() {
    let desk = Desk::with_own_plugin();
    desk.start(&[("a", "always_asks", json!({}))], STATE)
        .ends_with(7);
    let shown = desk.pending("a");

    rebuild(&desk.path("contract.wasm"));
    let said = desk
        .go_on(&["--approve", "a"])
        .ends_with(7)
        .without_output();
    assert!(said.contains("asked anew: the plugin is another"), "{said}");
    let again = desk.pending("a");
    assert_ne!(again["nonce"], shown["nonce"]);
    assert_ne!(again["pluginDigest"], shown["pluginDigest"]);

    // Approved for what it is now, it runs.
    let done = desk.go_on(&["--approve", "a"]).ends_with(0);
    assert_eq!(result(&done.json(), "a")["structuredContent"]["ran"], true);
}

#[test]
fn a_reviewer_may_edit_the_arguments() {
    let desk = Desk::new();
    let config = "[permissions]\nrules = [{ action = 'ask', tool = 'fail' }]\n";
    desk.write("host.toml", config);
    let calls = [("a", "fail", json!({"name": "Old", "message": "old"}))];
    desk.start(&calls, &["--state", "turn.json", "--config", "host.toml"])
        .ends_with(7);

    // What does not fit the tool is refused, and the turn still waits.
    let refused = desk.go_on(&["--edit", r#"a={"name": 3}"#]).ends_with(6);
    assert!(refused.stderr.contains("does not match"), "{refused:#?}");
    let done = desk
        .go_on(&["--edit", r#"a={"name": "New", "message": "new"}"#])
        .ends_with(0);
    assert_eq!(told(&done.json(), "a")["error"], "New");
}

#[test]
fn edited_arguments_may_come_with_a_note() {
    let desk = Desk::new();
    let calls = [("a", "guarded", json!({"decision": "ask"}))];
    desk.start(&calls, STATE).ends_with(7);
    let edit = r#"a={"decision": "ask-silently"}"#;
    let done = desk
        .go_on(&["--approve", "a=softer", "--edit", edit])
        .ends_with(0)
        .json();
    assert_eq!(result(&done, "a")["structuredContent"]["note"], "softer");
}

#[test]
fn answers_may_come_one_at_a_time() {
    let desk = Desk::new();
    let calls = [
        ("a", "always_asks", json!({})),
        ("b", "always_asks", json!({})),
    ];
    desk.start(&calls, STATE).ends_with(7);
    let said = desk.go_on(&["--approve", "b"]).ends_with(7).stderr;
    assert!(
        said.contains("`a` (always_asks)") && !said.contains("`b` ("),
        "{said}"
    );
    let done = desk.go_on(&["--approve", "a"]).ends_with(0);
    let results = done.json();
    let ids: Vec<&str> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["toolCallId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn a_decision_about_nothing_that_waits_is_refused() {
    let desk = Desk::new();
    let calls = [
        ("a", "always_asks", json!({})),
        ("b", "echo_context", json!({})),
    ];
    desk.start(&calls, STATE).ends_with(7);
    let before = desk.state();
    for (flags, message) in [
        (["--approve", "z"], "no call of the turn has the id `z`"),
        (["--approve", "b"], "the call `b` is done"),
        (
            ["--answer", "a=1"],
            "the call `a` waits for an approval, not for an answer",
        ),
    ] {
        let refused = desk.go_on(&flags).ends_with(2);
        assert!(refused.stderr.contains(message), "{refused:#?}");
    }
    let twice = desk
        .go_on(&["--approve", "a", "--reject", "a"])
        .ends_with(2);
    assert!(twice.stderr.contains("two decisions"), "{twice:#?}");
    assert_eq!(desk.state(), before, "nothing has happened");
}

mod in_one_process {
    //! What a command line cannot do: answer late, twice, or about something else.

    use std::time::Duration;

    use serde_json::{Value, json};
    use toolhost::{
        Call, ErrorKind, ExecutionContext, Host, Reply, SuspendedTurn, Turn, TurnError,
        TurnOptions, TurnResult,
    };

    use crate::support::host_with;

    async fn asked(host: &Host, options: TurnOptions) -> SuspendedTurn {
        let calls = vec![Call::new("a", "always_asks", json!({}))];
        let ended = host.run_turn(Turn::new(calls), options).await.unwrap();
        match ended {
            TurnResult::Suspended(turn) => turn,
            TurnResult::Done(done) => panic!("it did not ask: {done:?}"),
        }
    }

    fn yes() -> Reply {
        Reply::Approve {
            note: None,
            by: None,
            arguments: None,
        }
    }

    #[tokio::test]
    async fn an_approval_that_comes_too_late_is_asked_for_anew() {
        let host = host_with("contract").await;
        let at_once = TurnOptions {
            approval_time: Duration::ZERO,
            ..TurnOptions::default()
        };
        let turn = asked(&host, at_once).await;
        let late = turn.pending().next().unwrap().decide(yes());
        let ended = host
            .resume_turn(&turn, vec![late], TurnOptions::default())
            .await
            .unwrap();
        let TurnResult::Suspended(again) = ended else {
            panic!("it ran: {ended:?}");
        };
        let pending = again.pending().next().unwrap();
        assert!(pending.asked_again.as_ref().unwrap().contains("expired"));
        let in_time = pending.decide(yes());
        let ended = host
            .resume_turn(&again, vec![in_time], TurnOptions::default())
            .await
            .unwrap();
        assert!(matches!(ended, TurnResult::Done(_)), "{ended:?}");
    }

    #[tokio::test]
    async fn an_approval_is_used_once() {
        let host = host_with("contract").await;
        let turn = asked(&host, TurnOptions::default()).await;
        let decision = turn.pending().next().unwrap().decide(yes());
        let once = host
            .resume_turn(&turn, vec![decision.clone()], TurnOptions::default())
            .await;
        assert!(matches!(once, Ok(TurnResult::Done(_))), "{once:?}");
        let twice = host
            .resume_turn(&turn, vec![decision], TurnOptions::default())
            .await;
        assert_eq!(
            twice.unwrap_err(),
            TurnError::AlreadyUsed { id: "a".into() }
        );
    }

    #[tokio::test]
    async fn an_approval_of_one_question_does_not_answer_another() {
        let host = host_with("contract").await;
        let one = asked(&host, TurnOptions::default()).await;
        let other = asked(&host, TurnOptions::default()).await;
        let decision = one.pending().next().unwrap().decide(yes());
        let refused = host
            .resume_turn(&other, vec![decision], TurnOptions::default())
            .await;
        assert_eq!(
            refused.unwrap_err(),
            TurnError::OtherQuestion { id: "a".into() }
        );
    }

    #[tokio::test]
    async fn a_context_cannot_approve_the_calls_of_a_turn() {
        let host = host_with("contract").await;
        let context: ExecutionContext =
            serde_json::from_value(json!({"approval": {"by": "the model"}})).unwrap();
        let calls = vec![Call::new(
            "a",
            "always_asks",
            Value::Object(serde_json::Map::new()),
        )];
        let turn = Turn {
            calls,
            context: context.clone(),
        };
        let ended = host.run_turn(turn, TurnOptions::default()).await.unwrap();
        assert!(matches!(ended, TurnResult::Suspended(_)), "{ended:?}");
        // The program that embeds the host may, for a call of its own.
        let result = host
            .call(Call::new("a", "always_asks", json!({})), context)
            .await;
        assert!(!result.is_error(), "{result:?}");
    }

    #[tokio::test]
    async fn a_turn_that_nobody_goes_on_with_can_be_closed() {
        let host = host_with("contract").await;
        let turn = asked(&host, TurnOptions::default()).await;
        let done = turn.close(&host);
        assert_eq!(
            done.results[0].outcome.as_ref().unwrap_err().kind,
            ErrorKind::NotRun
        );
    }
}
