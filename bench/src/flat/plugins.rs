//! Calls of one plugin among many that are installed, no two of which are the same.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::json;
use tokio::task::JoinSet;
use toolhost::{Host, PluginOptions, Toolset};

use super::row::{Row, Rule, by_turns, on_both, sum};
use super::{builder, good};
use crate::artifacts::Artifacts;
use crate::compare::timing::Timing;

/// Plugins that are made ready at once, when they were never compiled.
const AT_ONCE: usize = 4;

/// Hosts that are filled with all plugins, one after the other.
const FILLED: usize = 5;

/// The tool of the plugins that are called in turn.
const TOOL: &str = "grow_table";

pub(super) async fn rows(time: Duration, plugins: u32, artifacts: &Artifacts) -> Result<Vec<Row>> {
    let paths = compiled(plugins, artifacts).await?;
    let (mut first, mut last) = (Timing::default(), Timing::default());
    // More than one host is filled, for the first and the last are not loaded by turns.
    for _ in 1..FILLED {
        fill(&host(artifacts).await?, &paths, &mut first, &mut last).await?;
    }
    let (few, many) = (host(artifacts).await?, host(artifacts).await?);
    fill(&many, &paths, &mut first, &mut last).await?;
    let loading = (sum(first)?, sum(last)?);
    let (ignored, too) = (&mut Timing::default(), &mut Timing::default());
    fill(&few, &paths[..1], ignored, too).await?;
    let row = |what, costs, rule| Row {
        what,
        of: "plugins installed",
        amounts: (2, u64::from(plugins) + 1),
        costs,
        rule,
    };
    let add = async |host: &Host| good(host, "add", json!({ "a": 1, "b": 2 })).await;
    let same = on_both(time, &few, &many, add).await?;
    let grow = async |host: &Host, plugin: u32| {
        good(host, &format!("p{plugin}_{TOOL}"), json!({ "n": 1 })).await
    };
    let one = on_both(time, &few, &many, async |host: &Host| grow(host, 0).await).await?;
    let each_in_turn = by_turns(
        time,
        async |_| grow(&few, 0).await,
        async |turn| grow(&many, turn % plugins).await,
    )
    .await?;
    Ok(vec![
        Row {
            what: "loading one more that was compiled before",
            of: "plugins installed",
            amounts: (u64::from(plugins) / 10, plugins.into()),
            costs: loading,
            rule: Rule::Same,
        },
        row("a call of a tool in Rust", same, Rule::Same),
        row("a call of a small plugin", one, Rule::Same),
        row(
            "a call of another small plugin each time",
            each_in_turn,
            Rule::Told(
                "its place in the pool was another's, and its code is not in the processor's caches",
            ),
        ),
    ])
}

/// The plugin `number`: the same code under another digest. A custom section tells
/// them apart, which no engine reads.
fn another(small: &[u8], number: u32) -> Vec<u8> {
    let mut bytes = small.to_vec();
    // Of type 0 and eight bytes long: a name of three letters, and a number.
    bytes.extend([0, 8, 3]);
    bytes.extend(b"nth");
    bytes.extend(number.to_le_bytes());
    bytes
}

async fn host(artifacts: &Artifacts) -> Result<Host> {
    let host = builder(artifacts)?.build()?;
    host.load(artifacts.guest("adder")?, PluginOptions::default())
        .await?;
    Ok(host)
}

/// Writes all plugins, and has them compiled and kept, unless they are.
async fn compiled(plugins: u32, artifacts: &Artifacts) -> Result<Vec<PathBuf>> {
    let small = fs::read(artifacts.guest("table-grow")?)?;
    let folder = artifacts.scratch("flat-plugins")?;
    let host = builder(artifacts)?.build()?;
    let (started, mut new) = (Instant::now(), 0);
    let (mut paths, mut loads) = (Vec::new(), JoinSet::new());
    for number in 0..plugins {
        let path = folder.join(format!("small-{number}.wasm"));
        fs::write(&path, another(&small, number))?;
        paths.push(path.clone());
        let host = host.clone();
        loads.spawn(async move {
            let loaded = host.open(path, PluginOptions::default()).await?;
            anyhow::Ok(!loaded.plugin.info().cached)
        });
        if loads.len() == AT_ONCE {
            let loaded = loads.join_next().await.context("there are some")?;
            new += u32::from(loaded??);
        }
    }
    while let Some(loaded) = loads.join_next().await {
        new += u32::from(loaded??);
    }
    if new > 0 {
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("note: {new} plugins were compiled in {seconds:.1} s; the next run finds them");
    }
    Ok(paths)
}

/// Installs all plugins, each under a name of its own, and times the first tenth and
/// the last.
async fn fill(
    host: &Host,
    plugins: &[PathBuf],
    first: &mut Timing,
    last: &mut Timing,
) -> Result<()> {
    let tenth = plugins.len().div_ceil(10);
    for (number, path) in plugins.iter().enumerate() {
        let started = Instant::now();
        let plugin = host.open(path, PluginOptions::default()).await?;
        host.register(Toolset::from(&plugin).prefix(&format!("p{number}_")))?;
        let took = started.elapsed();
        if number < tenth {
            first.add(took);
        } else if number >= plugins.len() - tenth {
            last.add(took);
        }
    }
    Ok(())
}
