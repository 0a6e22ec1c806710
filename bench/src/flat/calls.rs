//! A host that has made very many calls, beside one that has made few.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use toolhost::{Host, PluginOptions};

use super::row::{Row, Rule, on_both};
use super::{builder, good};
use crate::artifacts::Artifacts;

/// The young host is measured from this call on.
const FEW: u32 = 1_000;

pub(super) async fn row(time: Duration, calls: u32, artifacts: &Artifacts) -> Result<Row> {
    let (young, old) = (host(artifacts).await?, host(artifacts).await?);
    for (host, calls) in [(&young, FEW), (&old, calls)] {
        for _ in 0..calls {
            add(host).await?;
        }
    }
    let costs = on_both(time, &young, &old, add).await?;
    Ok(Row {
        what: "a call",
        of: "calls made before",
        amounts: (FEW.into(), calls.into()),
        costs,
        rule: Rule::Same,
    })
}

async fn host(artifacts: &Artifacts) -> Result<Host> {
    let host = builder(artifacts)?.build()?;
    let guest = artifacts.guest("adder")?;
    host.load(guest, PluginOptions::default()).await?;
    Ok(host)
}

async fn add(host: &Host) -> Result<()> {
    good(host, "add", json!({ "a": 1, "b": 2 })).await
}
