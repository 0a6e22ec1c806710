//! Outcomes and errors with every optional field empty.

use crate::bindings::types::{ContentBlock, Outcome, Output, ToolError};
use serde_json::{Value, json};
use std::fmt::Debug;

/// What `execute` returns.
pub type Answer = Result<Outcome, ToolError>;

/// A result of one text block.
///
/// # Errors
/// Never; it has the shape of an [`Answer`].
pub fn text(text: impl Into<String>) -> Answer {
    done(Output {
        content: vec![ContentBlock::Text(text.into())],
        ..output()
    })
}

/// A structured result.
///
/// # Errors
/// Never; it has the shape of an [`Answer`].
#[expect(
    clippy::needless_pass_by_value,
    reason = "callers build the value in place"
)]
pub fn structured(value: Value) -> Answer {
    done(Output {
        structured: Some(value.to_string()),
        ..output()
    })
}

/// A result as given.
///
/// # Errors
/// Never; it has the shape of an [`Answer`].
pub fn done(output: Output) -> Answer {
    Ok(Outcome::Done(output))
}

/// A result with nothing in it, to be filled by struct update.
#[must_use]
pub fn output() -> Output {
    Output {
        content: Vec::new(),
        structured: None,
        model_view: None,
        custom_data: None,
    }
}

/// An error with a name and a message; not retryable, not propagated.
#[must_use]
pub fn failure(name: &str, message: impl Into<String>) -> ToolError {
    ToolError {
        name: name.to_owned(),
        message: message.into(),
        code: None,
        retryable: false,
        details: None,
        propagate: false,
    }
}

/// What a host function answered, as `{"ok": …}` or `{"error": "…"}`.
#[must_use]
pub fn said<T: Into<Value>, E: Debug>(answer: Result<T, E>) -> Value {
    match answer {
        Ok(value) => json!({ "ok": value.into() }),
        Err(error) => json!({ "error": format!("{error:?}") }),
    }
}
