//! The sandboxed path of a native tool: what it may run in a sandbox, and the
//! sandbox that this host offers, which is a plugin.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;
use toolhost_policy::LimitsPatch;
use toolhost_sandbox::{Budget, CancelHandle, Input, Link};
use toolhost_tool::{CallError, ExecutionContext, Outcome, Report, suggest};

use super::context::ToolContext;
use super::error::ToolError;
use crate::host::LoadedPlugin;
use crate::tool::Tool;

/// Where native tools run what they do not trust. Implement it to bring a
/// sandbox of your own; [`PluginSandbox`] is the one of this host.
#[async_trait]
pub trait SandboxAdapter: Send + Sync {
    /// Runs one thing in a fresh sandbox, to its end. Whatever goes wrong is in
    /// the result; nothing may run outside the sandbox in its stead.
    async fn run(&self, call: SandboxCall) -> SandboxResult;
}

/// What is run in a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxCall {
    /// The id of the call on whose behalf it runs.
    pub tool_call_id: String,
    /// What is run: for a [`PluginSandbox`] the plugin's name of a tool.
    pub name: String,
    /// What it is run with; an object.
    pub arguments: Value,
    /// What the call knows of its run. Its deadline is what is left of the
    /// call's.
    pub context: ExecutionContext,
    /// Limits that differ from the sandbox's.
    pub limits: LimitsPatch,
    /// Cancels it.
    pub cancel: CancelHandle,
}

/// How it ended, and what it used.
#[derive(Clone, Debug, PartialEq)]
pub struct SandboxResult {
    /// How it ended.
    pub outcome: Result<Outcome, CallError>,
    /// What it used and did.
    pub report: Report,
}

/// The sandbox of one call, as the function of a native tool gets it.
#[derive(Clone)]
pub struct SandboxHandle {
    adapter: Arc<dyn SandboxAdapter>,
    context: ToolContext,
}

impl SandboxHandle {
    pub(crate) fn new(adapter: Arc<dyn SandboxAdapter>, context: ToolContext) -> Self {
        Self { adapter, context }
    }

    /// Runs `name` with `arguments` in a fresh sandbox. What it used is in the
    /// report of the call. A sandbox may be used any number of times.
    ///
    /// # Errors
    ///
    /// When the arguments are no JSON, and however the sandbox failed.
    pub async fn run(&self, name: &str, arguments: impl Serialize) -> Result<Outcome, ToolError> {
        self.run_limited(name, arguments, LimitsPatch::default())
            .await
    }

    /// As [`run`](Self::run), under limits that differ from the sandbox's.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub async fn run_limited(
        &self,
        name: &str,
        arguments: impl Serialize,
        limits: LimitsPatch,
    ) -> Result<Outcome, ToolError> {
        let left = u64::try_from(self.context.time_left().as_millis()).unwrap_or(u64::MAX);
        let call = SandboxCall {
            tool_call_id: self.context.tool_call_id().to_owned(),
            name: name.to_owned(),
            arguments: serde_json::to_value(arguments)?,
            context: ExecutionContext {
                deadline_ms: Some(left),
                ..self.context.run().clone()
            },
            limits,
            cancel: self.context.cancel_handle(),
        };
        let result = self.adapter.run(call).await;
        self.context.add_report(result.report);
        result.outcome.map_err(ToolError::of_call)
    }
}

/// The sandbox of this host: the tools of one plugin, with what the plugin was
/// granted. They are not in the registry: a model cannot call them by itself.
///
/// A tool's own approval requirement is not asked for; the native tool that
/// uses it has one.
#[derive(Clone)]
pub struct PluginSandbox {
    tools: Arc<BTreeMap<String, Arc<Tool>>>,
}

impl PluginSandbox {
    /// A sandbox of the tools of `plugin`; see
    /// [`Host::open`](crate::Host::open).
    #[must_use]
    pub fn new(plugin: &LoadedPlugin) -> Self {
        let tools = plugin.tools.iter().map(Arc::clone);
        Self {
            tools: Arc::new(
                tools
                    .map(|tool| (tool.inner_name().to_owned(), tool))
                    .collect(),
            ),
        }
    }

    async fn steps(&self, call: SandboxCall, report: &mut Report) -> Result<Outcome, CallError> {
        let name = call.name.as_str();
        let tool = self.tools.get(name).ok_or_else(|| {
            let close = suggest(name, self.tools.keys().map(String::as_str));
            CallError::not_found(name, close.map(str::to_owned).into_iter().collect())
        })?;
        let invalid = |issues| CallError::validation(name, issues);
        let arguments = tool.input.check(call.arguments).map_err(invalid)?;
        let limits = tool.budget.limits.with(&call.limits).map_err(|error| {
            CallError::denied(name, &format!("a limit cannot be used: {error}"))
        })?;
        let budget = Budget {
            limits,
            ..tool.budget.clone()
        };
        let input = Input {
            tool_call_id: call.tool_call_id,
            tool_name: name.to_owned(),
            arguments: Some(arguments.to_string()),
        };
        if tool.definition.hooks.validate {
            let answer = tool.validate(&input, &budget, call.cancel.clone()).await;
            report.add(answer.report);
            let issues = answer.result.map_err(|failure| failure.into_error(name))?;
            if !issues.is_empty() {
                return Err(invalid(issues));
            }
        }
        let link = Link {
            cancel: call.cancel,
            ..Link::default()
        };
        let answer = tool.execute(&input, &call.context, &budget, link).await;
        report.add(answer.report);
        let outcome = answer.result.map_err(|failure| failure.into_error(name))?;
        broken_schema(tool, &outcome).map_or(Ok(outcome), Err)
    }
}

#[async_trait]
impl SandboxAdapter for PluginSandbox {
    async fn run(&self, call: SandboxCall) -> SandboxResult {
        let mut report = Report::default();
        let outcome = self.steps(call, &mut report).await;
        // Its partial results have no reader.
        report.partials = 0;
        SandboxResult { outcome, report }
    }
}

/// What is wrong with a result that breaks the schema of its tool.
fn broken_schema(tool: &Tool, outcome: &Outcome) -> Option<CallError> {
    let Outcome::Done(output) = outcome else {
        return None;
    };
    let (schema, value) = tool.output.as_ref().zip(output.structured.as_ref())?;
    let issues = schema.validate(value).err()?;
    Some(CallError::invalid_output(tool.inner_name(), issues))
}

/// The host's sandbox for native tools, shared by all tools that were
/// registered with it, whether before or after it was set.
#[derive(Clone, Default)]
pub(crate) struct AdapterSlot(Arc<RwLock<Option<Arc<dyn SandboxAdapter>>>>);

impl AdapterSlot {
    pub(crate) fn get(&self) -> Option<Arc<dyn SandboxAdapter>> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set(&self, adapter: Arc<dyn SandboxAdapter>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(adapter);
    }
}
