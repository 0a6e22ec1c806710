//! All that a call can wait for, and how it goes on.

use serde_json::json;

use super::words::{Desk, STATE, rebuild, result, told};

fn suspend(kind: &str) -> Desk {
    let desk = Desk::with_own_plugin();
    let calls = [("a", "suspend", json!({"kind": kind, "state": "page 2"}))];
    desk.start(&calls, STATE).ends_with(7);
    desk
}

#[test]
fn a_question_is_answered_by_its_schema() {
    let desk = suspend("question");
    let pending = desk.pending("a");
    assert_eq!(pending["prompt"], "Which city?");
    let refused = desk.go_on(&["--answer", "a=7"]).ends_with(6);
    assert!(refused.stderr.contains("does not match"), "{refused:#?}");
    let done = desk
        .go_on(&["--answer", "a=\"Vienna\""])
        .ends_with(0)
        .json();
    let got = &result(&done, "a")["structuredContent"];
    assert_eq!(got, &json!({"state": "page 2", "answer": "\"Vienna\""}));
}

#[test]
fn a_sign_in_and_what_only_the_plugin_knows_are_answered_with_anything() {
    for (kind, waits_for) in [("sign-in", "a sign-in"), ("other", "its plugin names")] {
        let desk = suspend(kind);
        let refused = desk.go_on(&["--approve", "a"]).ends_with(2);
        assert!(refused.stderr.contains(waits_for), "{refused:#?}");
        let done = desk
            .go_on(&["--answer", "a={\"token\": 1}"])
            .ends_with(0)
            .json();
        assert_eq!(
            result(&done, "a")["structuredContent"]["answer"],
            r#"{"token":1}"#
        );
    }
}

#[test]
fn a_plugin_can_ask_for_an_approval_itself() {
    let desk = suspend("approval");
    assert_eq!(desk.pending("a")["reason"], "it costs money");
    let done = desk.go_on(&["--approve", "a"]).ends_with(0).json();
    let got = &result(&done, "a")["structuredContent"];
    assert_eq!(got, &json!({"state": "page 2", "answer": null}));
}

#[test]
fn client_tools_bring_their_results_one_by_one() {
    let desk = suspend("client-tools");
    let said = desk
        .go_on(&["--result", "client-2={\"title\": \"two\"}"])
        .ends_with(7)
        .stderr;
    assert!(
        said.contains("client-1") && !said.contains("client-2"),
        "{said}"
    );
    let refused = desk.go_on(&["--result", "client-2=again"]).ends_with(2);
    assert!(refused.stderr.contains("waits for nothing"), "{refused:#?}");
    let done = desk
        .go_on(&["--result", "client-1=one"])
        .ends_with(0)
        .json();
    let answer = result(&done, "a")["structuredContent"]["answer"]
        .as_str()
        .unwrap();
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
    assert_eq!(
        answer,
        json!([
            {"toolCallId": "client-1", "toolName": "open_page", "result": "one"},
            {"toolCallId": "client-2", "toolName": "open_page", "result": {"title": "two"}},
        ])
    );
}

#[test]
fn anything_that_waits_can_be_rejected() {
    for kind in ["question", "sign-in", "client-tools", "other", "approval"] {
        let desk = suspend(kind);
        let done = desk.go_on(&["--reject", "a"]).ends_with(0).json();
        assert_eq!(told(&done, "a")["error"], "ToolRejectedError");
    }
}

#[test]
fn the_state_of_a_plugin_goes_back_to_that_plugin_only() {
    let desk = suspend("question");
    rebuild(&desk.path("contract.wasm"));
    let refused = desk.go_on(&["--answer", "a=Vienna"]).ends_with(2);
    assert!(
        refused
            .stderr
            .contains("is another than the one that suspended"),
        "{refused:#?}"
    );
    assert!(desk.is_waiting());
}

mod in_one_process {
    //! Client tools of the embedding program.

