//! `host inspect`: what a plugin is and has, before one lets it run.

pub(crate) mod manifest;
pub(crate) mod page;
mod parameters;
mod schema_type;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use toolhost::{Limits, LoadedPlugin, PluginOptions};

use crate::cache_choice::{CacheChoice, CacheFlags};
use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::{loader, runtime};

/// Show what a plugin has: its tools, their parameters, what it wants and imports
///
/// The plugin is compiled and asked for its tools, in a sandbox that reaches
/// nothing. No tool runs.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  host inspect csv.wasm
  host inspect csv.wasm --json | jq '.tools[].name'")]
pub(crate) struct InspectArgs {
    /// The plugin, a `.wasm` file
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cache: CacheFlags,
}

/// Inspects a plugin.
///
/// # Errors
///
/// When it cannot be loaded.
pub(crate) fn run(args: InspectArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json;
    match inspect(args, printer) {
        Err(Stop::Failed(failure)) if json => {
            printer.result(&failure.to_json().to_string())?;
            Ok(failure.code)
        }
        ended => ended,
    }
}

fn inspect(args: InspectArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let cache = CacheChoice::new(args.cache, None);
    let loaded = runtime::block_on(async {
        let mut interrupts = Interrupts::listen()?;
        let host = loader::host(&cache, Limits::default(), printer)?;
        let options = PluginOptions::default();
        loader::load(&host, &args.file, options, &mut interrupts, printer).await
    })?;
    if args.json {
        printer.result(&to_json(&args.file, &loaded).to_string())?;
    } else {
        printer.result(&page::render(&args.file, &loaded))?;
    }
    Ok(ExitCode::Success)
}

fn to_json(file: &Path, loaded: &LoadedPlugin) -> Value {
    let info = loaded.plugin.info();
    let described = loaded.plugin.description();
    let tools: Vec<_> = loaded.tools.iter().map(|tool| tool.definition()).collect();
    json!({
        "name": info.name,
        "file": file,
        "digest": format!("sha256:{}", info.digest),
        "bytes": info.bytes,
        "contract": contract(&info.exports),
        "cached": info.cached,
        "compileMs": info.compile_time.as_secs_f64() * 1_000.0,
        "describe": { "fuel": described.fuel, "memoryPeakBytes": described.memory_peak_bytes },
        "tools": tools,
        "exportsHooks": loaded.plugin.has_hooks(),
        "manifest": info.manifest,
        "imports": info.imports,
        "exports": info.exports,
        "warnings": loaded.warnings,
    })
}

/// The version of the contract that the plugin is built for, as
/// `toolhost:plugin@0.1.0`. A plugin that loads has one.
fn contract(exports: &[String]) -> Option<String> {
    let version = exports
        .iter()
        .find_map(|name| name.strip_prefix("toolhost:plugin/tools@"))?;
    Some(format!("toolhost:plugin@{version}"))
}
