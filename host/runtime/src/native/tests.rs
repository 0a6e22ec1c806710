//! Native tools through the whole pipeline: what a program writes, and what its
//! model gets.

mod ending;
mod hooks;
mod limits;

use serde_json::{Value, json};
use toolhost_tool::{Call, CallError, ExecutionContext};

use super::*;
use crate::error::Error;
use crate::host::Host;
use crate::result::CallResult;
use crate::tool::Tool;

/// A host without a compile cache: nothing is compiled here.
pub(crate) fn host() -> Host {
    let host = Host::builder().cache_dir(None).build();
    host.expect("the host builds")
}

/// A host with one tool.
pub(crate) fn host_with(tool: Result<Tool, Error>) -> Host {
    let host = host();
    host.register(tool.expect("the tool can be used"))
        .expect("the name is free");
    host
}

/// Calls `tool` with no context.
pub(crate) async fn call(host: &Host, tool: &str, arguments: Value) -> CallResult {
    let call = Call::new("call-1", tool, arguments);
    host.call(call, ExecutionContext::default()).await
}

/// The result of a call that must have worked.
pub(crate) fn worked(result: &CallResult) -> Value {
    assert!(result.output().is_some(), "{:?}", result.outcome);
    result.to_json()["result"].clone()
}

/// The error of a call that must have failed.
pub(crate) fn failed(result: CallResult) -> CallError {
    result.outcome.expect_err("the call fails")
}

fn tool(name: &str) -> NativeToolBuilder {
    NativeTool::builder(name).description("A tool.")
}

fn refusal(built: Result<Tool, Error>) -> String {
    built.expect_err("it is refused").to_string()
}

#[test]
fn a_definition_that_cannot_be_used_is_told_how_to_mend_it() {
    let run = async |_: Value, _: ToolContext| 1;
    let cases = [
        (
            NativeTool::builder("add").execute(run).build(),
            "add `.description(…)`",
        ),
        (
            tool("add numbers").execute(run).build(),
            "use letters, digits, `_` and `-` only",
        ),
        (
            tool("add").input_schema(json!({"type": "array"})).build(),
            "`\"type\": \"object\"`",
        ),
        (tool("add").parameters("a: numbr").build(), "`number`"),
        (
            tool("add").execute(run).parameters("a: number").build(),
            "declare it once, before them",
        ),
        (
            tool("add")
                .approval(toolhost_tool::ApprovalRequirement::AskHook)
                .build(),
            "add `.needs_approval(…)`",
        ),
        (
            tool("add")
                .execute(async |_: Value, _: ToolContext| Err::<i32, String>("no".into()))
                .build(),
            "add `.map_err(ToolError::message)`",
        ),
    ];
    for (built, advice) in cases {
        let said = refusal(built);
        assert!(said.contains(advice), "{said}");
        assert!(said.contains("of `this program` cannot be used"), "{said}");
    }
}

#[test]
fn everything_of_a_definition_can_be_set() {
    let built = tool("every")
        .display_name("Every")
        .source("billing")
        .read_only()
        .edits_files()
        .sequential()
        .ends_run()
        .defer_loading()
        .programmatic_only()
        .max_retries(3)
        .meta(json!({"tier": "gold"}))
        .output_schema(json!({"type": "integer"}))
        .execute(async |_: Value, _: ToolContext| 1)
        .build()
        .expect("it can be used");
    let definition = serde_json::to_value(built.definition()).expect("it serialises");
    assert_eq!(definition["displayName"], "Every");
    assert_eq!(definition["annotations"], json!({"readOnlyHint": true}));
    let behaviour = &definition["behaviour"];
    for flag in [
        "editsFiles",
        "sequential",
        "endsRun",
        "deferLoading",
        "programmaticOnly",
    ] {
        assert_eq!(behaviour[flag], true, "{flag}");
    }
    assert_eq!(behaviour["clientSide"], false);
    assert_eq!(definition["maxRetries"], 3);
    assert_eq!(definition["meta"]["tier"], "gold");
    assert_eq!(built.source(), "billing");
}

#[test]
fn tools_are_built_at_run_time_from_data() {
    let rows = [("celsius", "a: number"), ("upper", "text: string")];
    let host = host();
    for (name, parameters) in rows {
        let built = NativeTool::builder(name)
            .description(format!("Does {name}."))
            .parameters(parameters)
            .execute(move |_: Value, _: ToolContext| async move { name })
            .build();
        host.register(built.expect("it can be used"))
            .expect("it is new");
    }
    let names: Vec<String> = host
        .definitions()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    assert_eq!(names, ["celsius", "upper"]);
}
