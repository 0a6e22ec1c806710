//! What a tool reaches by way of other tools and of the operator's secrets.

use std::error::Error;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::run::{Run, RunError};
use super::{Context, to_json};
use crate::error::ToolError;
use crate::output::Output;

impl Context {
    /// Calls another tool and waits for its result. It may be a tool of another
    /// plugin; the operator grants it by name, and it has to be `programmatic`.
    ///
    /// `arguments` is an object, or `()` for none. The manifest has to want the
    /// tool: `tools = [{ name = "convert", why = "…" }]`.
    ///
    /// ```
    /// use toolhost_sdk::{CallFailure, Context, serde_json::json, tool};
    ///
    /// /// Tells a price in euros.
    /// #[tool]
    /// fn price(dollars: f64, ctx: &Context) -> Result<String, CallFailure> {
    ///     let euros = ctx.call_tool("convert", &json!({ "amount": dollars, "to": "EUR" }))?;
    ///     Ok(format!("{} euros", euros.structured.unwrap_or_default()))
    /// }
    ///
    /// let ctx = Context::fake()
    ///     .tool("convert", |arguments| Ok(json!(arguments["amount"].as_f64().unwrap() * 0.5)))
    ///     .build();
    /// assert_eq!(price(3.0, &ctx)?, "1.5 euros");
    /// assert_eq!(ctx.recording().calls[0].0, "convert");
    /// # Ok::<(), CallFailure>(())
    /// ```
    ///
    /// # Errors
    /// Everything that a call can end with besides a result: it is not granted,
    /// its arguments do not fit, it failed, or it would have to wait for a person.
    pub fn call_tool<T: Serialize + ?Sized>(
        &self,
        name: &str,
        arguments: &T,
    ) -> Result<Output, CallFailure> {
        let arguments = to_json(arguments).map_err(|error| {
            CallFailure::new(
                "validation",
                "ToolArgumentsValidationError",
                error.to_string(),
            )
        })?;
        // `()` is written as `null`.
        let arguments = (arguments != "null").then_some(arguments);
        self.run.call_tool(name, arguments)
    }

    /// The value of a secret that the operator reveals to the plugin
    /// (`reveal = true`), for what has to be computed from it, such as a
    /// signature. For a request it is enough to write `{{secret:NAME}}` in a
    /// header: then the value never enters the sandbox.
    ///
    /// # Errors
    /// [`RunError::Denied`]: it is not granted, or not to be revealed.
    pub fn secret_token(&self, name: &str) -> Result<String, RunError> {
        self.run.secret_token(name)
    }
}

/// How a call of another tool failed. A tool may pass it on with `?`.
#[derive(Debug, Clone, PartialEq)]
pub struct CallFailure {
    /// Who or what failed: `denied`, `validation`, `not-found`, `execution`,
    /// `sandbox` …; later hosts may know more.
    pub kind: String,
    /// The name of the error, such as `ToolArgumentsValidationError`.
    pub name: String,
    /// What went wrong and what would help.
    pub message: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// The whole error, as a model would read it; `null` when there is no more.
    pub error: Box<Value>,
}

impl CallFailure {
    /// A failure that is not worth a second try and has no more to tell.
    pub fn new(
        kind: impl Into<String>,
        name: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            kind: kind.into(),
            name: name.into(),
            message: message.into(),
            retryable: false,
            error: Box::default(),
        }
    }
}

impl fmt::Display for CallFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

impl Error for CallFailure {}

impl From<CallFailure> for ToolError {
    fn from(failure: CallFailure) -> Self {
        let mut error = Self::new(failure.name, failure.message);
        error.retryable = failure.retryable;
        if !failure.error.is_null() {
            error.details = Some(failure.error);
        }
        error
    }
}
