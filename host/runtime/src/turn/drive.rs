//! One call of a turn: run it, tell what happens to it, and settle it once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use toolhost_policy::LimitsPatch;
use toolhost_sandbox::{CancelHandle, Emitted, Ledger};
use toolhost_tool::permission::Mode;
use toolhost_tool::{Call, CallError, ErrorKind, ExecutionContext, Outcome, Report};

use super::client;
use super::pending::Pending;
use super::slot::{Leg, Slot, State};
use crate::event::{Event, Events};
use crate::host::Host;
use crate::pipeline::{self, Entry, Ran};
use crate::result::CallResult;
use crate::running::CallOptions;
use crate::sequence::Sequence;

/// Partial results that wait between a tool and its reader. One is on its way;
/// a second one would only be stale by the time it is read.
const PARTIALS_AHEAD: usize = 1;

/// What the calls of a turn share while they run.
pub(super) struct Shared {
    pub(super) host: Host,
    pub(super) context: ExecutionContext,
    pub(super) mode: Option<Mode>,
    pub(super) limits: LimitsPatch,
    pub(super) approval_time: Duration,
    pub(super) cancel: CancelHandle,
    pub(super) events: Events,
    /// Where the sequential tools of the run wait for one another.
    pub(super) sequence: Sequence,
}

/// Runs `leg` of a call. What comes back is settled or waits.
pub(super) async fn drive(shared: Arc<Shared>, mut slot: Slot, leg: Leg) -> Slot {
    let (id, name) = ids(&slot.call);
    let ledger = Ledger::default();
    let work = run(&shared, &slot, leg, ledger.clone());
    let ran = tokio::select! {
        biased;
        ran = work => ran,
        () = shared.cancel.cancelled() => {
            // The sandbox has its grace time yet; nobody waits for it.
            Ran { result: aborted(id, name, &ledger), shown: None }
        }
    };
    let event = settle(&shared, &mut slot, ran);
    tokio::select! {
        biased;
        _ = shared.events.send(event.clone()) => {}
        () = shared.cancel.cancelled() => shared.events.send_behind(event),
    }
    slot
}

async fn run(shared: &Shared, slot: &Slot, leg: Leg, ledger: Ledger) -> Ran {
    let (tool_call_id, tool_name) = ids(&slot.call);
    let ended = |error| Ran {
        result: failed(&slot.call, error),
        shown: None,
    };
    let is_start = matches!(leg, Leg::Start);
    shared
        .events
        .send(if is_start {
            Event::Start {
                tool_call_id,
                tool_name,
            }
        } else {
            Event::Resume {
                tool_call_id,
                tool_name,
            }
        })
        .await;
    let (resumption, supplied, asked_again) = match leg {
        Leg::Start => (None, None, None),
        Leg::Resume {
            resumption,
            supplied,
            asked_again,
        } => (resumption, supplied, asked_again),
        Leg::Reject(error) => return ended(*error),
    };
    if is_hidden(shared, &slot.call) {
        let reason = "only programs may call this tool";
        return ended(CallError::denied(&slot.call.tool_name, reason));
    }
    let context = ExecutionContext {
        resumption,
        ..shared.context.clone()
    };
    let entry = Entry {
        consent: slot.consent.clone(),
        supplied,
        nesting: None,
        sequence: Some(shared.sequence.clone()),
        ledger,
    };
    let mut ran = execute(shared, &slot.call, context, entry).await;
    if let (Some(shown), Some(why)) = (&mut ran.shown, asked_again) {
        shown.asked_again = Some(why);
    }
    ran
}

/// Whether the tool is not for models, whose calls a turn consists of.
fn is_hidden(shared: &Shared, call: &Call) -> bool {
    shared
        .host
        .tool(&call.tool_name)
        .is_ok_and(|tool| tool.definition().behaviour.programmatic_only)
}

