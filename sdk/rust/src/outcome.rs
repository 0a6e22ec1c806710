//! How a call ends when it does not fail.

use crate::output::Output;
use crate::suspension::Suspension;

/// A result, or the wish to go on later.
///
/// `T` is anything a tool may return; the output schema is made from it.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<T = Output> {
    /// It ends with a result.
    Done(T),
    /// It waits for something outside. The host runs the call again with
    /// [`Context::resumption`](crate::Context::resumption) set.
    Suspended(Suspension),
}

impl<T> Outcome<T> {
    /// The result; `None` when the call was suspended.
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(result) => Some(result),
            Self::Suspended(_) => None,
        }
    }

    /// What the call waits for; `None` when it is done.
    #[must_use]
    pub fn suspension(self) -> Option<Suspension> {
        match self {
            Self::Done(_) => None,
            Self::Suspended(suspension) => Some(suspension),
        }
    }
}

impl<T> From<Suspension> for Outcome<T> {
    fn from(suspension: Suspension) -> Self {
        Self::Suspended(suspension)
    }
}
