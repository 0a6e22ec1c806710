//! A program that puts the tools of plugins together under names of its own.

use serde_json::{Value, json};
use toolhost::{
    Call, ContentBlock, ErrorKind, ExecutionContext, Host, NativeTool, PluginOptions, ToolContext,
    Toolset,
};
use toolhost_tests::guest;

use crate::support::{call, error, host, structured};

/// The tools of a guest, under no name yet.
async fn open(host: &Host, name: &str) -> Toolset {
    let plugin = host.open(guest(name), PluginOptions::default()).await;
    Toolset::from(plugin.unwrap_or_else(|error| panic!("{name}: {error:?}")))
}

/// A host that knows the guest `contract` as `c_…`.
async fn prefixed() -> Host {
    let host = host();
    let tools = open(&host, "contract").await.prefix("c_");
    host.register(tools).expect("the names are free");
    host
}

#[tokio::test]
async fn a_plugin_is_called_by_its_own_name_and_the_model_by_ours() {
    let host = prefixed().await;
    let result = call(&host, "c_echo_context", json!({})).await;
    assert_eq!(result.tool_name, "c_echo_context");
    assert_eq!(structured(&result)["call"]["toolName"], "echo_context");

    let unknown = call(&host, "echo_context", json!({})).await;
    assert_eq!(error(&unknown).kind, ErrorKind::NotFound);
    assert_eq!(error(&unknown).suggestions, ["c_echo_context"]);
}

#[tokio::test]
async fn hooks_follow_and_errors_say_the_name_that_was_called() {
    let host = prefixed().await;
    let refused = call(&host, "c_span", json!({"start": 2, "end": 1})).await;
    assert_eq!(error(&refused).kind, ErrorKind::Validation);
    assert_eq!(error(&refused).issues[0].path, "/start");
    assert!(error(&refused).message.contains("`c_span`"), "{refused:?}");

    let denied = call(&host, "c_guarded", json!({"decision": "deny"})).await;
    assert_eq!(error(&denied).reason.as_deref(), Some("not on a Sunday"));
    assert_eq!(error(&denied).tool_name, "c_guarded");

    let dressed = call(&host, "c_dressed", json!({})).await;
    let text = "dressed: 3 rows".to_owned();
    assert_eq!(dressed.model_content(), [ContentBlock::Text { text }]);
}

#[tokio::test]
async fn one_plugin_serves_twice_beside_a_tool_of_the_program() {
    let host = host();
    let left = open(&host, "contract").await.prefix("left_");
    let right = open(&host, "contract")
        .await
        .filter(|tool| tool.name == "echo_arguments")
        .rename("echo_arguments", "echo")
        .expect("the guest has it");
    let native = NativeTool::builder("shout")
        .description("Says it louder.")
        .parameters("text: string")
        .execute(async |arguments: Value, _: ToolContext| {
            arguments["text"]
                .as_str()
                .unwrap_or_default()
                .to_uppercase()
        })
        .build()
        .expect("it can be used");
    host.register(left.combine(right).with(native))
        .expect("the names are free");

    let echoed = call(&host, "echo", json!({"text": "hi"})).await;
    assert!(echoed.to_json()["result"].to_string().contains("hi"));
    let shouted = call(&host, "shout", json!({"text": "hi"})).await;
    assert_eq!(shouted.to_json()["result"], "HI");
    assert!(host.tool("left_echo_arguments").is_ok());
    assert!(host.tool("right_span").is_err());
}

#[tokio::test]
async fn a_name_that_is_taken_is_refused_and_both_sources_are_named() {
    let host = host();
    let native = NativeTool::builder("span").description("Mine.").build();
    host.register(native.expect("it can be used"))
        .expect("the name is free");
    let loaded = host
        .load(guest("contract"), PluginOptions::default())
        .await
        .map(|_| ())
        .expect_err("the name is taken");
    assert_eq!(
        loaded.to_string(),
        "the tool `span` of `contract` is already there from `this program`"
    );
    assert_eq!(
        host.definitions().len(),
        1,
        "none of the plugin's was added"
    );
    host.register(open(&host, "contract").await.prefix("c_"))
        .expect("under another name it is fine");
}

#[tokio::test]
async fn a_native_tool_is_validated_and_reported_like_a_plugin() {
    let host = prefixed().await;
    let native = NativeTool::builder("n_echo_context")
        .description("As the guest's.")
        .parameters("text?: string, count?: integer = 7, any?: any")
        .execute(async |arguments: Value, context: ToolContext| {
            json!({"arguments": arguments, "toolCallId": context.tool_call_id()})
        })
        .build();
    host.register(native.expect("it can be used"))
        .expect("the name is free");
    for name in ["c_echo_context", "n_echo_context"] {
        let result = call(&host, name, json!({"count": "8"})).await;
        assert!(
            structured(&result).to_string().contains('8'),
            "coerced: {name}"
        );
        let result = call(&host, name, json!({})).await;
        assert!(
            structured(&result).to_string().contains('7'),
            "filled in: {name}"
        );
        let refused = call(&host, name, json!({"count": "many"})).await;
        assert_eq!(error(&refused).issues[0].path, "/count", "{name}");
        let not_json = Call::from_text("c", name, "{");
        let refused = host.call(not_json, ExecutionContext::default()).await;
        assert_eq!(error(&refused).kind, ErrorKind::Validation, "{name}");
    }
}
