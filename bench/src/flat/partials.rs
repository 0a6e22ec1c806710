//! A call that emits partial results: the first of them beside the last.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use toolhost::{Call, ExecutionContext, Host, LimitsPatch, PluginOptions};

use super::builder;
use super::row::{Row, Rule, sum};
use crate::artifacts::Artifacts;
use crate::compare::timing::Timing;

/// Partial results of one call, and the part of them at each end that is looked at.
const PARTIALS: u32 = 10_000;
const TENTH: u32 = PARTIALS / 10;

pub(super) async fn rows(time: Duration, artifacts: &Artifacts) -> Result<Vec<Row>> {
    let host = builder(artifacts)?.build()?;
    let guest = artifacts.guest("misbehave")?;
    host.load(guest, PluginOptions::default()).await?;
    let (mut first, mut last) = (Timing::default(), Timing::default());
    let until = Instant::now() + 2 * time;
    while Instant::now() < until {
        let (at_start, at_end) = flood(&host).await?;
        first.add(at_start / TENTH);
        last.add(at_end / TENTH);
    }
    Ok(vec![Row {
        what: "a partial result",
        of: "partials of the call",
        amounts: (TENTH.into(), PARTIALS.into()),
        costs: (sum(first)?, sum(last)?),
        rule: Rule::Same,
    }])
}

/// How long the first tenth of a call's partial results take to come, and the last.
async fn flood(host: &Host) -> Result<(Duration, Duration)> {
    let call = Call::new(
        "call-1",
        "flood_partials",
        json!({ "n": PARTIALS, "bytes": 32 }),
    );
    let mut running = host.start(call, ExecutionContext::default(), LimitsPatch::default());
    let mut came = Vec::with_capacity(PARTIALS as usize);
    while running.partial().await.is_some() {
        came.push(Instant::now());
    }
    running.result().await.output().context("the call failed")?;
    ensure!(came.len() == PARTIALS as usize, "partial results are lost");
    let tenth = TENTH as usize;
    let last = came.len() - 1;
    Ok((came[tenth] - came[0], came[last] - came[last - tenth]))
}
