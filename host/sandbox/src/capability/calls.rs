//! `toolhost:plugin/calls`: calls of other tools. What may be called, and all
//! that happens to a call, is the business of the [`ToolCaller`] behind it; here
//! the call crosses the boundary and is written into the ledger.

use std::sync::Arc;

use async_trait::async_trait;
use toolhost_tool::json::{self, JsonLimits};
use toolhost_tool::{Arguments, CallError, Denial, EffectKind, ErrorKind, Output, truncate_chars};
use wasmtime::component::{HasSelf, Linker};

use crate::bindings::calls::{CallFailure, Host};
use crate::bindings::types;
use crate::convert;
use crate::state::CallState;

/// Longest name that is handed on; a guest makes it up.
const MAX_NAME_CHARS: usize = 100;

/// Calls tools on behalf of a running one.
#[async_trait]
pub trait ToolCaller: Send + Sync {
    /// Calls `tool_name` and waits for its result. Whoever implements it decides
    /// whether the call is allowed, counts it, and keeps its report.
    ///
    /// # Errors
    ///
    /// The error that a model would be given.
    async fn call(&self, tool_name: String, arguments: Arguments) -> Result<Output, CallError>;
}

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    crate::bindings::calls::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)
}

impl Host for CallState {
    async fn call_tool(
        &mut self,
        call: types::Call,
    ) -> wasmtime::Result<Result<types::Output, CallFailure>> {
        let name = self.without_secrets(call.tool_name);
        let name = truncate_chars(name, MAX_NAME_CHARS);
        let caller = match self.caller(&name) {
            Ok(caller) => caller,
            Err(reason) => return Ok(Err(failure(CallError::denied(&name, &reason)))),
        };
        let act = self.ledger.begin(EffectKind::Tool, name.clone());
        let arguments = call
            .arguments
            .map_or(Arguments::Absent, |text| self.arguments(text));
        // The deadline and the cancel of this call end the wait from outside,
        // and with it the call that is waited for.
        let ended = caller.call(name, arguments).await;
        match &ended {
            Ok(_) => act.confirm(),
            Err(error) if never_ran(error.kind) => act.did_not_happen(),
            // How far it came is told by its own ledger.
            Err(_) => {}
        }
        Ok(ended
            .map(|output| convert::output_to_wit(&output))
            .map_err(failure))
    }
}

impl CallState {
    fn without_secrets(&self, mut text: String) -> String {
        if let Some(secrets) = &self.secrets {
            secrets.redactor().redact_string(&mut text);
        }
        text
    }

    /// Arguments without secrets: another plugin may be granted less, and its
    /// calls are written down elsewhere.
    fn arguments(&self, text: String) -> Arguments {
        let Some(secrets) = &self.secrets else {
            return Arguments::Text(text);
        };
        let redactor = secrets.redactor();
        if redactor.is_empty() {
            return Arguments::Text(text);
        }
        match json::parse(&text, &JsonLimits::default()) {
            Ok(mut value) => {
                redactor.redact_json(&mut value);
                Arguments::Value(value)
            }
            // The message that refuses it may quote it.
            Err(_) => Arguments::Text(self.without_secrets(text)),
        }
    }

    fn caller(&mut self, name: &str) -> Result<Arc<dyn ToolCaller>, String> {
        let Some(live) = &self.run.live else {
            return Err("only `execute` may call other tools".into());
        };
        if let Some(caller) = &live.caller {
            return Ok(Arc::clone(caller));
        }
        self.run.deny(Denial::tool(name));
        Err(format!(
            "calling `{name}` is not granted; the operator grants it with `--allow-tool {name}`"
        ))
    }
}

fn never_ran(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::Validation
            | ErrorKind::Denied
            | ErrorKind::Rejected
            | ErrorKind::NotRun
    )
}

fn failure(error: CallError) -> CallFailure {
    let kind = serde_json::to_value(error.kind).unwrap_or_default();
    CallFailure {
        kind: kind.as_str().unwrap_or("other").to_owned(),
        error: serde_json::to_string(&error).unwrap_or_else(|_| "{}".into()),
        name: error.name,
        message: error.message,
        retryable: error.retryable,
    }
}
