//! `toolhost:plugin/run`: the live side of the execution context.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;
use toolhost_policy::{Limits, Redactor};
use toolhost_tool::json::{self, JsonLimits};
use toolhost_tool::{Denial, LogLevel, Messages, check_event_name};
use wasmtime::component::{HasData, Linker, Resource, ResourceTable};
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};

use super::calls::ToolCaller;
use crate::bindings::run::{Flow, Host, LogLevel as WitLogLevel, MessageRange, RunError};
use crate::cancel::CancelHandle;
use crate::log::Log;
use crate::state::CallState;

/// Most documents a call may attach; their size is bounded by the output limit.
const MAX_ATTACHED: usize = 1_000;

/// Most refusals that are remembered; a guest may ask without end.
const MAX_DENIALS: usize = 32;

/// What a running tool sends to the caller's program.
#[derive(Clone, Debug, PartialEq)]
pub enum Emitted {
    /// The result so far, as a whole.
    Partial(Value),
    /// Something happened, such as `todo.updated`.
    Event {
        /// Its name.
        name: String,
        /// What the tool says of it.
        data: Value,
    },
}

/// What the functions of `run` work on during one call.
pub(crate) struct RunCtx {
    /// Absent during `describe` and hooks without a call: nothing is live then.
    pub(crate) live: Option<Live>,
    pub(crate) log: Log,
    /// Takes secrets out of what is sent while the call runs; the rest is redacted
    /// at its end.
    redactor: Redactor,
    pub(crate) metadata: Vec<Value>,
    pub(crate) metadata_bytes: u64,
    pub(crate) partials: u64,
    /// Partial results and events so far.
    emitted: u32,
    /// The last partial result: the result of a tool that returns nothing.
    pub(crate) last_partial: Option<String>,
    pub(crate) denials: Vec<Denial>,
}

/// What only a call has.
pub(crate) struct Live {
    pub(crate) messages: Messages,
    pub(crate) messages_granted: bool,
    pub(crate) cancel: CancelHandle,
    pub(crate) emitted: Option<mpsc::Sender<Emitted>>,
    /// Calls other tools on behalf of this one.
    pub(crate) caller: Option<Arc<dyn ToolCaller>>,
}

impl RunCtx {
    pub(crate) fn new(log: Log, redactor: Redactor, live: Option<Live>) -> Self {
        Self {
            live,
            log,
            redactor,
            metadata: Vec::new(),
            metadata_bytes: 0,
            partials: 0,
            emitted: 0,
            last_partial: None,
            denials: Vec::new(),
        }
    }

    pub(crate) fn deny(&mut self, denial: Denial) {
        if self.denials.len() < MAX_DENIALS && !self.denials.contains(&denial) {
            self.denials.push(denial);
        }
    }

    /// The messages, where there are any to read and they are granted.
    fn messages(&mut self) -> Result<&Messages, RunError> {
        let granted = self.live.as_ref().is_some_and(|live| live.messages_granted);
        if !granted {
            self.deny(Denial {
                capability: "messages".into(),
                target: "transcript".into(),
                allow_with: Some("--allow-messages".into()),
            });
        }
        match &self.live {
            Some(live) if live.messages_granted => Ok(&live.messages),
            _ => Err(RunError::Denied(
                "messages are not granted (`allow-messages`)".into(),
            )),
        }
    }
}

/// `run` while a host function works on it.
pub(crate) struct View<'a> {
    run: &'a mut RunCtx,
    table: &'a mut ResourceTable,
    limits: &'a Limits,
}

impl HasData for RunCtx {
    type Data<'a> = View<'a>;
}

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    crate::bindings::run::add_to_linker::<_, RunCtx>(linker, |state| View {
        run: &mut state.run,
        table: &mut state.table,
        limits: &state.limits,
    })
}

