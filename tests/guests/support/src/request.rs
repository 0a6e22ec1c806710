//! A call as the guests read it.

use crate::answer::failure;
use crate::bindings::types::{Call, ExecutionContext, ToolError};
use serde_json::{Map, Value};

/// One call: its arguments, parsed, beside what crossed the boundary.
pub struct Request {
    /// The call as it came.
    pub call: Call,
    /// The execution context as it came.
    pub context: ExecutionContext,
    arguments: Map<String, Value>,
}

impl Request {
    /// Reads the arguments of a call; absent ones read as an empty object.
    ///
    /// # Errors
    /// `ArgumentsError` when they are no JSON object. The host checks them first,
    /// so that a test which sees this error has found a fault.
    pub fn new(call: Call, context: ExecutionContext) -> Result<Self, ToolError> {
        let text = call.arguments.as_deref().unwrap_or("{}");
        let arguments = serde_json::from_str(text)
            .map_err(|error| failure("ArgumentsError", format!("{error} in {text}")))?;
        Ok(Self {
            call,
            context,
            arguments,
        })
    }

    /// The argument `key`, if given.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.arguments.get(key)
    }

    /// The argument `key` as a whole number, else `default`.
    #[must_use]
    pub fn number(&self, key: &str, default: u64) -> u64 {
        self.get(key).and_then(Value::as_u64).unwrap_or(default)
    }

    /// [`number`](Self::number) as a size, cut to what a 32-bit guest can hold.
    #[must_use]
    pub fn size(&self, key: &str, default: u64) -> usize {
        usize::try_from(self.number(key, default)).unwrap_or(usize::MAX)
    }

    /// The argument `key` as text, else `default`.
    #[must_use]
    pub fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.get(key).and_then(Value::as_str).unwrap_or(default)
    }

    /// The argument `key` as a yes or no; no when absent.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(false)
    }
}
