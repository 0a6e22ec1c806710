//! What a call knows about the run it belongs to, and its line to the host.
//!
//! The small facts come with the call; the live side (partial results, the
//! abort signal, the transcript) is a call to the host each time. Outside of
//! WebAssembly there is no host, so there a context is always a fake.

mod calls;
mod facts;
#[cfg(not(target_arch = "wasm32"))]
mod fake;
#[cfg(target_arch = "wasm32")]
mod host;
mod run;

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bindings::types::ExecutionContext;
use crate::outcome::Outcome;
use crate::suspension::Suspension;

pub use calls::CallFailure;
pub use facts::{Approval, Principal, PrincipalKind, Resumption, TokenUsage};
#[cfg(not(target_arch = "wasm32"))]
pub use fake::{FakeContext, Recording};
pub use run::{AbortSignal, Flow, LogLevel, RunError};

use run::Run;

#[cfg(not(target_arch = "wasm32"))]
type Live = fake::FakeRun;
#[cfg(target_arch = "wasm32")]
type Live = host::HostRun;

/// The execution context of one call.
///
/// A tool that wants it has a parameter `ctx: &Context`, in any place; the
/// model does not see that parameter. A unit test makes one with
/// [`Context::fake`].
pub struct Context {
    given: ExecutionContext,
    run: Live,
}

impl Context {
    /// The context of a call that the host makes.
    pub(crate) fn live(given: ExecutionContext) -> Self {
        Self {
            given,
            run: Live::default(),
        }
    }

