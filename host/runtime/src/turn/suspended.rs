//! A turn that waits, and its way into a document and back.

use serde_json::Value;
use toolhost_tool::ExecutionContext;
use toolhost_tool::permission::Mode;

use super::error::StateError;
use super::pending::Pending;
use super::schedule;
use super::slot::{Slot, State};
use super::{FinishedTurn, document};
use crate::host::Host;
use crate::result::CallResult;

/// A turn that waits. It holds everything that is needed to go on: the calls and
/// their context, with the transcript, the results so far, and what each call
/// waits for.
///
/// The document is not encrypted and not signed: its digest finds accidents and
/// careless editing. Whoever can write it can approve calls, so it has to be kept
/// like the approvals themselves.
#[derive(Clone, Debug)]
pub struct SuspendedTurn {
    pub(super) context: ExecutionContext,
    pub(super) mode: Option<Mode>,
    pub(super) slots: Vec<Slot>,
    /// For the caller's program: kept with the turn, and covered by its digest.
    /// `null` by default.
    pub custom_data: Value,
}

impl SuspendedTurn {
    /// The calls that wait, in their order.
    pub fn pending(&self) -> impl Iterator<Item = &Pending> {
        self.slots.iter().filter_map(Slot::pending)
    }

    /// The results that are there, in the order of the calls.
    pub fn results(&self) -> impl Iterator<Item = &CallResult> {
        self.slots.iter().filter_map(|slot| match &slot.state {
            State::Settled(result) => Some(&**result),
            State::Ready(_) | State::Waiting(_) => None,
        })
    }

    /// What the calls know of the run.
    #[must_use]
    pub fn context(&self) -> &ExecutionContext {
        &self.context
    }

    /// Ends the turn without waiting any longer: what still waits is told as not
    /// run.
    #[must_use]
    pub fn close(self, host: &Host) -> FinishedTurn {
        schedule::finish(host, self.slots, None)
    }

    /// The turn as one JSON document, on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        document::write(self)
    }

    /// Reads the document of a turn.
    ///
    /// # Errors
    ///
    /// When it is cut short, was changed, or is from another version.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        document::read(text)
    }
}
