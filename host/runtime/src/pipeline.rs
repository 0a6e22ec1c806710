//! One call, in a straight line:
//!
//! 1. **resolve** its name,
//! 2. **validate** its arguments, and let the host's own hooks change them,
//! 3. **permit** it (`permit`),
//! 4. **budget** what it may use,
//! 5. **invoke** the tool in a fresh sandbox, again where `retry` says so,
//! 6. **decode** what it returned, and let the host's own hooks rewrite it,
//! 7. **settle** outcome and report.
//!
//! Whatever goes wrong on the way ends in one [`CallError`], once.

mod act;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost_sandbox::{Answer, Budget, Input, Ledger};
use toolhost_tool::json::JsonLimits;
use toolhost_tool::{
    Arguments, Call, CallError, ClientCall, Durations, ExecutionContext, Issue, Outcome, Report,
    Suspension, SuspensionKind,
};

use act::Going;

use crate::approval::{Consent, Shown};
use crate::granted;
use crate::hooks::Ended;
use crate::host::Host;
use crate::journal::Page;
use crate::nested::Nesting;
use crate::permit::Permit;
use crate::result::CallResult;
use crate::running::CallOptions;
use crate::search;
use crate::sequence::Sequence;
use crate::tool::{Runner, Tool};

/// What a call that goes on after a suspension brings along. Empty for a call
/// that starts.
#[derive(Default)]
pub(crate) struct Entry {
    /// The approval it was given.
    pub(crate) consent: Option<Consent>,
    /// What the caller ran in the tool's place.
    pub(crate) supplied: Option<Ended>,
    /// Where it stands below a call of another tool.
    pub(crate) nesting: Option<Nesting>,
    /// Where sequential tools wait for one another, when it is not the run's.
    pub(crate) sequence: Option<Sequence>,
    /// Where its outward acts are written down.
    pub(crate) ledger: Ledger,
}

/// How a call ended, and what of it a suspension needs.
pub(crate) struct Ran {
    pub(crate) result: CallResult,
    /// What would run; present when the call is suspended.
    pub(crate) shown: Option<Showing>,
}

/// What a reviewer is shown of a call.
#[derive(Clone, Debug)]
pub(crate) struct Showing {
    pub(crate) shown: Shown,
    /// The arguments as JSON text.
    pub(crate) arguments: Option<String>,
    /// The approval that covers it.
    pub(crate) consent: Option<Consent>,
    /// Why an approval that was given covers it no longer.
    pub(crate) asked_again: Option<&'static str>,
    /// Whether the tool was entered, so that the suspension is its own.
    pub(crate) by_tool: bool,
}

impl Showing {
    fn new(tool: &Tool, input: &Input, consent: Option<Consent>) -> Self {
        Self {
            shown: Shown::new(tool, input.arguments.as_deref()),
            arguments: input.arguments.clone(),
            consent,
            asked_again: None,
            by_tool: false,
        }
    }
}

/// Runs a call to its end.
pub(crate) async fn run(
    host: &Host,
    call: Call,
    context: ExecutionContext,
    options: &CallOptions,
    entry: Entry,
) -> Ran {
    let started = Instant::now();
    let call = search::redirect(call);
    let (id, name) = (call.tool_call_id.clone(), call.tool_name.clone());
    let audit = host.policy().audit.as_ref();
    let audit = audit.map(|audit| (audit, audit.entry(host, &call, &context)));
    let mut trace = Trace::default();
    let outcome = steps(host, call, &context, options, entry, &mut trace).await;
    let mut result = settle(id, name, outcome, trace.report, started);
    if let Some((audit, entry)) = audit {
        audit.write(entry, &mut result).await;
    }
    Ran {
        result,
        shown: trace.shown,
    }
}

/// What is kept of a call, however it ends.
#[derive(Default)]
struct Trace {
    report: Report,
    shown: Option<Showing>,
}

