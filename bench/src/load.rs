//! How long many plugins take to load, one after another and all at once, compiled
//! anew and from the cache.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolhost::{Host, PluginOptions};

use crate::artifacts::Artifacts;

/// Loads from the cache are quick: of so many the quickest counts.
const WARM_LOADS: u32 = 10;

/// What `load` takes.
#[derive(Args)]
pub(crate) struct LoadArgs {
    /// The plugins
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How often each way is measured; the quickest counts
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
}

#[derive(Clone, Copy)]
enum Way {
    OneByOne,
    Together,
}

/// The quickest of each.
struct Times {
    cold: Duration,
    warm: Duration,
}

/// Measures and prints a JSON object.
pub(crate) fn run(args: &LoadArgs, artifacts: &Artifacts) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let scratch = artifacts.scratch("load")?;
    let [mut one_by_one, mut together] = [const { Times::NONE }; 2];
    for round in 1..=args.rounds {
        eprintln!("loading, round {round} of {}", args.rounds);
        for (way, times) in [
            (Way::OneByOne, &mut one_by_one),
            (Way::Together, &mut together),
        ] {
            // A new folder, so that nothing is compiled yet.
            let cache = tempfile::tempdir_in(&scratch).context("cannot make a cache")?;
            let load = || runtime.block_on(way.load(&args.files, cache.path()));
            times.cold = times.cold.min(load()?);
            for _ in 0..WARM_LOADS {
                times.warm = times.warm.min(load()?);
            }
        }
    }
    let shown = json!({
        "plugins": args.files.len(),
        "oneByOne": one_by_one.to_json(),
        "together": together.to_json(),
    });
    println!("{shown}");
    Ok(())
}

impl Times {
    const NONE: Self = Self {
        cold: Duration::MAX,
        warm: Duration::MAX,
    };

    fn to_json(&self) -> Value {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        json!({"coldMs": ms(self.cold), "warmMs": ms(self.warm)})
    }
}

impl Way {
    /// Loads all plugins into a new host; its own start does not count.
    async fn load(self, files: &[PathBuf], cache: &Path) -> Result<Duration> {
        let compiler = Artifacts::program("host")?;
        let compiler = compiler.context("plugins are compiled by `host`: build it beside this")?;
        let host = Host::builder()
            .cache_dir(Some(cache.to_owned()))
            .compiler(Some(compiler))
            .build()?;
        let started = Instant::now();
        let mut loading = JoinSet::new();
        for file in files {
            let (host, file) = (host.clone(), file.clone());
            loading.spawn(async move {
                let opened = host.open(&file, PluginOptions::default()).await;
                let opened = opened.map(drop);
                opened.map_err(|error| anyhow!(error).context(format!("`{}`", file.display())))
            });
            if matches!(self, Self::OneByOne) {
                all(&mut loading).await?;
            }
        }
        all(&mut loading).await?;
        Ok(started.elapsed())
    }
}

async fn all(loading: &mut JoinSet<Result<()>>) -> Result<()> {
    while let Some(loaded) = loading.join_next().await {
        loaded.context("loading was broken off")??;
    }
    Ok(())
}
