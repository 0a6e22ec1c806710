//! Whether a call costs the same however many plugins are installed, and a partial
//! result however many were emitted before it.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use toolhost::{Call, ExecutionContext, Host, LimitsPatch, PluginOptions, Toolset};

use crate::artifacts::Artifacts;
use crate::compare::timing::{Summary, Timing};

/// What `flat` takes.
#[derive(Args)]
pub(crate) struct FlatArgs {
    /// How many plugins the full host has, each with tools of its own names
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    plugins: u32,
    /// How long each side is measured, in seconds
    #[arg(long, value_name = "S", default_value_t = 3)]
    seconds: u64,
}

/// Measures and prints.
pub(crate) fn run(args: &FlatArgs, artifacts: &Artifacts) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let (one, many) = (
            host(1, artifacts).await?,
            host(args.plugins, artifacts).await?,
        );
        let (one, many) = side_by_side(&one, &many, Duration::from_secs(args.seconds)).await?;
        println!("| installed plugins | p50 µs | p99 µs |\n|---:|---:|---:|");
        for (count, summary) in [(1, one), (args.plugins, many)] {
            println!("| {count} | {:.1} | {:.1} |", summary.p50, summary.p99);
        }
        println!("\n| partial results | µs each |\n|---:|---:|");
        for count in [100, 1_000, 10_000] {
            println!("| {count} | {:.1} |", partials(count, artifacts).await?);
        }
        Ok(())
    })
}

/// A host with so many plugins, each under a prefix.
async fn host(plugins: u32, artifacts: &Artifacts) -> Result<Host> {
    let cache = artifacts.scratch("flat-cache")?;
    let host = Host::builder().cache_dir(Some(cache)).build()?;
    let guest = artifacts.guest("adder")?;
    for number in 0..plugins {
        let plugin = host.open(&guest, PluginOptions::default()).await?;
        host.register(Toolset::from(&plugin).prefix(&format!("p{number}_")))?;
    }
    Ok(host)
}

/// Calls the same tool of both hosts, by turns.
async fn side_by_side(one: &Host, many: &Host, time: Duration) -> Result<(Summary, Summary)> {
    let (mut of_one, mut of_many) = (Timing::default(), Timing::default());
    let until = Instant::now() + 2 * time;
    while Instant::now() < until {
        for (host, timing) in [(one, &mut of_one), (many, &mut of_many)] {
            for _ in 0..100 {
                let call = Call::new("call-1", "p0_add", json!({ "a": 1, "b": 2 }));
                let started = Instant::now();
                let result = host.call(call, ExecutionContext::default()).await;
                timing.add(started.elapsed());
                result.output().context("the call failed")?;
            }
        }
    }
    let sum = |timing: Timing| timing.sum().context("no calls");
    Ok((sum(of_one)?, sum(of_many)?))
}

/// Microseconds of one partial result among so many.
async fn partials(count: u64, artifacts: &Artifacts) -> Result<f64> {
    let cache = artifacts.scratch("flat-cache")?;
    let host = Host::builder().cache_dir(Some(cache)).build()?;
    let bytes = fs::read(artifacts.guest("misbehave")?)?;
    host.load_bytes("misbehave", bytes, PluginOptions::default())
        .await?;
    let call = Call::new(
        "call-1",
        "flood_partials",
        json!({ "n": count, "bytes": 32 }),
    );
    let started = Instant::now();
    let mut running = host.start(call, ExecutionContext::default(), LimitsPatch::default());
    let mut seen = 0_u32;
    while running.partial().await.is_some() {
        seen += 1;
    }
    let took = started.elapsed();
    running.result().await.output().context("the call failed")?;
    Ok(took.as_secs_f64() * 1e6 / f64::from(seen.max(1)))
}