impl Host for View<'_> {
    fn message_count(&mut self) -> wasmtime::Result<Result<u32, RunError>> {
        let count = self.run.messages().map(Messages::len);
        Ok(count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    fn messages(&mut self, range: MessageRange) -> wasmtime::Result<Result<Vec<String>, RunError>> {
        let allowed = self.limits.host_call_bytes;
        Ok(self
            .run
            .messages()
            .and_then(|messages| read_messages(messages, &range, allowed)))
    }

    fn is_aborted(&mut self) -> wasmtime::Result<bool> {
        Ok(self
            .run
            .live
            .as_ref()
            .is_some_and(|live| live.cancel.is_cancelled()))
    }

    fn abort_signal(&mut self) -> wasmtime::Result<Resource<DynPollable>> {
        let cancel = self
            .run
            .live
            .as_ref()
            .map(|live| live.cancel.clone())
            .unwrap_or_default();
        let signal = self.table.push(AbortSignal(cancel))?;
        subscribe(self.table, signal)
    }

    async fn emit_partial(&mut self, snapshot: String) -> wasmtime::Result<Result<Flow, RunError>> {
        let value = match self.readable(&snapshot) {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        };
        self.run.partials += 1;
        self.run.last_partial = Some(snapshot);
        Ok(Ok(self.run.emit(Emitted::Partial(value)).await))
    }

    async fn emit_event(
        &mut self,
        name: String,
        data: String,
    ) -> wasmtime::Result<Result<Flow, RunError>> {
        if let Err(reason) = check_event_name(&name) {
            return Ok(Err(RunError::Invalid(reason)));
        }
        let data = match self.readable(&data) {
            Ok(data) => data,
            Err(error) => return Ok(Err(error)),
        };
        Ok(Ok(self.run.emit(Emitted::Event { name, data }).await))
    }

    fn attach_metadata(&mut self, value: String) -> wasmtime::Result<Result<(), RunError>> {
        let left = self.limits.output.saturating_sub(self.run.metadata_bytes);
        if self.run.metadata.len() >= MAX_ATTACHED {
            let message = format!("a call may attach {MAX_ATTACHED} documents");
            return Ok(Err(RunError::TooLarge(message)));
        }
        Ok(parse(&value, "output", left).map(|parsed| {
            self.run.metadata_bytes += value.len() as u64;
            self.run.metadata.push(parsed);
        }))
    }

    fn log(&mut self, level: WitLogLevel, message: String) -> wasmtime::Result<()> {
        let level = match level {
            WitLogLevel::Trace => LogLevel::Trace,
            WitLogLevel::Debug => LogLevel::Debug,
            WitLogLevel::Info => LogLevel::Info,
            WitLogLevel::Warn => LogLevel::Warn,
            WitLogLevel::Error => LogLevel::Error,
        };
        self.run.log.line(level, &message);
        Ok(())
    }
}

impl View<'_> {
    /// What the guest sends while it runs, when it may send one more.
    fn readable(&mut self, text: &str) -> Result<Value, RunError> {
        let allowed = self.limits.emitted;
        if self.run.emitted >= allowed {
            self.run.deny(Denial {
                capability: "limit".into(),
                target: "emitted".into(),
                allow_with: Some(format!("a higher emitted than {allowed} under [limits]")),
            });
            return Err(RunError::TooLarge(format!(
                "a call may send {allowed} partial results and events together (`emitted`)"
            )));
        }
        let value = parse(text, "partial", self.limits.partial)?;
        self.run.emitted += 1;
        Ok(value)
    }
}

impl RunCtx {
    /// A full channel blocks the guest: that is the backpressure. Deadline and
    /// cancel end the wait from outside.
    async fn emit(&mut self, mut emitted: Emitted) -> Flow {
        match &mut emitted {
            Emitted::Partial(value) => self.redactor.redact_json(value),
            Emitted::Event { name, data } => {
                self.redactor.redact_string(name);
                self.redactor.redact_json(data);
            }
        }
        let reader = self.live.as_mut().and_then(|live| live.emitted.as_mut());
        match reader {
            Some(reader) if reader.send(emitted).await.is_err() => Flow::Stop,
            _ => Flow::Continue,
        }
    }
}

/// Reads one message after the other, so that a range which does not fit costs
/// no more than what fits. The range is guest-controlled.
fn read_messages(
    messages: &Messages,
    range: &MessageRange,
    allowed: u64,
) -> Result<Vec<String>, RunError> {
    let end = range
        .end
        .map_or(usize::MAX, |end| end as usize)
        .min(messages.len());
    let mut texts = Vec::new();
    let mut bytes = 0;
    for index in range.start as usize..end {
        for message in messages.read(index..index + 1) {
            let text = message.to_string();
            bytes += text.len() as u64;
            if bytes > allowed {
                let message = format!(
                    "the messages have more than {allowed} bytes (`host-call-bytes`); ask for fewer"
                );
                return Err(RunError::TooLarge(message));
            }
            texts.push(text);
        }
    }
    Ok(texts)
}

fn parse(text: &str, limit: &str, allowed: u64) -> Result<Value, RunError> {
    if text.len() as u64 > allowed {
        let message = format!("{} bytes, and {allowed} are left (`{limit}`)", text.len());
        return Err(RunError::TooLarge(message));
    }
    json::parse(text, &JsonLimits::default()).map_err(|error| RunError::Invalid(error.to_string()))
}

/// Ready once the call is cancelled.
struct AbortSignal(CancelHandle);

#[async_trait::async_trait]
impl Pollable for AbortSignal {
    async fn ready(&mut self) {
        self.0.cancelled().await;
    }
}
