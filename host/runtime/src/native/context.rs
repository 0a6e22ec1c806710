//! What a native tool knows of its call, and how it speaks while it runs: the
//! same as a plugin gets through `run`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;
use toolhost_policy::Limits;
use toolhost_sandbox::{CancelHandle, Emitted, ToolCaller};
use toolhost_tool::{
    Approval, Arguments, CallError, ExecutionContext, LogLevel, LogLine, LogSource, Messages,
    Output, Principal, Report, Resumption, check_event_name,
};

use super::counter::json_bytes;
use super::error::ToolError;

/// What a log line costs beside its text, so that empty lines are not free.
const LINE_OVERHEAD_BYTES: u64 = 16;

/// Most documents a call may attach.
const MAX_ATTACHED: usize = 1_000;

/// What a native tool knows of its call, and how it speaks while it runs. Cheap
/// to clone. Once the call has ended, what is said through it is dropped.
#[derive(Clone)]
pub struct ToolContext {
    call: Arc<CallFacts>,
}

struct CallFacts {
    tool_name: String,
    tool_call_id: String,
    context: ExecutionContext,
    limits: Limits,
    deadline: Instant,
    cancel: CancelHandle,
    /// Set when the call has ended; ends a wait for the reader of partials.
    ended: CancelHandle,
    caller: Option<Arc<dyn ToolCaller>>,
    said: Mutex<Said>,
}

/// What the tool has said so far.
#[derive(Default)]
struct Said {
    emitted: Option<mpsc::Sender<Emitted>>,
    last_partial: Option<Value>,
    report: Report,
    log_bytes: u64,
    metadata_bytes: u64,
}

/// Whether the reader of partial results still listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does: go on.
    Continue,
    /// It has gone: what is emitted from now on is dropped.
    Stop,
}

/// What a context is made of.
pub(crate) struct Facts<'a> {
    pub(crate) tool_name: &'a str,
    pub(crate) tool_call_id: &'a str,
    pub(crate) context: &'a ExecutionContext,
    pub(crate) limits: Limits,
    pub(crate) cancel: CancelHandle,
    pub(crate) emitted: Option<mpsc::Sender<Emitted>>,
    pub(crate) caller: Option<Arc<dyn ToolCaller>>,
}

impl ToolContext {
    pub(crate) fn new(facts: Facts<'_>) -> Self {
        let allowed = allowed(&facts.limits, facts.context);
        let started = Instant::now();
        let call = CallFacts {
            tool_name: facts.tool_name.to_owned(),
            tool_call_id: facts.tool_call_id.to_owned(),
            context: facts.context.clone(),
            limits: facts.limits,
            // A limit of centuries is a limit that nobody reaches.
            deadline: started
                .checked_add(allowed)
                .unwrap_or(started + Duration::from_hours(24 * 365)),
            cancel: facts.cancel,
            ended: CancelHandle::new(),
            caller: facts.caller,
            said: Mutex::new(Said {
                emitted: facts.emitted,
                ..Said::default()
            }),
        };
        Self {
            call: Arc::new(call),
        }
    }

