//! Which call of a turn runs when.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use toolhost_sandbox::CancelHandle;
use toolhost_tool::{CallError, ErrorKind, Outcome};

use super::drive::{Shared, drive, failed};
use super::slot::{Slot, State};
use super::suspended::SuspendedTurn;
use super::{FinishedTurn, TurnOptions, TurnResult};
use crate::event::{Event, Events};
use crate::host::Host;
use crate::result::CallResult;

/// Runs every call that is ready, and ends the turn.
pub(super) async fn run(host: &Host, options: &TurnOptions, turn: SuspendedTurn) -> TurnResult {
    let mut slots = turn.slots;
    let cancel = CancelOnDrop(CancelHandle::new());
    let sequence = host.sequences().of_run(turn.context.run_id.as_deref());
    let shared = Arc::new(Shared {
        host: host.clone(),
        context: turn.context,
        mode: turn.mode,
        limits: options.limits,
        approval_time: options.approval_time,
        cancel: cancel.0.clone(),
        events: Events::new(options.events.clone()),
        sequence,
    });
    let ended = run_ready(&shared, options, &mut slots).await;
    if let Some(why) = &ended {
        give_up(&shared, &mut slots, &why.message());
    }
    let ended_by = ended.and_then(|why| match why {
        Over::Error { id, .. } => Some(id),
        Over::Cancelled => None,
    });
    if slots.iter().any(|slot| slot.pending().is_some()) {
        let context = shared.context.clone();
        return TurnResult::Suspended(SuspendedTurn {
            context,
            mode: shared.mode,
            slots,
            custom_data: turn.custom_data,
        });
    }
    TurnResult::Done(finish(host, slots, ended_by))
}

/// Why a run is over before all of its calls are.
enum Over {
    Cancelled,
    Error { id: String, name: String },
}

impl Over {
    fn message(&self) -> String {
        match self {
            Self::Cancelled => "the call was not run: the run was cancelled".into(),
            Self::Error { id, name } => {
                format!("the call was not run: the call `{id}` ended the run with `{name}`")
            }
        }
    }
}

/// Starts the calls in their order, as many at once as the turn allows. A call of
/// a sequential tool waits for the one before it, and lets others pass.
async fn run_ready(
    shared: &Arc<Shared>,
    options: &TurnOptions,
    slots: &mut [Slot],
) -> Option<Over> {
    let sequential: Vec<bool> = slots
        .iter()
        .map(|slot| is_sequential(shared, slot))
        .collect();
    let mut queue: VecDeque<usize> = (0..slots.len())
        .filter(|&index| slots[index].is_ready())
        .collect();
    let mut running = FuturesUnordered::new();
    let mut sequential_runs = false;
    let mut over = None;
    loop {
        while over.is_none() && running.len() < options.concurrency.max(1) {
            let may_start = |index: &usize| !(sequential_runs && sequential[*index]);
            let Some(place) = queue.iter().position(may_start) else {
                break;
            };
            let Some(index) = queue.remove(place) else {
                break;
            };
            sequential_runs |= sequential[index];
            let slot = slots[index].clone();
            let State::Ready(leg) = slot.state.clone() else {
                continue;
            };
            let shared = Arc::clone(shared);
            running.push(async move { (index, drive(shared, slot, leg).await) });
        }
        if running.is_empty() {
            return over;
        }
        tokio::select! {
            Some((index, slot)) = running.next() => {
                sequential_runs &= !sequential[index];
                over = over.or_else(|| ends_run(&slot));
                slots[index] = slot;
            }
            () = options.cancel.cancelled(), if over.is_none() => over = Some(Over::Cancelled),
        }
        if over.is_some() {
            shared.cancel.cancel();
        }
    }
}

fn is_sequential(shared: &Shared, slot: &Slot) -> bool {
    shared
        .host
        .tool(&slot.call.tool_name)
        .is_ok_and(|tool| tool.definition().behaviour.sequential)
}

fn ends_run(slot: &Slot) -> Option<Over> {
    let State::Settled(result) = &slot.state else {
        return None;
    };
    match &result.outcome {
        Err(error) if error.propagate => Some(Over::Error {
            id: result.tool_call_id.clone(),
            name: error.name.clone(),
        }),
        _ => None,
    }
}

/// Settles what was not run, and what waits, when the run is over.
fn give_up(shared: &Shared, slots: &mut [Slot], message: &str) {
    for slot in slots {
        if matches!(slot.state, State::Settled(_)) {
            continue;
        }
        let result = not_run(slot, message);
        // Nothing is held up any more by a slow reader.
        shared.events.send_behind(Event::terminal(&result));
        slot.state = State::Settled(Box::new(result));
    }
}

/// The result of a call that was not run, or did not go on.
pub(super) fn not_run(slot: &Slot, message: &str) -> CallResult {
    let name = &slot.call.tool_name;
    let error = CallError::new(ErrorKind::NotRun, "ToolNotRunError", name, message);
    failed(&slot.call, error)
}

/// Collects the results of a turn in which every call is settled.
pub(super) fn finish(host: &Host, slots: Vec<Slot>, ended_by: Option<String>) -> FinishedTurn {
    let results: Vec<CallResult> = slots
        .into_iter()
        .map(|slot| match slot.state {
            State::Settled(result) => *result,
            State::Ready(_) | State::Waiting(_) => not_run(&slot, "the call was not run"),
        })
        .collect();
    let is_answer = |result: &&CallResult| {
        let done = matches!(result.outcome, Ok(Outcome::Done(_)));
        done && host
            .tool(&result.tool_name)
            .is_ok_and(|tool| tool.definition().behaviour.ends_run)
    };
    let final_answer = results
        .iter()
        .find(is_answer)
        .map(|result| result.tool_call_id.clone());
    FinishedTurn {
        results,
        final_answer,
        ended_by,
    }
}

/// Ends the calls of a turn that nobody waits for any more.
struct CancelOnDrop(CancelHandle);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
