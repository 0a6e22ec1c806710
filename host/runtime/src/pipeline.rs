//! One call, in a straight line:
//!
//! 1. **resolve** its name,
//! 2. **validate** its arguments,
//! 3. **permit** it,
//! 4. **budget** what it may use,
//! 5. **invoke** the tool in a fresh sandbox,
//! 6. **decode** what it returned,
//! 7. **settle** outcome and report.
//!
//! Whatever goes wrong on the way ends in one [`CallError`], once.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use toolhost_sandbox::{Answer, ApprovalDecision, Budget, Input};
use toolhost_tool::json::{self, JsonLimits};
use toolhost_tool::{
    ApprovalRequirement, Arguments, Call, CallError, ClientCall, ExecutionContext, Issue, Outcome,
    Output, Report, Suspension, SuspensionKind,
};

use crate::host::Host;
use crate::result::CallResult;
use crate::running::CallOptions;
use crate::tool::Tool;

/// Runs a call to its end.
pub(crate) async fn run(
    host: &Host,
    call: Call,
    context: ExecutionContext,
    options: CallOptions,
) -> CallResult {
    let started = Instant::now();
    let (id, name) = (call.tool_call_id.clone(), call.tool_name.clone());
    let mut report = Report::default();
    let outcome = steps(host, call, &context, &options, &mut report).await;
    settle(id, name, outcome, report, started)
}

async fn steps(
    host: &Host,
    call: Call,
    context: &ExecutionContext,
    options: &CallOptions,
    report: &mut Report,
) -> Result<Outcome, CallError> {
    let tool = resolve(host, &call)?;
    let budget = budget(&tool, options)?;
    let step = Step {
        tool: &tool,
        context,
        budget: &budget,
        options,
    };
    let input = step.validate(call, report).await?;
    if let Some(suspension) = step.permit(&input, report).await? {
        return Ok(Outcome::Suspended(suspension));
    }
    let outcome = step.invoke(&input, report).await?;
    step.decode(outcome, report).await
}

/// Finds the tool.
fn resolve(host: &Host, call: &Call) -> Result<Arc<Tool>, CallError> {
    host.tool(&call.tool_name)
        .map_err(|suggestions| CallError::not_found(&call.tool_name, suggestions))
}

/// Merges what the plugin was granted with the limits of this call. It comes
/// before the other steps because the plugin's hooks have to keep to it too.
fn budget(tool: &Tool, options: &CallOptions) -> Result<Budget, CallError> {
    let limits = tool.budget.limits.with(&options.limits).map_err(|error| {
        CallError::denied(
            &tool.definition.name,
            &format!("a limit cannot be used: {error}"),
        )
    })?;
    Ok(Budget {
        limits,
        grants: Arc::clone(&tool.budget.grants),
    })
}

/// What the steps of one call share.
struct Step<'a> {
    tool: &'a Tool,
    context: &'a ExecutionContext,
    budget: &'a Budget,
    options: &'a CallOptions,
}

