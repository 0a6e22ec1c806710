//! The hooks of a native tool.

use toolhost_sandbox::{ApprovalDecision, Offer};
use toolhost_tool::{Approval, ContentBlock, ErrorKind, Issue, Outcome, SuspensionKind};

use super::*;
use crate::prepare::Discovered;

fn pay() -> Result<Tool, Error> {
    tool("pay")
        .parameters("amount: integer")
        .needs_approval(async |arguments: Value, _: ToolContext| {
            match arguments["amount"].as_i64().unwrap_or_default() {
                ..10 => ApprovalDecision::NotNeeded,
                10..1_000 => ApprovalDecision::Ask(Some("it costs money".into())),
                _ => ApprovalDecision::Deny("more than the limit".into()),
            }
        })
        .execute(async |_: Value, context: ToolContext| {
            context.approval().and_then(|approval| approval.by.clone())
        })
        .build()
}

#[tokio::test]
async fn needs_approval_lets_run_asks_or_denies() {
    let host = host_with(pay());
    assert_eq!(
        worked(&call(&host, "pay", json!({"amount": 1})).await),
        Value::Null
    );
    let asked = call(&host, "pay", json!({"amount": 10})).await.outcome;
    let Ok(Outcome::Suspended(suspension)) = asked else {
        panic!("not asked: {asked:?}");
    };
    assert_eq!(
        suspension.kind,
        SuspensionKind::Approval {
            reason: Some("it costs money".into())
        }
    );
    let error = failed(call(&host, "pay", json!({"amount": 1_000})).await);
    assert_eq!(error.reason.as_deref(), Some("more than the limit"));
}

#[tokio::test]
async fn the_approval_reaches_the_tool() {
    let host = host_with(pay());
    let context = ExecutionContext {
        approval: Some(Approval {
            note: None,
            by: Some("grace".into()),
        }),
        ..ExecutionContext::default()
    };
    let call = Call::new("c", "pay", json!({"amount": 10}));
    assert_eq!(worked(&host.call(call, context).await), "grace");
}

#[tokio::test]
async fn validate_sees_what_a_schema_cannot() {
    let built = tool("span")
        .parameters("start: integer, end: integer")
        .validate(async |span: Value| {
            let wrong = span["start"].as_i64() >= span["end"].as_i64();
            let issue = Issue {
                path: "/start".into(),
                message: "must be before `end`".into(),
            };
            wrong.then_some(issue).into_iter().collect::<Vec<_>>()
        })
        .execute(async |_: Value, _: ToolContext| "ran")
        .build();
    let host = host_with(built);
    let error = failed(call(&host, "span", json!({"start": 2, "end": 1})).await);
    assert_eq!(
        (error.kind, error.issues[0].path.as_str()),
        (ErrorKind::Validation, "/start")
    );
    assert_eq!(
        worked(&call(&host, "span", json!({"start": 1, "end": 2})).await),
        "ran"
    );
}

#[tokio::test]
async fn model_output_is_for_the_model_and_the_caller_gets_everything() {
    let built = tool("rows")
        .model_output(async |output: toolhost_tool::Output| {
            let rows = output.structured.as_ref().and_then(Value::as_array);
            format!("{} rows", rows.map_or(0, Vec::len))
        })
        .execute(async |_: Value, _: ToolContext| [1, 2, 3])
        .build();
    let result = call(&host_with(built), "rows", json!({})).await;
    assert_eq!(worked(&result), json!([1, 2, 3]));
    let text = "3 rows".to_owned();
    assert_eq!(result.model_content(), [ContentBlock::Text { text }]);
}

#[tokio::test]
async fn a_hook_that_fails_is_an_error_of_kind_execution() {
    let built = tool("t")
        .needs_approval(async |_: Value, _: ToolContext| {
            Err::<bool, _>(ToolError::new("RulesError", "the rules cannot be read"))
        })
        .execute(async |_: Value, _: ToolContext| 1)
        .build();
    let error = failed(call(&host_with(built), "t", json!({})).await);
    assert_eq!(
        (error.name.as_str(), error.kind),
        ("RulesError", ErrorKind::Execution)
    );
}

#[tokio::test]
async fn prepare_decides_each_turn_what_the_model_sees() {
    let built = tool("deploy")
        .prepare(
            async |tool: toolhost_tool::ToolDefinition, context: ToolContext| match context
                .session_id()
            {
                Some("admin") => Offer::As(Box::new(toolhost_tool::ToolDefinition {
                    description: "Deploys to production.".into(),
                    ..tool
                })),
                Some("staff") => Offer::Unchanged,
                _ => Offer::Hide,
            },
        )
        .execute(async |_: Value, _: ToolContext| 1)
        .build();
    let host = host_with(built);
    let shown = async |session: &str| {
        let context = ExecutionContext {
            session_id: Some(session.into()),
            ..ExecutionContext::default()
        };
        let turn = host.prepare_turn(&context, &Discovered::new()).await;
        assert!(turn.errors.is_empty(), "{:?}", turn.errors);
        let tools = turn.tools.into_iter().map(|tool| tool.description);
        tools.collect::<Vec<_>>()
    };
    assert_eq!(shown("admin").await, ["Deploys to production."]);
    assert_eq!(shown("staff").await, ["A tool."]);
    assert!(shown("guest").await.is_empty());
}

#[tokio::test]
async fn what_prepare_cannot_offer_is_not_offered_and_the_others_are() {
    let host = host();
    let changed = |name: &str, change: fn(&mut toolhost_tool::ToolDefinition)| {
        tool(name)
            .prepare(
                move |mut tool: toolhost_tool::ToolDefinition, _: ToolContext| async move {
                    change(&mut tool);
                    Offer::As(Box::new(tool))
                },
            )
            .build()
            .expect("it can be used")
    };
    host.register([
        changed("renamed", |tool| tool.name = "other".into()),
        changed("schemaless", |tool| tool.input_schema = json!({"type": 7})),
        changed("well", |tool| tool.description = "Changed.".into()),
    ])
    .expect("the names are free");
    let turn = host
        .prepare_turn(&ExecutionContext::default(), &Discovered::new())
        .await;
    assert_eq!(turn.tools.len(), 1);
    assert_eq!(turn.tools[0].description, "Changed.");
    let failed: Vec<&str> = turn
        .errors
        .iter()
        .map(|error| error.tool_name.as_str())
        .collect();
    assert_eq!(failed, ["renamed", "schemaless"]);
}

#[tokio::test]
async fn the_hooks_of_a_turn_are_asked_together() {
    let host = host();
    let meeting = std::sync::Arc::new(tokio::sync::Barrier::new(3));
    for name in ["one", "two", "three"] {
        let meeting = std::sync::Arc::clone(&meeting);
        let waits = tool(name).prepare(move |_: toolhost_tool::ToolDefinition, _: ToolContext| {
            let meeting = std::sync::Arc::clone(&meeting);
            async move {
                meeting.wait().await;
                true
            }
        });
        host.register(waits.build().expect("it can be used"))
            .expect("the name is free");
    }
    let (context, discovered) = (ExecutionContext::default(), Discovered::new());
    let turn = host.prepare_turn(&context, &discovered);
    let turn = tokio::time::timeout(std::time::Duration::from_secs(5), turn).await;
    assert_eq!(turn.expect("nobody waits in vain").tools.len(), 3);
}
