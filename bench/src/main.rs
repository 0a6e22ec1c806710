//! Measures the tool host through its library: `soak`, `guard`, `flat`, `load`, `arguments` and `compare`.
//!
//! `cargo xtask` builds what these need and starts them; `load` is a part of `bench` there.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `artifacts` | where guests, plugins and scratch files are |
//! | `soak` | very many calls of all kinds, and whether anything grows |
//! | `guard` | instructions a call takes, beside the committed ones |
//! | `flat` | whether a call costs the same however much there is |
//! | `load` | many plugins loaded one after another, and at once |
//! | `arguments` | the way of arguments from text to the guest |
//! | `compare` | the same task by other means |

mod arguments;
mod artifacts;
mod compare;
mod flat;
mod guard;
mod load;
mod soak;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::artifacts::Artifacts;

/// Measure the tool host.
#[derive(Parser)]
#[command(name = "bench", version, arg_required_else_help = true)]
struct Arguments {
    #[command(flatten)]
    artifacts: Artifacts,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make very many calls of all kinds and watch memory, descriptors, threads and tasks
    Soak(soak::SoakArgs),
    /// Count the instructions of a call and compare them with the committed ones
    Guard(guard::GuardArgs),
    /// Make calls and nothing else: what `guard` runs under callgrind
    #[command(hide = true)]
    Count(guard::CountArgs),
    /// Measure whether the cost of a call grows with the plugins installed or the partials emitted
    Flat(flat::FlatArgs),
    /// Measure how long many plugins take to load, one after another and all at once
    Load(load::LoadArgs),
    /// Measure what arguments cost from text to the guest, small ones and a megabyte of them
    Arguments(arguments::ArgumentsArgs),
    /// Measure the same small task by other means
    Compare(compare::CompareArgs),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let artifacts = &arguments.artifacts;
    let done = match &arguments.task {
        Task::Soak(task) => soak::run(task, artifacts),
        Task::Guard(task) => guard::run(task, artifacts),
        Task::Count(task) => guard::count(task, artifacts),
        Task::Flat(task) => flat::run(task, artifacts),
        Task::Load(task) => load::run(task, artifacts),
        Task::Arguments(task) => arguments::run(task, artifacts),
        Task::Compare(task) => compare::run(task, artifacts),
    };
    match done {
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
