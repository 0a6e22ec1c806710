//! From whatever a tool returns to what crosses the boundary.
//!
//! Which conversion a type gets is decided while compiling, by the number of
//! references in front of a [`Probe`]: method lookup tries the trait with the
//! most of them first and takes the next one where its bounds do not hold. A
//! type goes through four such choices, one in each module: `failure` takes a
//! `Result` apart, `ending` an `Outcome`, `shape` turns the value into an
//! output, and `report` the error into a [`ToolError`](crate::ToolError). In
//! each, the last choice takes every type, and its bounds make the message for
//! a type that fits nowhere. The macros write the method calls.

mod ending;
#[expect(clippy::unused_self, reason = "the choice is in the type of `self`")]
mod failure;
mod hook;
#[expect(clippy::unused_self, reason = "the choice is in the type of `self`")]
mod report;
#[expect(clippy::unused_self, reason = "the choice is in the type of `self`")]
mod shape;

use std::marker::PhantomData;

pub use ending::{DoneStep, EndingStep, OutcomeStep, SuspensionStep};
pub use failure::{PlainStep, ResultStep};
pub use hook::HookReturn;
pub use report::{OwnErrorStep, StdErrorStep, TextErrorStep};
pub use shape::{ContentStep, OutputStep, StructuredStep, UnitStep};

use crate::outcome::Outcome;
use crate::output::Output;

/// One JSON document as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawJson(pub(crate) String);

/// An outcome on its way to the host.
pub type RawOutcome = Outcome<Output<RawJson>>;

/// Stands for a type without having a value of it.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// A probe for `T`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only macros make one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The probe of a value's type.
pub const fn probe_of<T>(_value: &T) -> Probe<T> {
    Probe::new()
}
