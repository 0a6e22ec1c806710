//! The other side of a fake context: it plays what was scripted and remembers
//! what was done.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use serde_json::Value;

use super::Recording;
use crate::context::calls::CallFailure;
use crate::context::facts::parse;
use crate::context::run::{AbortSignal, Flow, LogLevel, Run, RunError};
use crate::output::Output;

/// The longest name of an event.
const MAX_EVENT_NAME: usize = 64;

/// What a scripted tool answers.
pub(super) type Answer = Box<dyn Fn(Value) -> Result<Output, CallFailure>>;

/// What was scripted, and what was recorded.
#[derive(Default)]
pub(in crate::context) struct FakeRun {
    pub(super) messages: Vec<String>,
    pub(super) denied: bool,
    pub(super) abort_after: Option<usize>,
    pub(super) stop_after: Option<usize>,
    pub(super) tools: Vec<(String, Answer)>,
    pub(super) secrets: Vec<(String, String)>,
    pub(super) recording: Rc<RefCell<Recording>>,
}

impl fmt::Debug for FakeRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeRun")
            .field("recording", &self.recording)
            .finish_non_exhaustive()
    }
}

impl FakeRun {
    fn has_shown(&self, count: usize) -> bool {
        self.recording.borrow().partials.len() >= count
    }

    fn flow(&self) -> Flow {
        let is_over = self.stop_after.is_some_and(|count| self.has_shown(count));
        if is_over { Flow::Stop } else { Flow::Continue }
    }

    fn check_transcript(&self) -> Result<(), RunError> {
        if self.denied {
            return Err(RunError::Denied("the transcript is not granted".into()));
        }
        Ok(())
    }
}

impl Run for FakeRun {
    fn message_count(&self) -> Result<u32, RunError> {
        self.check_transcript()?;
        Ok(u32::try_from(self.messages.len()).unwrap_or(u32::MAX))
    }

    fn messages(&self, start: u32, end: Option<u32>) -> Result<Vec<String>, RunError> {
        self.check_transcript()?;
        let start = start as usize;
        let end = end.map_or(usize::MAX, |end| end as usize);
        let count = end.saturating_sub(start);
        let messages = self.messages.iter().skip(start).take(count);
        Ok(messages.cloned().collect())
    }

    fn is_aborted(&self) -> bool {
        self.abort_after.is_some_and(|count| self.has_shown(count))
    }

    fn abort_signal(&self) -> AbortSignal {
        AbortSignal::fake(self.is_aborted())
    }

    fn emit_partial(&self, json: String) -> Result<Flow, RunError> {
        let partial = parse(&json).unwrap_or_default();
        self.recording.borrow_mut().partials.push(partial);
        Ok(self.flow())
    }

    fn attach_metadata(&self, json: String) -> Result<(), RunError> {
        let value = parse(&json).unwrap_or_default();
        self.recording.borrow_mut().metadata.push(value);
        Ok(())
    }

    fn emit_event(&self, name: &str, json: String) -> Result<Flow, RunError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let fits = (1..=MAX_EVENT_NAME).contains(&name.len()) && name.bytes().all(allowed);
        if !fits || name.starts_with("tool.") {
            return Err(RunError::Invalid(format!(
                "the name of an event has letters, digits, `.`, `_` and `-`, at most \
                 {MAX_EVENT_NAME} of them, and does not start with `tool.`, unlike `{name}`"
            )));
        }
        let data = parse(&json).unwrap_or_default();
        let mut recording = self.recording.borrow_mut();
        recording.events.push((name.to_owned(), data));
        drop(recording);
        Ok(self.flow())
    }

    fn log(&self, level: LogLevel, message: &str) {
        let mut recording = self.recording.borrow_mut();
        recording.logs.push((level, message.to_owned()));
    }

    fn call_tool(&self, name: &str, arguments: Option<String>) -> Result<Output, CallFailure> {
        let arguments = arguments.as_deref().and_then(parse).unwrap_or_default();
        let call = (name.to_owned(), arguments.clone());
        self.recording.borrow_mut().calls.push(call);
        // The one that was scripted last wins.
        match self.tools.iter().rev().find(|(known, _)| known == name) {
            Some((_, answer)) => answer(arguments),
            None => Err(CallFailure::new(
                "denied",
                "ToolDeniedError",
                format!(
                    "the tool `{name}` is not granted; a test grants it with `FakeContext::tool`"
                ),
            )),
        }
    }

    fn secret_token(&self, name: &str) -> Result<String, RunError> {
        match self.secrets.iter().rev().find(|(known, _)| known == name) {
            Some((_, value)) => Ok(value.clone()),
            None => Err(RunError::Denied(format!(
                "the secret `{name}` is not revealed; a test reveals it with `FakeContext::secret`"
            ))),
        }
    }
}
