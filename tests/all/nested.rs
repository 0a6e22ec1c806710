//! Tools that call tools: what is reached from inside a sandbox, and what not.

use serde_json::{Value, json};
use toolhost::{
    Call, CallResult, ExecutionContext, Grants, Host, NativeTool, PluginOptions, SqliteJournal,
    ToolContext,
};

use crate::cli::program::{guest_path, host};
use crate::support;

/// Runs a tool of the guest `relay` through the program, with these grants.
fn relay(tool: &str, arguments: &Value, grants: &[&str]) -> Value {
    let (plugin, arguments) = (guest_path("relay"), arguments.to_string());
    let mut line = vec![
        "run", "--plugin", &plugin, "--json", "--tool", tool, "--args", &arguments,
    ];
    line.extend(grants);
    host(line).json()
}

/// The first call that the tool `relay` made, as it saw it.
fn first(ended: &Value) -> &Value {
    &ended["result"][0]
}

#[test]
fn a_tool_calls_another_one_that_it_was_granted() {
    let arguments = json!({"tool": "inner", "arguments": {"text": "hi"}, "times": 2});
    let ended = relay("relay", &arguments, &["--allow-tool", "inner"]);

    assert_eq!(first(&ended)["text"], "hi", "{ended:#}");
    let calls = ended["report"]["calls"].as_array().unwrap();
    let ids: Vec<&str> = calls
        .iter()
        .map(|call| call["toolCallId"].as_str().unwrap())
        .collect();
    assert!(
        ids[0].starts_with("call-1/inner-") && ids[1].ends_with("-2"),
        "{ids:?}"
    );
    assert_ne!(
        first(&ended)["idempotencyKey"],
        ended["result"][1]["idempotencyKey"]
    );
    assert!(calls[0]["report"]["fuel"].as_u64().unwrap() > 0);
    let effects = &ended["report"]["effects"];
    assert_eq!(
        effects[0],
        json!({"kind": "tool", "target": "inner", "state": "confirmed", "bytes": 0})
    );
}

#[test]
fn what_was_not_granted_cannot_be_called_and_the_report_says_how_to_grant_it() {
    for grants in [&[][..], &["--allow-tool", "other_*"]] {
        let ended = relay("relay", &json!({"tool": "inner"}), grants);
        assert_eq!(first(&ended)["kind"], "denied", "{ended:#}");
        let denial = &ended["report"]["denials"][0];
        assert_eq!(denial["capability"], "tools");
        assert_eq!(denial["allowWith"], "--allow-tool inner");
        assert_eq!(ended["report"]["calls"], Value::Null);
    }
}

#[test]
fn a_grant_does_not_open_a_tool_that_is_for_models() {
    let ended = relay(
        "relay",
        &json!({"tool": "for_models"}),
        &["--allow-tool", "*"],
    );
    assert_eq!(first(&ended)["kind"], "denied");
    let message = first(&ended)["message"].as_str().unwrap();
    assert!(
        message.contains("does not let programs call it"),
        "{message}"
    );
}

#[test]
fn a_name_that_was_not_granted_is_not_given_away() {
    let ended = relay("relay", &json!({"tool": "innr"}), &["--allow-tool", "innr"]);
    assert_eq!(first(&ended)["kind"], "not-found");
    assert_eq!(first(&ended)["error"]["suggestions"], Value::Null);
    let ended = relay("relay", &json!({"tool": "innr"}), &["--allow-tool", "in*"]);
    assert_eq!(first(&ended)["error"]["suggestions"], json!(["inner"]));
}

#[test]
fn the_arguments_are_checked_like_a_model_s() {
    let arguments = json!({"tool": "inner", "arguments": {"text": ["no"]}});
    let ended = relay("relay", &arguments, &["--allow-tool", "inner"]);
    assert_eq!(first(&ended)["name"], "ToolArgumentsValidationError");
    assert_eq!(first(&ended)["error"]["issues"][0]["path"], "/text");
    assert_eq!(ended["report"]["effects"][0]["state"], "none");
}

#[test]
fn nobody_can_be_asked_from_inside() {
    for (tool, kind) in [("asked", "denied"), ("question", "execution")] {
        let ended = relay("relay", &json!({"tool": tool}), &["--allow-tool", "*"]);
        assert_eq!(first(&ended)["kind"], kind, "{ended:#}");
        let message = first(&ended)["message"].as_str().unwrap();
        assert!(message.contains("let the model call it"), "{message}");
    }
}

#[test]
fn an_approval_of_the_outer_call_covers_no_other() {
    let context = json!({"approval": {"by": "ada"}}).to_string();
    let grants = ["--allow-tool", "*", "--context", &context];
    let ended = relay("relay", &json!({"tool": "inner"}), &grants);
    assert_eq!(first(&ended)["approved"], false);
    let ended = relay("relay", &json!({"tool": "asked"}), &grants);
    assert_eq!(first(&ended)["kind"], "denied");
}

#[test]
fn calls_nest_no_deeper_than_the_limit() {
    let ended = relay("deeper", &json!({}), &["--allow-tool", "deeper"]);
    assert_eq!(ended["result"]["depth"], 4);
    let why = ended["result"]["why"].as_str().unwrap();
    assert!(why.contains("`call-depth`"), "{why}");
}

