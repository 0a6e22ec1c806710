//! Whether a tool may suspend: an [`Outcome`] is taken apart.

use std::marker::PhantomData;

use super::Probe;
use crate::outcome::Outcome;
use crate::suspension::Suspension;

/// The choice for an [`Outcome`].
pub trait OutcomeStep<T> {
    /// How it is taken apart.
    fn ending(&self) -> Ending<Outcome<T>, T>;
}

impl<T> OutcomeStep<T> for &&Probe<Outcome<T>> {
    fn ending(&self) -> Ending<Outcome<T>, T> {
        Ending(PhantomData)
    }
}

/// The choice for a [`Suspension`].
pub trait SuspensionStep {
    /// How it is taken apart.
    fn ending(&self) -> Ending<Suspension, ()>;
}

impl SuspensionStep for &Probe<Suspension> {
    fn ending(&self) -> Ending<Suspension, ()> {
        Ending(PhantomData)
    }
}

/// The choice for everything else.
pub trait DoneStep<T> {
    /// How it is taken apart.
    fn ending(&self) -> Ending<T, T>;
}

impl<T> DoneStep<T> for Probe<T> {
    fn ending(&self) -> Ending<T, T> {
        Ending(PhantomData)
    }
}

/// What a tool returned, and the result in it.
#[derive(Debug)]
pub struct Ending<R, T>(PhantomData<fn() -> (R, T)>);

/// Takes what a tool returned apart.
pub trait EndingStep<R, T> {
    /// The probe of the result.
    fn value(&self) -> Probe<T>;

    /// The result or the suspension.
    fn split(&self, returned: R) -> Outcome<T>;
}

impl<T> EndingStep<Outcome<T>, T> for Ending<Outcome<T>, T> {
    fn value(&self) -> Probe<T> {
        Probe::new()
    }

    fn split(&self, returned: Outcome<T>) -> Outcome<T> {
        returned
    }
}

impl EndingStep<Suspension, ()> for Ending<Suspension, ()> {
    fn value(&self) -> Probe<()> {
        Probe::new()
    }

    fn split(&self, returned: Suspension) -> Outcome<()> {
        Outcome::Suspended(returned)
    }
}

#[expect(
    clippy::mismatching_type_param_order,
    reason = "what it returned is the result"
)]
impl<T> EndingStep<T, T> for Ending<T, T> {
    fn value(&self) -> Probe<T> {
        Probe::new()
    }

    fn split(&self, returned: T) -> Outcome<T> {
        Outcome::Done(returned)
    }
}
