//! Sets of tools, and what a host refuses of them.

use serde_json::{Value, json};

use super::*;
use crate::native::tests::{call, failed, host, worked};
use crate::native::{NativeTool, ToolContext};

fn tool(name: &str, source: &str) -> Tool {
    NativeTool::builder(name)
        .description("A tool.")
        .source(source)
        .parameters("n: integer")
        .execute(async |_: Value, context: ToolContext| context.tool_name().to_owned())
        .build()
        .expect("it can be used")
}

#[tokio::test]
async fn a_tool_answers_to_the_name_its_set_gave_it_and_to_no_other() {
    let crm = Toolset::from([tool("find", "crm"), tool("drop", "crm")]);
    let shop = Toolset::from([tool("find", "shop"), tool("pay", "shop")]);
    let all = crm
        .filter(|tool| tool.name != "drop")
        .prefix("crm_")
        .combine(shop.rename("pay", "checkout").expect("it has `pay`"))
        .with(tool("now", "clock"));
    let names: Vec<&str> = all.names().collect();
    assert_eq!(names, ["crm_find", "find", "checkout", "now"]);

    let host = host();
    host.register(all).expect("the names are free");
    assert_eq!(
        worked(&call(&host, "checkout", json!({"n": 1})).await),
        "checkout"
    );
    assert_eq!(
        failed(call(&host, "pay", json!({"n": 1})).await).name,
        "ToolNotFoundError"
    );
    let error = failed(call(&host, "crm_find", json!({"n": "x"})).await);
    assert_eq!(error.tool_name, "crm_find");
    assert!(error.message.contains("`crm_find`"), "{error}");
    let renamed = host.tool("crm_find").expect("it is there");
    assert_eq!(renamed.inner_name(), "find");
}

#[test]
fn a_taken_name_is_refused_and_both_sources_are_named() {
    let host = host();
    host.register(tool("find", "crm")).expect("it is free");
    let pair = [tool("pay", "shop"), tool("find", "shop")];
    let error = host.register(pair).expect_err("it is taken");
    assert_eq!(
        error.to_string(),
        "the tool `find` of `shop` is already there from `crm`"
    );
    assert_eq!(host.definitions().len(), 1, "none of the set was added");

    let twice = [tool("pay", "shop"), tool("pay", "bank")];
    let error = host.register(twice).expect_err("they are the same");
    assert_eq!(
        error.to_string(),
        "the tool `pay` of `bank` is already there from `shop`"
    );
    let error = host.register(tool("tool_search", "shop"));
    assert_eq!(
        error.expect_err("it is reserved").to_string(),
        "the tool `tool_search` of `shop` is already there from `the host itself`"
    );
}

#[test]
fn a_name_that_no_model_can_call_is_refused_with_advice() {
    let host = host();
    let long = Toolset::from(tool("find", "crm")).prefix(&"x".repeat(61));
    let said = host.register(long).expect_err("it is too long").to_string();
    assert!(said.contains("use a shorter prefix"), "{said}");
    let dotted = Toolset::from(tool("find", "crm")).prefix("crm.");
    let said = host.register(dotted).expect_err("it has a dot").to_string();
    assert!(
        said.contains("use letters, digits, `_` and `-` only"),
        "{said}"
    );
    assert!(host.definitions().is_empty());
}

#[test]
fn a_tool_that_is_not_there_cannot_be_renamed() {
    let error = Toolset::from(tool("find_customer", "crm")).rename("find_custmer", "find");
    let error = error.expect_err("there is no such tool");
    assert_eq!(
        error.to_string(),
        "there is no tool `find_custmer` in the toolset"
    );
    assert_eq!(
        error.hint().as_deref(),
        Some("did you mean `find_customer`?")
    );
}
