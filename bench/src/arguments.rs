//! What arguments cost on their way from a model's text to the guest: checking them
//! against the schema alone, and whole calls of a guest that does not look at them.

mod sample;

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use toolhost::json::JsonLimits;
use toolhost::{Call, ExecutionContext, Host, PluginOptions};

use crate::artifacts::Artifacts;
use crate::compare::timing::{Summary, Timing};

use sample::Sample;

/// What `arguments` takes.
#[derive(Args)]
pub(crate) struct ArgumentsArgs {
    /// How long each figure is measured, in seconds
    #[arg(long, value_name = "S", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
}

/// So much time is measured at once: a clock cannot time a microsecond.
const AT_LEAST: Duration = Duration::from_micros(50);

/// One figure: what one text costs.
struct Row {
    what: String,
    bytes: usize,
    /// The quickest turn, in microseconds: what it takes where nothing else runs.
    least: f64,
    cost: Summary,
}

/// Measures and prints.
pub(crate) fn run(args: &ArgumentsArgs, artifacts: &Artifacts) -> Result<()> {
    let time = Duration::from_secs(args.seconds);
    println!("{}", Row::HEADER);
    for sample in Sample::all() {
        println!("{}", checked(&sample, time)?);
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let host = host(artifacts).await?;
        for text in ["{}".to_owned(), sample::rows()] {
            println!("{}", brought(&host, text, time).await?);
        }
        Ok(())
    })
}

/// Times the check of a text, as it is part of every call.
fn checked(sample: &Sample, time: Duration) -> Result<Row> {
    let schema = sample.schema()?;
    let check = || {
        let checked = schema.check_text(black_box(&sample.text), &JsonLimits::default());
        black_box(checked.is_ok())
    };
    if !check() {
        bail!("the text of `{}` does not match its schema", sample.what);
    }
    let mut times = 1;
    let started = Instant::now();
    while started.elapsed() < AT_LEAST {
        check();
        times += 1;
    }
    let (mut timing, mut least) = (Timing::default(), Duration::MAX);
    let started = Instant::now();
    while started.elapsed() < time {
        let turn = Instant::now();
        (0..times).for_each(|_| {
            check();
        });
        let took = turn.elapsed();
        timing.add(took);
        least = least.min(took);
    }
    let divided = |cost: f64| cost / f64::from(times);
    let Some(Summary { p50, p99, count }) = timing.sum() else {
        bail!("nothing was measured");
    };
    Ok(Row {
        what: format!("checked: {}", sample.what),
        bytes: sample.text.len(),
        least: divided(microseconds(least)),
        cost: Summary {
            p50: divided(p50),
            p99: divided(p99),
            count,
        },
    })
}

async fn host(artifacts: &Artifacts) -> Result<Host> {
    let cache = artifacts.scratch("arguments-cache")?;
    let host = Host::builder().cache_dir(Some(cache)).build()?;
    let guest = artifacts.guest("length")?;
    host.load(guest, PluginOptions::default()).await?;
    Ok(host)
}

/// Times whole calls.
async fn brought(host: &Host, text: String, time: Duration) -> Result<Row> {
    let (mut timing, mut least) = (Timing::default(), Duration::MAX);
    let started = Instant::now();
    while started.elapsed() < time {
        let call = Call::from_text("call-1", "length", text.clone());
        let turn = Instant::now();
        let result = host.call(call, ExecutionContext::default()).await;
        let took = turn.elapsed();
        timing.add(took);
        least = least.min(took);
        if let Err(error) = result.outcome {
            bail!("a call ended in {error:?}");
        }
    }
    let Some(cost) = timing.sum() else {
        bail!("nothing was measured");
    };
    Ok(Row {
        what: "a whole call, to a guest that does not look at them".to_owned(),
        bytes: text.len(),
        least: microseconds(least),
        cost,
    })
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

impl Row {
    const HEADER: &str = "| arguments | bytes | least µs | p50 µs | p99 µs | MB/s at least and p50 |\n|---|---:|---:|---:|---:|---:|";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            bytes,
            least,
            cost: Summary { p50, p99, .. },
        } = self;
        #[expect(clippy::cast_precision_loss, reason = "a megabyte")]
        let speed = |time: &f64| *bytes as f64 / time;
        write!(
            f,
            "| {what} | {bytes} | {least:.2} | {p50:.2} | {p99:.2} | {:.0}, {:.0} |",
            speed(least),
            speed(p50)
        )
    }
}
