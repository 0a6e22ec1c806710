//! `host bench`: what a call costs, measured beside the floor under it: the same
//! component with the same arguments in bare wasmtime.

mod measure;
mod memory;
mod show;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use toolhost::policy::{QuantityError, Span};
use toolhost::{CallOptions, Floor, Grants, Outcome};

use super::run::CallArgs;
use super::run::call::{Ready, ready};
use super::run::plan::CallPlan;
use crate::exit::{self, ExitCode};
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::runtime;

use measure::{Bench, Counted, Sides};
use show::Measured;

/// Measure what a call of a tool costs
///
/// The same call is made again and again, by turns through the whole pipeline and
/// in bare wasmtime. A call that ends in an error can be measured too; it has no
/// floor. Ctrl-C ends the measurement and shows what was measured until then.
#[derive(Args, Debug)]
#[command(after_long_help = after_help())]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    call: CallArgs,
    /// How long to measure each side, at least 100ms
    #[arg(
        long,
        value_name = "TIME",
        default_value = "3s",
        value_parser = parse_duration,
        allow_negative_numbers = true,
        help_heading = "Measuring"
    )]
    duration: Span,
    /// How many calls to keep in flight, at most 1000
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=MAX_CONCURRENCY),
        allow_negative_numbers = true,
        help_heading = "Measuring"
    )]
    concurrency: u16,
    /// Print one JSON object, for errors too
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Most calls in flight: each has a sandbox.
const MAX_CONCURRENCY: i64 = 1_000;

/// Time that each side runs before the other has its turn.
const SLICE: Duration = Duration::from_millis(100);

/// Runs the measurement.
///
/// # Errors
///
/// When the plugin cannot be loaded, the call would wait for somebody, or the user
/// presses Ctrl-C; what was measured until then is shown.
pub(crate) fn run(args: BenchArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json;
    printer.ended(json, bench(args, printer))
}

fn bench(args: BenchArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let concurrency = usize::from(args.concurrency);
    let mut plan = CallPlan::new(args.call)?;
    // Room for the sandboxes that are held to be weighed.
    plan.calls = u32::try_from(concurrency.max(memory::HELD)).unwrap_or(u32::MAX);
    let work = measure(plan, args.duration.get(), concurrency, printer);
    let measured = runtime::block_on(work)?;
    if args.json {
        printer.result(&measured.to_json().to_string())?;
    } else {
        printer.result(&measured.to_string())?;
    }
    if measured.interrupted {
        return Err(Stop::Interrupted);
    }
    Ok(ExitCode::Success)
}

async fn measure(
    plan: CallPlan,
    duration: Duration,
    concurrency: usize,
    printer: &Printer,
) -> Result<Measured, Stop> {
    let (file, grants) = (plan.plugin.clone(), plan.options.grants.clone());
    let interrupts = Interrupts::listen()?;
    let ready = ready(plan, &interrupts, printer).await?;
    let cancel = interrupts.handle();
    // For what is said: a floor may keep all workers busy, and the handle needs none.
    let _cancelling = interrupts.cancel(cancel.clone(), printer.clone());
    let error = first(&ready, &interrupts).await?;
    let (floor, metered) = if let Some(name) = &error {
        printer.note(&format!(
            "the call ends in `{name}`; that is what is measured"
        ));
        (None, None)
    } else {
        let metered = Floor::metered(&ready.loaded.plugin, grants.clone());
        let floor = interrupts.or(floor(file, grants, printer)).await?;
        // Where one does not link, the other does not either, and it is said there.
        (floor, metered.ok())
    };
    let sides = Sides {
        ready,
        floor,
        metered,
    };
    let bench = Bench {
        duration,
        concurrency,
        cancel,
    };
    let counted = count(&bench, &sides, printer).await?;
    let Ready { loaded, call, .. } = &sides.ready;
    let mut measured = Measured::of(&counted);
    if error.is_none() {
        let memory = interrupts.or(memory::per_sandbox(&loaded.plugin)).await;
        measured.memory = memory.unwrap_or_default();
    }
    measured.plugin.clone_from(&loaded.plugin.info().name);
    measured.tool.clone_from(&call.tool_name);
    measured.error = error;
    measured.concurrency = concurrency;
    measured.interrupted = interrupts.is_heard();
    Ok(measured)
}

/// Makes the call once; the name of the error that it ends in, if it does.
async fn first(ready: &Ready, interrupts: &Interrupts) -> Result<Option<String>, Stop> {
    let options = CallOptions {
        cancel: interrupts.handle(),
        ..CallOptions::default()
    };
    let (call, context) = (ready.call.clone(), ready.context.clone());
    let result = ready.host.call_with(call, context, options).await;
    if interrupts.is_heard() {
        return Err(Stop::Interrupted);
    }
    match result.outcome {
        Ok(Outcome::Done(_)) => Ok(None),
        Ok(Outcome::Suspended(_)) => {
            let message = "the call waits for somebody, so there is nothing to measure";
            Err(Failure::usage(message).into())
        }
        Err(error) => Ok(Some(error.name)),
    }
}

/// Counts until the time is over, or until Ctrl-C if something was counted by then.
async fn count(bench: &Bench, sides: &Sides, printer: &Printer) -> Result<Counted, Stop> {
    let progress = printer.progress("measuring");
    let mut counted = Counted::new(sides)?;
    let ended = bench.run(sides, &mut counted, |done| {
        if let Some(progress) = &progress {
            progress.set(done);
        }
    });
    match ended.await {
        Err(Stop::Interrupted) if counted.has_calls() => Ok(counted),
        ended => ended.map(|()| counted),
    }
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

fn parse_duration(text: &str) -> Result<Span, String> {
    let span: Span = text
        .parse()
        .map_err(|error: QuantityError| error.to_string())?;
    let least = Span::new(SLICE);
    if span < least {
        return Err(format!("measuring takes `{least}` or more"));
    }
    Ok(span)
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", exit::HELP)
}

const EXAMPLES: &str = "\
Examples:
  host bench --plugin calc.wasm --args '{\"expression\": \"1+2\"}'
  host bench --plugin csv.wasm --tool csv_query --args @query.json --dir ./data::/data
  host bench --plugin calc.wasm --args @sum.json --concurrency 8 --json

With --json, what keeps a call from being measured is printed as
{\"isError\": true, \"error\": {\"message\", \"causes\", \"hints\"}}.";
