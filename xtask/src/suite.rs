//! Everything that must pass before a change goes in: `test`, and its part `sdk`.
//!
//! The steps are a list, quick ones first. The first that fails ends the run, and
//! its command is printed so that it can be repeated alone. What the steps write
//! goes through as it comes.

mod steps;
mod tally;

use std::io;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::fuzz;
use crate::guests;
use crate::repository::{Repository, Workspace};
use crate::target;

use self::steps::{Step, Work};
use self::tally::Tally;

/// `cargo xtask test`.
pub(crate) fn test(repository: &Repository) -> Result<()> {
    finish(repository, steps::all(repository))
}

/// `cargo xtask sdk`.
pub(crate) fn sdk(repository: &Repository) -> Result<()> {
    if !repository.has(Workspace::Sdk) {
        bail!(
            "there is no `{}`: is this clone complete?",
            Workspace::Sdk.manifest()
        );
    }
    finish(repository, steps::sdk(repository))
}

/// Runs the steps and prints the count of tests as the last line of stdout.
///
/// A run that stopped before its tests has no count: a sum without failures
/// would read like a success.
fn finish(repository: &Repository, steps: Vec<Step>) -> Result<()> {
    let started = Instant::now();
    let mut tally = Tally::default();
    let result = run(repository, steps, &mut tally);
    if result.is_ok() {
        eprintln!(
            "all steps passed in {:.0} s",
            started.elapsed().as_secs_f64()
        );
    }
    if result.is_ok() || tally.failed > 0 {
        println!("{tally}");
    }
    result
}

/// Runs the steps in order up to the first that fails.
fn run(repository: &Repository, steps: Vec<Step>, tally: &mut Tally) -> Result<()> {
    let total = steps.len();
    for (index, mut step) in steps.into_iter().enumerate() {
        let number = format!("[{}/{total}]", index + 1);
        eprintln!("\n{number} {}", step.name);
        let started = Instant::now();
        perform(repository, &mut step.work, tally).with_context(|| {
            format!(
                "`{}` failed; to run it again: {}",
                step.name,
                step.work.shell_line()
            )
        })?;
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("{number} {} passed in {seconds:.1} s", step.name);
    }
    Ok(())
}

/// Does what a step is for.
fn perform(repository: &Repository, work: &mut Work, tally: &mut Tally) -> Result<()> {
    match work {
        Work::Target => return target::ensure(repository),
        Work::Components(kind) => {
            let locked = repository.is_locked(kind.workspace());
            return guests::build(repository, *kind, &[], locked);
        }
        Work::Fuzz => return fuzz::command(repository, fuzz::TEST_SECONDS, &[]),
        Work::Cargo(_) | Work::Tests(_) => {}
    }
    eprintln!("$ {}", work.shell_line());
    let status = match work {
        Work::Tests(command) => tally.watch(command.stdin(Stdio::null()), &mut io::stdout()),
        Work::Cargo(command) => command.stdin(Stdio::null()).status(),
        _ => return Ok(()),
    };
    let status = status.context("cannot start cargo: is it installed?")?;
    if !status.success() {
        // The command itself is in the error around this one.
        bail!("{status}");
    }
    Ok(())
}
