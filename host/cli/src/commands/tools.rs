//! `host tools`: definitions as JSON, for programs that offer tools to a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use toolhost::export::{self, ExportError, ListEntry, Options, Problem, Provider, Strict};
use toolhost::{Limits, PluginOptions, ToolDefinition};

use crate::cache_choice::{CacheChoice, CacheFlags};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::{loader, runtime};

/// Print the definitions of all tools of some plugins as JSON
///
/// Prints one object, `{"tools": [...]}`, ordered by name, as the provider's request
/// takes it. What the provider has no place for is said as a note.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  host tools --plugin csv.wasm
  host tools --plugin csv.wasm jq.wasm --format json | jq '.tools[].name'
  host tools --plugin csv.wasm --format openai --strict
  host tools --plugin csv.wasm --format anthropic --strict=prefer")]
pub(crate) struct ToolsArgs {
    /// The plugins, `.wasm` files
    #[arg(long, short, value_name = "FILE", required = true, num_args = 1..)]
    plugin: Vec<PathBuf>,
    /// The form of a definition
    #[arg(long, value_name = "FORMAT", default_value = "mcp")]
    format: Format,
    /// Use the provider's strict mode, for every tool or for those that allow it
    #[arg(
        long,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "require"
    )]
    strict: Option<Which>,
    #[command(flatten)]
    cache: CacheFlags,
}

/// The form of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An entry of `tools/list` of the Model Context Protocol
    Mcp,
    /// `tools` of `OpenAI`'s chat completions
    #[value(name = "openai")]
    OpenAi,
    /// `tools` of `OpenAI`'s responses
    #[value(name = "openai-responses")]
    OpenAiResponses,
    /// `tools` of Anthropic's messages
    Anthropic,
    /// `tools` of Google's Gemini
    Gemini,
    /// All that the host knows
    Json,
}

/// For which tools strict mode is used.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    /// Every tool; one that does not allow it is an error
    Require,
    /// Those that allow it; a note names the others
    Prefer,
}

/// Prints the definitions.
///
/// # Errors
///
/// When a plugin cannot be loaded, two have a tool of the same name, or the provider
/// would refuse a definition.
pub(crate) fn run(args: ToolsArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    check_strict(&args)?;
    let cache = CacheChoice::new(args.cache, None);
    let definitions = runtime::block_on(async {
        let interrupts = Interrupts::listen()?;
        let host = loader::host(&cache, Limits::default(), printer)?;
        let plugins: Vec<_> = args
            .plugin
            .iter()
            .map(|file| (file.clone(), PluginOptions::default()))
            .collect();
        let all = loader::load_all(&host, &plugins, &interrupts, printer).await?;
        for ((file, _), loaded) in plugins.iter().zip(all) {
            for warning in &loaded.warnings {
                printer.warning(&format!("`{}`: {warning}", file.display()));
            }
        }
        Ok(host.definitions())
    })?;
    let tools = match args.format.provider() {
        None => definitions.iter().map(|tool| json!(tool)).collect(),
        Some(provider) => exported(&definitions, provider, args.strict, printer)?,
    };
    printer.result(&format!("{:#}", json!({ "tools": tools })))?;
    Ok(ExitCode::Success)
}

/// Refuses `--strict` where it would do nothing, before any plugin is loaded.
fn check_strict(args: &ToolsArgs) -> Result<(), Failure> {
    if args.strict.is_some() && matches!(args.format, Format::Mcp | Format::Json) {
        let failure = Failure::usage("`--strict` is for a provider's definitions");
        return Err(failure.hint("add `--format openai`, `anthropic` or `gemini`"));
    }
    Ok(())
}

fn exported(
    definitions: &[ToolDefinition],
    provider: Provider,
    which: Option<Which>,
    printer: &Printer,
) -> Result<Vec<Value>, Failure> {
    let strict = match which {
        None => Strict::Off,
        Some(Which::Require) => Strict::Require,
        Some(Which::Prefer) => Strict::Prefer,
    };
    let (offered, hidden): (Vec<_>, Vec<_>) = definitions
        .iter()
        .partition(|tool| provider == Provider::Mcp || !tool.behaviour.programmatic_only);
    for tool in hidden {
        printer.note(&format!(
            "`{}` is left out: only programs call it",
            tool.name
        ));
    }
    let entries = offered.into_iter().map(ListEntry::from);
    let list = export::export_all(entries, provider, Options { strict })
        .map_err(|error| refused(&error))?;
    for (tool, note) in &list.notes {
        let whose = match &**tool {
            "" => String::new(),
            tool => format!("`{tool}`: "),
        };
        printer.note(&format!("{whose}{note}"));
    }
    Ok(list.tools)
}

fn refused(error: &ExportError) -> Failure {
    let failure = Failure::usage(error.to_string()).because(&error.problem);
    match error.problem {
        Problem::NotStrict { .. } | Problem::StrictBudget { .. } => {
            failure.hint("`--strict=prefer` uses strict mode for the tools that allow it")
        }
        _ => failure.hint("leave its plugin out; `--format json` prints definitions as they are"),
    }
}

impl Format {
    /// Who it is for; `None` for all that the host knows.
    fn provider(self) -> Option<Provider> {
        match self {
            Self::Mcp => Some(Provider::Mcp),
            Self::OpenAi => Some(Provider::OpenAiChat),
            Self::OpenAiResponses => Some(Provider::OpenAiResponses),
            Self::Anthropic => Some(Provider::Anthropic),
            Self::Gemini => Some(Provider::Gemini),
            Self::Json => None,
        }
    }
}
