//! What a native tool may return: a value that serialises, text, content, a
//! whole output or outcome, or a `Result` of any of these.

use std::any::Any;

use serde::Serialize;
use toolhost_tool::{ContentBlock, Outcome, Output};

use super::error::ToolError;

/// What the function of a native tool may return:
///
/// | returned | result |
/// |---|---|
/// | `()` | the last partial result, or `null` |
/// | `String`, `&'static str` | text; with a declared output type, JSON |
/// | `ContentBlock`, `Vec<ContentBlock>` | content |
/// | [`Output`], [`Outcome`] | as it is |
/// | anything else that serialises | structured |
/// | `Result<T, E>` | `T` as above; `E` is a [`ToolError`] or a [`std::error::Error`] |
///
/// `Kind` tells the compiler a `Result` from a value; it is always inferred. An
/// `E` that serialises itself, as `CallError` does, leaves it no choice: return
/// `Result<T, ToolError>` then.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "return something that implements `serde::Serialize`, or a `Result` of it whose error is a \
            `ToolError` or implements `std::error::Error`"
)]
pub trait IntoReturn<Kind> {
    /// Whether `Self` reads as a value.
    #[doc(hidden)]
    const IS_VALUE: bool;

    /// The outcome of the call. `as_json` asks for text as JSON.
    #[doc(hidden)]
    fn into_return(self, as_json: bool) -> Result<Outcome, ToolError>;
}

/// A value.
#[doc(hidden)]
pub enum ByValue {}

/// A value, or an error.
#[doc(hidden)]
pub enum ByResult {}

impl<T: Serialize + 'static> IntoReturn<ByValue> for T {
    const IS_VALUE: bool = true;

    fn into_return(self, as_json: bool) -> Result<Outcome, ToolError> {
        outcome(self, as_json)
    }
}

impl<T: Serialize + 'static, E: Into<ToolError>> IntoReturn<ByResult> for Result<T, E> {
    const IS_VALUE: bool = false;

    fn into_return(self, as_json: bool) -> Result<Outcome, ToolError> {
        self.map_err(Into::into)
            .and_then(|value| outcome(value, as_json))
    }
}

/// Why `R` cannot be returned although it serialises: a `Result` whose error is
/// no error type would read as a success.
pub(crate) fn problem_with<R>() -> Option<String> {
    let name = std::any::type_name::<R>();
    name.starts_with("core::result::Result<").then(|| {
        "its function returns a `Result` whose error is neither a `ToolError` nor a \
         `std::error::Error`: add `.map_err(ToolError::message)`"
            .to_owned()
    })
}

fn outcome<T: Serialize + 'static>(value: T, as_json: bool) -> Result<Outcome, ToolError> {
    let mut slot = Some(value);
    if let Some(outcome) = taken::<T, Outcome>(&mut slot) {
        return Ok(outcome);
    }
    if let Some(output) = known(&mut slot, as_json) {
        return Ok(Outcome::Done(output));
    }
    let value = serde_json::to_value(slot).map_err(|error| {
        ToolError::new(
            "InvalidOutputError",
            format!("the result cannot be written as JSON: {error}"),
        )
    })?;
    Ok(Outcome::Done(Output::structured(value)))
}

/// The output of the types that are more than their JSON.
fn known<T: 'static>(slot: &mut Option<T>, as_json: bool) -> Option<Output> {
    if let Some(output) = taken::<T, Output>(slot) {
        return Some(output);
    }
    if taken::<T, ()>(slot).is_some() {
        return Some(Output::default());
    }
    if let Some(content) = taken::<T, Vec<ContentBlock>>(slot) {
        return Some(of_content(content));
    }
    if let Some(block) = taken::<T, ContentBlock>(slot) {
        return Some(of_content(vec![block]));
    }
    if as_json {
        return None;
    }
    let text = taken::<T, String>(slot).or_else(|| taken::<T, &str>(slot).map(str::to_owned));
    text.map(Output::text)
}

fn of_content(content: Vec<ContentBlock>) -> Output {
    Output {
        content,
        ..Output::default()
    }
}

/// Takes the value out if it is an `A`.
fn taken<T: 'static, A: 'static>(slot: &mut Option<T>) -> Option<A> {
    (slot as &mut dyn Any)
        .downcast_mut::<Option<A>>()
        .and_then(Option::take)
}
