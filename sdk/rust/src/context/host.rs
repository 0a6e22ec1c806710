//! The live side inside a sandbox: the functions of the interfaces `run`,
//! `calls` and `secrets`. A component imports only those that its tools use.

use super::calls::CallFailure;
use super::run::{AbortSignal, Flow, LogLevel, Run, RunError};
use crate::bindings::{calls, run, secrets, types};
use crate::output::Output;

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
        Ok(run::emit_partial(&json)?.into())
    }

    fn attach_metadata(&self, json: String) -> Result<(), RunError> {
        Ok(run::attach_metadata(&json)?)
    }

    fn log(&self, level: LogLevel, message: &str) {
        run::log(level.into(), message);
    }

    fn emit_event(&self, name: &str, json: String) -> Result<Flow, RunError> {
        Ok(run::emit_event(name, &json)?.into())
    }

    fn call_tool(&self, name: &str, arguments: Option<String>) -> Result<Output, CallFailure> {
        let tool_name = name.to_owned();
        let call = types::Call {
            tool_name,
            arguments,
        };
        Ok(calls::call_tool(&call)?.into())
    }

    fn secret_token(&self, name: &str) -> Result<String, RunError> {
        Ok(secrets::get_token(name)?)
    }
}
