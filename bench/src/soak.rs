//! A soak: very many calls of all kinds, good and bad, many at once, while memory,
//! file descriptors, threads and tasks of this process are watched, and how long the
//! calls take. After a while at work none of them may grow any more, and each call
//! has to end as its kind promises.

mod fit;
mod histogram;
mod mix;
mod pace;
mod sample;
mod stray;
mod worker;

use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use toolhost::Host;

use crate::artifacts::Artifacts;

use fit::Growth;
use pace::Pace;
use sample::Sample;
use worker::Work;

/// How long, and how many at once.
#[derive(Args, Debug)]
pub(crate) struct SoakArgs {
    /// How many calls to make
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    calls: u64,
    /// Stop after so many minutes, however many calls were made
    #[arg(long, value_name = "M")]
    minutes: Option<u64>,
    /// How many calls to keep in flight
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=500))]
    concurrency: u32,
    /// Milliseconds from one look at the process to the next
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(10..))]
    every: u64,
}

/// The times of so long are summed up as one: long enough for the rare kinds.
const PART: Duration = Duration::from_secs(5);

/// `bench soak`.
pub(crate) fn run(args: &SoakArgs, artifacts: &Artifacts) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(soak(args, artifacts))
}

async fn soak(args: &SoakArgs, artifacts: &Artifacts) -> Result<()> {
    let granted = tempfile::tempdir()?;
    let host = host(artifacts, granted.path()).await?;
    let work = Work::new(host, args.calls);
    let stop = args
        .minutes
        .map(|minutes| Duration::from_secs(60 * minutes));
    let mut workers = work.start(args.concurrency);
    let mut tick = tokio::time::interval(Duration::from_millis(args.every));
    let mut part = tokio::time::interval_at(tokio::time::Instant::now() + PART, PART);
    let (mut samples, mut pace) = (Vec::new(), Pace::default());
    println!("{}", Sample::HEADER);
    loop {
        tokio::select! {
            _ = tick.tick() => {
                let sample = Sample::take(work.elapsed(), work.made())?;
                println!("{sample}");
                samples.push(sample);
                if stop.is_some_and(|stop| work.elapsed() >= stop) {
                    work.stop();
                }
            }
            _ = part.tick() => {
                let processor = sample::processor_time()?;
                pace.turn(work.elapsed(), work.made(), processor, work.times());
            }
            ended = workers.join_next() => match ended {
                Some(ended) => ended?,
                None => break,
            },
        }
    }
    let made = work.made();
    let seconds = work.elapsed().as_secs_f64();
    println!("\n{}", work.counts());
    #[expect(clippy::cast_precision_loss, reason = "for a person to read")]
    let rate = made as f64 / seconds;
    println!(
        "{made} calls in {seconds:.1} s, {rate:.0} a second, {} in flight",
        args.concurrency
    );
    judge(&work, &samples, &pace)
}

/// Says how much each figure grew once the process was warm, whether the calls became
/// slower, and which of them ended otherwise than they had to.
fn judge(work: &Work, samples: &[Sample], pace: &Pace) -> Result<()> {
    let mut faults = Vec::new();
    let told = pace.told();
    match &told {
        Some(told) => println!("\n{told}"),
        None => println!("\nthe soak was too short to say whether calls become slower\n"),
    }
    let slower = told.map(|told| told.slower()).unwrap_or_default();
    if !slower.is_empty() {
        faults.push(format!("these become slower: {}", slower.join(", ")));
    }
    let strays = work.strays().count();
    println!("{strays} calls ended otherwise than their kind promises");
    print!("{}", work.strays());
    if strays > 0 {
        faults.push(format!("{strays} calls ended otherwise than they have to"));
    }
    let growths = Growth::of(samples)?;
    for growth in &growths {
        println!("{growth}");
    }
    let grown: Vec<_> = growths.iter().filter(|growth| growth.is_leak()).collect();
    if !grown.is_empty() {
        let names: Vec<_> = grown.iter().map(|growth| growth.what).collect();
        faults.push(format!("these grow with the calls: {}", names.join(", ")));
    }
    if !faults.is_empty() {
        bail!(faults.join("; "));
    }
    println!("flat: nothing grows with the calls, and they do not become slower");
    Ok(())
}

/// A host with real plugins and guests, and a rule that denies one tool.
async fn host(artifacts: &Artifacts, granted: &std::path::Path) -> Result<Host> {
    let cache = artifacts.scratch("soak-cache")?;
    let host = Host::builder()
        .cache_dir(Some(cache))
        .permissions(mix::permissions()?)
        .build()?;
    for path in [
        artifacts.guest("adder")?,
        artifacts.plugin("calc")?,
        artifacts.plugin("jq")?,
    ] {
        host.load(path, toolhost::PluginOptions::default()).await?;
    }
    let options = mix::granted(granted)?;
    host.load(artifacts.guest("misbehave")?, options).await?;
    Ok(host)
}
