//! Extism at the task of `bench compare`, in each of its modes. Writes a row for each
//! to stdout: `peers SECONDS FOLDER`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use extism::{CompiledPlugin, Manifest, Plugin, PluginBuilder, Wasm};
use serde_json::{Value, json};
use wasmtime::{Config, PoolingAllocationConfig};

#[path = "../../src/compare/lock.rs"]
mod lock;
#[path = "../../src/compare/timing.rs"]
mod timing;

use timing::{Summary, Timing};

const MODULE: &str = include_str!("../add.wat");

/// What this program was compiled from.
const LOCK: &str = include_str!("../Cargo.lock");

const ARGUMENTS: &str = r#"{"a": 2, "b": 3}"#;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().context("give the seconds of each mode")?;
    let time = Duration::from_secs(seconds.parse().context("the seconds are a number")?);
    let folder = arguments.next().context("give a folder for the cache")?;
    let cache = cache(Path::new(&folder))?;

    let plain = || builder().with_cache_disabled();
    measure(
        "a plugin created for each call, without its cache",
        time,
        || call(&mut plain().build()?),
    )?;
    measure(
        "a plugin created for each call, with its cache, as its SDK does by default",
        time,
        || call(&mut builder().with_cache_config(&cache).build()?),
    )?;
    let compiled = CompiledPlugin::new(plain())?;
    measure("compiled once, a fresh plugin for each call", time, || {
        call(&mut Plugin::new_from_compiled(&compiled)?)
    })?;
    let mut pooling = Config::new();
    pooling.allocation_strategy(PoolingAllocationConfig::new());
    let pooled = CompiledPlugin::new(plain().with_wasmtime_config(pooling))?;
    measure(
        "compiled once for wasmtime's pooling, a fresh plugin for each call",
        time,
        || call(&mut Plugin::new_from_compiled(&pooled)?),
    )?;
    let mut plugin = Plugin::new_from_compiled(&compiled)?;
    measure(
        "one plugin for all calls, whose state goes from call to call",
        time,
        || call(&mut plugin),
    )
}

/// As Extism is set up by default: no limits, no WASI.
fn builder() -> PluginBuilder<'static> {
    PluginBuilder::new(Manifest::new([Wasm::data(MODULE.as_bytes())]))
}

/// A cache of its own: that of the user is left alone.
fn cache(folder: &Path) -> Result<PathBuf> {
    let folder = folder.canonicalize().context("there is no such folder")?;
    let config = folder.join("cache.toml");
    let directory = folder.join("cache");
    let text = format!("[cache]\ndirectory = {directory:?}\n");
    std::fs::write(&config, text).context("cannot set up the cache")?;
    Ok(config)
}

fn call(plugin: &mut Plugin) -> Result<Value> {
    let text: String = plugin.call("add", ARGUMENTS)?;
    Ok(serde_json::from_str(&text)?)
}

/// Makes calls for a while. The first is checked, and not counted.
fn measure(mode: &str, time: Duration, mut call: impl FnMut() -> Result<Value>) -> Result<()> {
    let found = call().with_context(|| format!("Extism, {mode}"))?;
    ensure!(found["sum"] == 5, "Extism found another sum: {found}");
    let mut timing = Timing::default();
    let until = Instant::now() + time;
    while Instant::now() < until {
        let started = Instant::now();
        call()?;
        timing.add(started.elapsed());
    }
    let Summary { p50, p99, count } = timing.sum().context("no call ended in time")?;
    let version = |name| lock::version(LOCK, name).context("the lock file names it");
    let (extism, wasmtime) = (version("extism")?, version("wasmtime")?);
    let row = json!({
        "name": "Extism",
        "version": format!("{extism} (wasmtime {wasmtime})"),
        "settings": format!("{mode}; no limits"),
        "p50Us": p50,
        "p99Us": p99,
        "count": count,
    });
    println!("{row}");
    Ok(())
}
