//! Those that do the task in this process.

use std::fs;

use anyhow::{Context as _, Result, anyhow};
use tokio::runtime::Runtime;
use toolhost::{Call, ExecutionContext, Floor, Grants, Host, PluginOptions};

use crate::artifacts::Artifacts;

use super::contestant::{Contestant, Entrant, Task};
use super::{ARGUMENTS, SUM, TOOL_HOST, lock};

/// What this program was compiled from.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// Our pipeline, the floor under it, and the task without any sandbox.
pub(super) fn entrants(runtime: &Runtime, artifacts: &Artifacts) -> Result<Vec<Entrant>> {
    let guest = artifacts.guest("adder")?;
    let floor = Floor::new(&fs::read(&guest)?, Grants::default())
        .map_err(|error| anyhow!("the guest does not compile: {error:#}"))?;
    let cache = artifacts.scratch("compare-cache")?;
    let host = Host::builder().cache_dir(Some(cache)).build()?;
    runtime.block_on(host.load(&guest, PluginOptions::default()))?;
    let wasmtime = lock::version(LOCK, "wasmtime").context("the lock file has wasmtime")?;
    let ours = format!("{} (wasmtime {wasmtime})", env!("CARGO_PKG_VERSION"));
    Ok(vec![
        Contestant::here(
            "bare wasmtime",
            wasmtime,
            "fresh store and instance a call; pooling; no limits, no checks; its result is not parsed",
            floor_task(runtime, floor),
        ),
        Contestant::here(
            TOOL_HOST,
            &ours,
            "fresh sandbox a call, all limits and checks on, result parsed and written as JSON",
            host_task(runtime, host),
        ),
    ])
}

fn floor_task(runtime: &Runtime, floor: Floor) -> Task {
    let handle = runtime.handle().clone();
    Box::new(move || {
        let worked = handle.block_on(floor.call("add", ARGUMENTS));
        match worked {
            // The floor says only whether it worked.
            Ok(true) => Ok(format!(r#"{{"sum": {SUM}}}"#)),
            Ok(false) => Err(anyhow!("the tool failed")),
            Err(error) => Err(anyhow!("the tool trapped: {error:#}")),
        }
    })
}

fn host_task(runtime: &Runtime, host: Host) -> Task {
    let handle = runtime.handle().clone();
    Box::new(move || {
        let call = Call::from_text("call-1", "add", ARGUMENTS);
        let result = handle.block_on(host.call(call, ExecutionContext::default()));
        let output = result.output().context("the call failed")?;
        let structured = output.structured.as_ref();
        Ok(structured.context("nothing structured")?.to_string())
    })
}
