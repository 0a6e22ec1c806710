//! A native tool as the host calls it. Each function runs on a task of its own
//! under the limits of the call; see [`work`](super::work).

use std::sync::Arc;
use std::time::Instant;

use toolhost_policy::{Limits, LimitsPatch};
use toolhost_sandbox::{
    Answer, ApprovalDecision, Budget, CancelHandle, Failure, Input, Link, Offer,
};
use toolhost_tool::permission::Glob;
use toolhost_tool::{
    CallError, ContentBlock, Durations, ErrorKind, ExecutionContext, Issue, Outcome, Output,
    Report, ToolDefinition,
};

use super::context::{Facts, ToolContext};
use super::counter;
use super::sandbox::{AdapterSlot, SandboxAdapter, SandboxHandle};
use super::work::{self, Work};

/// The arguments of a call as JSON text; `{}` when none were given.
pub(crate) type Text = String;

/// A function of a tool that gets the arguments and the context of the call.
pub(crate) type CallFn<T> = Box<dyn Fn(Text, ToolContext) -> Work<T> + Send + Sync>;
/// The sandboxed path of a tool.
pub(crate) type SandboxFn =
    Box<dyn Fn(Text, SandboxHandle, ToolContext) -> Work<Outcome> + Send + Sync>;
/// `validate`.
pub(crate) type ValidateFn = Box<dyn Fn(Text) -> Work<Vec<Issue>> + Send + Sync>;
/// `prepare`.
pub(crate) type PrepareFn = Box<dyn Fn(ToolDefinition, ToolContext) -> Work<Offer> + Send + Sync>;
/// `model_output`.
pub(crate) type ModelOutputFn = Box<dyn Fn(Output) -> Work<Vec<ContentBlock>> + Send + Sync>;

/// The functions of a native tool.
#[derive(Default)]
pub(crate) struct Functions {
    pub(crate) execute: Option<CallFn<Outcome>>,
    pub(crate) sandboxed: Option<SandboxFn>,
    pub(crate) needs_approval: Option<CallFn<ApprovalDecision>>,
    pub(crate) validate: Option<ValidateFn>,
    pub(crate) prepare: Option<PrepareFn>,
    pub(crate) model_output: Option<ModelOutputFn>,
}

/// A native tool as the host calls it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct NativeRunner {
    pub(crate) functions: Arc<Functions>,
    /// Where it comes from, for messages.
    pub(crate) source: Arc<str>,
    /// Limits that differ from the host's.
    pub(crate) limits: LimitsPatch,
    pub(crate) requires_sandbox: bool,
    /// The tools it may call itself.
    pub(crate) calls: Vec<Glob>,
    /// The tool's own sandbox.
    pub(crate) sandbox: Option<Arc<dyn SandboxAdapter>>,
    /// The host's, from when the tool is registered.
    pub(crate) host_sandbox: AdapterSlot,
}

impl NativeRunner {
    pub(crate) async fn execute(
        &self,
        name: &str,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        link: Link,
    ) -> Answer<Outcome> {
        let context = ToolContext::new(Facts {
            tool_name: name,
            tool_call_id: &input.tool_call_id,
            context,
            limits: budget.limits,
            cancel: link.cancel.clone(),
            emitted: link.emitted,
            caller: link.caller,
        });
        let started = Instant::now();
        let result = match self.path(name, input, &context) {
            Ok(work) => work::run(&context, &link.cancel, work).await,
            Err(error) => Err(Failure::Tool(error)),
        };
        let (last_partial, report) = context.end();
        Answer {
            result: result.and_then(|outcome| decode(outcome, last_partial, &budget.limits)),
            report: timed(report, started),
        }
    }

    /// The function that runs the call: the sandboxed one where there is a
    /// sandbox, else the plain one, unless the tool requires a sandbox.
    fn path(
        &self,
        name: &str,
        input: &Input,
        context: &ToolContext,
    ) -> Result<Work<Outcome>, Box<CallError>> {
        let functions = &self.functions;
        if let (Some(sandboxed), Some(adapter)) = (&functions.sandboxed, self.adapter()) {
            let handle = SandboxHandle::new(adapter, context.clone());
            return Ok(sandboxed(text(input), handle, context.clone()));
        }
        match &functions.execute {
            Some(execute) if !self.requires_sandbox => Ok(execute(text(input), context.clone())),
            _ => Err(self.sandbox_required(name)),
        }
    }

    fn adapter(&self) -> Option<Arc<dyn SandboxAdapter>> {
        self.sandbox.clone().or_else(|| self.host_sandbox.get())
    }

