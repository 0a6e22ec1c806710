//! Tools that are found before they are called.

use serde_json::{Value, json};
use toolhost_sandbox::Offer;
use toolhost_tool::{Call, ErrorKind, ExecutionContext, ToolDefinition};

use super::*;
use crate::host::Host;
use crate::native::tests::{call, failed, host, worked};
use crate::prepare::Discovered;

/// A host with one tool that is always listed and some that are not.
fn desk() -> Host {
    let host = host();
    let deferred = [
        (
            "create_invoice",
            "Bills a customer.",
            "customer: string, amount: number",
        ),
        (
            "sendEmail",
            "Writes to somebody.",
            r#"recipient: string "an address", text: string"#,
        ),
        (
            "convert",
            "Changes money.",
            r#"currency: enum("EUR", "USD")"#,
        ),
        ("list_invoices", "Shows what was billed.", "year?: integer"),
    ];
    for (name, description, parameters) in deferred {
        let tool = NativeTool::builder(name)
            .description(description)
            .parameters(parameters)
            .defer_loading()
            .execute(async |arguments: Value, _: ToolContext| arguments);
        host.register(tool.build().expect("it can be used"))
            .expect("it is new");
    }
    let now = NativeTool::builder("now").description("The time.");
    host.register(now.build().expect("it can be used"))
        .expect("it is new");
    host
}

async fn found(host: &Host, query: &str) -> Vec<String> {
    let result = call(host, TOOL_SEARCH, json!({"query": query})).await;
    let tools = worked(&result)["tools"].clone();
    let tools = tools.as_array().expect("a list");
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect()
}

async fn listed(host: &Host, discovered: &Discovered) -> Vec<String> {
    let context = ExecutionContext::default();
    let turn = host.prepare_turn(&context, discovered).await;
    turn.tools.into_iter().map(|tool| tool.name).collect()
}

#[tokio::test]
async fn names_descriptions_and_parameters_are_searched_best_first() {
    let host = desk();
    assert_eq!(found(&host, "bill a customer").await[0], "create_invoice");
    assert_eq!(
        found(&host, "invoices of last year").await[0],
        "list_invoices"
    );
    assert_eq!(found(&host, "email").await, ["sendEmail"]);
    assert_eq!(found(&host, "RECIPIENTS").await, ["sendEmail"]);
    assert_eq!(found(&host, "usd").await, ["convert"]);
    assert!(found(&host, "submarine").await.is_empty());
}

#[tokio::test]
async fn a_search_says_how_to_call_what_it_found() {
    let host = desk();
    let result = call(&host, TOOL_SEARCH, json!({"query": "invoice", "limit": 1})).await;
    let tools = worked(&result)["tools"].clone();
    assert_eq!(tools.as_array().map(Vec::len), Some(1));
    assert_eq!(tools[0]["inputSchema"]["type"], "object");
    let error = failed(call(&host, TOOL_SEARCH, json!({"query": ""})).await);
    assert_eq!(error.kind, ErrorKind::Validation);
}

