//! `cargo xtask …`: everything one does in this repository besides writing code.
//!
//! Each command is one file and can be run alone. All of them work from any
//! folder of the clone, keep what they build under the target folder that cargo
//! reports, and print what they run in a form that can be pasted into a shell.

mod bench;
mod demo;
mod files;
mod fuzz;
mod guests;
mod machine;
mod measure;
mod page;
mod process;
mod repository;
mod suite;
mod target;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::guests::Kind;
use crate::repository::Repository;

/// Build, try and test the tool host.
///
/// Start with `cargo xtask demo` to see tools run, and use `cargo xtask test`
/// before you push.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the host and the plugins, and run four tools on this repository's own data
    Demo,
    /// Run everything that must pass: formatting, lints, documents and all tests
    Test,
    /// Build plugins to `target/plugins/<name>.wasm`
    Plugins {
        /// Folders below `plugins/`; all of them when none is named
        names: Vec<String>,
    },
    /// Build the guests of the integration tests to `target/guests/<name>.wasm`
    Guests {
        /// Folders below `tests/guests/`, or files of its `wat/` without the ending; all when none is named
        names: Vec<String>,
    },
    /// Try very many texts on what reads policy files, host patterns and URLs
    Fuzz {
        /// How long each program runs
        #[arg(long, value_name = "N", default_value_t = fuzz::TEST_SECONDS)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
        seconds: u64,
        /// Programs in `fuzz/fuzz_targets/`; all of them when none is named
        names: Vec<String>,
    },
    /// Measure what calls cost, and write docs/performance.md and its chart
    Bench(bench::Options),
    /// Make very many calls, good and bad, and watch whether memory, descriptors, threads or tasks grow
    Soak {
        /// How many calls
        #[arg(long, value_name = "N", default_value_t = 1_000_000)]
        calls: u64,
        /// Stop after so many minutes, however many calls were made
        #[arg(long, value_name = "M")]
        minutes: Option<u64>,
    },
    /// Count the instructions of a call with callgrind; fails when they are 5 % more than committed
    Guard {
        /// Commit to what is counted now, in `bench/baseline.json`
        #[arg(long)]
        update: bool,
    },
    /// Measure whether a call costs more with a thousand plugins than with one
    Flat,
    /// Measure what arguments cost on their way from text to the guest
    Arguments,
    /// Measure the same small task in bare wasmtime, in the host, as a process, in Node.js, in Extism …
    Compare(measure::CompareOptions),
    /// Check the guest SDK: formatting, lints and tests
    Sdk,
    /// Make sure that Rust can compile for `wasm32-wasip2`; commands that build plugins do this first
    Target {
        /// Install below this folder instead of the sysroot that `rustc` reports
        #[arg(long, value_name = "DIR")]
        sysroot: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(&Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            for cause in error.chain().skip(1) {
                eprintln!("  caused by: {cause}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> anyhow::Result<()> {
    let repository = Repository::open()?;
    match task {
        Task::Demo => demo::run(&repository),
        Task::Test => suite::test(&repository),
        Task::Plugins { names } => guests::command(&repository, Kind::Plugins, names),
        Task::Guests { names } => guests::command(&repository, Kind::Guests, names),
        Task::Fuzz { seconds, names } => fuzz::command(&repository, *seconds, names),
        Task::Bench(options) => bench::command(&repository, options),
        Task::Soak { calls, minutes } => measure::soak(&repository, *calls, *minutes),
        Task::Guard { update } => measure::guard(&repository, *update),
        Task::Flat => measure::flat(&repository),
        Task::Arguments => measure::arguments(&repository),
        Task::Compare(options) => measure::compare(&repository, options),
        Task::Sdk => suite::sdk(&repository),
        Task::Target { sysroot } => target::command(&repository, sysroot.as_deref()),
    }
}
