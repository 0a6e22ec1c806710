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
use crate::configured::{self, Chosen};
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
  host inspect csv.wasm --json | jq '.tools[].name'
  host inspect csv --config host.toml")]
pub(crate) struct InspectArgs {
    /// The plugin: a `.wasm` file, or the name of a plugin of the configuration
    file: PathBuf,
    /// A configuration file, for the names and pins of its plugins and its cache
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
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
    printer.ended(json, inspect(args, printer))
}

fn inspect(args: InspectArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let config = configured::read(args.config.as_deref())?;
    let plugin = Chosen::new(args.file, &config)?;
    let cache = CacheChoice::new(args.cache, config.cache_dir);
    let loaded = runtime::block_on(async {
        let interrupts = Interrupts::listen()?;
        let host = loader::host(&cache, Limits::default(), printer)?;
        let options = PluginOptions {
            sha256: plugin.sha256,
            fast_compile: plugin.fast_compile,
            ..PluginOptions::default()
        };
        loader::load(&host, &plugin.path, options, &interrupts, printer).await
    })?;
    if args.json {
        printer.result(&to_json(&plugin.path, &loaded).to_string())?;
    } else {
        printer.result(&page::render(&plugin.path, &loaded))?;
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
        "fastCompiled": info.fast_compiled,
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