async fn steps(
    host: &Host,
    call: Call,
    context: &ExecutionContext,
    options: &CallOptions,
    entry: Entry,
    trace: &mut Trace,
) -> Result<Outcome, CallError> {
    let mut stage = Stage::start();
    let tool = resolve(host, &call)?;
    stage.ends(&mut trace.report.duration_ms.resolve);
    let budget = budget(host, &tool, context, options)?;
    stage.ends(&mut trace.report.duration_ms.budget);
    let step = Step {
        host,
        tool: &tool,
        context,
        budget: &budget,
        options,
        nesting: entry.nesting.as_ref(),
        ledger: &entry.ledger,
    };
    let validated = step.validate(call, &mut trace.report).await;
    stage.ends(&mut trace.report.duration_ms.validate);
    let validated = validated?;
    let page = Page::of(&step, &validated);
    if let Some(page) = &page
        && let Some(finished) = page.result().await?
    {
        return finished;
    }
    let covered = entry
        .consent
        .as_ref()
        .map(|consent| consent.shown(validated.arguments.as_deref()));
    let input = step.before(validated, &mut trace.report).await?;
    let report = &mut trace.report;
    let permit = step
        .permit(&input, entry.consent.zip(covered), report)
        .await;
    stage.ends(&mut report.duration_ms.permit);
    let consent = match permit? {
        Permit::Run(consent) => consent,
        Permit::Wait(suspension, asked_again) => {
            let showing = Showing::new(&tool, &input, None);
            trace.shown = Some(Showing {
                asked_again,
                ..showing
            });
            return Ok(Outcome::Suspended(suspension));
        }
    };
    if entry.supplied.is_none() && tool.definition.behaviour.client_side {
        trace.shown = Some(Showing::new(&tool, &input, consent));
        return Ok(Outcome::Suspended(client_side(&input)));
    }
    let turn = step.wait_for_turn(entry.sequence).await?;
    let going = Going {
        page: page.as_ref(),
        consent: consent.as_ref(),
        sequence: turn.below,
    };
    let ended = step.act(going, &input, entry.supplied, report).await;
    drop(turn.taken);
    if matches!(ended, Ok(Outcome::Suspended(_))) {
        trace.shown = Some(Showing {
            by_tool: true,
            ..Showing::new(&tool, &input, consent)
        });
    }
    ended
}

/// Times the stages of a call, one after the other.
pub(crate) struct Stage(Instant);

impl Stage {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Adds the time since the last stage ended, in milliseconds.
    pub(crate) fn ends(&mut self, stage: &mut f64) {
        let now = Instant::now();
        *stage += Durations::milliseconds(now - self.0);
        self.0 = now;
    }
}

/// Finds the tool.
fn resolve(host: &Host, call: &Call) -> Result<Arc<Tool>, CallError> {
    host.tool(&call.tool_name)
        .map_err(|suggestions| CallError::not_found(&call.tool_name, suggestions))
}

/// Merges what the plugin was granted with the limits of this call. It comes
/// before the other steps because the plugin's hooks have to keep to it too.
fn budget(
    host: &Host,
    tool: &Tool,
    context: &ExecutionContext,
    options: &CallOptions,
) -> Result<Budget, CallError> {
    let limits = tool.budget.limits.with(&options.limits).map_err(|error| {
        CallError::denied(
            &tool.definition.name,
            &format!("a limit cannot be used: {error}"),
        )
    })?;
    let mut budget = Budget {
        limits,
        ..tool.budget.clone()
    };
    // Values may have been read since the plugin was loaded, its own or others.
    let principal = context.principal.as_ref();
    budget.secrets = budget.secrets.map(|secrets| {
        let secrets = secrets.renewed(host.vault().store());
        let secrets = secrets.on_behalf_of(principal.map(|principal| principal.id.as_str()));
        match principal {
            Some(principal) if !principal.verified => secrets.unverified(),
            _ => secrets,
        }
    });
    Ok(budget)
}