    fn sandbox_required(&self, name: &str) -> Box<CallError> {
        let missing = if self.functions.sandboxed.is_some() {
            "there is none: give the host one with `Host::set_sandbox`"
        } else {
            "has no sandboxed path: give it one with `sandbox_execute`"
        };
        let message = format!("the tool `{name}` runs in a sandbox only, and {missing}");
        let error = "SandboxRequiredError";
        Box::new(CallError::new(ErrorKind::Sandbox, error, name, message))
    }

    pub(crate) async fn validate(
        &self,
        name: &str,
        input: &Input,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<Issue>> {
        let has_path = self.functions.sandboxed.is_some() && self.adapter().is_some();
        if self.requires_sandbox && !has_path {
            return Answer {
                result: Err(Failure::Tool(self.sandbox_required(name))),
                report: Report::default(),
            };
        }
        let Some(validate) = &self.functions.validate else {
            return nothing_to_do(Vec::new());
        };
        let run = ExecutionContext::default();
        let context = hook_context(name, &input.tool_call_id, &run, budget, cancel);
        hook(&context, validate(text(input))).await
    }

    pub(crate) async fn needs_approval(
        &self,
        name: &str,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<ApprovalDecision> {
        let Some(needs_approval) = &self.functions.needs_approval else {
            return nothing_to_do(ApprovalDecision::Ask(None));
        };
        let context = hook_context(name, &input.tool_call_id, context, budget, cancel);
        hook(&context, needs_approval(text(input), context.clone())).await
    }

    pub(crate) async fn prepare(
        &self,
        definition: &ToolDefinition,
        context: &ExecutionContext,
        budget: &Budget,
    ) -> Answer<Offer> {
        let Some(prepare) = &self.functions.prepare else {
            return nothing_to_do(Offer::Unchanged);
        };
        let name = &definition.name;
        let context = hook_context(name, "", context, budget, CancelHandle::new());
        let mut answer = hook(&context, prepare(definition.clone(), context.clone())).await;
        if let Ok(Offer::As(offered)) = &answer.result
            && offered.name != *name
        {
            answer.result = Err(Failure::InvalidOutput(format!(
                "`prepare` may not rename the tool `{name}` to `{}`",
                offered.name
            )));
        }
        answer
    }

    pub(crate) async fn model_output(
        &self,
        name: &str,
        output: &Output,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<ContentBlock>> {
        let Some(model_output) = &self.functions.model_output else {
            return nothing_to_do(output.content.clone());
        };
        let run = ExecutionContext::default();
        let context = hook_context(name, "", &run, budget, cancel);
        let mut answer = hook(&context, model_output(output.clone())).await;
        answer.result = answer.result.and_then(|content| {
            counter::check_content(&content, &budget.limits)?;
            Ok(content)
        });
        answer
    }
}

fn text(input: &Input) -> Text {
    input.arguments.clone().unwrap_or_else(|| "{}".to_owned())
}

fn hook_context(
    name: &str,
    tool_call_id: &str,
    context: &ExecutionContext,
    budget: &Budget,
    cancel: CancelHandle,
) -> ToolContext {
    ToolContext::new(Facts {
        tool_name: name,
        tool_call_id,
        context,
        limits: budget.limits,
        cancel,
        emitted: None,
        caller: None,
    })
}

async fn hook<T: Send + 'static>(context: &ToolContext, work: Work<T>) -> Answer<T> {
    let started = Instant::now();
    let result = work::run(context, &context.cancel_handle(), work).await;
    let (_, mut report) = context.end();
    // Hooks have no reader: what they emit is no partial result of the call.
    report.partials = 0;
    Answer {
        result,
        report: timed(report, started),
    }
}

fn nothing_to_do<T>(answer: T) -> Answer<T> {
    Answer {
        result: Ok(answer),
        report: Report::default(),
    }
}

/// A tool that returns nothing has its last partial result as its result, or
/// `null`.
fn decode(
    outcome: Outcome,
    last_partial: Option<serde_json::Value>,
    limits: &Limits,
) -> Result<Outcome, Failure> {
    let Outcome::Done(mut output) = outcome else {
        return Ok(outcome);
    };
    if output.content.is_empty() && output.structured.is_none() {
        output.structured = Some(last_partial.unwrap_or_default());
    }
    counter::check_output(&output, limits)?;
    Ok(Outcome::Done(output))
}

fn timed(mut report: Report, started: Instant) -> Report {
    let milliseconds = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    report.duration_ms = Durations {
        invoke: milliseconds,
        total: milliseconds,
        ..Durations::default()
    };
    report
}