#[tokio::test]
async fn what_was_found_is_listed_in_the_next_turn_and_in_the_next_process() {
    let host = desk();
    let mut discovered = Discovered::new();
    assert_eq!(listed(&host, &discovered).await, ["now", TOOL_SEARCH]);

    let result = call(&host, TOOL_SEARCH, json!({"query": "email"})).await;
    assert!(discovered.observe(&result));
    assert!(!discovered.observe(&result), "it is known by now");
    let kept = serde_json::to_string(&discovered).expect("it serialises");
    assert_eq!(kept, r#"{"found":["sendEmail"],"fixedList":false}"#);
    let discovered: Discovered = serde_json::from_str(&kept).expect("it is read back");
    assert_eq!(
        listed(&host, &discovered).await,
        ["now", "sendEmail", TOOL_SEARCH]
    );

    let arguments = json!({"recipient": "ada", "text": "hi"});
    assert_eq!(
        worked(&call(&host, "sendEmail", arguments.clone()).await),
        arguments
    );
}

#[tokio::test]
async fn a_model_with_a_fixed_list_calls_what_it_found_through_call_tool() {
    let host = desk();
    let mut discovered = Discovered::with_fixed_list();
    let fixed = ["now", TOOL_SEARCH, CALL_TOOL];
    assert_eq!(listed(&host, &discovered).await, fixed);
    discovered.observe(&call(&host, TOOL_SEARCH, json!({"query": "usd"})).await);
    assert!(discovered.has("convert"));
    assert_eq!(
        listed(&host, &discovered).await,
        fixed,
        "the list stays as it is"
    );

    let through = |arguments: Value| {
        let arguments = json!({"name": "convert", "arguments": arguments});
        Call::new("call-1", CALL_TOOL, arguments)
    };
    let context = ExecutionContext::default;
    let result = host
        .call(through(json!({"currency": "EUR"})), context())
        .await;
    assert_eq!(result.tool_name, "convert");
    assert_eq!(worked(&result)["currency"], "EUR");
    let error = failed(
        host.call(through(json!({"currency": "DM"})), context())
            .await,
    );
    assert_eq!(
        (error.tool_name.as_str(), error.kind),
        ("convert", ErrorKind::Validation)
    );
}

#[tokio::test]
async fn a_misused_call_tool_says_what_is_wrong() {
    let host = desk();
    for (arguments, name) in [
        (json!({"tool": "convert"}), "ToolArgumentsValidationError"),
        (json!({"name": "convrt"}), "ToolNotFoundError"),
        (json!({"name": CALL_TOOL}), "ToolError"),
    ] {
        let error = failed(call(&host, CALL_TOOL, arguments).await);
        assert_eq!(error.name, name, "{error}");
    }
}

#[tokio::test]
async fn a_tool_that_hides_is_not_found_and_one_for_programs_is_never_listed() {
    let host = desk();
    let secret = NativeTool::builder("submarine")
        .description("Dives.")
        .defer_loading()
        .prepare(async |_: ToolDefinition, context: ToolContext| {
            if context.session_id() == Some("navy") {
                Offer::Unchanged
            } else {
                Offer::Hide
            }
        })
        .execute(async |_: Value, _: ToolContext| ());
    let internal = NativeTool::builder("submarine_engine")
        .description("Turns the screw of the submarine.")
        .programmatic_only()
        .defer_loading()
        .execute(async |_: Value, _: ToolContext| ());
    host.register([
        secret.build().expect("it can be used"),
        internal.build().expect("it can be used"),
    ])
    .expect("they are new");
    assert!(found(&host, "submarine").await.is_empty());
    let context = ExecutionContext {
        session_id: Some("navy".into()),
        ..ExecutionContext::default()
    };
    let search = Call::new("c", TOOL_SEARCH, json!({"query": "submarine"}));
    let result = host.call(search, context).await;
    assert_eq!(worked(&result)["tools"][0]["name"], "submarine");
    assert_eq!(worked(&result)["tools"].as_array().map(Vec::len), Some(1));
    let mut discovered = Discovered::new();
    discovered.add("submarine_engine");
    assert!(
        !listed(&host, &discovered)
            .await
            .contains(&"submarine_engine".to_owned())
    );
}

#[tokio::test]
async fn without_deferred_tools_there_is_nothing_to_search() {
    let host = host();
    assert!(listed(&host, &Discovered::new()).await.is_empty());
    let error = failed(call(&host, TOOL_SEARCH, json!({"query": "x"})).await);
    assert_eq!(error.kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn in_a_turn_a_call_of_call_tool_is_one_of_the_tool_it_names() {
    use crate::turn::{Turn, TurnOptions, TurnResult};

    let host = desk();
    let arguments = json!({"name": "convert", "arguments": {"currency": "EUR"}});
    let turn = Turn::new(vec![Call::new("c", CALL_TOOL, arguments)]);
    let ended = host.run_turn(turn, TurnOptions::default()).await;
    let Ok(TurnResult::Done(finished)) = ended else {
        panic!("not done: {ended:?}");
    };
    assert_eq!(finished.results[0].tool_name, "convert");
    assert_eq!(worked(&finished.results[0])["currency"], "EUR");
}
