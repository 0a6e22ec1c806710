//! `host run` of a cached plugin, from the start of the process to its exit.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::cases::Case;
use crate::process;

/// Runs that are measured.
pub(super) const RUNS: usize = 21;

/// The median, in milliseconds.
pub(super) fn median(host: &Path, case: &Case) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let mut command = Command::new(host);
        command.arg("run").args(case.line());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let started = Instant::now();
        let status = command
            .status()
            .with_context(|| process::cannot_start(&command))?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        if !status.success() {
            bail!(process::failed(&command, status));
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}
