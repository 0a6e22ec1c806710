//! The part of a call that enters the tool: wait for its turn, invoke it, again
//! where that may help, and decode what it returned.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use toolhost_sandbox::{Budget, Input, ToolCaller};
use toolhost_tool::{CallError, Outcome, Output, Report};

use super::{Stage, Step};
use crate::approval::Consent;
use crate::hooks::Ended;
use crate::journal::Page;
use crate::nested::NestedCaller;
use crate::retry::Retries;
use crate::sequence::{Sequence, Taken};

/// A permitted call on its way into the tool.
pub(super) struct Going<'a> {
    pub(super) page: Option<&'a Arc<Page>>,
    pub(super) consent: Option<&'a Consent>,
    /// For the calls that the tool makes itself.
    pub(super) sequence: Option<Sequence>,
}

/// The place of a call among the sequential tools of its run.
pub(super) struct Turn {
    pub(super) taken: Option<Taken>,
    /// For the calls that the tool makes itself.
    pub(super) below: Option<Sequence>,
}

impl Step<'_> {
    /// Invokes the tool, unless the caller has run it, decodes what it returned,
    /// and notes both ends in the journal.
    pub(super) async fn act(
        &self,
        going: Going<'_>,
        input: &Input,
        supplied: Option<Ended>,
        report: &mut Report,
    ) -> Result<Outcome, CallError> {
        let page = going.page;
        let before = match page {
            Some(page) => page.start(report).await?,
            None => 0,
        };
        let ended = match supplied {
            Some(ended) => ended.map(Outcome::Done),
            None => self.invoke(input, &going, before, report).await,
        };
        let mut stage = Stage::start();
        let ended = match ended {
            Ok(outcome) => self.decode(outcome, report).await,
            Err(error) => Err(error),
        };
        stage.ends(&mut report.duration_ms.decode);
        let ended = self.after(input, ended).await;
        if let Some(page) = page {
            page.end(&ended, report).await;
        }
        ended
    }

    /// Runs the tool, again after a failure that may pass. `before` is how many
    /// attempts a journal knows of that did not finish.
    async fn invoke(
        &self,
        input: &Input,
        going: &Going<'_>,
        before: u32,
        report: &mut Report,
    ) -> Result<Outcome, CallError> {
        let mut context = Cow::Borrowed(self.context);
        if let Some(consent) = going.consent {
            context.to_mut().approval = Some(consent.approval.clone());
        }
        let first = self.context.attempt.saturating_add(before);
        if before > 0 {
            context.to_mut().attempt = first;
        }
        let budget = self.left(report);
        let mut retries = Retries::new(self.tool.definition.max_retries, self.time(&budget));
        loop {
            let time = Duration::from_millis(retries.time_left_ms());
            let sequence = going.sequence.clone();
            let caller = NestedCaller::new(self, self.nesting, sequence, input, time);
            let calls = caller.clone();
            let caller = caller.map(|caller| caller as Arc<dyn ToolCaller>);
            let link = self.options.link(self.ledger.clone(), caller);
            let answer = self.tool.execute(input, &context, &budget, link).await;
            if let Some(calls) = calls {
                calls.report_to(report);
            }
            let error = match self.take(answer, report) {
                Ok(outcome) => return Ok(outcome),
                Err(error) => error,
            };
            let Some(wait) = retries.next(&error) else {
                return Err(error);
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.options.cancel.cancelled() => {
                    return Err(CallError::aborted(&error.tool_name, "the call was cancelled"));
                }
            }
            let context = context.to_mut();
            context.attempt = first.saturating_add(retries.failed());
            context.deadline_ms = Some(retries.time_left_ms());
        }
    }

    /// Waits until no other sequential tool of the run is at work, where the tool
    /// is one. `above` is the place when it is not that of the run.
    pub(super) async fn wait_for_turn(&self, above: Option<Sequence>) -> Result<Turn, CallError> {
        if !self.tool.definition.behaviour.sequential {
            return Ok(Turn {
                taken: None,
                below: above,
            });
        }
        let run = self.context.run_id.as_deref();
        let place = above.unwrap_or_else(|| self.host.sequences().of_run(run));
        tokio::select! {
            taken = place.take() => Ok(Turn {
                taken: Some(taken),
                below: Some(place.held()),
            }),
            () = self.options.cancel.cancelled() => {
                let name = &self.tool.definition.name;
                Err(CallError::aborted(name, "the call was cancelled while it waited"))
            }
        }
    }

    /// What all attempts of the call may take.
    fn time(&self, budget: &Budget) -> Duration {
        let limit = budget.limits.wall_clock;
        let asked = self.context.deadline_ms.map(Duration::from_millis);
        asked.map_or(limit, |asked| asked.min(limit))
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
            let answer = self
                .tool
                .model_output(&output, &self.left(report), cancel)
                .await;
            output.model_view = Some(self.take(answer, report)?);
        }
        Ok(Outcome::Done(output))
    }

    pub(crate) fn check_output(&self, output: &Output) -> Result<(), CallError> {
        let (Some(schema), Some(value)) = (&self.tool.output, &output.structured) else {
            return Ok(());
        };
        schema
            .validate(value)
            .map_err(|issues| CallError::invalid_output(&self.tool.definition.name, issues))
    }
}
