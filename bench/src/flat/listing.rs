//! What is done once a turn or once a start, for each tool: listing grows with the
//! list, and must not grow faster.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use toolhost::{Discovered, ExecutionContext, Host};

use super::call;
use super::row::{Row, Rule, by_turns, each, on_both, sum};
use super::tools::{native_tool, natives};
use crate::compare::timing::Timing;

/// The side with little of it has so many tools: more than an allocator keeps at hand,
/// so that a list is no cheaper for being short.
const FEW: u32 = 100;

pub(super) async fn rows(time: Duration, tools: u32) -> Result<Vec<Row>> {
    let row = |what, costs, rule| Row {
        what,
        of: "tools",
        amounts: (FEW.into(), tools.into()),
        costs,
        rule,
    };
    let (few, many) = (natives(FEW)?, natives(tools)?);
    let list = by_turns(
        time,
        async |_| prepare(&few, FEW).await,
        async |_| prepare(&many, tools).await,
    )
    .await?;
    let list = (each(list.0, FEW.into()), each(list.1, tools.into()));
    let (few, many) = (deferred(FEW)?, deferred(tools)?);
    let search = on_both(time, &few, &many, search).await?;
    Ok(vec![
        row("preparing a turn, for each tool", list, Rule::Same),
        row(
            "`tool_search`",
            search,
            Rule::Told("one tool in fifty has a word of the query"),
        ),
        row(
            "`tool_search`, for each tool",
            (each(search.0, FEW.into()), each(search.1, tools.into())),
            Rule::Same,
        ),
        registering(tools)?,
    ])
}

async fn prepare(host: &Host, tools: u32) -> Result<()> {
    let (context, discovered) = (ExecutionContext::default(), Discovered::new());
    let turn = host.prepare_turn(&context, &discovered).await;
    ensure!(turn.tools.len() == tools as usize, "tools are missing");
    Ok(())
}

/// A host whose tools are all found before they are listed.
fn deferred(tools: u32) -> Result<Host> {
    let host = Host::builder().cache_dir(None).build()?;
    for number in 0..tools {
        host.register(native_tool(number, true)?)?;
    }
    Ok(host)
}

async fn search(host: &Host) -> Result<()> {
    let result = call(host, "tool_search", json!({ "query": "a letter" })).await;
    let found = result.output().context("the search failed")?;
    let found = found.structured.as_ref().map(|found| &found["tools"]);
    let found = found.and_then(|tools| tools.as_array()).map_or(0, Vec::len);
    ensure!(found > 0, "nothing was found");
    Ok(())
}

/// The first tenth of all tools and the last, registered one by one. Very many hosts
/// are filled, so that the machine's unrest falls on both.
fn registering(tools: u32) -> Result<Row> {
    let tenth = (tools / 10).max(1);
    let (mut first, mut last) = (Timing::default(), Timing::default());
    for _ in 0..10 {
        let host = Host::builder().cache_dir(None).build()?;
        for number in 0..tools {
            let another = native_tool(number, false)?;
            let started = Instant::now();
            host.register(another)?;
            let took = started.elapsed();
            if number < tenth {
                first.add(took);
            } else if number >= tools - tenth {
                last.add(took);
            }
        }
    }
    Ok(Row {
        what: "registering one more",
        of: "tools",
        amounts: (tenth.into(), tools.into()),
        costs: (sum(first)?, sum(last)?),
        rule: Rule::Same,
    })
}
