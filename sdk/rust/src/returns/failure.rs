//! Whether a tool may fail: a `Result` is taken apart.

use std::convert::Infallible;
use std::marker::PhantomData;

use super::Probe;

/// The choice for a `Result`.
pub trait ResultStep<T, E> {
    /// How it is taken apart.
    fn failure(&self) -> MayFail<T, E>;
}

impl<T, E> ResultStep<T, E> for &Probe<Result<T, E>> {
    fn failure(&self) -> MayFail<T, E> {
        MayFail(PhantomData)
    }
}

/// The choice for everything else.
pub trait PlainStep<T> {
    /// How it becomes a `Result`.
    fn failure(&self) -> CannotFail<T>;
}

impl<T> PlainStep<T> for Probe<T> {
    fn failure(&self) -> CannotFail<T> {
        CannotFail(PhantomData)
    }
}

/// A `Result`.
#[derive(Debug)]
pub struct MayFail<T, E>(PhantomData<fn() -> (T, E)>);

impl<T, E> MayFail<T, E> {
    /// The probe of what it holds when it does not fail.
    #[must_use]
    pub fn value(&self) -> Probe<T> {
        Probe::new()
    }

    /// The probe of its error.
    #[must_use]
    pub fn error(&self) -> Probe<E> {
        Probe::new()
    }

    /// The `Result` as it is.
    ///
    /// # Errors
    /// The error of the tool.
    pub fn split(&self, returned: Result<T, E>) -> Result<T, E> {
        returned
    }
}

/// Anything but a `Result`.
#[derive(Debug)]
pub struct CannotFail<T>(PhantomData<fn() -> T>);

impl<T> CannotFail<T> {
    /// The probe of the value.
    #[must_use]
    pub fn value(&self) -> Probe<T> {
        Probe::new()
    }

    /// The probe of the error that never comes.
    #[must_use]
    pub fn error(&self) -> Probe<Infallible> {
        Probe::new()
    }

    /// The value.
    ///
    /// # Errors
    /// None.
    #[expect(clippy::unnecessary_wraps, reason = "as a `Result` is taken apart")]
    pub fn split(&self, returned: T) -> Result<T, Infallible> {
        Ok(returned)
    }
}