/// Runs the pipeline on a task of its own, so that calls use all threads, a panic
/// stays in one of them, and an abort need not wait for it.
async fn execute(shared: &Shared, call: &Call, context: ExecutionContext, entry: Entry) -> Ran {
    let (sender, emitted) = mpsc::channel(PARTIALS_AHEAD);
    let options = CallOptions {
        limits: shared.limits,
        cancel: shared.cancel.clone(),
        emitted: shared.events.has_reader().then_some(sender),
        mode: shared.mode,
    };
    let (host, own) = (shared.host.clone(), call.clone());
    let task =
        tokio::spawn(async move { pipeline::run(&host, own, context, &options, entry).await });
    pass_on(emitted, call, &shared.events).await;
    task.await.unwrap_or_else(|error| {
        tracing::error!("a call was lost: {error}");
        let message = "the host failed during the call; this is a bug in it, or in a hook";
        let error = CallError::new(
            ErrorKind::Execution,
            "InternalError",
            &call.tool_name,
            message,
        );
        Ran {
            result: failed(call, error),
            shown: None,
        }
    })
}

/// Passes partial results and events on until the call ends. When the reader goes
/// away the channel is closed, which tells the tool to stop.
async fn pass_on(mut emitted: mpsc::Receiver<Emitted>, call: &Call, events: &Events) {
    let mut next_index = 0;
    while let Some(emitted) = emitted.recv().await {
        let (tool_call_id, tool_name) = ids(call);
        let event = match emitted {
            Emitted::Partial(output) => {
                let index = next_index;
                next_index += 1;
                Event::Partial {
                    tool_call_id,
                    tool_name,
                    index,
                    output,
                }
            }
            Emitted::Event { name, data } => Event::Custom {
                tool_call_id,
                tool_name,
                name,
                data,
            },
        };
        if !events.send(event).await {
            return;
        }
    }
}

/// Writes into the slot how the call ended, and says so.
fn settle(shared: &Shared, slot: &mut Slot, ran: Ran) -> Event {
    let Ran { mut result, shown } = ran;
    // A report tells of the whole call, not of its last leg.
    let last = std::mem::replace(&mut result.report, std::mem::take(&mut slot.spent));
    result.report.add(last);
    let suspension = match (&result.outcome, &shown) {
        (Ok(Outcome::Suspended(suspension)), Some(_)) => Some(suspension.clone()),
        _ => None,
    };
    let result = match (suspension, shown) {
        (Some(suspension), Some(showing)) => match client::check(&suspension) {
            Ok(()) => {
                let (id, name) = ids(&slot.call);
                let pending = Pending::new(id, name, suspension, &showing, shared.approval_time);
                slot.consent = showing.consent;
                slot.spent = result.report;
                slot.state = State::Waiting(Box::new(pending.clone()));
                return Event::Suspended(Box::new(pending));
            }
            Err(message) => unusable(result, message),
        },
        _ => result,
    };
    let event = Event::terminal(&result);
    slot.state = State::Settled(Box::new(result));
    event
}

fn unusable(result: CallResult, message: String) -> CallResult {
    let error = CallError::new(
        ErrorKind::Sandbox,
        "InvalidOutputError",
        &result.tool_name,
        message,
    );
    CallResult {
        outcome: Err(error),
        ..result
    }
}

/// A call that is given up, with what it is known to have done until now.
fn aborted(tool_call_id: String, tool_name: String, ledger: &Ledger) -> CallResult {
    let (effects, effects_dropped) = ledger.effects();
    let report = Report {
        effects,
        effects_dropped,
        ..Report::default()
    };
    let error = CallError::aborted(&tool_name, "the call was cancelled").with_effects(&report);
    CallResult {
        outcome: Err(error),
        tool_call_id,
        tool_name,
        report,
    }
}

/// A call that ends in `error` without having used anything.
pub(super) fn failed(call: &Call, error: CallError) -> CallResult {
    let (tool_call_id, tool_name) = ids(call);
    CallResult {
        tool_call_id,
        tool_name,
        outcome: Err(error),
        report: Report::default(),
    }
}

fn ids(call: &Call) -> (String, String) {
    (call.tool_call_id.clone(), call.tool_name.clone())
}
