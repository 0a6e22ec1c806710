//! One look at this process.

use std::fmt;
use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// Of the systems that have `/proc/self/statm` and run a pool, all but few use it.
const PAGE_BYTES: u64 = 4096;

/// What the process held at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Since the start.
    pub(super) at: Duration,
    /// Calls that had ended.
    pub(super) calls: u64,
    /// Resident bytes.
    pub(super) resident: u64,
    /// Open file descriptors.
    pub(super) descriptors: u64,
    /// Threads.
    pub(super) threads: u64,
    /// Tasks of the runtime that had not ended.
    pub(super) tasks: u64,
    /// The load of the machine over the last minute, ours in it.
    pub(super) load: f64,
}

impl Sample {
    /// What the columns of a sample are.
    pub(super) const HEADER: &str =
        "  time s      calls   resident KiB   fds   threads   tasks   load";

    /// Looks at this process, within a runtime.
    pub(super) fn take(at: Duration, calls: u64) -> Result<Self> {
        let statm = fs::read_to_string("/proc/self/statm")
            .context("a soak needs `/proc`, which Linux has")?;
        let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
        let pages: u64 = pages.context("`/proc/self/statm` names no resident pages")?;
        let tasks = tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks();
        Ok(Self {
            at,
            calls,
            resident: pages * PAGE_BYTES,
            // The folder that is being read is not counted.
            descriptors: entries("/proc/self/fd")?.saturating_sub(1),
            threads: entries("/proc/self/task")?,
            tasks: u64::try_from(tasks)?,
            load: load()?,
        })
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            at,
            calls,
            resident,
            descriptors,
            threads,
            tasks,
            load,
        } = self;
        let seconds = at.as_secs_f64();
        let kib = resident / 1024;
        write!(
            f,
            "{seconds:8.1} {calls:10} {kib:14} {descriptors:5} {threads:9} {tasks:7} {load:6.2}"
        )
    }
}

fn entries(folder: &str) -> Result<u64> {
    let count = fs::read_dir(folder)
        .with_context(|| format!("cannot read `{folder}`"))?
        .count();
    Ok(u64::try_from(count)?)
}

fn load() -> Result<f64> {
    let text = fs::read_to_string("/proc/loadavg").context("a soak needs `/proc`")?;
    let load = text.split(' ').next().and_then(|load| load.parse().ok());
    load.context("`/proc/loadavg` names no load")
}

/// Of the systems that have `/proc/self/stat`, all count so many ticks a second there.
const TICKS_PER_SECOND: f64 = 100.0;

/// What the processor has done for this process, all threads of it.
pub(super) fn processor_time() -> Result<Duration> {
    let text = fs::read_to_string("/proc/self/stat").context("a soak needs `/proc`")?;
    // The name of the program may have spaces, and stands in parentheses.
    let after = text.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    let ticks: Vec<u32> = ticks.map(str::parse).collect::<Result<_, _>>()?;
    let ticks: f64 = ticks.into_iter().map(f64::from).sum();
    Ok(Duration::from_secs_f64(ticks / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn what_the_processor_does_is_told() {
        let before = processor_time().expect("there is `/proc`");
        let started = Instant::now();
        while processor_time().expect("there is `/proc`") < before + Duration::from_millis(30) {
            assert!(
                started.elapsed() < Duration::from_mins(1),
                "it stands still"
            );
        }
    }
}
