//! `host cache`: the folder of compiled plugins.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;
use toolhost::{Cache, CacheEntry};

use crate::cache_choice::{CacheChoice, CacheFlags};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::printer::Printer;
use crate::{text, units};

/// List or clear the compiled plugins that are kept
///
/// A plugin is compiled when it is first used; later it is read from here. The
/// folder belongs to you and nobody else may write to it, because what lies in it
/// is run.
#[derive(Args, Debug)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    action: Action,
    /// The folder, when it is not the default one
    #[arg(long, value_name = "DIR", global = true)]
    cache_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show what is kept
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Remove everything that is kept
    Clear,
    /// Print the path of the folder
    Path,
}

/// Does what is asked with the cache.
///
/// # Errors
///
/// When the folder cannot be used.
pub(crate) fn run(args: CacheArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = matches!(args.action, Action::List { json: true });
    printer.ended(json, act(args, printer))
}

fn act(args: CacheArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let flags = CacheFlags {
        cache_dir: args.cache_dir,
        no_cache: false,
    };
    let dir = CacheChoice::new(flags, None).named_dir()?;
    match args.action {
        Action::Path => printer.result(&dir.display().to_string())?,
        Action::List { json } => {
            let entries = entries(&dir)?;
            let shown = if json {
                json!({ "dir": dir, "entries": entries }).to_string()
            } else {
                list(&entries)
            };
            printer.result(&shown)?;
            if entries.is_empty() && !json {
                printer.note("no compiled plugin is kept");
            }
        }
        Action::Clear => {
            let freed = match open(&dir)? {
                None => 0,
                Some(cache) => cache.clear().map_err(|error| {
                    Failure::usage(format!("cannot clear `{}`", dir.display())).because(&error)
                })?,
            };
            printer.note(&format!("freed {}", units::bytes(freed)));
        }
    }
    Ok(ExitCode::Success)
}

/// Opens the cache; a folder that is not there is not made.
fn open(dir: &Path) -> Result<Option<Cache>, Failure> {
    if dir.symlink_metadata().is_err() {
        return Ok(None);
    }
    let cache = Cache::open(dir)
        .map_err(|error| Failure::usage("cannot use the compile cache").because(&error))?;
    Ok(Some(cache))
}

fn entries(dir: &Path) -> Result<Vec<CacheEntry>, Failure> {
    match open(dir)? {
        None => Ok(Vec::new()),
        Some(cache) => cache.entries().map_err(|error| {
            Failure::usage(format!("cannot read `{}`", dir.display())).because(&error)
        }),
    }
}

/// A line for each entry: plugin, size, digest.
fn list(entries: &[CacheEntry]) -> String {
    let width = entries
        .iter()
        .map(|entry| entry.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut shown = String::new();
    for CacheEntry {
        digest,
        name,
        bytes,
    } in entries
    {
        let (name, size) = (text::line(name), units::bytes(*bytes));
        let _ = writeln!(shown, "{name:<width$}  {size:>10}  sha256:{digest}");
    }
    shown
}
