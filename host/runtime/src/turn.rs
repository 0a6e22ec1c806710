//! A turn: all tool calls of one assistant message, run together.
//!
//! A turn ends in one of two ways. [`Done`](TurnResult::Done): every call has its
//! result, in the order of the calls. [`Suspended`](TurnResult::Suspended): at
//! least one call waits for something outside; all others are done, and will not
//! be run again. The [`SuspendedTurn`] is one JSON document, which any process
//! with the same tools can go on with.
//!
//! An error that is marked `propagate` ends the run: what has not started is told
//! as not run, what still runs is aborted. Any other failure touches no call but
//! its own.
//!
//! ```no_run
//! use toolhost::{Call, Host, Reply, Turn, TurnOptions, TurnResult};
//! # async fn example(host: Host) -> Result<(), toolhost::TurnError> {
//! let calls = vec![Call::from_text("call-1", "delete", r#"{"path": "/a"}"#)];
//! let mut ended = host.run_turn(Turn::new(calls), TurnOptions::default()).await?;
//! while let TurnResult::Suspended(turn) = &ended {
//!     let yes = Reply::Approve { note: None, by: Some("ada".into()), arguments: None };
//!     let decisions = turn.pending().map(|pending| pending.decide(yes.clone())).collect();
//!     ended = host.resume_turn(turn, decisions, TurnOptions::default()).await?;
//! }
//! # Ok(())
//! # }
//! ```

mod apply;
mod client;
mod decision;
mod document;
mod drive;
mod error;
mod pending;
mod saved;
mod schedule;
mod slot;
mod suspended;

use std::collections::HashSet;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use toolhost_policy::LimitsPatch;
use toolhost_sandbox::CancelHandle;
use toolhost_tool::permission::Mode;
use toolhost_tool::{Call, ExecutionContext};

use crate::event::Event;
use crate::host::Host;
use crate::result::CallResult;
use crate::search;

pub use decision::{Decision, Reply};
pub use error::{StateError, TurnError};
pub use pending::Pending;
pub use suspended::SuspendedTurn;

pub(crate) use saved::SavedResult;

use slot::Slot;

/// Calls that run at once, unless a turn says otherwise.
const DEFAULT_CONCURRENCY: usize = 8;

/// How long an approval may be waited for, unless a turn says otherwise.
const DEFAULT_APPROVAL_TIME: Duration = Duration::from_hours(24);

/// The tool calls of one assistant message.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// The calls, in their order. Each has an id of its own.
    pub calls: Vec<Call>,
    /// What all of them know of the run. Its `approval` and `resumption` are not
    /// passed on: in a turn, a call is approved by a [`Decision`] alone.
    pub context: ExecutionContext,
}

impl Turn {
    /// A turn that belongs to no run.
    #[must_use]
    pub fn new(calls: Vec<Call>) -> Self {
        Self {
            calls,
            context: ExecutionContext::default(),
        }
    }
}

/// How a turn is run.
#[derive(Clone, Debug)]
pub struct TurnOptions {
    /// Calls that run at once; with 1 they run strictly in order. Default: 8.
    pub concurrency: usize,
    /// The mode of the run. Default: that of the turn when it goes on, else the
    /// host's.
    pub mode: Option<Mode>,
    /// Limits of each call that differ from its plugin's.
    pub limits: LimitsPatch,
    /// Cancels the turn: what runs is aborted, what waits is not run.
    pub cancel: CancelHandle,
    /// Reads the events. A full channel holds the tools up; when it is closed,
    /// partial results are no longer taken. Default: nobody.
    pub events: Option<mpsc::Sender<Event>>,
    /// How long an approval may be waited for; later it is asked for anew.
    /// Default: 24 hours.
    pub approval_time: Duration,
}

impl Default for TurnOptions {
    fn default() -> Self {
        Self {
            concurrency: DEFAULT_CONCURRENCY,
            mode: None,
            limits: LimitsPatch::default(),
            cancel: CancelHandle::new(),
            events: None,
            approval_time: DEFAULT_APPROVAL_TIME,
        }
    }
}

/// How a turn ends.
#[derive(Clone, Debug)]
pub enum TurnResult {
    /// Every call has its result.
    Done(FinishedTurn),
    /// At least one call waits.
    Suspended(SuspendedTurn),
}

/// A turn whose calls all have their results.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedTurn {
    /// The results, in the order of the calls.
    pub results: Vec<CallResult>,
    /// The id of the call whose result is the run's final answer: the first that
    /// worked of a tool that is marked `ends-run`.
    pub final_answer: Option<String>,
    /// The id of the call whose error ended the run (`propagate`).
    pub ended_by: Option<String>,
}

impl Host {
    /// Runs all calls of a turn, until each is done or waits for something
    /// outside. Dropping the future cancels what still runs.
    ///
    /// # Errors
    ///
    /// When two calls have the same id, or one has none; then nothing is run.
    pub async fn run_turn(
        &self,
        turn: Turn,
        options: TurnOptions,
    ) -> Result<TurnResult, TurnError> {
        check_ids(&turn.calls)?;
        let calls = turn.calls.into_iter().map(search::redirect);
        let slots = calls.map(Slot::new).collect();
        let turn = SuspendedTurn {
            context: own_context(turn.context),
            mode: options.mode,
            slots,
            custom_data: Value::Null,
        };
        Ok(schedule::run(self, &options, turn).await)
    }

    /// Goes on with a suspended turn: applies decisions and runs the calls that
    /// can go on by them. Others keep waiting; calls that are done stay done.
    ///
    /// An approval that came too late, or for what is no longer there, is
    /// refused: its call waits again, and [`Pending::asked_again`] says why.
    ///
    /// # Errors
    ///
    /// When a decision cannot be applied. Then nothing is run, no decision is
    /// used up, and `turn` still holds.
    pub async fn resume_turn(
        &self,
        turn: &SuspendedTurn,
        decisions: Vec<Decision>,
        options: TurnOptions,
    ) -> Result<TurnResult, TurnError> {
        let mut turn = turn.clone();
        apply::apply(self, &mut turn.slots, decisions, options.approval_time)?;
        turn.mode = options.mode.or(turn.mode);
        Ok(schedule::run(self, &options, turn).await)
    }
}

/// Results find their calls by id, and approvals too.
fn check_ids(calls: &[Call]) -> Result<(), TurnError> {
    let mut seen = HashSet::new();
    for (index, call) in calls.iter().enumerate() {
        let id = call.tool_call_id.as_str();
        if id.is_empty() {
            return Err(TurnError::NoId {
                tool: call.tool_name.clone(),
                position: index + 1,
            });
        }
        if !seen.insert(id) {
            return Err(TurnError::RepeatedId { id: id.to_owned() });
        }
    }
    Ok(())
}

fn own_context(context: ExecutionContext) -> ExecutionContext {
    ExecutionContext {
        approval: None,
        resumption: None,
        idempotency_key: None,
        ..context
    }
}
