//! What a caller can watch of a turn while it runs.
//!
//! For each call, in this order:
//!
//! 1. `tool.start`, or `tool.resume` when it goes on after a suspension;
//! 2. any number of `tool.partial`, its `index` counted from 0, and of events that
//!    the tool itself names;
//! 3. one of `tool.done`, `tool.error` and `tool.suspended`, and then nothing.
//!
//! A call that never started has one `tool.error` and nothing else. Over all its
//! resumptions a call has one `tool.start` and one of `tool.done` and
//! `tool.error`, never two. Events of different calls mix.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::result::CallResult;
use crate::turn::Pending;

/// Something that happened to one call of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The call is taken up.
    Start {
        /// The id of the call.
        tool_call_id: String,
        /// Its tool.
        tool_name: String,
    },
    /// The call goes on after a suspension.
    Resume {
        /// The id of the call.
        tool_call_id: String,
        /// Its tool.
        tool_name: String,
    },
    /// A partial result. It never enters the transcript.
    Partial {
        /// The id of the call.
        tool_call_id: String,
        /// Its tool.
        tool_name: String,
        /// Counts the partial results of the call, from 0.
        index: u64,
        /// The result so far, as a whole.
        output: Value,
    },
    /// Something happened that the tool itself tells of, such as `todo.updated`.
    Custom {
        /// The id of the call.
        tool_call_id: String,
        /// Its tool.
        tool_name: String,
        /// The name of the event; never one that starts with `tool.`.
        name: String,
        /// What the tool says of it.
        data: Value,
    },
    /// The call waits for something outside.
    Suspended(Box<Pending>),
    /// The call has its result.
    Done(Box<CallResult>),
    /// The call failed.
    Error(Box<CallResult>),
}

impl Event {
    /// The name of the event, such as `tool.start`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Start { .. } => "tool.start",
            Self::Resume { .. } => "tool.resume",
            Self::Partial { .. } => "tool.partial",
            Self::Custom { name, .. } => name,
            Self::Suspended(_) => "tool.suspended",
            Self::Done(_) => "tool.done",
            Self::Error(_) => "tool.error",
        }
    }

    /// The id of the call it belongs to.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        match self {
            Self::Start { tool_call_id, .. }
            | Self::Resume { tool_call_id, .. }
            | Self::Partial { tool_call_id, .. }
            | Self::Custom { tool_call_id, .. } => tool_call_id,
            Self::Suspended(pending) => &pending.tool_call_id,
            Self::Done(result) | Self::Error(result) => &result.tool_call_id,
        }
    }

    /// Whether it is the last of its call.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Error(_))
    }

    /// The event as one JSON object: `{event, toolCallId, toolName, …}`, where
    /// `tool.partial` has `index` and `output`, `tool.suspended` has `pending`,
    /// and `tool.done` and `tool.error` have the fields of
    /// [`CallResult::to_json`].
    #[must_use]
    pub fn to_json(&self) -> Value {
        let event = self.name();
        let head =
            |id: &str, name: &str| json!({ "event": event, "toolCallId": id, "toolName": name });
        match self {
            Self::Start {
                tool_call_id,
                tool_name,
            }
            | Self::Resume {
                tool_call_id,
                tool_name,
            } => head(tool_call_id, tool_name),
            Self::Partial {
                tool_call_id,
                tool_name,
                index,
                output,
            } => {
                let mut object = head(tool_call_id, tool_name);
                object["index"] = json!(index);
                object["output"] = output.clone();
                object
            }
            Self::Custom {
                tool_call_id,
                tool_name,
                data,
                ..
            } => {
                let mut object = head(tool_call_id, tool_name);
                object["data"] = data.clone();
                object
            }
            Self::Suspended(pending) => {
                let mut object = head(&pending.tool_call_id, &pending.tool_name);
                object["pending"] = json!(pending);
                object
            }
            Self::Done(result) | Self::Error(result) => {
                let mut object = json!({ "event": event });
                if let (Some(object), Value::Object(fields)) =
                    (object.as_object_mut(), result.to_json())
                {
                    object.extend(fields);
                }
                object
            }
        }
    }

    /// The last event of a call that ended with `result`.
    pub(crate) fn terminal(result: &CallResult) -> Self {
        match &result.outcome {
            Ok(_) => Self::Done(Box::new(result.clone())),
            Err(_) => Self::Error(Box::new(result.clone())),
        }
    }
}

impl Serialize for Event {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// Where the events of a turn go: to a bounded channel, or to nobody.
#[derive(Debug, Default)]
pub(crate) struct Events {
    reader: Option<mpsc::Sender<Event>>,
    gone: AtomicBool,
    /// Events that a turn which is over does not wait for. Once there is one, all
    /// that follow queue up behind it: no event overtakes another.
    behind: Mutex<Option<mpsc::UnboundedSender<Event>>>,
}

impl Events {
    pub(crate) fn new(reader: Option<mpsc::Sender<Event>>) -> Self {
        Self {
            reader,
            ..Self::default()
        }
    }

    /// Whether somebody listens.
    pub(crate) fn has_reader(&self) -> bool {
        self.reader.is_some() && !self.gone.load(Ordering::Relaxed)
    }

    /// Waits until the reader has room; `false` once it has gone away.
    pub(crate) async fn send(&self, event: Event) -> bool {
        let Some(reader) = self.reader.as_ref().filter(|_| self.has_reader()) else {
            return false;
        };
        if let Some(behind) = &*self.behind() {
            return behind.send(event).is_ok();
        }
        let sent = reader.send(event).await.is_ok();
        if !sent {
            self.gone.store(true, Ordering::Relaxed);
        }
        sent
    }

    /// Sends without holding the turn up: an aborted call settles at once,
    /// whether or not its reader is slow. What waits is at most two events for
    /// each call of the turn.
    pub(crate) fn send_behind(&self, event: Event) {
        let Some(reader) = self.reader.as_ref().filter(|_| self.has_reader()) else {
            return;
        };
        let mut behind = self.behind();
        if let Some(behind) = &*behind {
            // When it has ended, its reader has gone away.
            let _ = behind.send(event);
        } else if let Err(TrySendError::Full(event)) = reader.try_send(event) {
            let (sender, waiting) = mpsc::unbounded_channel();
            let _ = sender.send(event);
            *behind = Some(sender);
            tokio::spawn(pass_on(waiting, reader.clone()));
        }
    }

    fn behind(&self) -> MutexGuard<'_, Option<mpsc::UnboundedSender<Event>>> {
        self.behind.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn pass_on(mut waiting: mpsc::UnboundedReceiver<Event>, reader: mpsc::Sender<Event>) {
    while let Some(event) = waiting.recv().await {
        if reader.send(event).await.is_err() {
            return;
        }
    }
}
