//! Whether a call costs the same however much there is: plugins that are installed,
//! tools that are known, calls that were made, partial results that were emitted.
//!
//! Each question is put to two sides, one with little and one with much of it, which
//! are measured by turns: whatever else the machine does falls on both.

mod calls;
mod listing;
mod partials;
mod plugins;
mod row;
mod tools;

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;
use toolhost::{Call, CallResult, ExecutionContext, Host, HostBuilder};

use crate::artifacts::Artifacts;

use row::Row;

/// What `flat` takes.
#[derive(Args)]
pub(crate) struct FlatArgs {
    /// How many plugins and how many tools the full hosts have
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(200..=1_000))]
    plugins: u32,
    /// How many calls the old host has made
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    calls: u32,
    /// How long each side is measured, in seconds
    #[arg(long, value_name = "S", default_value_t = 2)]
    seconds: u64,
}

/// Measures and prints.
///
/// # Errors
///
/// When something costs so much more where there is much that no busy machine makes
/// it so.
pub(crate) fn run(args: &FlatArgs, artifacts: &Artifacts) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let grown = runtime.block_on(measure(args, artifacts))?;
    if !grown.is_empty() {
        bail!("these grow: {}", grown.join(", "));
    }
    println!("\nflat: nothing grew to more than {} times", row::GROSS);
    Ok(())
}

/// Prints each row when it is known, and gives the names of those that grow.
async fn measure(args: &FlatArgs, artifacts: &Artifacts) -> Result<Vec<&'static str>> {
    let time = Duration::from_secs(args.seconds);
    let mut grown = Vec::new();
    let mut tell = |rows: Vec<Row>| {
        for row in rows {
            println!("{row}");
            if row.is_gross() {
                grown.push(row.what);
            }
        }
    };
    println!("{}", Row::HEADER);
    let calls = calls::row(time, args.calls, artifacts).await?;
    let good_call = calls.costs.0.p50;
    tell(vec![calls]);
    tell(tools::of_one_plugin(time, args.plugins, artifacts).await?);
    tell(tools::native(time, args.plugins).await?);
    tell(tools::unknown(time, args.plugins, good_call).await?);
    tell(listing::rows(time, args.plugins).await?);
    tell(partials::rows(time, artifacts).await?);
    tell(plugins::rows(time, args.plugins, artifacts).await?);
    Ok(grown)
}

/// A host whose compiled plugins stay from one run to the next.
fn builder(artifacts: &Artifacts) -> Result<HostBuilder> {
    let cache = artifacts.scratch("flat-cache")?;
    Ok(Host::builder().cache_dir(Some(cache)))
}

async fn call(host: &Host, tool: &str, arguments: Value) -> CallResult {
    let call = Call::new("call-1", tool, arguments);
    host.call(call, ExecutionContext::default()).await
}

/// Makes a call that has to work.
async fn good(host: &Host, tool: &str, arguments: Value) -> Result<()> {
    ends(&call(host, tool, arguments).await, None)
}

/// Makes a call that has to fail with `error`.
async fn bad(host: &Host, tool: &str, arguments: Value, error: &str) -> Result<()> {
    ends(&call(host, tool, arguments).await, Some(error))
}

fn ends(result: &CallResult, expected: Option<&str>) -> Result<()> {
    match (&result.outcome, expected) {
        (Ok(_), None) => Ok(()),
        (Err(error), Some(expected)) if error.name == expected => Ok(()),
        (outcome, _) => bail!("a call of `{}` ended in {outcome:?}", result.tool_name),
    }
}
