//! How a call into a guest fails, told from facts the host has itself: which
//! limit refused, whether the deadline had passed, whether the caller had
//! cancelled. The text of a trap says nothing reliable: running out of memory,
//! a panic and an abort all read `unreachable`.

use toolhost_tool::{CallError, ErrorKind, LimitHit, truncate_chars};
use wasmtime::component::ResourceTableError;
use wasmtime::{Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

use crate::state::{CallState, Stop};

/// wasmtime's messages may quote names from the plugin, which may be long.
const MAX_HOST_MESSAGE_CHARS: usize = 500;

/// How a call into a guest fails.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The tool said so itself. Its `tool_name` is not filled in yet.
    Tool(Box<CallError>),
    /// A limit was hit.
    Limit(LimitKind, LimitHit),
    /// The guest broke: a panic, a trap, an exit.
    Trap(String),
    /// A function of the plugin has another signature than the contract's.
    Contract(String),
    /// What the guest returned cannot be used.
    InvalidOutput(String),
    /// The caller cancelled.
    Aborted,
    /// A grant cannot be given, such as a directory that is gone.
    Grant(String),
    /// There is no free sandbox and none became free in time.
    Busy(String),
    /// The host is at fault.
    Internal(String),
}

/// The kinds of limit, each an error of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitKind {
    /// Instructions.
    Fuel,
    /// Memories and tables.
    Memory,
    /// Wall-clock time.
    Deadline,
    /// The size of a result.
    Output,
    /// Calls into the host, what they carry and what they hold.
    HostCall,
    /// Nested calls.
    Stack,
}

impl LimitKind {
    /// The name of the error.
    #[must_use]
    pub fn error_name(self) -> &'static str {
        match self {
            Self::Fuel => "FuelExhaustedError",
            Self::Memory => "MemoryLimitError",
            Self::Deadline => "DeadlineExceededError",
            Self::Output => "OutputLimitError",
            Self::HostCall => "HostCallLimitError",
            Self::Stack => "StackOverflowError",
        }
    }

    fn message(self, hit: &LimitHit) -> String {
        let LimitHit {
            name,
            allowed,
            used,
        } = hit;
        match self {
            Self::Fuel => format!("the tool used up its {allowed} units of fuel (`{name}`)"),
            Self::Memory => {
                format!("the tool asked for {used} bytes in all and may hold {allowed} (`{name}`)")
            }
            Self::Deadline => {
                format!("the tool was ended after {used} ms; it may take {allowed} ms (`{name}`)")
            }
            Self::Output => {
                format!("the result has {used} bytes and may have {allowed} (`{name}`)")
            }
            Self::HostCall => {
                format!("the tool asked the host for {used} and may ask for {allowed} (`{name}`)")
            }
            Self::Stack => {
                format!("the tool called itself too deeply for its {allowed} bytes of stack")
            }
        }
    }
}

impl Failure {
    /// The one shape a model is told of it.
    #[must_use]
    pub fn into_error(self, tool_name: &str) -> CallError {
        let sandbox = |name: &str, message: String| {
            CallError::new(ErrorKind::Sandbox, name, tool_name, message)
        };
        match self {
            Self::Tool(error) => CallError {
                tool_name: tool_name.into(),
                ..*error
            },
            Self::Limit(kind, hit) => {
                let mut error = sandbox(kind.error_name(), kind.message(&hit));
                error.limit = Some(hit);
                error
            }
            Self::Trap(message) => sandbox("GuestTrapError", message),
            Self::Contract(message) => sandbox("PluginLoadError", message),
            Self::InvalidOutput(message) => sandbox("InvalidOutputError", message),
            Self::Aborted => CallError::aborted(tool_name, "the call was cancelled"),
            Self::Grant(message) => sandbox("GrantError", message),
            Self::Busy(message) => {
                let mut error = sandbox("SandboxBusyError", message);
                error.retryable = true;
                error
            }
            Self::Internal(message) => sandbox("InternalError", message),
        }
    }
}

/// A function of the plugin has another signature than the contract's.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Mismatch(pub(crate) String);

/// Explains why a guest ended with `error`.
pub(crate) fn explain(error: &wasmtime::Error, state: &CallState, fuel_left: u64) -> Failure {
    let limits = &state.limits;
    // Whatever else happens to a cancelled call, its caller has cancelled it.
    if state.clock.cancel.is_cancelled() {
        return Failure::Aborted;
    }
    if let Some(stop) = &state.stop {
        return stopped(stop, state);
    }
    if let Some(Mismatch(message)) = error.downcast_ref::<Mismatch>() {
        return Failure::Contract(message.clone());
    }
    let trap = error.downcast_ref::<Trap>().copied();
    if trap == Some(Trap::OutOfFuel) {
        let used = limits.fuel.saturating_sub(fuel_left);
        return limit(LimitKind::Fuel, "fuel", limits.fuel, used.max(limits.fuel));
    }
    if trap == Some(Trap::StackOverflow) {
        return stack_overflow();
    }
    if let Some(exit) = error.downcast_ref::<I32Exit>() {
        return Failure::Trap(format!("the plugin exited with code {}", exit.0));
    }
    if matches!(
        error.downcast_ref::<ResourceTableError>(),
        Some(ResourceTableError::Full)
    ) {
        let allowed = u64::from(limits.resources);
        return limit(
            LimitKind::HostCall,
            "resources",
            allowed,
            allowed.saturating_add(1),
        );
    }
    if let Some(hit) = state.memory.refused()
        && may_be_out_of_memory(trap)
    {
        return Failure::Limit(LimitKind::Memory, hit.clone());
    }
    if trap == Some(Trap::MemoryOutOfBounds) && is_deep(error) {
        return stack_overflow();
    }
    match trap {
        Some(trap) => Failure::Trap(trap_message(trap, &state.run.log.stderr_tail())),
        None => refused_by_host(error, state),
    }
}

