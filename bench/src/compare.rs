//! The same small task by other means, in one run: JSON comes in, two numbers are
//! added, JSON goes out.
//!
//! What has a process of its own is measured from before its start to its end, what
//! lives in a process as a call of a function. Contestants take turns, slice by slice,
//! so that what else the machine does falls on all of them.

mod contestant;
mod inside;
mod lock;
mod outside;
mod peers;
mod table;
pub(crate) mod timing;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::artifacts::Artifacts;

use contestant::{Contestant, Entrant};
use table::Row;

/// What everybody gets.
const ARGUMENTS: &str = r#"{"a": 2, "b": 3}"#;

/// What everybody has to find.
const SUM: f64 = 5.0;

/// The name that the times of the others are beside.
const TOOL_HOST: &str = "tool host";

/// Turns that each contestant has.
const TURNS: u32 = 5;

/// How to compare.
#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// Seconds that each contestant runs
    #[arg(long, value_name = "S", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// The program of `bench/peers`
    #[arg(long, value_name = "FILE")]
    peers: Option<PathBuf>,
    /// The program `add`, compiled for WASI, for `wasmtime run`
    #[arg(long, value_name = "FILE")]
    command: Option<PathBuf>,
    /// Write the figures to a file as JSON too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// `bench compare`.
pub(crate) fn run(args: &CompareArgs, artifacts: &Artifacts) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let mut entrants = Vec::new();
    entrants.extend(inside::entrants(&runtime, artifacts)?);
    entrants.extend(outside::entrants(args.command.as_deref(), artifacts)?);
    let mut contestants = Vec::new();
    let mut missing = Vec::new();
    for entrant in entrants {
        match entrant {
            Entrant::Here(contestant) => contestants.push(contestant),
            Entrant::Missing(note) => missing.push(note),
        }
    }
    let total = Duration::from_secs(args.seconds);
    for turn in 1..=TURNS {
        eprintln!("turn {turn} of {TURNS}");
        for contestant in &mut contestants {
            contestant.run(total / TURNS)?;
        }
    }
    let mut rows: Vec<Row> = contestants
        .into_iter()
        .filter_map(Contestant::row)
        .collect();
    match &args.peers {
        // What was measured is not lost with them.
        Some(program) => match peers::rows(program, total, artifacts) {
            Ok(theirs) => rows.extend(theirs),
            Err(error) => missing.push(format!("Extism, {error:#}")),
        },
        None => missing.push("Extism, for there is no `--peers` to run".into()),
    }
    println!("{}", table::markdown(&rows));
    if !missing.is_empty() {
        println!("\nNot measured this time: {}.", missing.join("; "));
    }
    if let Some(path) = &args.json {
        let rows: Vec<_> = rows.iter().map(Row::to_json).collect();
        std::fs::write(
            path,
            format!("{:#}\n", json!({"task": "add", "rows": rows})),
        )?;
    }
    Ok(())
}
