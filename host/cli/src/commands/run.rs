//! `host run`: one call of one tool.
//!
//! What is typed ([`RunArgs`]) becomes what is meant ([`RunPlan`]), which runs.
//! stdout gets the result and nothing else.

mod args;
pub(crate) mod call;
pub(crate) mod context;
mod explain;
mod files;
pub(crate) mod plan;
mod report;
mod resume;
mod show;
mod watch;

pub(crate) use args::{CallArgs, RunArgs};

use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::printer::Printer;
use crate::runtime;

use plan::RunPlan;

/// Runs the call.
///
/// # Errors
///
/// When no call is made. Without `--json`, also when the call fails.
pub(crate) fn run(args: RunArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json;
    printer.ended(json, run_plan(args, printer))
}

fn run_plan(args: RunArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    if args.watch {
        return runtime::block_on(watch::run(args, printer));
    }
    let (call, show) = RunPlan::new(args)?.split();
    let result = runtime::block_on(call::run(call, &show, printer))?;
    show::show(&result, &show, printer)
}
