//! How an error becomes a [`ToolError`].

use std::fmt::Display;
use std::marker::PhantomData;

use super::Probe;
use crate::error::ToolError;

/// Converts an error.
#[derive(Debug)]
pub struct Report<E>(fn(E) -> ToolError);

impl<E> Report<E> {
    /// The function that converts it.
    #[must_use]
    pub fn conversion(self) -> fn(E) -> ToolError {
        self.0
    }
}

/// The choice for what turns into a [`ToolError`].
pub trait OwnErrorStep<E> {
    /// The conversion that its author wrote.
    fn report(&self) -> Report<E>;
}

impl<E: Into<ToolError>> OwnErrorStep<E> for &&Probe<E> {
    fn report(&self) -> Report<E> {
        Report(Into::into)
    }
}

/// The choice for a [`std::error::Error`].
pub trait StdErrorStep<E> {
    /// Name from its type or variant, message from it and its sources.
    fn report(&self) -> Report<E>;
}

impl<E: std::error::Error + 'static> StdErrorStep<E> for &Probe<E> {
    fn report(&self) -> Report<E> {
        Report(|error| ToolError::from_error(&error))
    }
}

/// The choice for everything else.
pub trait TextErrorStep<E> {
    /// The default name and its text, if it has one.
    fn report(&self) -> Text<E>;
}

impl<E> TextErrorStep<E> for Probe<E> {
    fn report(&self) -> Text<E> {
        Text(PhantomData)
    }
}

/// A type of which nothing is known yet.
#[derive(Debug)]
pub struct Text<E>(PhantomData<fn() -> E>);

impl<E> Text<E> {
    /// Takes its text. This is where a type ends that is no error.
    #[must_use]
    pub fn conversion(self) -> fn(E) -> ToolError
    where
        E: ToolFailure,
    {
        E::into_tool_error
    }
}

/// What has a text that tells what went wrong.
#[diagnostic::on_unimplemented(
    message = "#[tool] cannot make an error of `{Self}`",
    label = "neither an error nor text",
    note = "use `ToolError`, a `std::error::Error`, `impl From<{Self}> for ToolError`, or at least `impl Display`"
)]
pub trait ToolFailure {
    /// The error.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Display> ToolFailure for E {
    fn into_tool_error(self) -> ToolError {
        // Some errors tell their causes only in the alternate form.
        ToolError::message(format!("{self:#}"))
    }
}
