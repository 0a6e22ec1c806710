//! What is typed after `host turn`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolhost::Format;
use toolhost::permission::Mode;

use crate::audit_choice::AuditFlags;
use crate::cache_choice::CacheFlags;
use crate::exit;
use crate::storage_choice::StorageFlags;

/// Run all tool calls of one assistant message
///
/// Reads an assistant message as a model API gives it, runs its tool calls
/// together, and prints the messages with their results in the same form.
///
/// A call that waits for an approval, an answer or a client tool suspends the
/// turn: `host` writes it to the file of `--state` and ends with 7. The turn goes
/// on, in any process, with `--state` and a decision.
#[derive(Args, Debug)]
#[command(after_long_help = after_help())]
pub(crate) struct TurnArgs {
    /// A plugin: a `.wasm` file, or the name of a plugin of the configuration
    #[arg(long, short, value_name = "FILE")]
    pub(crate) plugin: Vec<PathBuf>,
    /// The assistant message: JSON, `@FILE`, or `-` for stdin [default: -]
    #[arg(long, short, value_name = "JSON")]
    pub(crate) message: Option<String>,
    /// The form of the message [default: found out]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    pub(crate) format: Option<Format>,
    /// Execution context of the calls: JSON or `@FILE`
    #[arg(long, value_name = "JSON")]
    pub(crate) context: Option<String>,
    /// A configuration file, with limits, grants and permissions
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How calls are treated that no rule speaks about
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<ModeName>,
    /// Calls that run at once; with 1, strictly in order [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) concurrency: Option<u16>,
    /// Remember calls by their ids in this file, and run none of them twice
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// The file of a suspended turn
    #[arg(long, value_name = "FILE", help_heading = "Suspended turns")]
    pub(crate) state: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) decisions: DecisionFlags,

    /// Print each event as a JSON line, then the end of the turn
    #[arg(long, help_heading = "Output")]
    pub(crate) stream: bool,
    /// Print one JSON object with the messages and all results
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) audit: AuditFlags,
    #[command(flatten)]
    pub(crate) storage: StorageFlags,
    #[command(flatten)]
    pub(crate) cache: CacheFlags,
}

/// The flags that go on with a suspended turn. The ids are those of the calls.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Suspended turns")]
pub(crate) struct DecisionFlags {
    /// Approve a call
    #[arg(long, value_name = "ID[=NOTE]", requires = "state")]
    pub(crate) approve: Vec<String>,
    /// Approve a call with other arguments; `--approve` may add a note
    #[arg(long, value_name = "ID=JSON", requires = "state")]
    pub(crate) edit: Vec<String>,
    /// Reject a call; the model reads the note
    #[arg(long, value_name = "ID[=NOTE]", requires = "state")]
    pub(crate) reject: Vec<String>,
    /// Answer a question; what is no JSON is a text
    #[arg(long, value_name = "ID=JSON", requires = "state")]
    pub(crate) answer: Vec<String>,
    /// Give the result of a client tool; what is no JSON is a text
    #[arg(long, value_name = "ID=JSON", requires = "state")]
    pub(crate) result: Vec<String>,
    /// Who decides; the tool and the model read it
    #[arg(long, value_name = "NAME", requires = "state")]
    pub(crate) by: Option<String>,
}

impl DecisionFlags {
    /// Whether nothing was decided.
    pub(crate) fn is_empty(&self) -> bool {
        let Self {
            approve,
            edit,
            reject,
            answer,
            result,
            by: _,
        } = self;
        [approve, edit, reject, answer, result]
            .iter()
            .all(|flags| flags.is_empty())
    }
}

/// The modes by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Each tool's own requirement decides
    Default,
    /// Only tools marked read-only run
    Plan,
    /// Tools marked as editing files run unasked
    AcceptEdits,
    /// What would be asked is denied
    Unattended,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Default => Self::Default,
            ModeName::Plan => Self::Plan,
            ModeName::AcceptEdits => Self::AcceptEdits,
            ModeName::Unattended => Self::Unattended,
        }
    }
}

fn parse_format(name: &str) -> Result<Format, String> {
    name.parse()
        .map_err(|error: toolhost::MessageError| error.to_string())
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", exit::HELP)
}

const EXAMPLES: &str = "\
Formats:
  mcp, openai-chat, openai-responses, anthropic, gemini, vercel

Examples:
  host turn --plugin calc.wasm --plugin csv.wasm < message.json
  host turn --plugin mail.wasm --state turn.json --message @message.json
  host turn --state turn.json --approve call-1='only this once' --by ada
  host turn --state turn.json --answer call-2='\"Vienna\"' --reject call-3

A suspended turn remembers its plugins, its configuration, its journal and the
form of its message; flags name others.";