impl Step<'_> {
    /// Checks the arguments: by the schema first, then by the plugin itself.
    /// What comes out has defaults filled in and is what all later steps see.
    async fn validate(&self, call: Call, report: &mut Report) -> Result<Input, CallError> {
        let name = &self.tool.definition.name;
        let invalid = |issues| CallError::validation(name, issues);
        let absent = call.arguments.is_absent();
        let given = parse_arguments(call.arguments).map_err(|issue| invalid(vec![issue]))?;
        let arguments = self.tool.input.check(given).map_err(invalid)?;
        let none = absent && arguments.as_object().is_some_and(serde_json::Map::is_empty);
        let input = Input {
            tool_call_id: call.tool_call_id,
            tool_name: name.clone(),
            arguments: (!none).then(|| arguments.to_string()),
        };
        if self.tool.definition.hooks.validate {
            let cancel = self.options.cancel.clone();
            let answer = self.tool.validate(&input, self.budget, cancel).await;
            let issues = self.take(answer, report)?;
            if !issues.is_empty() {
                return Err(invalid(issues));
            }
        }
        Ok(input)
    }

    /// Decides whether the call runs, is refused, or waits for somebody.
    async fn permit(
        &self,
        input: &Input,
        report: &mut Report,
    ) -> Result<Option<Suspension>, CallError> {
        let definition = &self.tool.definition;
        if definition.behaviour.client_side {
            return Ok(Some(client_side(input)));
        }
        if self.context.approval.is_some() {
            return Ok(None);
        }
        let decision = match &definition.approval {
            ApprovalRequirement::Never => ApprovalDecision::NotNeeded,
            ApprovalRequirement::AskHook if definition.hooks.needs_approval => {
                let cancel = self.options.cancel.clone();
                let answer = self
                    .tool
                    .needs_approval(input, self.context, self.budget, cancel)
                    .await;
                self.take(answer, report)?
            }
            ApprovalRequirement::Always
            | ApprovalRequirement::AskHook
            | ApprovalRequirement::Other(_) => ApprovalDecision::Ask(None),
        };
        match decision {
            ApprovalDecision::NotNeeded => Ok(None),
            ApprovalDecision::Deny(reason) => Err(CallError::denied(&definition.name, &reason)),
            ApprovalDecision::Ask(reason) => Ok(Some(Suspension {
                kind: SuspensionKind::Approval { reason },
                state: Vec::new(),
            })),
        }
    }

    /// Runs the tool.
    async fn invoke(&self, input: &Input, report: &mut Report) -> Result<Outcome, CallError> {
        let link = self.options.link();
        let answer = self
            .tool
            .execute(input, self.context, self.budget, link)
            .await;
        self.take(answer, report)
    }

    /// Checks the result against the tool's own promise, and lets its hook write
    /// what the model sees.
    async fn decode(&self, outcome: Outcome, report: &mut Report) -> Result<Outcome, CallError> {
        let Outcome::Done(mut output) = outcome else {
            return Ok(outcome);
        };
        self.check_output(&output)?;
        if self.tool.definition.hooks.model_output && output.model_view.is_none() {
            let cancel = self.options.cancel.clone();
            let answer = self.tool.model_output(&output, self.budget, cancel).await;
            output.model_view = Some(self.take(answer, report)?);
        }
        Ok(Outcome::Done(output))
    }

    fn check_output(&self, output: &Output) -> Result<(), CallError> {
        let (Some(schema), Some(value)) = (&self.tool.output, &output.structured) else {
            return Ok(());
        };
        schema
            .validate(value)
            .map_err(|issues| CallError::invalid_output(&self.tool.definition.name, issues))
    }

    /// Adds what a sandbox used to the report of the call and opens its answer.
    fn take<T>(&self, answer: Answer<T>, report: &mut Report) -> Result<T, CallError> {
        report.add(answer.report);
        answer
            .result
            .map_err(|failure| failure.into_error(&self.tool.definition.name))
    }
}

fn parse_arguments(arguments: Arguments) -> Result<Value, Issue> {
    let limits = JsonLimits::default();
    let issue = |error: json::JsonError| Issue {
        path: error.path().unwrap_or_default().to_owned(),
        message: error.to_string(),
    };
    match arguments {
        Arguments::Absent => Ok(json!({})),
        Arguments::Text(text) => json::parse(&text, &limits).map_err(issue),
        Arguments::Value(value) => match json::check(&value, &limits) {
            Ok(()) => Ok(value),
            Err(error) => {
                // Dropping a value recursively overflows the stack at the depth
                // it was just refused for.
                json::discard(value);
                Err(issue(error))
            }
        },
    }
}

fn client_side(input: &Input) -> Suspension {
    let arguments = input.arguments.as_deref().unwrap_or("{}");
    let call = ClientCall {
        tool_call_id: input.tool_call_id.clone(),
        tool_name: input.tool_name.clone(),
        arguments: serde_json::from_str(arguments).unwrap_or_default(),
    };
    Suspension {
        kind: SuspensionKind::ClientTools { calls: vec![call] },
        state: Vec::new(),
    }
}

fn settle(
    tool_call_id: String,
    tool_name: String,
    outcome: Result<Outcome, CallError>,
    mut report: Report,
    started: Instant,
) -> CallResult {
    report.duration_ms.total = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    CallResult {
        tool_call_id,
        tool_name,
        outcome,
        report,
    }
}