    /// The id the model gave this call.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        &self.given.tool_call_id
    }

    /// The conversation the call belongs to.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.given.session_id.as_deref()
    }

    /// The run of the agent loop within the session.
    #[must_use]
    pub fn run_id(&self) -> Option<&str> {
        self.given.run_id.as_deref()
    }

    /// The request that started the run.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.given.request_id.as_deref()
    }

    /// Who the run acts for. It comes from the host, never from the model.
    #[must_use]
    pub fn principal(&self) -> Option<Principal> {
        self.given.principal.as_ref().map(Principal::from)
    }

    /// The approval this call was given, when one was needed.
    #[must_use]
    pub fn approval(&self) -> Option<Approval> {
        self.given.approval.as_ref().map(Approval::from)
    }

    /// How many attempts of this call failed before; 0 for the first.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.given.attempt
    }

    /// How long the call may take, counted from its start.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        Duration::from_millis(self.given.deadline_ms)
    }

    /// W3C `traceparent` of the span the call runs in.
    #[must_use]
    pub fn trace_parent(&self) -> Option<&str> {
        self.given.trace_parent.as_deref()
    }

    /// The same for every attempt of one call, different for every call.
    #[must_use]
    pub fn idempotency_key(&self) -> &str {
        &self.given.idempotency_key
    }

    /// What the caller wants the tool to know; an object. Parsed anew each time.
    #[must_use]
    pub fn metadata(&self) -> Option<Value> {
        self.given.metadata.as_deref().and_then(facts::parse)
    }

    /// [`metadata`](Self::metadata) as a type of yours.
    ///
    /// # Errors
    /// [`RunError::Invalid`]: it does not parse as `T`.
    pub fn metadata_as<T: DeserializeOwned>(&self) -> Result<Option<T>, RunError> {
        let parse = |text| serde_json::from_str(text);
        let parsed = self.given.metadata.as_deref().map(parse).transpose();
        parsed.map_err(|error| RunError::Invalid(format!("the metadata does not fit: {error}")))
    }

    /// Tokens the run has used so far.
    #[must_use]
    pub fn usage(&self) -> Option<TokenUsage> {
        self.given.usage.as_ref().map(TokenUsage::from)
    }

    /// Set when the call goes on after a suspension.
    #[must_use]
    pub fn resumption(&self) -> Option<Resumption> {
        self.given.resumption.as_ref().map(Resumption::from)
    }

    /// Whether the caller has cancelled the call. Ask in every loop that takes
    /// long: after a cancel there is a short time to return something useful.
    #[must_use]
    pub fn is_aborted(&self) -> bool {
        self.run.is_aborted()
    }

    /// Becomes ready when the caller cancels the call.
    #[must_use]
    pub fn abort_signal(&self) -> AbortSignal {
        self.run.abort_signal()
    }

    /// How many messages the transcript had before the call.
    ///
    /// # Errors
    /// [`RunError::Denied`]: the operator has not granted the transcript.
    pub fn message_count(&self) -> Result<u32, RunError> {
        self.run.message_count()
    }

    /// Messages of the transcript before the call, oldest first. A range that
    /// reaches past the end is cut.
    ///
    /// ```
    /// use toolhost_sdk::{Context, serde_json::json};
    ///
    /// let ctx = Context::fake().message(json!({ "role": "user" })).build();
    /// assert_eq!(ctx.messages(..)?.len(), 1);
    /// # Ok::<(), toolhost_sdk::RunError>(())
    /// ```
    ///
    /// # Errors
    /// [`RunError::Denied`]: the operator has not granted the transcript.
    pub fn messages(&self, range: impl RangeBounds<u32>) -> Result<Vec<Value>, RunError> {
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(last) => last.checked_add(1),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => None,
        };
        let messages = self.run.messages(start, end)?;
        Ok(messages
            .iter()
            .map(|text| facts::parse(text).unwrap_or_default())
            .collect())
    }

    /// Shows the state of the result so far: a full snapshot, not a difference.
    /// Waits while the reader is behind. What cannot be shown (it is no JSON, or
    /// larger than the limit) is left out with a warning in the log;
    /// [`try_emit`](Self::try_emit) tells instead.
    pub fn emit<T: Serialize + ?Sized>(&self, snapshot: &T) -> Flow {
        self.try_emit(snapshot).unwrap_or_else(|error| {
            self.warn(format!("a partial result was left out: {error}"));
            Flow::Continue
        })
    }

    /// [`emit`](Self::emit) with its errors.
    ///
    /// # Errors
    /// [`RunError::TooLarge`] beyond the limit of a partial result,
    /// [`RunError::Invalid`] for what cannot be written as JSON.
    pub fn try_emit<T: Serialize + ?Sized>(&self, snapshot: &T) -> Result<Flow, RunError> {
        self.run.emit_partial(to_json(snapshot)?)
    }

    /// Hands a value to the caller's program beside the result. The model never
    /// sees it.
    ///
    /// # Errors
    /// [`RunError::TooLarge`] or [`RunError::Invalid`], as for a partial result.
    pub fn attach_metadata<T: Serialize + ?Sized>(&self, value: &T) -> Result<(), RunError> {
        self.run.attach_metadata(to_json(value)?)
    }

    /// Tells the caller's program that something happened, such as
    /// `todo.updated`. The model never sees it. Waits while the reader is behind.
    ///
    /// # Errors
    /// [`RunError::Invalid`] for a name with other characters than letters,
    /// digits, `.`, `_` and `-`, with more than 64 of them, or with `tool.` in
    /// front, and as for a partial result.
    pub fn emit_event<T: Serialize + ?Sized>(
        &self,
        name: &str,
        data: &T,
    ) -> Result<Flow, RunError> {
        self.run.emit_event(name, to_json(data)?)
    }

    /// Writes a line to the log of the call.
    pub fn log(&self, level: LogLevel, message: impl AsRef<str>) {
        self.run.log(level, message.as_ref());
    }

    /// [`log`](Self::log) for whoever looks for a fault.
    pub fn debug(&self, message: impl AsRef<str>) {
        self.log(LogLevel::Debug, message);
    }

    /// [`log`](Self::log) for what is worth knowing.
    pub fn info(&self, message: impl AsRef<str>) {
        self.log(LogLevel::Info, message);
    }

    /// [`log`](Self::log) for what is odd.
    pub fn warn(&self, message: impl AsRef<str>) {
        self.log(LogLevel::Warn, message);
    }

    /// [`log`](Self::log) for what fails.
    pub fn error(&self, message: impl AsRef<str>) {
        self.log(LogLevel::Error, message);
    }

    /// Ends this run of the tool until what `suspension` waits for is there.
    #[must_use]
    pub fn suspend<T>(&self, suspension: Suspension) -> Outcome<T> {
        Outcome::Suspended(suspension)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Claims and metadata may hold what belongs in no log.
        f.debug_struct("Context")
            .field("tool_call_id", &self.given.tool_call_id)
            .finish_non_exhaustive()
    }
}

fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, RunError> {
    serde_json::to_string(value).map_err(|error| RunError::Invalid(error.to_string()))
}
