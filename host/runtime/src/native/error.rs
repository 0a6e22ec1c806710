//! How a native tool fails. The same fields as a plugin's error.

use std::any::Any;
use std::error::Error as StdError;
use std::fmt;

use serde_json::Value;
use toolhost_sandbox::Failure;
use toolhost_tool::{CallError, ErrorKind};

/// The name of an error that has none of its own.
const UNNAMED: &str = "ToolError";

/// How a native tool, or a hook of it, fails. The model reads it: say what went
/// wrong and what would help.
///
/// Any [`std::error::Error`] becomes one with `?`; its message and those of its
/// sources are joined. The error of another call keeps its name and its fields.
///
/// ```
/// use toolhost::ToolError;
///
/// fn port(text: &str) -> Result<u16, ToolError> {
///     if text == "auto" {
///         return Err(ToolError::new("PortError", "`auto` is not a port: give a number"));
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(port("x").unwrap_err().to_string(), "ToolError: invalid digit found in string");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolError(Box<CallError>);

impl ToolError {
    /// An error with a name, such as `CityNotFoundError`, and a message.
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self(Box::new(CallError::new(
            ErrorKind::Execution,
            name,
            "",
            message,
        )))
    }

    /// An error named `ToolError`.
    pub fn message(message: impl Into<String>) -> Self {
        Self::new(UNNAMED, message)
    }

    /// With a code for programs.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into());
        self
    }

    /// With more for programs.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.0.details = Some(details);
        self
    }

    /// The same call may succeed later. By default it may not.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.0.retryable = true;
        self
    }

    /// The whole run ends with this error. By default only the call does.
    #[must_use]
    pub fn propagate(mut self) -> Self {
        self.0.propagate = true;
        self
    }

    pub(crate) fn into_failure(self) -> Failure {
        Failure::Tool(self.0)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<E: StdError + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        match (&error as &dyn Any).downcast_ref::<CallError>() {
            Some(inner) => Self::of_call(inner.clone()),
            None => Self::message(with_sources(&error)),
        }
    }
}

impl ToolError {
    /// The error of another call, which this call passes on. That the *other*
    /// arguments were wrong says nothing of the arguments of this call.
    pub(crate) fn of_call(mut error: CallError) -> Self {
        if matches!(error.kind, ErrorKind::Validation | ErrorKind::NotFound) {
            error.kind = ErrorKind::Execution;
        }
        Self(Box::new(error))
    }
}

fn with_sources(error: &dyn StdError) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        // Some errors repeat their source in their own message.
        if !message.ends_with(&text) {
            message.push_str(": ");
            message.push_str(&text);
        }
        source = cause.source();
    }
    message
}
