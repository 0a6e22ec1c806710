//! What calls cost: runs `host bench` on real tools, and writes the figures and a
//! chart into `docs/`.

mod cases;
mod chart;
mod figures;
mod startup;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::demo;
use crate::guests::{self, Kind};
use crate::process;
use crate::repository::Repository;
use crate::target;

use self::cases::{Case, GUESTS, PLUGINS};

/// The page that the figures go into, between the two markers.
const PAGE: &str = "docs/performance.md";
const CHART: &str = "docs/performance.svg";
const BEGIN: &str = "<!-- figures: written by `cargo xtask bench` -->\n";
const END: &str = "<!-- end of figures -->\n";

/// What is measured beside the plugins of this repository.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How long each side of each case is measured, in seconds
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// A plugin in JavaScript, to be measured too: `FILE:TOOL:ARGS`
    #[arg(long, value_name = "FILE:TOOL:ARGS")]
    js: Option<String>,
    /// A plugin in Python, to be measured too: `FILE:TOOL:ARGS`
    #[arg(long, value_name = "FILE:TOOL:ARGS")]
    python: Option<String>,
    /// Measure, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// `cargo xtask bench`.
pub(crate) fn command(repository: &Repository, options: &Options) -> Result<()> {
    target::ensure(repository)?;
    guests::build(repository, Kind::Plugins, &PLUGINS.map(String::from), false)?;
    guests::build(repository, Kind::Guests, &GUESTS.map(String::from), false)?;
    demo::build_host(repository)?;
    let host = repository.target.join("release").join("host");
    let folder = repository.target.join("bench");
    fs::create_dir_all(&folder).context("cannot make a folder for the data")?;
    let cases = cases::all(
        repository,
        &folder,
        options.js.as_deref(),
        options.python.as_deref(),
    )?;
    let mut measured = Vec::new();
    for case in cases {
        let result = measure(&host, &case, options.seconds)?;
        let startup = case
            .starts
            .then(|| startup::median(&host, &case))
            .transpose()?;
        measured.push((case, result, startup));
    }
    let figures = figures::text(&measured)?;
    println!("{figures}");
    if options.dry_run {
        return Ok(());
    }
    let root = &repository.root;
    replace(&root.join(PAGE), &figures)?;
    let chart = chart::svg(&measured);
    fs::write(root.join(CHART), chart).with_context(|| format!("cannot write {CHART}"))?;
    println!("written: {PAGE} and {CHART}");
    Ok(())
}

fn measure(host: &Path, case: &Case, seconds: u64) -> Result<Value> {
    let mut command = Command::new(host);
    command.arg("bench").args(case.line());
    command.args(["--json", "--duration", &format!("{seconds}s")]);
    eprintln!("$ {}", process::shell_line(&command));
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.with_context(|| process::cannot_start(&command))?;
    if !output.status.success() {
        bail!(process::failed(&command, output.status));
    }
    serde_json::from_slice(&output.stdout).context("`host bench --json` did not print JSON")
}

/// Puts the figures in the place of the last ones.
fn replace(page: &PathBuf, figures: &str) -> Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {PAGE}"))?;
    let (Some(begin), Some(end)) = (text.find(BEGIN), text.find(END)) else {
        bail!(
            "{PAGE} has lost its markers; put these two lines where the figures belong:\n{BEGIN}{END}"
        );
    };
    let kept = (text.get(..begin + BEGIN.len()), text.get(end..));
    let (Some(before), Some(after)) = kept else {
        bail!("the markers of {PAGE} are in the wrong order");
    };
    let text = format!("{before}{figures}{after}");
    fs::write(page, text).with_context(|| format!("cannot write {PAGE}"))
}