    use serde_json::json;
    use toolhost::{Call, NativeTool, Reply, Turn, TurnOptions, TurnResult};

    use crate::support::{host, structured};

    #[tokio::test]
    async fn a_tool_without_execute_is_run_by_the_caller() {
        let host = host();
        let tool = NativeTool::builder("open_page")
            .description("Opens a page in the user's browser.")
            .input_schema(json!({"type": "object", "properties": {"page": {"type": "integer", "default": 1}}}))
            .output_schema(json!({"type": "object", "required": ["title"]}))
            .build()
            .unwrap();
        host.register(tool).unwrap();
        let calls = vec![
            Call::new("a", "open_page", json!({})),
            Call::new("b", "open_page", json!({})),
        ];
        let ended = host
            .run_turn(Turn::new(calls), TurnOptions::default())
            .await
            .unwrap();
        let TurnResult::Suspended(turn) = ended else {
            panic!("the host cannot run it: {ended:?}");
        };
        let values = [json!({"title": "Home"}), json!({"wrong": true})];
        let decisions = turn.pending().zip(values).map(|(pending, value)| {
            assert_eq!(pending.arguments, Some(json!({"page": 1})));
            pending.decide(Reply::Result { id: None, value })
        });
        let ended = host
            .resume_turn(&turn, decisions.collect(), TurnOptions::default())
            .await
            .unwrap();
        let TurnResult::Done(done) = ended else {
            panic!("{ended:?}");
        };
        assert_eq!(structured(&done.results[0]), &json!({"title": "Home"}));
        let broken = done.results[1].outcome.as_ref().unwrap_err();
        assert_eq!(broken.name, "InvalidOutputError");
    }

    #[tokio::test]
    async fn a_client_tool_is_handed_out_only_once_it_is_approved() {
        let host = host();
        let tool = NativeTool::builder("open_page")
            .description("Opens a page in the user's browser.")
            .approval(toolhost::ApprovalRequirement::Always)
            .build()
            .unwrap();
        host.register(tool).unwrap();
        let calls = vec![Call::new("a", "open_page", json!({}))];
        let mut ended = host
            .run_turn(Turn::new(calls), TurnOptions::default())
            .await
            .unwrap();
        let yes = Reply::Approve {
            note: None,
            by: None,
            arguments: None,
        };
        let opened = Reply::Result {
            id: None,
            value: json!({"content": [{"type": "text", "text": "no browser"}], "isError": true}),
        };
        for (waits_for, reply) in [("an approval", yes), ("results of client tools", opened)] {
            let TurnResult::Suspended(turn) = ended else {
                panic!("{ended:?}");
            };
            let pending = turn.pending().next().unwrap();
            assert_eq!(pending.waits_for(), waits_for);
            let decisions = vec![pending.decide(reply)];
            ended = host
                .resume_turn(&turn, decisions, TurnOptions::default())
                .await
                .unwrap();
        }
        let TurnResult::Done(done) = ended else {
            panic!("{ended:?}");
        };
        let error = done.results[0].outcome.as_ref().unwrap_err();
        assert_eq!(
            (error.name.as_str(), error.message.as_str()),
            ("ClientToolError", "no browser")
        );
    }

    #[tokio::test]
    async fn a_tool_for_programs_is_not_run_for_a_model() {
        let host = host();
        let tool = NativeTool::builder("inner")
            .description("Does a part of the work.")
            .programmatic_only()
            .execute(async |_: serde_json::Value, _: toolhost::ToolContext| "done")
            .build()
            .unwrap();
        host.register(tool).unwrap();
        let calls = vec![Call::new("a", "inner", json!({}))];
        let ended = host
            .run_turn(Turn::new(calls), TurnOptions::default())
            .await
            .unwrap();
        let TurnResult::Done(done) = ended else {
            panic!("{ended:?}");
        };
        let error = done.results[0].outcome.as_ref().unwrap_err();
        assert_eq!(error.kind, toolhost::ErrorKind::Denied);
    }
}