#[test]
fn a_tree_of_calls_has_one_number_of_calls() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("host.toml");
    std::fs::write(&config, "[limits]\ncall-depth = 20\nnested-calls = 12\n").unwrap();
    let config = config.display().to_string();
    let ended = relay(
        "wider",
        &json!({}),
        &["--allow-tool", "wider", "--config", &config],
    );
    assert_eq!(count(&ended["report"]), 12);
    assert!(
        ended["result"].to_string().contains("`nested-calls`"),
        "{ended:#}"
    );
}

/// The calls in a report, and in those of its calls.
fn count(report: &Value) -> usize {
    let calls = report["calls"].as_array().map_or(&[][..], Vec::as_slice);
    calls.iter().map(|call| 1 + count(&call["report"])).sum()
}

#[test]
fn the_deadline_of_the_outer_call_ends_the_inner_one() {
    let arguments = json!({"tool": "nap", "arguments": {"ms": 60_000}});
    let ended = relay(
        "relay",
        &arguments,
        &["--allow-tool", "nap", "--timeout", "300ms"],
    );
    let error = &ended["result"]["error"];
    if error.is_null() {
        // The inner call ran into the time that was left first.
        assert_eq!(first(&ended)["name"], "DeadlineExceededError");
    } else {
        assert_eq!(error, "DeadlineExceededError");
        assert_eq!(ended["result"]["effects"][0]["state"], "possible");
    }
}

#[test]
fn the_operator_s_rules_hold_inside_too() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("host.toml");
    let rules =
        "[[permissions.rules]]\naction = \"deny\"\ntool = \"inner\"\nreason = \"closed today\"\n";
    std::fs::write(&config, rules).unwrap();
    let config = config.display().to_string();
    let grants = ["--allow-tool", "*", "--config", &config];
    let ended = relay("relay", &json!({"tool": "inner"}), &grants);
    assert!(
        first(&ended)["message"]
            .as_str()
            .unwrap()
            .contains("closed today"),
        "{ended:#}"
    );
}

#[test]
fn a_plugin_calls_the_tools_of_another_plugin() {
    let contract = guest_path("contract");
    let arguments = json!({"tool": "finish", "arguments": {}});
    let grants = ["--with", &contract, "--allow-tool", "*"];
    let ended = relay("relay", &arguments, &grants);
    // It is there, and does not let programs call it.
    assert!(["denied", "not-found"].contains(&first(&ended)["kind"].as_str().unwrap()));
}

async fn world() -> Host {
    with_relay(support::host()).await
}

async fn with_relay(host: Host) -> Host {
    let options = PluginOptions {
        grants: Grants {
            tools: vec!["*".to_owned().try_into().unwrap()],
            ..Grants::default()
        },
        ..PluginOptions::default()
    };
    host.load(guest_path("relay"), options).await.unwrap();
    host
}

async fn call(host: &Host, tool: &str, arguments: Value) -> CallResult {
    host.call(
        Call::new("outer", tool, arguments),
        ExecutionContext::default(),
    )
    .await
}

#[tokio::test]
async fn a_native_tool_calls_a_sandboxed_one_and_the_other_way_round() {
    let host = world().await;
    let native = NativeTool::builder("twice")
        .description("Calls `inner` twice.")
        .parameters("text: string")
        .programmatic()
        .calls(["inner"])
        .execute(async |arguments: Value, context: ToolContext| {
            for _ in 0..2 {
                context.call_tool("inner", arguments.clone()).await?;
            }
            let refused = context.call_tool("deeper", json!({})).await.unwrap_err();
            Ok::<_, toolhost::ToolError>(json!({"refused": refused.name}))
        })
        .build()
        .unwrap();
    host.register(native).unwrap();

    let arguments = json!({"tool": "twice", "arguments": {"text": "x"}});
    let ended = call(&host, "relay", arguments).await;

    assert_eq!(
        ended.to_json()["result"][0],
        json!({"refused": "ToolDeniedError"})
    );
    let twice = &ended.report.calls[0];
    let inner: Vec<&str> = twice
        .report
        .calls
        .iter()
        .map(|call| call.tool_name.as_str())
        .collect();
    assert_eq!(
        (twice.tool_name.as_str(), inner),
        ("twice", vec!["inner", "inner"])
    );
}

#[tokio::test]
async fn a_tool_that_is_run_again_makes_the_same_calls_under_the_same_ids() {
    let host = world().await;
    let ended = call(&host, "retrying", json!({"tool": "inner"})).await;
    let ids: Vec<&str> = ended
        .report
        .calls
        .iter()
        .map(|call| call.tool_call_id.as_str())
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
}

#[tokio::test]
async fn with_a_journal_a_call_that_finished_well_is_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder.path().join("calls.db")).unwrap();
    let builder = Host::builder().cache_dir(Some(support::cache_dir()));
    let host = with_relay(builder.journal(journal).build().unwrap()).await;

    let ended = call(&host, "retrying", json!({"tool": "inner"})).await;

    let fuel: Vec<u64> = ended
        .report
        .calls
        .iter()
        .map(|call| call.report.fuel)
        .collect();
    assert!(fuel[0] > 0 && fuel[1] == 0, "{fuel:?}");
    assert_eq!(ended.to_json()["result"]["text"], "again");
}
