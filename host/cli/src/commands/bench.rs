//! `host bench`: what a call costs, measured beside the floor under it: the same
//! component with the same arguments in bare wasmtime.

mod measure;
mod memory;
mod show;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use toolhost::policy::Span;
use toolhost::{Floor, Grants, Outcome};

use super::run::RunArgs;
use super::run::call::{Ready, ready};
use super::run::plan::{CallPlan, RunPlan};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::runtime;

use measure::{Bench, Sides};
use show::Measured;

/// Measure what a call of a tool costs
///
/// The same call is made again and again, by turns through the whole pipeline and
/// in bare wasmtime. A call that ends in an error can be measured too; it has no
/// floor.
#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    run: RunArgs,
    /// How long to measure each side
    #[arg(
        long,
        value_name = "TIME",
        default_value = "3s",
        help_heading = "Measuring"
    )]
    duration: Span,
    /// How many calls to keep in flight
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        help_heading = "Measuring"
    )]
    concurrency: NonZeroUsize,
}

/// Most calls in flight: each has a sandbox.
const MAX_CONCURRENCY: usize = 1_000;

/// Runs the measurement.
///
/// # Errors
///
/// When the plugin cannot be loaded, or the call would wait for somebody.
pub(crate) fn run(args: BenchArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let concurrency = args.concurrency.get();
    if concurrency > MAX_CONCURRENCY {
        let message = format!("`--concurrency` takes at most {MAX_CONCURRENCY}");
        return Err(Failure::usage(message).into());
    }
    let json = args.run.json;
    let (mut plan, show) = RunPlan::new(args.run)?.split();
    if show.out.is_some() || show.stream {
        let message = "a measurement has no result to write: leave out `--out` and `--stream`";
        return Err(Failure::usage(message).into());
    }
    // Room for the sandboxes that are held to be weighed.
    plan.calls = u32::try_from(concurrency.max(memory::HELD)).unwrap_or(u32::MAX);
    let bench = Bench {
        duration: args.duration.get(),
        concurrency,
    };
    let measured = runtime::block_on(measure(plan, bench, printer))?;
    if json {
        printer.result(&measured.to_json().to_string())?;
    } else {
        printer.result(&measured.to_string())?;
    }
    Ok(ExitCode::Success)
}

async fn measure(plan: CallPlan, bench: Bench, printer: &Printer) -> Result<Measured, Stop> {
    let mut interrupts = Interrupts::listen()?;
    let (file, grants) = (plan.plugin.clone(), plan.options.grants.clone());
    let ready = ready(plan, &mut interrupts, printer).await?;
    let first = ready
        .host
        .call(ready.call.clone(), ready.context.clone())
        .await;
    let error = match &first.outcome {
        Ok(Outcome::Done(_)) => None,
        Ok(Outcome::Suspended(_)) => {
            let message = "the call waits for somebody, so there is nothing to measure";
            return Err(Failure::usage(message).into());
        }
        Err(error) => Some(error.name.clone()),
    };
    let (floor, metered) = if let Some(name) = &error {
        printer.note(&format!(
            "the call ends in `{name}`; that is what is measured"
        ));
        (None, None)
    } else {
        let metered = Floor::metered(&ready.loaded.plugin, grants.clone());
        let floor = floor(file, grants, printer).await;
        // Where one does not link, the other does not either, and it is said there.
        (floor, metered.ok())
    };
    let sides = Sides {
        ready,
        floor,
        metered,
    };
    let progress = printer.progress("measuring");
    let work = bench.run(&sides, |done| {
        if let Some(progress) = &progress {
            progress.set(done);
        }
    });
    let mut measured = tokio::select! {
        measured = work => measured?,
        () = interrupts.next() => return Err(Stop::Interrupted),
    };
    drop(progress);
    let Ready { loaded, call, .. } = &sides.ready;
    if error.is_none() {
        measured.memory = memory::per_sandbox(&loaded.plugin).await;
    }
    measured.plugin.clone_from(&loaded.plugin.info().name);
    measured.tool.clone_from(&call.tool_name);
    measured.error = error;
    measured.concurrency = bench.concurrency;
    Ok(measured)
}

/// The floor under the calls; where there can be none, a warning says why.
async fn floor(file: PathBuf, grants: Grants, printer: &Printer) -> Option<Floor> {
    let spinning = printer.spin("compiling for the floor");
    let made = tokio::task::spawn_blocking(move || {
        let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
        Floor::new(&bytes, grants).map_err(|error| format!("{error:#}"))
    });
    let made = made.await.unwrap_or_else(|error| Err(error.to_string()));
    drop(spinning);
    made.inspect_err(|error| printer.warning(&format!("there is no floor: {error}")))
        .ok()
}

/// Time that each side runs before the other has its turn.
const SLICE: Duration = Duration::from_millis(100);
