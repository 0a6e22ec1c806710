//! `host turn`: all tool calls of one assistant message, together.
//!
//! What is typed ([`TurnArgs`]) becomes what is meant (`TurnPlan`), which runs.
//! stdout gets the messages with the results and nothing else, or with `--stream`
//! the events and then the end of the turn.

mod args;
mod decisions;
mod plan;
mod play;
mod show;
mod state;

pub(crate) use args::TurnArgs;

use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::printer::Printer;
use crate::runtime;

use plan::TurnPlan;

/// Runs the turn, or goes on with it.
///
/// # Errors
///
/// When nothing is run.
pub(crate) fn run(args: TurnArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json || args.stream;
    printer.ended(json, run_plan(args, printer))
}

fn run_plan(args: TurnArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let plan = TurnPlan::new(args)?;
    runtime::block_on(play::play(plan, printer))
}
