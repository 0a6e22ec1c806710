//! What a function returns, and how it fails.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_tool::{ContentBlock, ErrorKind, Outcome, Output, SuspensionKind};

use super::*;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sum {
    /// The numbers to add.
    numbers: Vec<f64>,
    #[serde(default)]
    round_up: bool,
}

#[derive(Serialize, JsonSchema)]
struct Total {
    total: f64,
}

#[tokio::test]
async fn a_typed_tool_gets_its_type_and_returns_one() {
    let built = tool("sum")
        .input::<Sum>()
        .output::<Total>()
        .execute(async |sum: Sum, _: ToolContext| {
            let total: f64 = sum.numbers.iter().sum();
            Total {
                total: if sum.round_up { total.ceil() } else { total },
            }
        })
        .build();
    let host = host_with(built);
    let definition = host.definitions().remove(0);
    let numbers = &definition.input_schema["properties"]["numbers"];
    assert_eq!(numbers["description"], "The numbers to add.");
    assert_eq!(numbers["items"], json!({"type": "number"}));
    assert!(definition.output_schema.is_some());

    let result = call(&host, "sum", json!({"numbers": [1, 0.5], "roundUp": true})).await;
    assert_eq!(worked(&result), json!({"total": 2.0}));
    let error = failed(call(&host, "sum", json!({"numbers": "all"})).await);
    assert_eq!(error.kind, ErrorKind::Validation);
    assert_eq!(error.issues[0].path, "/numbers");
}

#[derive(Deserialize, JsonSchema)]
struct Address {
    #[schemars(with = "String")]
    address: std::net::Ipv4Addr,
}

#[tokio::test]
async fn what_the_schema_lets_through_and_the_type_does_not_is_invalid_too() {
    let built = tool("ping")
        .input::<Address>()
        .execute(async |host: Address, _: ToolContext| host.address.to_string())
        .build();
    let host = host_with(built);
    let error = failed(call(&host, "ping", json!({"address": "nowhere"})).await);
    assert_eq!(
        (error.kind, error.tool_name.as_str()),
        (ErrorKind::Validation, "ping")
    );
    assert!(
        error.message.ends_with("invalid IPv4 address syntax"),
        "{error}"
    );
    let result = call(&host, "ping", json!({"address": "::1"})).await;
    assert!(result.is_error());
    let result = call(&host, "ping", json!({"address": "127.0.0.1"})).await;
    assert_eq!(worked(&result), "127.0.0.1");
}

#[tokio::test]
async fn everything_a_function_may_return_becomes_a_result() {
    async fn run(built: NativeToolBuilder) -> CallResult {
        call(&host_with(built.build()), "t", json!({})).await
    }
    let result = run(tool("t").execute(async |_: Value, _: ToolContext| "text")).await;
    assert_eq!(result.output(), Some(&Output::text("text")));
    let result = run(tool("t").execute(async |_: Value, _: ToolContext| vec![1, 2])).await;
    assert_eq!(result.output(), Some(&Output::structured(json!([1, 2]))));
    let result = run(tool("t").execute(async |_: Value, _: ToolContext| ())).await;
    assert_eq!(result.output(), Some(&Output::structured(Value::Null)));
    let block = ContentBlock::Text { text: "b".into() };
    let returned = block.clone();
    let result = run(tool("t").execute(move |_: Value, _: ToolContext| {
        let returned = returned.clone();
        async move { Ok::<_, ToolError>(vec![returned]) }
    }))
    .await;
    assert_eq!(
        result.output().map(|output| &output.content),
        Some(&vec![block])
    );
    let typed = tool("t")
        .execute(async |_: Value, _: ToolContext| "text".to_owned())
        .output::<String>();
    assert_eq!(
        run(typed).await.output(),
        Some(&Output::structured(json!("text")))
    );
    let result = run(tool("t").execute(async |_: Value, _: ToolContext| {
        Outcome::Done(Output {
            custom_data: Some(json!(7)),
            ..Output::text("seen")
        })
    }))
    .await;
    assert_eq!(result.to_json()["customData"], 7);
}

#[tokio::test]
async fn a_failure_reaches_the_model_with_all_of_its_fields() {
    let built = tool("pay")
        .execute(async |_: Value, _: ToolContext| {
            let error = ToolError::new("CardError", "the card was declined; ask for another")
                .code("declined")
                .details(json!({"card": 4}))
                .retryable()
                .propagate();
            Err::<(), _>(error)
        })
        .build();
    let error = failed(call(&host_with(built), "pay", json!({})).await);
    assert_eq!(
        serde_json::to_value(&error).expect("it serialises"),
        json!({
            "error": "CardError", "toolName": "pay", "kind": "execution",
            "message": "the card was declined; ask for another",
            "code": "declined", "details": {"card": 4}, "retryable": true, "propagate": true,
        })
    );
}

#[tokio::test]
async fn any_error_type_will_do_and_its_sources_are_told() {
    #[derive(Debug, thiserror::Error)]
    #[error("cannot read the settings")]
    struct Settings(#[source] std::num::ParseIntError);

    let built = tool("read")
        .execute(async |_: Value, _: ToolContext| "x".parse::<u8>().map_err(Settings))
        .build();
    let error = failed(call(&host_with(built), "read", json!({})).await);
    assert_eq!(
        error.message,
        "cannot read the settings: invalid digit found in string"
    );
    let inner = CallError::validation("inner", Vec::new());
    assert_eq!(
        ToolError::from(inner)
            .into_failure()
            .into_error("outer")
            .kind,
        ErrorKind::Execution
    );
}

#[tokio::test]
async fn a_panic_is_an_error_of_the_call_and_the_host_lives_on() {
    let built = tool("divide")
        .parameters("by: integer")
        .execute(async |arguments: Value, _: ToolContext| {
            10 / arguments["by"].as_i64().unwrap_or_default()
        })
        .build();
    let host = host_with(built);
    let error = failed(call(&host, "divide", json!({"by": 0})).await);
    assert_eq!(
        (error.name.as_str(), error.kind),
        ("ToolPanickedError", ErrorKind::Execution)
    );
    assert!(error.message.contains("divide by zero"), "{error}");
    assert_eq!(worked(&call(&host, "divide", json!({"by": 5})).await), 2);
}

#[tokio::test]
async fn a_result_that_breaks_its_schema_is_an_error_of_the_tool() {
    let built = tool("count")
        .output_schema(json!({"type": "integer"}))
        .execute(async |_: Value, _: ToolContext| json!("three"))
        .build();
    let error = failed(call(&host_with(built), "count", json!({})).await);
    assert_eq!(error.kind, ErrorKind::Execution);
    assert_eq!(error.issues.len(), 1);
}

#[tokio::test]
async fn a_tool_without_a_function_is_for_the_caller_to_run() {
    let built = tool("confirm").parameters("text: string").build();
    let host = host_with(built);
    let result = call(&host, "confirm", json!({"text": "sure?"})).await;
    let Ok(Outcome::Suspended(suspension)) = result.outcome else {
        panic!("not suspended: {:?}", result.outcome);
    };
    let SuspensionKind::ClientTools { calls } = suspension.kind else {
        panic!("for another reason: {suspension:?}");
    };
    assert_eq!(calls[0].tool_name, "confirm");
    assert_eq!(calls[0].arguments, json!({"text": "sure?"}));
}
