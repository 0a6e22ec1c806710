//! `host tools`: definitions as JSON, for programs that offer tools to a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use toolhost::{Limits, PluginOptions, ToolDefinition, export};

use crate::cache_choice::{CacheChoice, CacheFlags};
use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::{loader, runtime};

/// Print the definitions of all tools of some plugins as JSON
///
/// Prints one object, `{"tools": [...]}`, ordered by name.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  host tools --plugin csv.wasm
  host tools --plugin csv.wasm jq.wasm --format json | jq '.tools[].name'")]
pub(crate) struct ToolsArgs {
    /// The plugins, `.wasm` files
    #[arg(long, short, value_name = "FILE", required = true, num_args = 1..)]
    plugin: Vec<PathBuf>,
    /// The form of a definition
    #[arg(long, value_name = "FORMAT", default_value = "mcp")]
    format: Format,
    #[command(flatten)]
    cache: CacheFlags,
}

/// The form of a definition.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// An entry of `tools/list` of the Model Context Protocol
    Mcp,
    /// All that the host knows
    Json,
}

/// Prints the definitions.
///
/// # Errors
///
/// When a plugin cannot be loaded, or two have a tool of the same name.
pub(crate) fn run(args: ToolsArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let cache = CacheChoice::new(args.cache, None);
    let definitions = runtime::block_on(async {
        let mut interrupts = Interrupts::listen()?;
        let host = loader::host(&cache, Limits::default(), printer)?;
        for file in &args.plugin {
            let options = PluginOptions::default();
            let loaded = loader::load(&host, file, options, &mut interrupts, printer).await?;
            for warning in &loaded.warnings {
                printer.warning(&format!("`{}`: {warning}", file.display()));
            }
        }
        Ok(host.definitions())
    })?;
    let tools: Vec<Value> = definitions
        .iter()
        .map(|definition| args.format.write(definition))
        .collect();
    printer.result(&format!("{:#}", json!({ "tools": tools })))?;
    Ok(ExitCode::Success)
}

impl Format {
    fn write(self, definition: &ToolDefinition) -> Value {
        match self {
            Self::Mcp => export::mcp(definition),
            Self::Json => json!(definition),
        }
    }
}
