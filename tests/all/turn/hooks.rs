//! What the embedding program does around every call.

use async_trait::async_trait;
use serde_json::{Value, json};
use toolhost::{
    BeforeCall, Call, CallHooks, CallResult, Ended, ExecutionContext, HookCall, HookError, Host,
    Output, Reply, Turn, TurnOptions, TurnResult,
};

use super::words::native;
use crate::support::{error, structured};

/// Does as the arguments say.
struct Told;

#[async_trait]
impl CallHooks for Told {
    async fn pre_tool_call(&self, call: &HookCall<'_>) -> Result<BeforeCall, HookError> {
        let before = call.arguments.and_then(|arguments| arguments.get("before"));
        Ok(match before.and_then(Value::as_str) {
            Some("deny") => BeforeCall::Deny("not on Sundays".into()),
            Some("fail") => return Err("the hook is broken".into()),
            Some("change") => BeforeCall::Change(json!({"changed": true})),
            Some("spoil") => BeforeCall::Change(json!({"n": "no number"})),
            _ => BeforeCall::Continue,
        })
    }

    async fn post_tool_call(&self, call: &HookCall<'_>, ended: Ended) -> Result<Ended, HookError> {
        let after = call.arguments.and_then(|arguments| arguments.get("after"));
        match after.and_then(Value::as_str) {
            Some("rewrite") => Ok(Ok(Output::structured(json!("rewritten")))),
            Some("fail") => Err("the hook is broken".into()),
            _ => Ok(ended),
        }
    }
}

fn host() -> Host {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let tool = toolhost::NativeTool::builder("echo")
        .description("Returns its arguments.")
        .input_schema(schema)
        .execute(async |arguments: Value, _: toolhost::ToolContext| arguments)
        .build()
        .unwrap();
    let builder = Host::builder().hooks(Told);
    let host = builder
        .cache_dir(Some(crate::support::cache_dir()))
        .build()
        .unwrap();
    host.register(tool).unwrap();
    host
}

async fn call(arguments: Value) -> CallResult {
    let call = Call::new("a", "echo", arguments);
    host().call(call, ExecutionContext::default()).await
}

#[tokio::test]
async fn a_hook_refuses_changes_and_rewrites() {
    let denied = call(json!({"before": "deny"})).await;
    assert_eq!(error(&denied).reason.as_deref(), Some("not on Sundays"));
    let changed = call(json!({"before": "change"})).await;
    assert_eq!(structured(&changed), &json!({"changed": true}));
    let rewritten = call(json!({"after": "rewrite"})).await;
    assert_eq!(structured(&rewritten), "rewritten");
}

#[tokio::test]
async fn what_a_hook_writes_is_validated_like_the_models_own() {
    let spoilt = call(json!({"before": "spoil"})).await;
    assert_eq!(error(&spoilt).name, "ToolArgumentsValidationError");
}

#[tokio::test]
async fn a_hook_that_fails_is_an_error_of_the_call() {
    for arguments in [json!({"before": "fail"}), json!({"after": "fail"})] {
        let failed = call(arguments).await;
        assert_eq!(error(&failed).name, "HookError");
        assert_eq!(error(&failed).kind, toolhost::ErrorKind::Execution);
    }
}

/// Gives each call a number, so that no two runs of it have the same arguments.
struct Numbering(std::sync::atomic::AtomicU32);

#[async_trait]
impl CallHooks for Numbering {
    async fn pre_tool_call(&self, _: &HookCall<'_>) -> Result<BeforeCall, HookError> {
        let number = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Ok(BeforeCall::Change(json!({ "number": number })))
    }
}

#[tokio::test]
async fn an_approval_does_not_cover_arguments_that_a_hook_changes_afterwards() {
    let rules = json!({"rules": [{"action": "ask", "tool": "echo"}]});
    let host = Host::builder()
        .hooks(Numbering(0.into()))
        .permissions(serde_json::from_value(rules).unwrap())
        .cache_dir(Some(crate::support::cache_dir()))
        .build()
        .unwrap();
    host.register(native("echo", async |arguments, _| Ok(arguments)))
        .unwrap();
    let calls = vec![Call::new("a", "echo", json!({}))];
    let ended = host
        .run_turn(Turn::new(calls), TurnOptions::default())
        .await
        .unwrap();
    let TurnResult::Suspended(turn) = ended else {
        panic!("{ended:?}");
    };
    let pending = turn.pending().next().unwrap();
    assert_eq!(pending.arguments, Some(json!({"number": 0})));
    let yes = Reply::Approve {
        note: None,
        by: None,
        arguments: None,
    };
    let decision = pending.decide(yes);
    let ended = host
        .resume_turn(&turn, vec![decision], TurnOptions::default())
        .await
        .unwrap();
    let TurnResult::Suspended(again) = ended else {
        panic!("it ran with what nobody saw: {ended:?}");
    };
    let pending = again.pending().next().unwrap();
    assert_eq!(pending.arguments, Some(json!({"number": 1})));
    assert!(pending.asked_again.as_ref().unwrap().contains("arguments"));
}
