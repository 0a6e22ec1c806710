//! One call of a turn and how far it has come.

use toolhost_tool::{Call, CallError, Report, Resumption};

use super::pending::Pending;
use crate::approval::Consent;
use crate::hooks::Ended;
use crate::result::CallResult;

/// One call of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The call, with the arguments a reviewer may have edited.
    pub(crate) call: Call,
    /// The approval it was given.
    pub(crate) consent: Option<Consent>,
    /// What it used and did before it suspended.
    pub(crate) spent: Report,
    /// How far it has come.
    pub(crate) state: State,
}

/// How far a call has come.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// It is to be run.
    Ready(Leg),
    /// It waits for something outside.
    Waiting(Box<Pending>),
    /// It has its result.
    Settled(Box<CallResult>),
}

/// What is run of a call between two suspensions.
#[derive(Clone, Debug)]
pub(crate) enum Leg {
    /// From its start.
    Start,
    /// After a suspension.
    Resume {
        /// What the tool gets back.
        resumption: Option<Resumption>,
        /// What the caller ran in the tool's place.
        supplied: Option<Ended>,
        /// Why it will be asked about once more.
        asked_again: Option<&'static str>,
    },
    /// Nothing: a reviewer said no.
    Reject(Box<CallError>),
}

impl Slot {
    pub(crate) fn new(call: Call) -> Self {
        Self {
            call,
            consent: None,
            spent: Report::default(),
            state: State::Ready(Leg::Start),
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready(_))
    }

    pub(crate) fn pending(&self) -> Option<&Pending> {
        match &self.state {
            State::Waiting(pending) => Some(pending),
            State::Ready(_) | State::Settled(_) => None,
        }
    }
}
