//! The live side inside a sandbox: the functions of the interface `run`.

use super::run::{AbortSignal, Flow, LogLevel, Run, RunError};
use crate::bindings::run;

/// The host. It has no state: the host knows which call it serves.
#[derive(Debug, Default)]
pub(super) struct HostRun;

impl Run for HostRun {
    fn message_count(&self) -> Result<u32, RunError> {
        Ok(run::message_count()?)
    }

    fn messages(&self, start: u32, end: Option<u32>) -> Result<Vec<String>, RunError> {
        Ok(run::messages(run::MessageRange { start, end })?)
    }

    fn is_aborted(&self) -> bool {
        run::is_aborted()
    }

    fn abort_signal(&self) -> AbortSignal {
        AbortSignal::new(run::abort_signal())
    }

    fn emit_partial(&self, json: String) -> Result<Flow, RunError> {
        Ok(match run::emit_partial(&json)? {
            run::Flow::Continue => Flow::Continue,
            run::Flow::Stop => Flow::Stop,
        })
    }

    fn attach_metadata(&self, json: String) -> Result<(), RunError> {
        Ok(run::attach_metadata(&json)?)
    }

    fn log(&self, level: LogLevel, message: &str) {
        run::log(level.into(), message);
    }
}