fn stopped(stop: &Stop, state: &CallState) -> Failure {
    match stop {
        Stop::Cancelled => Failure::Aborted,
        Stop::HostCalls(hit) => Failure::Limit(LimitKind::HostCall, hit.clone()),
        Stop::Deadline(used) => {
            let allowed = state
                .clock
                .deadline
                .duration_since(state.clock.started)
                .as_millis();
            let allowed = u64::try_from(allowed).unwrap_or(u64::MAX);
            limit(LimitKind::Deadline, "wall-clock", allowed, *used)
        }
    }
}

fn limit(kind: LimitKind, name: &str, allowed: u64, used: u64) -> Failure {
    Failure::Limit(
        kind,
        LimitHit {
            name: name.into(),
            allowed,
            used,
        },
    )
}

fn stack_overflow() -> Failure {
    let allowed = crate::engine::MAX_WASM_STACK_BYTES as u64;
    limit(LimitKind::Stack, "stack", allowed, allowed)
}

/// Whether a guest that was refused memory may have ended like this for it: most
/// abort, some write to where nothing is, and one that never started was refused
/// its first memory. A division by zero has another reason.
fn may_be_out_of_memory(trap: Option<Trap>) -> bool {
    matches!(
        trap,
        None | Some(Trap::UnreachableCodeReached | Trap::MemoryOutOfBounds)
    )
}

/// Whether a guest trapped deep inside nested calls. Languages with a stack of
/// their own in linear memory run off its end, which reads as an access out of
/// bounds, usually before wasmtime's own stack is used up.
fn is_deep(error: &wasmtime::Error) -> bool {
    error
        .downcast_ref::<WasmBacktrace>()
        .is_some_and(|backtrace| backtrace.frames().len() >= crate::engine::MAX_BACKTRACE_FRAMES)
}

/// An error that is no trap: the host refused what the guest handed over.
fn refused_by_host(error: &wasmtime::Error, state: &CallState) -> Failure {
    let limits = &state.limits;
    let text = truncate_chars(error.root_cause().to_string(), MAX_HOST_MESSAGE_CHARS);
    // wasmtime has no type for this error. The text is its own, not the guest's.
    if text.contains("fuel allocated for hostcalls") {
        let allowed = limits.host_call_bytes;
        let used = allowed.saturating_add(1);
        // What a result has too much is found when the guest has returned; an argument
        // of a host function, below the frames of the guest.
        let has_returned = error.downcast_ref::<WasmBacktrace>().is_none();
        if state.reading_result && has_returned && used > limits.output {
            return limit(LimitKind::Output, "output", limits.output, used);
        }
        return limit(
            LimitKind::HostCall,
            "host-call-bytes",
            allowed,
            allowed.saturating_add(1),
        );
    }
    if let Some(name) = exceeded_count(&text) {
        let allowed = match name {
            "instances" => limits.instances,
            "memories" => limits.memories,
            _ => limits.tables,
        };
        let allowed = u64::from(allowed);
        return limit(
            LimitKind::HostCall,
            name,
            allowed,
            allowed.saturating_add(1),
        );
    }
    if state.instantiated.is_none() {
        // The guest has not run: its start functions end in traps. What is left is
        // that the machine has no room for its memories.
        return Failure::Internal(format!("no sandbox can be made: {text}"));
    }
    Failure::Trap(format!("the plugin broke the calling convention: {text}"))
}

/// Which count of a store was exceeded. wasmtime has no type for this error
/// either.
fn exceeded_count(text: &str) -> Option<&'static str> {
    let what = text.strip_prefix("resource limit exceeded: ")?;
    ["instance", "memory", "table"]
        .iter()
        .zip(["instances", "memories", "tables"])
        .find_map(|(word, name)| what.starts_with(word).then_some(name))
}

/// A panic writes its message to stderr before it traps.
fn trap_message(trap: Trap, stderr: &str) -> String {
    let from = stderr
        .find("panicked at")
        .map_or(stderr, |start| &stderr[start..]);
    let said: Vec<&str> = from
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with("note: run with `RUST_BACKTRACE"))
        .collect();
    if said.is_empty() {
        format!(
            "the plugin trapped: {}",
            trap.to_string().trim_start_matches("wasm trap: ")
        )
    } else {
        truncate_chars(format!("the plugin {}", as_clause(&said)), 1_900)
    }
}

fn as_clause(said: &[&str]) -> String {
    let text = said.join("\n");
    if text.starts_with("panicked at") {
        text
    } else {
        format!("trapped after writing: {text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_in_its_own_words() {
        let stderr = "earlier\n\nthread '<unnamed>' (1) panicked at src/lib.rs:3:5:\nno such city\n\
                      note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(
            trap_message(Trap::UnreachableCodeReached, stderr),
            "the plugin panicked at src/lib.rs:3:5:\nno such city"
        );
    }

    #[test]
    fn a_silent_trap_is_named() {
        assert_eq!(
            trap_message(Trap::IntegerDivisionByZero, ""),
            "the plugin trapped: integer divide by zero"
        );
    }
}