/// The time a sandbox is given when nothing is left.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// What the steps of one call share.
pub(crate) struct Step<'a> {
    pub(crate) host: &'a Host,
    pub(crate) tool: &'a Tool,
    pub(crate) context: &'a ExecutionContext,
    pub(crate) budget: &'a Budget,
    pub(crate) options: &'a CallOptions,
    /// Where the call stands below a call of another tool.
    pub(crate) nesting: Option<&'a Nesting>,
    /// Where its outward acts are written down.
    pub(crate) ledger: &'a Ledger,
}

impl Step<'_> {
    /// Checks the arguments: by the schema first, then by the plugin itself.
    /// What comes out has defaults filled in and is what all later steps see.
    pub(crate) async fn validate(
        &self,
        call: Call,
        report: &mut Report,
    ) -> Result<Input, CallError> {
        let name = &self.tool.definition.name;
        let invalid = |issues| CallError::validation(name, issues);
        let input = Input {
            tool_call_id: call.tool_call_id,
            tool_name: name.clone(),
            arguments: self.check_arguments(call.arguments).map_err(invalid)?,
        };
        if self.tool.definition.hooks.validate {
            let cancel = self.options.cancel.clone();
            let answer = self.tool.validate(&input, &self.left(report), cancel).await;
            let issues = self.take(answer, report)?;
            if !issues.is_empty() {
                return Err(invalid(issues));
            }
        }
        Ok(input)
    }

    /// The arguments as the tool gets them: checked, as text; `None` when there are
    /// none and no default makes any.
    fn check_arguments(&self, arguments: Arguments) -> Result<Option<String>, Vec<Issue>> {
        let (input, limits) = (&self.tool.input, JsonLimits::default());
        match arguments {
            Arguments::Text(text) => input.check_text(&text, &limits).map(Some),
            Arguments::Value(value) => Ok(Some(input.check(value)?.to_string())),
            Arguments::Absent => {
                let checked = input.check(json!({}))?.to_string();
                Ok((checked != "{}").then_some(checked))
            }
        }
    }

    /// What is left of the call's fuel and time after the sandboxes it has had:
    /// hooks use up the same budget as the tool. A rest of nothing is the least
    /// that can be given, so that the limit is told by whoever runs into it.
    pub(crate) fn left(&self, used: &Report) -> Budget {
        let mut budget = self.budget.clone();
        let limits = &mut budget.limits;
        let spent = &used.duration_ms;
        let spent = (spent.queue + spent.instantiate + spent.invoke) / 1e3;
        let spent = Duration::try_from_secs_f64(spent).unwrap_or_default();
        limits.fuel = limits.fuel.saturating_sub(used.fuel).max(1);
        limits.wall_clock = limits.wall_clock.saturating_sub(spent).max(LEAST_TIME);
        budget
    }

    /// Adds what a sandbox used to the report of the call and opens its answer.
    pub(crate) fn take<T>(&self, answer: Answer<T>, report: &mut Report) -> Result<T, CallError> {
        report.add(answer.report);
        if let Runner::Plugin(plugin) = &self.tool.runner {
            granted::without_vain_advice(plugin, &mut report.denials);
        }
        answer
            .result
            .map_err(|failure| failure.into_error(&self.tool.definition.name))
    }
}

/// The validated arguments as a value. They were written by us, so reading them
/// back does not fail.
pub(crate) fn parsed(input: &Input) -> Option<Value> {
    let text = input.arguments.as_deref()?;
    serde_json::from_str(text).ok()
}

fn client_side(input: &Input) -> Suspension {
    let call = ClientCall {
        tool_call_id: input.tool_call_id.clone(),
        tool_name: input.tool_name.clone(),
        arguments: parsed(input).unwrap_or_else(|| json!({})),
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
    let outcome = outcome.map_err(|error| error.with_effects(&report));
    CallResult {
        tool_call_id,
        tool_name,
        outcome,
        report,
    }
}
