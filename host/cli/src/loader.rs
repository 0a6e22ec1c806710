//! A host with a plugin in it, as several commands need one.

use std::path::Path;
use std::time::Duration;

use toolhost::{Host, HostBuilder, Limits, LoadedPlugin, PluginOptions};

use crate::cache_choice::CacheChoice;
use crate::compiler;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::misspelt;
use crate::printer::Printer;
use crate::warnings;

/// Sandboxes that a command makes room for, however many its calls might need: a
/// place in the pool costs address space.
const MOST_SANDBOXES: u32 = 1_000;

/// Calls in calls that room is made for; deeper ones wait.
const MOST_NESTED: u32 = 100;

/// A plugin that loads in less than this needs no spinner.
const PATIENCE: Duration = Duration::from_millis(500);

/// Sets up a host.
///
/// # Errors
///
/// When the engine cannot be set up, or the chosen cache folder not be used.
pub(crate) fn host(
    cache: &CacheChoice,
    limits: Limits,
    printer: &Printer,
) -> Result<Host, Failure> {
    Ok(builder(cache, limits, printer).build()?)
}

/// Starts to set up a host, for commands that need more of it.
pub(crate) fn builder(cache: &CacheChoice, limits: Limits, printer: &Printer) -> HostBuilder {
    warnings::show(printer);
    Host::builder()
        .limits(limits)
        .cache_dir(cache.dir(printer))
        .compiler(compiler::program())
        .max_calls(sandboxes(1, &limits))
}

/// Sandboxes to make room for when so many calls are made at once: their own or
/// that of a hook, and those of the calls that they make of other tools, each in the
/// one before.
pub(crate) fn sandboxes(calls: u32, limits: &Limits) -> u32 {
    let each = limits.call_depth.min(MOST_NESTED).saturating_add(1);
    calls.saturating_mul(each).min(MOST_SANDBOXES.max(calls))
}

/// Loads the plugin at `path`, with a spinner when it takes long.
///
/// # Errors
///
/// When it cannot be loaded, or the user presses Ctrl-C meanwhile.
pub(crate) async fn load(
    host: &Host,
    path: &Path,
    options: PluginOptions,
    interrupts: &mut Interrupts,
    printer: &Printer,
) -> Result<LoadedPlugin, Stop> {
    if let Some(failure) = misspelt::plugin_file(path, &[]) {
        return Err(failure.into());
    }
    let mut loading = std::pin::pin!(host.load(path, options));
    let mut waiting = std::pin::pin!(tokio::time::sleep(PATIENCE));
    let mut spinning = None;
    loop {
        tokio::select! {
            loaded = &mut loading => return loaded.map_err(|error| Failure::from(error).into()),
            () = &mut waiting, if spinning.is_none() => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                spinning = Some(printer.spin(&format!("compiling {name}")));
            }
            () = interrupts.next() => return Err(Stop::Interrupted),
        }
    }
}
