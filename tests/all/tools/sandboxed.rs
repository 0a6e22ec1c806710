//! Native tools that do their work in a sandbox, and are refused without one.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::{
    ApprovalRequirement, Call, ErrorKind, ExecutionContext, Host, LimitsPatch, NativeTool,
    NativeToolBuilder, Outcome, PluginOptions, PluginSandbox, SandboxHandle, ToolContext,
    ToolError,
};
use toolhost_tests::guest;

use crate::support::{call, error, host, structured};

/// A sandbox that runs the tools of one guest.
async fn sandbox(host: &Host, name: &str) -> PluginSandbox {
    let plugin = host.open(guest(name), PluginOptions::default()).await;
    PluginSandbox::new(&plugin.unwrap_or_else(|error| panic!("{name}: {error:?}")))
}

/// A tool that runs what it is told, in the sandbox alone.
fn runs() -> NativeToolBuilder {
    NativeTool::builder("run")
        .description("Runs a tool of the sandbox.")
        .parameters("tool: string, arguments?: object")
        .requires_sandbox(true)
        .sandbox_execute(
            async |call: Value, sandbox: SandboxHandle, _: ToolContext| {
                let tool = call["tool"].as_str().unwrap_or_default();
                let arguments = call.get("arguments").cloned();
                sandbox.run(tool, arguments.unwrap_or(json!({}))).await
            },
        )
}

fn register(host: &Host, tool: NativeToolBuilder) {
    let tool = tool.build().expect("it can be used");
    host.register(tool).expect("the name is free");
}

#[tokio::test]
async fn a_tool_that_requires_a_sandbox_never_runs_without_one() {
    let host = host();
    register(&host, runs());
    let plain = NativeTool::builder("plain")
        .description("Has a plain function only.")
        .requires_sandbox(true)
        .execute(async |_: Value, _: ToolContext| "it ran outside the sandbox");
    register(&host, plain);
    let nothing = NativeTool::builder("nothing")
        .description("Has no function at all.")
        .requires_sandbox(true);
    register(&host, nothing);

    for (tool, arguments, advice) in [
        ("run", json!({"tool": "ok"}), "`Host::set_sandbox`"),
        ("plain", json!({}), "`sandbox_execute`"),
        ("nothing", json!({}), "`sandbox_execute`"),
    ] {
        let refused = call(&host, tool, arguments).await;
        let error = error(&refused);
        assert_eq!(
            (error.name.as_str(), error.kind),
            ("SandboxRequiredError", ErrorKind::Sandbox)
        );
        assert!(error.message.contains(advice), "{error}");
    }
}

#[tokio::test]
async fn nobody_is_asked_to_approve_what_will_be_refused() {
    let host = host();
    register(&host, runs().approval(ApprovalRequirement::Always));
    let refused = call(&host, "run", json!({"tool": "ok"})).await;
    assert_eq!(error(&refused).name, "SandboxRequiredError");
    host.set_sandbox(sandbox(&host, "misbehave").await);
    let asked = call(&host, "run", json!({"tool": "ok"})).await;
    assert!(matches!(asked.outcome, Ok(Outcome::Suspended(_))));
}

#[tokio::test]
async fn with_a_sandbox_it_runs_there_and_the_report_says_what_that_cost() {
    let host = host();
    register(&host, runs());
    host.set_sandbox(sandbox(&host, "contract").await);
    let arguments = json!({"tool": "echo_context", "arguments": {"count": 8}});
    let result = call(&host, "run", arguments).await;
    let seen = structured(&result);
    assert_eq!(seen["call"]["toolName"], "echo_context");
    assert_eq!(seen["context"]["toolCallId"], "call-1");
    assert!(result.report.fuel > 0 && result.report.memory_peak_bytes > 0);
    assert!(
        host.tool("echo_context").is_err(),
        "the model cannot call it"
    );
}

#[tokio::test]
async fn the_sandboxed_path_is_taken_where_there_is_one() {
    let host = host();
    let both = |name: &str| {
        NativeTool::builder(name)
            .description("Runs either way.")
            .execute(async |_: Value, _: ToolContext| "plain")
            .sandbox_execute(async |_: Value, _: SandboxHandle, _: ToolContext| "sandboxed")
    };
    register(&host, both("open"));
    register(
        &host,
        both("closed").sandbox(sandbox(&host, "misbehave").await),
    );
    let result = call(&host, "open", json!({})).await;
    assert_eq!(result.to_json()["result"], "plain");
    let result = call(&host, "closed", json!({})).await;
    assert_eq!(result.to_json()["result"], "sandboxed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_breaks_in_the_sandbox_breaks_the_call_and_nothing_else() {
    let host = host();
    let limits: LimitsPatch = serde_json::from_value(json!({"fuel": 10_000_000})).expect("limits");
    let tool = runs()
        .sandbox(sandbox(&host, "misbehave").await)
        .sandbox_execute(
            move |call: Value, sandbox: SandboxHandle, _: ToolContext| async move {
                let tool = call["tool"].as_str().unwrap_or_default();
                sandbox.run_limited(tool, json!({}), limits).await
            },
        );
    register(&host, tool);
    for (tool, name, kind) in [
        ("spin", "FuelExhaustedError", ErrorKind::Sandbox),
        ("no_such_tool", "ToolNotFoundError", ErrorKind::Execution),
    ] {
        let result = call(&host, "run", json!({"tool": tool})).await;
        let error = error(&result);
        assert_eq!((error.name.as_str(), error.kind), (name, kind));
        assert_eq!(error.tool_name, "run");
    }
    let result = call(&host, "run", json!({"tool": "ok"})).await;
    assert!(!result.is_error(), "{result:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_reaches_the_sandbox() {
    let host = host();
    register(&host, runs().sandbox(sandbox(&host, "misbehave").await));
    let arguments = json!({"tool": "spin"});
    let running = host.start(
        Call::new("c", "run", arguments),
        ExecutionContext::default(),
        LimitsPatch::default(),
    );
    tokio::time::sleep(Duration::from_millis(50)).await;
    let started = Instant::now();
    running.cancel();
    let result = running.result().await;
    assert_eq!(error(&result).kind, ErrorKind::Aborted);
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_program_makes_one_tool_of_several_runs() {
    let host = host();
    let tool = NativeTool::builder("sum_of_three")
        .description("Adds what three sandboxes say.")
        .sandbox_execute(async |_: Value, sandbox: SandboxHandle, _: ToolContext| {
            let mut counts = Vec::new();
            for _ in 0..3 {
                counts.push(sandbox.run("count_calls", json!({})).await?);
            }
            Ok::<_, ToolError>(counts.len())
        })
        .sandbox(sandbox(&host, "misbehave").await);
    register(&host, tool);
    let result = call(&host, "sum_of_three", json!({})).await;
    assert_eq!(structured(&result), &json!(3));
}
