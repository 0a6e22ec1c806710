//! Those that bring a wasmtime of their own: `bench/peers`, a program apart, so that
//! nothing of it comes into the host's tree of dependencies.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::artifacts::Artifacts;

use super::table::Row;

/// Lets the peers run, and reads the rows they write, one JSON object a line.
pub(super) fn rows(program: &Path, time: Duration, artifacts: &Artifacts) -> Result<Vec<Row>> {
    eprintln!("peers");
    let output = Command::new(program)
        .arg(time.as_secs().to_string())
        .arg(artifacts.scratch("peers")?)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{}`", program.display()))?;
    if !output.status.success() {
        bail!("`{}` failed with {}", program.display(), output.status);
    }
    let said = String::from_utf8(output.stdout).context("the peers write UTF-8")?;
    let rows = said.lines().map(|line| {
        Row::parse(line).with_context(|| format!("the peers wrote no row, but `{line}`"))
    });
    rows.collect()
}
