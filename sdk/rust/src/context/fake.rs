//! A context for unit tests: scripted on one side, recorded on the other.

mod run;

use std::time::Duration;

use serde_json::Value;

use super::Context;
use super::calls::CallFailure;
use super::facts::{Approval, Principal, Resumption, TokenUsage};
use super::run::LogLevel;
use crate::bindings::types::ExecutionContext;
use crate::output::Output;

pub(super) use run::FakeRun;

/// What a tool did with its context.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recording {
    /// The partial results, oldest first.
    pub partials: Vec<Value>,
    /// The lines of the log.
    pub logs: Vec<(LogLevel, String)>,
    /// The attached metadata.
    pub metadata: Vec<Value>,
    /// The events: name and data.
    pub events: Vec<(String, Value)>,
    /// The calls of other tools: name and arguments, `null` when there were none.
    pub calls: Vec<(String, Value)>,
}

/// The script of a fake context; [`Context::fake`] starts one.
///
/// Without further words: the first attempt of a call named `call-1` with 30
/// seconds to go, no principal, an empty transcript, nobody who aborts and a
/// reader who listens to the end.
#[derive(Debug)]
pub struct FakeContext {
    given: ExecutionContext,
    run: FakeRun,
}

impl Context {
    /// Starts a context for a unit test.
    ///
    /// ```
    /// use toolhost_sdk::{Context, serde_json::json, tool};
    ///
    /// /// Counts to three.
    /// #[tool]
    /// fn count(ctx: &Context) -> u32 {
    ///     for number in 1..=3 {
    ///         if ctx.emit(&number).is_stop() {
    ///             return number;
    ///         }
    ///     }
    ///     3
    /// }
    ///
    /// let ctx = Context::fake().stop_after_partials(2).build();
    /// assert_eq!(count(&ctx), 2);
    /// assert_eq!(ctx.recording().partials, [json!(1), json!(2)]);
    /// ```
    #[must_use]
    pub fn fake() -> FakeContext {
        FakeContext {
            given: ExecutionContext {
                tool_call_id: "call-1".into(),
                session_id: None,
                run_id: None,
                request_id: None,
                principal: None,
                approval: None,
                attempt: 0,
                deadline_ms: 30_000,
                trace_parent: None,
                idempotency_key: "key-1".into(),
                metadata: None,
                usage: None,
                resumption: None,
            },
            run: FakeRun::default(),
        }
    }

    /// What the tool has done with this fake context so far.
    #[must_use]
    pub fn recording(&self) -> Recording {
        self.run.recording.borrow().clone()
    }
}

impl FakeContext {
    /// The finished context.
    #[must_use]
    pub fn build(self) -> Context {
        Context {
            given: self.given,
            run: self.run,
        }
    }

    /// Sets [`Context::tool_call_id`].
    #[must_use]
    pub fn tool_call_id(mut self, id: impl Into<String>) -> Self {
        self.given.tool_call_id = id.into();
        self
    }

    /// Sets [`Context::session_id`].
    #[must_use]
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.given.session_id = Some(id.into());
        self
    }

    /// Sets [`Context::run_id`].
    #[must_use]
    pub fn run_id(mut self, id: impl Into<String>) -> Self {
        self.given.run_id = Some(id.into());
        self
    }

    /// Sets [`Context::request_id`].
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.given.request_id = Some(id.into());
        self
    }

    /// Sets [`Context::principal`].
    #[must_use]
    pub fn principal(mut self, principal: Principal) -> Self {
        self.given.principal = Some(principal.into());
        self
    }

    /// Sets [`Context::approval`].
    #[must_use]
    pub fn approval(mut self, approval: Approval) -> Self {
        self.given.approval = Some(approval.into());
        self
    }

    /// Sets [`Context::attempt`].
    #[must_use]
    pub fn attempt(mut self, attempt: u32) -> Self {
        self.given.attempt = attempt;
        self
    }

    /// Sets [`Context::deadline`], in whole milliseconds.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.given.deadline_ms = u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX);
        self
    }

    /// Sets [`Context::trace_parent`].
    #[must_use]
    pub fn trace_parent(mut self, trace_parent: impl Into<String>) -> Self {
        self.given.trace_parent = Some(trace_parent.into());
        self
    }

    /// Sets [`Context::idempotency_key`].
    #[must_use]
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.given.idempotency_key = key.into();
        self
    }

    /// Sets [`Context::metadata`].
    #[must_use]
    pub fn metadata(mut self, metadata: impl Into<Value>) -> Self {
        self.given.metadata = Some(metadata.into().to_string());
        self
    }

    /// Sets [`Context::usage`].
    #[must_use]
    pub fn usage(mut self, usage: TokenUsage) -> Self {
        self.given.usage = Some(usage.into());
        self
    }

    /// Sets [`Context::resumption`].
    #[must_use]
    pub fn resumption(mut self, resumption: Resumption) -> Self {
        self.given.resumption = Some(resumption.into());
        self
    }

    /// Adds a message to the end of the transcript.
    #[must_use]
    pub fn message(mut self, message: impl Into<Value>) -> Self {
        self.run.messages.push(message.into().to_string());
        self
    }

    /// The operator has not granted the transcript.
    #[must_use]
    pub fn messages_denied(mut self) -> Self {
        self.run.denied = true;
        self
    }

    /// The call has been cancelled before it starts.
    #[must_use]
    pub fn aborted(self) -> Self {
        self.abort_after_partials(0)
    }

    /// The call is cancelled once it has shown this many partial results.
    #[must_use]
    pub fn abort_after_partials(mut self, count: usize) -> Self {
        self.run.abort_after = Some(count);
        self
    }

    /// The reader goes once it has seen this many partial results.
    #[must_use]
    pub fn stop_after_partials(mut self, count: usize) -> Self {
        self.run.stop_after = Some(count);
        self
    }

    /// Another tool, which the tool may call, and what it answers; see
    /// [`Context::call_tool`]. It gets `null` when there are no arguments.
    #[must_use]
    pub fn tool<R: Into<Output>>(
        mut self,
        name: impl Into<String>,
        answer: impl Fn(Value) -> Result<R, CallFailure> + 'static,
    ) -> Self {
        let answer = move |arguments| answer(arguments).map(Into::into);
        self.run.tools.push((name.into(), Box::new(answer)));
        self
    }

    /// Another tool that always fails.
    #[must_use]
    pub fn failing_tool(self, name: impl Into<String>, failure: CallFailure) -> Self {
        self.tool(name, move |_| Err::<Output, _>(failure.clone()))
    }

    /// A secret that is revealed to the tool; see [`Context::secret_token`].
    #[must_use]
    pub fn secret(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.run.secrets.push((name.into(), value.into()));
        self
    }
}
