//! `host compile`: compiles plugins ahead of time, for whoever builds an image or
//! installs them. It also says whether they load.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolhost::{Host, Limits, LoadedPlugin, PluginOptions};

use crate::cache_choice::{CacheChoice, CacheFlags};
use crate::configured::{self, Chosen};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::{loader, runtime, text, units};

/// Compile plugins ahead of time
///
/// The compiled form is kept where `host run` looks for it, so that the first call
/// does not wait. Each plugin is asked for its tools as well, in a sandbox that
/// reaches nothing: one that cannot be loaded is told now. Several are compiled at
/// once.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  host compile plugins/*.wasm
  host compile --cache-dir /var/cache/toolhost csv.wasm jq.wasm --json")]
pub(crate) struct CompileArgs {
    /// The plugins: `.wasm` files, or names of plugins of the configuration
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A configuration file, for the names and pins of its plugins and its cache
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Keep the compiled plugins in this folder
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Print a JSON object for each plugin
    #[arg(long)]
    json: bool,
}

/// Compiles plugins. One that cannot be compiled keeps none of the others from it.
///
/// # Errors
///
/// When the cache cannot be used, or the user presses Ctrl-C.
pub(crate) fn run(args: CompileArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json;
    printer.ended(json, compile(args, printer))
}

fn compile(args: CompileArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let config = configured::read(args.config.as_deref())?;
    let plugins = args.files.into_iter().map(|typed| {
        let chosen = Chosen::new(typed.clone(), &config)?;
        Ok((typed, chosen))
    });
    let plugins = plugins.collect::<Result<Vec<_>, Failure>>()?;
    let flags = CacheFlags {
        cache_dir: args.cache_dir,
        no_cache: false,
    };
    // Without a folder to keep them in there would be nothing to do.
    let dir = CacheChoice::new(flags, config.cache_dir.clone()).named_dir()?;
    let json = args.json;
    runtime::block_on(async {
        let interrupts = Interrupts::listen()?;
        let host = loader::host(&CacheChoice::Dir(dir), Limits::default(), printer)?;
        let name = match plugins.as_slice() {
            [(typed, _)] => typed.display().to_string(),
            several => units::plural(several.len(), "plugin"),
        };
        let _compiling = printer.spin(&format!("compiling {name}"));
        interrupts.or(all(&host, plugins, json, printer)).await?
    })
}

async fn all(
    host: &Host,
    plugins: Vec<(PathBuf, Chosen)>,
    json: bool,
    printer: &Printer,
) -> Result<ExitCode, Stop> {
    let mut compiling = JoinSet::new();
    for (typed, chosen) in plugins {
        let host = host.clone();
        compiling.spawn(async move {
            // Grants do not change the code, and may name what is not there yet.
            let options = PluginOptions {
                sha256: chosen.sha256,
                fast_compile: chosen.fast_compile,
                ..PluginOptions::default()
            };
            let opened = host.open(chosen.path, options).await;
            (typed, opened.map_err(Failure::from))
        });
    }
    let mut code = ExitCode::Success;
    while let Some(compiled) = compiling.join_next().await {
        let (typed, opened) =
            compiled.map_err(|error| Failure::usage("compiling was broken off").because(&error))?;
        let file = typed.display().to_string();
        match opened.and_then(|plugin| kept(&file, plugin, host)) {
            Ok(plugin) if json => printer.result(&to_json(&file, &plugin).to_string())?,
            Ok(plugin) => {
                printer.result(&line(&file, &plugin))?;
                for warning in &plugin.warnings {
                    printer.warning(&format!("{file}: {warning}"));
                }
            }
            Err(failure) => {
                code = failure.code;
                if json {
                    let mut shown = failure.to_json();
                    shown["file"] = file.into();
                    printer.result(&shown.to_string())?;
                } else {
                    printer.failure(&failure);
                }
            }
        }
    }
    Ok(code)
}

/// A plugin that was compiled for nothing is a failure.
fn kept(file: &str, plugin: LoadedPlugin, host: &Host) -> Result<LoadedPlugin, Failure> {
    if plugin.plugin.is_kept() {
        return Ok(plugin);
    }
    let dir = host.cache().map(|cache| cache.dir().display().to_string());
    let dir = dir.unwrap_or_default();
    let message = format!("`{file}` was compiled and cannot be kept in `{dir}`");
    Err(Failure::usage(message).hint(
        "make room there and let this user write to it, or name another folder with `--cache-dir`",
    ))
}

fn line(file: &str, plugin: &LoadedPlugin) -> String {
    let info = plugin.plugin.info();
    let done = if info.cached {
        "was compiled already".to_owned()
    } else {
        format!("compiled in {}", units::duration(info.compile_time))
    };
    let tools = units::plural(plugin.tools.len(), "tool");
    format!(
        "{}: {done}, {tools}, sha256:{}",
        text::line(file),
        info.digest
    )
}

fn to_json(file: &str, plugin: &LoadedPlugin) -> Value {
    let info = plugin.plugin.info();
    json!({
        "file": file,
        "digest": format!("sha256:{}", info.digest),
        "cached": info.cached,
        "fastCompiled": info.fast_compiled,
        "compileMs": info.compile_time.as_secs_f64() * 1_000.0,
        "tools": plugin.tools.len(),
        "warnings": plugin.warnings,
    })
}
