//! The other side: a process that compiles one plugin and ends.
//!
//! It sets its own limits before it looks at anything. Its memory is limited by what
//! it may write to: address space that is only reserved costs nothing, and how much
//! of that a program reserves depends on the machine. Linux counts what it may write
//! to; on other systems the time alone ends it.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, setrlimit};
use wasmtime::{Engine, OutOfMemory};

use super::order::{NO_MEMORY, NO_ROOM, Order, REFUSED, UNABLE, Unreadable, fit};
use crate::engine;

/// Most bytes of code that are written: twice and more what the largest plugins have.
const MAX_CODE_BYTES: u64 = 1 << 30;

/// Compiles a plugin when the command line says so, and tells how the process has to
/// end then. Every program that is named as a [compiler] calls this first, in `main`:
///
/// ```no_run
/// # use toolhost_sandbox as toolhost;
/// fn main() -> std::process::ExitCode {
///     if let Some(code) = toolhost::compile_when_asked(std::env::args_os()) {
///         return code;
///     }
///     // …
///     std::process::ExitCode::SUCCESS
/// }
/// ```
///
/// `None` for every command line but the host's own. The process gives up its
/// environment's limits for stricter ones, so it can do nothing else afterwards.
///
/// [compiler]: crate::SandboxConfig::compiler
pub fn compile_when_asked(line: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let order = Order::read(line.into_iter().skip(1))?;
    let ended = match order {
        Ok(order) => compile(&order),
        Err(Unreadable) => Err((UNABLE, "the order cannot be read".into())),
    };
    Some(match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, why)) => {
            // The code says the same, only shorter.
            let _ = io::stderr().write_all(why.as_bytes());
            ExitCode::from(code)
        }
    })
}

fn compile(order: &Order) -> Result<(), (u8, String)> {
    let unable = |error: &dyn std::fmt::Display| (UNABLE, error.to_string());
    limit(order).map_err(|error| unable(&error))?;
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(order.length)
        .read_to_end(&mut bytes)
        .map_err(|error| unable(&error))?;
    if bytes.len() as u64 != order.length {
        return Err((UNABLE, "the plugin did not come whole".into()));
    }
    let engine = Engine::new(&engine::config(order.fast)).map_err(|error| unable(&error))?;
    if fit(&engine) != order.fit {
        return Err((UNABLE, "it is another build than the host that asks".into()));
    }
    let code = engine.precompile_component(&bytes).map_err(refused)?;
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(&code)
        .and_then(|()| stdout.flush())
        .map_err(|error| (NO_ROOM, error.to_string()))
}

#[expect(clippy::needless_pass_by_value, reason = "it is the last use of it")]
fn refused(error: wasmtime::Error) -> (u8, String) {
    let no_memory = error.is::<OutOfMemory>()
        || error.chain().any(|cause| {
            let io = cause.downcast_ref::<io::Error>();
            let system = cause.downcast_ref::<Errno>();
            io.is_some_and(|error| error.kind() == io::ErrorKind::OutOfMemory)
                || system == Some(&Errno::NOMEM)
        });
    let code = if no_memory { NO_MEMORY } else { REFUSED };
    (code, format!("{error:#}"))
}

fn limit(order: &Order) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, Signal};
        // Its host may be killed and leave it behind, for as long as it gets of the
        // processor. A container may forbid to ask for this, and can do without.
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        // A compiler that runs out of memory aborts; that is no crash to keep.
        let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
    set(Resource::Core, 0)?;
    set(Resource::Fsize, MAX_CODE_BYTES)?;
    set(Resource::Cpu, order.processor_seconds)?;
    set(Resource::Data, order.memory)
}

/// Sets a limit, unless there is a stricter one already.
fn set(resource: Resource, limit: u64) -> io::Result<()> {
    let now = rustix::process::getrlimit(resource);
    let limit = now.maximum.map_or(limit, |maximum| limit.min(maximum));
    let limit = now.current.map_or(limit, |current| limit.min(current));
    setrlimit(
        resource,
        Rlimit {
            current: Some(limit),
            maximum: Some(limit),
        },
    )?;
    Ok(())
}
