//! What a model is told of, turn by turn, and what it has to look for.

use serde_json::{Value, json};
use toolhost::{
    Discovered, ExecutionContext, Host, NativeTool, PluginOptions, PreparedTurn, ToolContext,
    Toolset,
};
use toolhost_tests::guest;

use crate::support::{call, host, host_with, structured};

async fn turn_with(host: &Host, metadata: Value, discovered: &Discovered) -> PreparedTurn {
    let context = ExecutionContext {
        metadata: Some(metadata),
        ..ExecutionContext::default()
    };
    host.prepare_turn(&context, discovered).await
}

fn find<'a>(turn: &'a PreparedTurn, name: &str) -> Option<&'a toolhost::ToolDefinition> {
    turn.tools.iter().find(|tool| tool.name == name)
}

#[tokio::test]
async fn a_plugin_decides_each_turn_whether_its_tool_is_offered() {
    let host = host_with("contract").await;
    let offered = async |offer: &str| {
        let turn = turn_with(&host, json!({"offer": offer}), &Discovered::new()).await;
        assert!(turn.errors.is_empty(), "{offer}: {:?}", turn.errors);
        find(&turn, "shy").map(|tool| tool.description.clone())
    };
    let registered = host.tool("shy").expect("the guest has it");
    let description = registered.definition().description.clone();
    assert_eq!(offered("unchanged").await, Some(description));
    assert_eq!(offered("hide").await, None);
    assert_eq!(offered("other").await, None);
    let changed = offered("offer-as").await;
    assert_eq!(changed.as_deref(), Some("For this turn only."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_that_fails_takes_its_own_tool_out_and_no_other() {
    let host = host_with("contract").await;
    let whole = turn_with(&host, json!({}), &Discovered::new()).await;
    for offer in ["error", "trap", "rename", "bad-schema"] {
        let turn = turn_with(&host, json!({"offer": offer}), &Discovered::new()).await;
        assert_eq!(turn.errors.len(), 1, "{offer}: {:?}", turn.errors);
        assert_eq!(turn.errors[0].tool_name, "shy", "{offer}");
        assert_eq!(turn.tools.len(), whole.tools.len() - 1, "{offer}");
    }
}

#[tokio::test]
async fn a_renamed_tool_is_offered_under_its_new_name() {
    let host = host();
    let plugin = host.open(guest("contract"), PluginOptions::default()).await;
    let tools = Toolset::from(plugin.expect("the guest loads")).prefix("c_");
    host.register(tools).expect("the names are free");
    let turn = turn_with(&host, json!({"offer": "offer-as"}), &Discovered::new()).await;
    assert!(turn.errors.is_empty(), "{:?}", turn.errors);
    let shown = find(&turn, "c_shy").expect("it is offered");
    assert_eq!(shown.description, "For this turn only.");
}

#[tokio::test]
async fn a_deferred_tool_of_a_plugin_is_found_listed_and_called() {
    let host = host_with("contract").await;
    let mut discovered = Discovered::new();
    let turn = turn_with(&host, json!({}), &discovered).await;
    assert!(find(&turn, "every_field").is_none(), "it is deferred");
    let search = find(&turn, "tool_search").expect("there is something to find");
    assert!(search.input_schema["properties"]["query"].is_object());

    let query = json!({"query": "every field of a definition"});
    let found = call(&host, "tool_search", query).await;
    assert_eq!(structured(&found)["tools"][0]["name"], "every_field");
    assert!(discovered.observe(&found));

    let turn = turn_with(&host, json!({}), &discovered).await;
    assert!(find(&turn, "every_field").is_some());
    assert!(
        find(&turn, "tool_search").is_none(),
        "nothing is left to find"
    );
    let result = call(&host, "every_field", json!({})).await;
    assert_eq!(structured(&result)["total"], 3);
}

#[tokio::test]
async fn a_thousand_deferred_tools_cost_the_model_one_and_the_right_one_is_found() {
    let host = host();
    let nouns = ["invoice", "customer", "parcel", "ticket", "contract"];
    let tools = (0..1_000).map(|number| {
        let noun = nouns[number % nouns.len()];
        let special = if number == 613 {
            " Handles refunds."
        } else {
            ""
        };
        NativeTool::builder(format!("{noun}_{number}"))
            .description(format!("Works on one {noun}.{special}"))
            .parameters("id: integer")
            .defer_loading()
            .execute(async |arguments: Value, _: ToolContext| arguments)
            .build()
            .expect("it can be used")
    });
    host.register(tools.collect::<Toolset>())
        .expect("the names are free");
    let turn = turn_with(&host, json!({}), &Discovered::new()).await;
    assert_eq!(turn.tools.len(), 1);
    let found = call(&host, "tool_search", json!({"query": "refund a ticket"})).await;
    let tools = structured(&found)["tools"].as_array().expect("a list");
    assert_eq!((tools.len(), &tools[0]["name"]), (5, &json!("ticket_613")));
}
