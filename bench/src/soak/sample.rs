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
}

impl Sample {
    /// What the columns of a sample are.
    pub(super) const HEADER: &str = "  time s      calls   resident KiB   fds   threads   tasks";

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
        } = self;
        let seconds = at.as_secs_f64();
        let kib = resident / 1024;
        write!(
            f,
            "{seconds:8.1} {calls:10} {kib:14} {descriptors:5} {threads:9} {tasks:7}"
        )
    }
}

fn entries(folder: &str) -> Result<u64> {
    let count = fs::read_dir(folder)
        .with_context(|| format!("cannot read `{folder}`"))?
        .count();
    Ok(u64::try_from(count)?)
}