    /// The name under which the tool was called.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.call.tool_name
    }

    /// The id the model gave the call; empty in a `prepare` hook.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        &self.call.tool_call_id
    }

    /// Everything the caller said of the run.
    #[must_use]
    pub fn run(&self) -> &ExecutionContext {
        &self.call.context
    }

    /// The conversation the call belongs to.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.call.context.session_id.as_deref()
    }

    /// Who the run acts for. It comes from the caller, never from arguments.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.call.context.principal.as_ref()
    }

    /// The approval this call was given, when one was needed.
    #[must_use]
    pub fn approval(&self) -> Option<&Approval> {
        self.call.context.approval.as_ref()
    }

    /// How many attempts of this call failed before; 0 for the first.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.call.context.attempt
    }

    /// The same for every attempt of one call, different for every call.
    #[must_use]
    pub fn idempotency_key(&self) -> &str {
        let key = self.call.context.idempotency_key.as_deref();
        key.unwrap_or(&self.call.tool_call_id)
    }

    /// What the caller wants the tool to know.
    #[must_use]
    pub fn metadata(&self) -> Option<&Value> {
        self.call.context.metadata.as_ref()
    }

    /// Set when the call goes on after a suspension.
    #[must_use]
    pub fn resumption(&self) -> Option<&Resumption> {
        self.call.context.resumption.as_ref()
    }

    /// The transcript before the call.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.call.context.messages
    }

    /// How much time is left before the call is ended.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.call.deadline.saturating_duration_since(Instant::now())
    }

    /// Whether the caller has cancelled the call. From then on the tool has a
    /// short time to return before it is dropped.
    #[must_use]
    pub fn is_aborted(&self) -> bool {
        self.call.cancel.is_cancelled()
    }

    /// Returns once the caller cancels the call.
    pub async fn aborted(&self) {
        self.call.cancel.cancelled().await;
    }

    /// Shows the state of the result so far: a full snapshot, not a difference.
    /// Waits while the reader is behind.
    ///
    /// # Errors
    ///
    /// When the snapshot is larger than the limit `partial`, or is no JSON.
    pub async fn emit_partial(&self, snapshot: impl Serialize) -> Result<Flow, ToolError> {
        let snapshot = serde_json::to_value(snapshot)?;
        let (bytes, allowed) = (json_bytes(&snapshot), self.call.limits.partial);
        if bytes > allowed {
            return Err(too_large("partial", "the partial result", bytes, allowed));
        }
        let reader = {
            let mut said = self.said();
            if self.call.ended.is_cancelled() {
                return Ok(Flow::Stop);
            }
            said.report.partials += 1;
            said.last_partial = Some(snapshot.clone());
            said.emitted.clone()
        };
        Ok(self.send(reader, Emitted::Partial(snapshot)).await)
    }

    /// Tells the caller's program that something happened, such as
    /// `todo.updated`. The model never sees it. Waits while the reader is behind.
    ///
    /// # Errors
    ///
    /// When `data` is larger than the limit `partial` or is no JSON, or the name
    /// cannot be one; see [`check_event_name`].
    pub async fn emit_event(
        &self,
        name: impl Into<String>,
        data: impl Serialize,
    ) -> Result<Flow, ToolError> {
        let data = serde_json::to_value(data)?;
        let (bytes, allowed) = (json_bytes(&data), self.call.limits.partial);
        if bytes > allowed {
            return Err(too_large("partial", "the event", bytes, allowed));
        }
        let name = name.into();
        check_event_name(&name).map_err(|reason| ToolError::new("EventNameError", reason))?;
        let reader = self.said().emitted.clone();
        Ok(self.send(reader, Emitted::Event { name, data }).await)
    }

    async fn send(&self, reader: Option<mpsc::Sender<Emitted>>, emitted: Emitted) -> Flow {
        let Some(reader) = reader else {
            return Flow::Continue;
        };
        tokio::select! {
            biased;
            () = self.call.ended.cancelled() => Flow::Stop,
            sent = reader.send(emitted) => {
                if sent.is_ok() { Flow::Continue } else { Flow::Stop }
            }
        }
    }

    /// Calls another tool and waits for its result. Only tools that this one names
    /// in [`calls`](crate::NativeToolBuilder::calls), and that let programs call
    /// them, can be reached; each call goes through the whole pipeline and is
    /// listed in the report.
    ///
    /// # Errors
    ///
    /// The error that a model would be given.
    pub async fn call_tool(
        &self,
        name: impl Into<String>,
        arguments: impl Into<Arguments>,
    ) -> Result<Output, CallError> {
        let name = name.into();
        let Some(caller) = &self.call.caller else {
            let reason = "the tool does not name it among those it calls (`calls` of its builder)";
            return Err(CallError::denied(&name, reason));
        };
        let call = caller.call(name.clone(), arguments.into());
        tokio::select! {
            biased;
            () = self.call.ended.cancelled() => {
                Err(CallError::aborted(&name, "the tool that called it has ended"))
            }
            ended = call => ended,
        }
    }

    /// Hands a JSON document to the caller's program beside the result. The
    /// model never sees it.
    ///
    /// # Errors
    ///
    /// When the call has attached more than 1,000 documents, or more bytes than
    /// the limit `output`.
    pub fn attach_metadata(&self, document: impl Serialize) -> Result<(), ToolError> {
        let document = serde_json::to_value(document)?;
        let (bytes, allowed) = (json_bytes(&document), self.call.limits.output);
        let mut said = self.said();
        let used = said.metadata_bytes + bytes;
        if used > allowed {
            return Err(too_large("output", "what is attached", used, allowed));
        }
        if said.report.metadata.len() >= MAX_ATTACHED {
            let message = format!("a call may attach {MAX_ATTACHED} documents; attach fewer");
            return Err(ToolError::new("OutputLimitError", message));
        }
        said.metadata_bytes = used;
        said.report.metadata.push(document);
        Ok(())
    }

    /// Writes a line to the log of the call, which is cut at the limit `log`.
    pub fn log(&self, level: LogLevel, message: impl Into<String>) {
        let message = message.into();
        let mut said = self.said();
        let cost = message.len() as u64 + LINE_OVERHEAD_BYTES;
        if said.log_bytes + cost > self.call.limits.log {
            said.report.logs_dropped_bytes += message.len() as u64;
            return;
        }
        said.log_bytes += cost;
        said.report.logs.push(LogLine {
            level,
            source: LogSource::Log,
            message,
        });
    }

    /// The handle that cancels the call, for calls this one makes itself.
    #[must_use]
    pub fn cancel_handle(&self) -> CancelHandle {
        self.call.cancel.clone()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.call.limits
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.call.deadline
    }

    /// Adds what a sandbox used on behalf of the call. Its time is part of the
    /// call's own already.
    pub(crate) fn add_report(&self, mut report: Report) {
        report.duration_ms = toolhost_tool::Durations::default();
        self.said().report.add(report);
    }

    /// Ends the conversation: the last partial result, and what was reported.
    /// The reader is let go, even if the tool kept a clone of this context.
    pub(crate) fn end(&self) -> (Option<Value>, Report) {
        let mut said = self.said();
        self.call.ended.cancel();
        let said = std::mem::take(&mut *said);
        (said.last_partial, said.report)
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        // Every change under the lock is one push or one assignment.
        self.call
            .said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a call may take.
pub(crate) fn allowed(limits: &Limits, context: &ExecutionContext) -> Duration {
    let limit = limits.wall_clock;
    let asked = context.deadline_ms.map_or(limit, Duration::from_millis);
    asked.min(limit)
}

fn too_large(limit: &str, what: &str, used: u64, allowed: u64) -> ToolError {
    let message = format!("{what} has {used} bytes and may have {allowed} (`{limit}`)");
    ToolError::new("OutputLimitError", message)
}
