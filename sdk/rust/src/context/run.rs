//! The live side of a context: what the host and the fake both do.

use std::error::Error;
use std::fmt;

use super::calls::CallFailure;
use crate::error::ToolError;
use crate::output::Output;

/// What a context asks of whoever runs the call.
pub(super) trait Run {
    fn message_count(&self) -> Result<u32, RunError>;
    fn messages(&self, start: u32, end: Option<u32>) -> Result<Vec<String>, RunError>;
    fn is_aborted(&self) -> bool;
    fn abort_signal(&self) -> AbortSignal;
    fn emit_partial(&self, json: String) -> Result<Flow, RunError>;
    fn attach_metadata(&self, json: String) -> Result<(), RunError>;
    fn emit_event(&self, name: &str, json: String) -> Result<Flow, RunError>;
    fn log(&self, level: LogLevel, message: &str);
    fn call_tool(&self, name: &str, arguments: Option<String>) -> Result<Output, CallFailure>;
    fn secret_token(&self, name: &str) -> Result<String, RunError>;
}

/// Whether the reader of partial results still listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It does: go on.
    Continue,
    /// It has gone: what is emitted from now on is dropped.
    Stop,
}

impl Flow {
    /// Whether the reader has gone.
    #[must_use]
    pub fn is_stop(self) -> bool {
        self == Self::Stop
    }
}

/// How much a log line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Step by step.
    Trace,
    /// For whoever looks for a fault.
    Debug,
    /// Worth knowing.
    Info,
    /// Odd, yet the call goes on.
    Warn,
    /// The call, or a part of it, fails.
    Error,
}

/// Why the host did not do what it was asked. A tool may pass it on with `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// The operator has not granted it; the text names the missing grant.
    Denied(String),
    /// More than the limit allows; the text names the limit.
    TooLarge(String),
    /// The value is not what the function takes.
    Invalid(String),
    /// A reason this version does not name.
    Other(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(text) => write!(f, "denied: {text}"),
            Self::TooLarge(text) => write!(f, "too large: {text}"),
            Self::Invalid(text) => write!(f, "invalid: {text}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl Error for RunError {}

impl From<RunError> for ToolError {
    fn from(error: RunError) -> Self {
        let name = match error {
            RunError::Denied(_) => "ContextDeniedError",
            RunError::TooLarge(_) => "ContextTooLargeError",
            RunError::Invalid(_) => "ContextInvalidError",
            RunError::Other(_) => "ContextError",
        };
        Self::new(name, error.to_string())
    }
}

/// Becomes ready when the caller cancels the call.
///
/// [`Context::is_aborted`](crate::Context::is_aborted) is enough for a loop;
/// this is for code that waits.
#[derive(Debug)]
pub struct AbortSignal {
    #[cfg(target_arch = "wasm32")]
    pollable: crate::bindings::Pollable,
    #[cfg(not(target_arch = "wasm32"))]
    aborted: bool,
}

impl AbortSignal {
    #[cfg(target_arch = "wasm32")]
    pub(super) fn new(pollable: crate::bindings::Pollable) -> Self {
        Self { pollable }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn fake(aborted: bool) -> Self {
        Self { aborted }
    }

    /// Whether the call has been cancelled.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        return self.pollable.ready();
        #[cfg(not(target_arch = "wasm32"))]
        return self.aborted;
    }

    /// Waits until the call is cancelled or its deadline ends it. With a fake
    /// context that was not aborted it returns at once, since nobody ever would.
    pub fn wait(&self) {
        #[cfg(target_arch = "wasm32")]
        self.pollable.block();
    }

    /// The `wasi:io` pollable behind it, to be waited for together with others
    /// made by another binding: its handle, owned by the caller from now on.
    #[cfg(target_arch = "wasm32")]
    #[must_use]
    pub fn into_pollable_handle(self) -> u32 {
        self.pollable.take_handle()
    }
}
