//! The functions of a plugin as the rest of the host calls them. Each runs in a
//! sandbox of its own, hooks too: what a hook left behind in its memory can not
//! reach the call it was asked about.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use toolhost_policy::LoadLimits;
use toolhost_tool::{
    ContentBlock, Durations, ExecutionContext, Issue, Outcome, Output, Report, ToolDefinition,
};

use crate::bindings::hooks::Offer as WitOffer;
use crate::bindings::types;
use crate::call::{self, Budget, Ended, Invocation};
use crate::cancel::CancelHandle;
use crate::capability::calls::ToolCaller;
use crate::capability::keyvalue::Owner;
use crate::capability::run::{Emitted, Live};
use crate::convert::{self, Input};
use crate::export::{Execute, ModelOutput, NeedsApproval, Prepare, Validate};
use crate::failure::Failure;
use crate::ledger::Ledger;
use crate::plugin::Plugin;
use crate::redact::Redact;

/// How a call of a plugin's function ended, with what it used.
pub struct Answer<T> {
    /// What it returned, or how it failed.
    pub result: Result<T, Failure>,
    /// What it used and did.
    pub report: Report,
}

/// How a running call is spoken to.
#[derive(Clone, Default)]
pub struct Link {
    /// Cancels the call.
    pub cancel: CancelHandle,
    /// Reads its partial results and events. A full channel holds the tool up; a
    /// closed one tells it to stop emitting. Without a reader they are dropped.
    pub emitted: Option<mpsc::Sender<Emitted>>,
    /// Calls other tools on behalf of this one; without it, none can be called.
    pub caller: Option<Arc<dyn ToolCaller>>,
    /// Where its outward acts are written down.
    pub ledger: Ledger,
}

/// Whether a call needs a person's agreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    /// It runs unasked.
    NotNeeded,
    /// A person is asked; why, if the plugin says.
    Ask(Option<String>),
    /// It is refused, and why.
    Deny(String),
}

/// Whether a tool is offered to the model in this turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// As it is.
    Unchanged,
    /// Not at all.
    Hide,
    /// With another definition.
    As(Box<ToolDefinition>),
}

impl Plugin {
    /// Runs a tool.
    pub async fn execute(
        &self,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        link: Link,
    ) -> Answer<Outcome> {
        let execute = Execute {
            call: convert::wit_call(input),
            context: wit_context(&input.tool_call_id, context, budget),
        };
        let invocation = Invocation {
            cancel: link.cancel.clone(),
            deadline: context.deadline_ms.map(Duration::from_millis),
            live: Some(Live {
                messages: context.messages.clone(),
                messages_granted: budget.grants.messages,
                cancel: link.cancel,
                emitted: link.emitted,
                caller: link.caller,
            }),
            ledger: link.ledger,
            owner: Owner::of(context),
        };
        let mut ended = call::run(&self.inner, budget, invocation, execute).await;
        let last_partial = ended.last_partial.take();
        answer(ended, budget, |outcome| {
            convert::outcome(outcome, last_partial, &budget.limits)
        })
    }

    /// Asks the `needs-approval` hook about a call.
    pub async fn needs_approval(
        &self,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<ApprovalDecision> {
        let export = NeedsApproval {
            call: convert::wit_call(input),
            context: wit_context(&input.tool_call_id, context, budget),
        };
        let invocation = Invocation {
            owner: Owner::of(context),
            ..invocation(cancel)
        };
        let ended = call::run(&self.inner, budget, invocation, export).await;
        answer(ended, budget, |decision| {
            Ok(convert::approval_decision(decision))
        })
    }

    /// Asks the `validate` hook about the arguments of a call.
    pub async fn validate(
        &self,
        input: &Input,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<Issue>> {
        let export = Validate {
            call: convert::wit_call(input),
        };
        let ended = call::run(&self.inner, budget, invocation(cancel), export).await;
        answer(ended, budget, |issues| Ok(convert::issues(issues)))
    }

    /// Asks the `prepare` hook whether `tool` is offered. Another name than
    /// `tool`'s own is an error: a model could not be told apart from it.
    pub async fn prepare(
        &self,
        tool: &ToolDefinition,
        context: &ExecutionContext,
        budget: &Budget,
        limits: &LoadLimits,
    ) -> Answer<Offer> {
        let export = Prepare {
            tool: convert::definition_to_wit(tool),
            context: wit_context("", context, budget),
        };
        let invocation = Invocation {
            owner: Owner::of(context),
            ..Invocation::default()
        };
        let ended = call::run(&self.inner, budget, invocation, export).await;
        answer(ended, budget, |offered| offer(offered, &tool.name, limits))
    }

    /// Asks the `model-output` hook what the model sees of a result.
    pub async fn model_output(
        &self,
        tool_name: &str,
        output: &Output,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<ContentBlock>> {
        let export = ModelOutput {
            tool_name: tool_name.to_owned(),
            output: convert::output_to_wit(output),
        };
        let ended = call::run(&self.inner, budget, invocation(cancel), export).await;
        answer(ended, budget, |content| {
            convert::content(content, &budget.limits)
        })
    }
}

fn invocation(cancel: CancelHandle) -> Invocation {
    Invocation {
        cancel,
        ..Invocation::default()
    }
}

fn wit_context(
    tool_call_id: &str,
    context: &ExecutionContext,
    budget: &Budget,
) -> types::ExecutionContext {
    let limit = budget.limits.wall_clock;
    let asked = context.deadline_ms.map_or(limit, Duration::from_millis);
    convert::context(tool_call_id, context, asked.min(limit))
}

/// What the rest of the host reads of a call: decoded, and without secrets.
fn answer<A: Redact, T: Redact>(
    mut ended: Ended<Result<A, types::ToolError>>,
    budget: &Budget,
    decode: impl FnOnce(A) -> Result<T, Failure>,
) -> Answer<T> {
    let started = Instant::now();
    let redactor = budget.redactor();
    if !redactor.is_empty() {
        ended.report.redact(&redactor);
        match &mut ended.result {
            Ok(Ok(answer)) => answer.redact(&redactor),
            Ok(Err(error)) => error.redact(&redactor),
            Err(_) => {}
        }
    }
    let mut result = match ended.result {
        Ok(Ok(answer)) => decode(answer),
        Ok(Err(error)) => Err(convert::tool_error(error, &budget.limits)),
        Err(failure) => Err(failure),
    };
    if !redactor.is_empty() {
        match &mut result {
            Ok(answer) => answer.redact(&redactor),
            Err(failure) => failure.redact(&redactor),
        }
    }
    ended.report.duration_ms.decode = Durations::milliseconds(started.elapsed());
    Answer {
        result,
        report: ended.report,
    }
}

fn offer(offer: WitOffer, name: &str, limits: &LoadLimits) -> Result<Offer, Failure> {
    match offer {
        WitOffer::Unchanged => Ok(Offer::Unchanged),
        WitOffer::Hide | WitOffer::Other(_) => Ok(Offer::Hide),
        WitOffer::OfferAs(definition) => {
            let definition =
                convert::definition(definition, limits).map_err(Failure::InvalidOutput)?;
            if definition.name != name {
                return Err(Failure::InvalidOutput(format!(
                    "`prepare` may not rename the tool `{name}` to `{}`",
                    definition.name
                )));
            }
            Ok(Offer::As(Box::new(definition)))
        }
    }
}
