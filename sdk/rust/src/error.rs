//! How a tool fails: one error that the model reads, made from any other.

mod name;

pub(crate) use name::name_of;

use std::fmt;

use serde_json::Value;

/// The name of an error that has no better one.
pub(crate) const DEFAULT_NAME: &str = "ToolExecutionError";

/// The name of the error for arguments that do not parse.
pub(crate) const ARGUMENTS_NAME: &str = "ToolArgumentsValidationError";

/// How a tool fails. The model reads it, so the message says what would help.
///
/// A tool returns `Result<_, E>` with any `E` that is one of these, turns into
/// one (`impl From<E> for ToolError`), is a [`std::error::Error`], or has at
/// least a `Display`. What becomes the name is told in the README.
///
/// ```
/// use toolhost_sdk::{ToolError, serde_json::json};
///
/// let error = ToolError::new("CityNotFoundError", "no city is called `Pariss`; did you mean `Paris`?")
///     .code("city-404")
///     .details(json!({ "suggestions": ["Paris"] }));
/// assert_eq!(error.name, "CityNotFoundError");
/// assert!(!error.retryable);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    /// The name of the error, such as `CityNotFoundError`.
    pub name: String,
    /// What went wrong and what would help.
    pub message: String,
    /// A code for programs; any text.
    pub code: Option<String>,
    /// Whether the same call may succeed later. Default: false.
    pub retryable: bool,
    /// More for programs.
    pub details: Option<Box<Value>>,
    /// Whether the whole run ends. Default: false.
    pub propagate: bool,
}

impl ToolError {
    /// An error with a name, by custom in the form `CityNotFoundError`.
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            message: message.into(),
            code: None,
            retryable: false,
            details: None,
            propagate: false,
        }
    }

    /// An error without a name of its own: `ToolExecutionError`.
    pub fn message(message: impl Into<String>) -> Self {
        Self::new(DEFAULT_NAME, message)
    }

    /// Adds a code for programs.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Says that the same call may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// Adds a JSON value for programs.
    #[must_use]
    pub fn details(mut self, details: impl Into<Value>) -> Self {
        self.details = Some(Box::new(details.into()));
        self
    }

    /// Ends the whole run, not only this call.
    #[must_use]
    pub fn propagate(mut self) -> Self {
        self.propagate = true;
        self
    }

    /// An error for any [`std::error::Error`]: the name is made from its type
    /// or variant, the message from it and its sources.
    pub fn from_error<E: std::error::Error + 'static>(error: &E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            let text = cause.to_string();
            // Many errors repeat their source in their own text.
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            source = cause.source();
        }
        Self::new(name_of(error), message)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for ToolError {}
