//! Standard WASI of one call: captured stdio, clocks and random are always
//! there; directories and environment variables only where granted; sockets
//! never.

use toolhost_policy::{Access, Grants, Limits};
use toolhost_tool::LogSource;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi::p2::bindings::cli;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder};

use super::clocks::SteadyClock;
use super::stdio::LogStream;
use crate::failure::Failure;
use crate::log::Log;
use crate::state::CallState;

/// Links what WASI offers. Sockets are left out: there is no code behind them
/// that a guest could reach.
pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    use wasmtime_wasi::cli::{WasiCli, WasiCliView};

    let l = linker;
    wasmtime_wasi_io::add_to_linker_async(l)?;
    put_errors_right(l)?;
    super::clocks::add_to_linker(l)?;
    super::random::add_to_linker(l)?;
    super::filesystem::add_to_linker(l)?;
    cli::exit::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::environment::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::stdin::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::stdout::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::stderr::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::terminal_input::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::terminal_output::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::terminal_stdin::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::terminal_stdout::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    cli::terminal_stderr::add_to_linker::<_, WasiCli>(l, CallState::cli)?;
    Ok(())
}

/// The interface of errors, in the version that wasmtime-wasi-io defines.
const IO_ERROR: &str = "wasi:io/error@0.2.12";

/// What a guest is told of an error is its text. wasmtime-wasi-io tells all that
/// `Debug` shows: where `RUST_BACKTRACE` is set, how the host came there, with the
/// paths of its sources.
fn put_errors_right(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    let put_right = linker.instance(IO_ERROR).and_then(|mut errors| {
        errors.func_wrap(
            "[method]error.to-debug-string",
            |mut store: StoreContextMut<'_, CallState>, (error,): (Resource<wasmtime::Error>,)| {
                let error = store.data_mut().table.get(&error)?;
                Ok((format!("{error:#}"),))
            },
        )
    });
    linker.allow_shadowing(false);
    put_right
}

/// The WASI context of one call.
pub(crate) fn context(
    grants: &Grants,
    limits: &Limits,
    log: &Log,
    steady: Option<&SteadyClock>,
) -> Result<WasiCtx, Failure> {
    let mut builder = WasiCtxBuilder::new();
    builder
        .stdout(LogStream::new(log.clone(), LogSource::Stdout))
        .stderr(LogStream::new(log.clone(), LogSource::Stderr))
        // The guest's own request is checked before; see `random`.
        .max_random_size(limits.random_bytes);
    if let Some(clock) = steady {
        builder
            .wall_clock(clock.clone())
            .monotonic_clock(clock.clone());
    }
    for (name, value) in &grants.env {
        builder.env(name, value);
    }
    for dir in &grants.dirs {
        let permissions = match dir.access {
            Access::ReadOnly => FsPerms::ReadOnly,
            Access::ReadWrite => FsPerms::ReadWrite,
        };
        builder
            .preopened_dir(&dir.host, &dir.guest, permissions)
            .map_err(|error| {
                Failure::Grant(format!(
                    "cannot open the granted directory `{}`: {error}",
                    dir.host.display()
                ))
            })?;
    }
    Ok(builder.build())
}
