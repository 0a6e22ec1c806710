//! A host with a plugin in it, as several commands need one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::task::JoinSet;
use toolhost::{Host, HostBuilder, Limits, LoadedPlugin, PluginOptions};

use crate::cache_choice::CacheChoice;
use crate::compiler;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::misspelt;
use crate::printer::Printer;
use crate::units;
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
    interrupts: &Interrupts,
    printer: &Printer,
) -> Result<LoadedPlugin, Stop> {
    let plugin = [(path.to_owned(), options)];
    let mut loaded = load_all(host, &plugin, interrupts, printer).await?;
    loaded
        .pop()
        .ok_or_else(|| Failure::usage("there is no plugin to load").into())
}

/// Loads plugins, all at once, and adds their tools in the order in which they are
/// named.
///
/// # Errors
///
/// For the first of them that cannot be loaded, or when the user presses Ctrl-C
/// meanwhile.
pub(crate) async fn load_all(
    host: &Host,
    plugins: &[(PathBuf, PluginOptions)],
    interrupts: &Interrupts,
    printer: &Printer,
) -> Result<Vec<LoadedPlugin>, Stop> {
    let misspelt = plugins
        .iter()
        .find_map(|(path, _)| misspelt::plugin_file(path, &[]));
    if let Some(failure) = misspelt {
        return Err(failure.into());
    }
    let mut opening = JoinSet::new();
    for (index, (path, options)) in plugins.iter().cloned().enumerate() {
        let host = host.clone();
        opening.spawn(async move { (index, host.open(path, options).await) });
    }
    let mut opened: Vec<_> = plugins.iter().map(|_| None).collect();
    let mut waiting = std::pin::pin!(tokio::time::sleep(PATIENCE));
    let mut spinning = None;
    loop {
        tokio::select! {
            ended = opening.join_next() => match ended {
                None => break,
                Some(Ok((index, plugin))) => opened[index] = Some(plugin),
                Some(Err(error)) => {
                    return Err(Failure::usage("loading was broken off").because(&error).into());
                }
            },
            () = &mut waiting, if spinning.is_none() => {
                spinning = Some(printer.spin(&format!("compiling {}", named(plugins, &opened))));
            }
            () = interrupts.heard() => return Err(Stop::Interrupted),
        }
    }
    opened
        .into_iter()
        .flatten()
        .map(|plugin| {
            let plugin = plugin.map_err(Failure::from)?;
            host.register(&plugin).map_err(Failure::from)?;
            Ok(plugin)
        })
        .collect()
}

/// Those that are not loaded yet.
fn named<T>(plugins: &[(PathBuf, PluginOptions)], opened: &[Option<T>]) -> String {
    let open = plugins
        .iter()
        .zip(opened)
        .filter(|(_, opened)| opened.is_none());
    let names: Vec<_> = open
        .map(|((path, _), _)| path.file_name().unwrap_or_default().to_string_lossy())
        .collect();
    match names.as_slice() {
        [name] => name.to_string(),
        names => units::plural(names.len(), "plugin"),
    }
}
