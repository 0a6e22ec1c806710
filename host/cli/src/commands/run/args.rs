//! What is typed after `host run`. What says which call to make is typed after
//! `host bench`, too.

use std::path::PathBuf;

use clap::Args;
use toolhost::Digest;
use toolhost::policy::{Size, Span};

use crate::audit_choice::AuditFlags;
use crate::cache_choice::CacheFlags;
use crate::exit;
use crate::grants::GrantFlags;
use crate::storage_choice::StorageFlags;
use crate::units;

/// Run one tool of a plugin
///
/// The result goes to stdout: text as text, structured data as JSON, bytes to
/// the file of `--out`. A result with both text and data is shown as text;
/// `--json` shows all of it. Everything else is said on stderr.
#[derive(Args, Debug)]
#[command(after_long_help = after_help())]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// Make the call again whenever the plugin's file changes, until Ctrl-C
    ///
    /// For writing tools. On a terminal, Enter makes it again too. A file that cannot
    /// be loaded is told, and the plugin of before stays. `--args @FILE` is read anew
    /// each time.
    #[arg(long, help_heading = "Testing")]
    pub(crate) watch: bool,

    /// Print one JSON object with the result and a report, for errors too
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Print each partial result as a JSON line before the last object
    #[arg(long, requires = "json", help_heading = "Output")]
    pub(crate) stream: bool,
    /// Write the bytes of the result to this file
    ///
    /// Of several files in one result the further ones get a number and their
    /// own ending: chart.png, chart-2.svg.
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
}

/// What says which call to make, and with what.
#[derive(Args, Debug)]
pub(crate) struct CallArgs {
    /// The plugin: a `.wasm` file, or the name of a plugin of the configuration
    #[arg(long, short, value_name = "FILE")]
    pub(crate) plugin: PathBuf,
    /// The digest that the plugin must have, or else it is not loaded
    #[arg(long, value_name = "HEX")]
    pub(crate) sha256: Option<Digest>,
    /// The tool; may be left out when the plugin has only one
    #[arg(long, short, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Arguments of the call: JSON, `@FILE`, or `-` for stdin
    #[arg(long, short, value_name = "JSON")]
    pub(crate) args: Option<String>,
    /// Another plugin, whose tools the plugin may call where `--allow-tool` says so
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Execution context of the call: JSON or `@FILE`
    ///
    /// An object with any of sessionId, runId, requestId, principal, approval,
    /// attempt, deadlineMs, traceParent, idempotencyKey, metadata, usage,
    /// resumption, messages, and toolCallId.
    #[arg(long, value_name = "JSON")]
    pub(crate) context: Option<String>,
    /// A configuration file; flags win over it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
    #[command(flatten)]
    pub(crate) grants: GrantFlags,
    #[command(flatten)]
    pub(crate) audit: AuditFlags,
    #[command(flatten)]
    pub(crate) storage: StorageFlags,
    /// Trust the certificates of this file, in PEM, beside those of the system
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    pub(crate) ca_file: Option<PathBuf>,

    /// Show the plugin the same clock and the same random numbers in every call
    ///
    /// For tests of tools. The clock starts at 2026-01-01T00:00:00Z, moves on by a
    /// millisecond each time it is looked at, and by what the plugin sleeps.
    #[arg(long, help_heading = "Testing")]
    pub(crate) deterministic: bool,

    #[command(flatten)]
    pub(crate) cache: CacheFlags,
}

/// The flags for limits.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitFlags {
    /// Instructions that the tool may use [default: 5G, about 1 s of computing]
    #[arg(long, value_name = "N", value_parser = units::parse_fuel, allow_negative_numbers = true)]
    pub(crate) fuel: Option<u64>,
    /// Memory that the tool may hold, all in all [default: 256MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(crate) memory: Option<Size>,
    /// Time that the call may take, waiting included [default: 30s]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) timeout: Option<Span>,
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", exit::HELP)
}

const EXAMPLES: &str = "\
Units:
  SIZE  bytes, or with k, MB, GB (1000) or KiB, MiB, GiB (1024): 64MiB, 1.5GB
  TIME  with a unit: 200ms, 30s, 2m
  N     a whole number, or with k, M, G: 5000000, 5M

Examples:
  host run --plugin jq.wasm --args '{\"filter\": \".a\", \"input\": {\"a\": 1}}'
  host run --plugin csv.wasm --tool profile --dir ./data::/data --args @profile.json
  host run --plugin chart.wasm --tool bar --args - --out chart.png < chart.json
  host run --plugin slow.wasm --timeout 2s --memory 64MiB --json --stream

With --json, what keeps a call from being made is printed as
{\"isError\": true, \"error\": {\"message\", \"causes\", \"hints\"}}; a call that was made is
{\"toolCallId\", \"toolName\", \"isError\", \"result\", \"report\", ...}.";
