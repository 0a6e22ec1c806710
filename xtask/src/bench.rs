//! What calls cost: runs `host bench` on real tools, and writes the figures and a
//! chart into `docs/`.

mod cases;
mod chart;
mod compilers;
mod figures;
mod languages;
mod loading;
mod startup;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::guests::{self, Kind};
use crate::repository::Repository;
use crate::{files, measure, page, process, target};

use self::cases::{Case, GUESTS};
use self::compilers::Compared;
use self::languages::Guest;

const CHART: &str = "docs/performance.svg";

/// Everything that was measured.
struct Figures {
    calls: Vec<Call>,
    /// Languages whose plugin could not be made.
    missing: Vec<&'static str>,
    compared: Vec<Compared>,
    /// What `bench load` printed.
    loaded: Value,
}

/// A case, and what it took.
struct Call {
    case: Case,
    /// What `host bench` printed.
    result: Value,
    /// A cached `host run`, in milliseconds.
    startup: Option<f64>,
}

/// How to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How long each side of each case is measured, in seconds
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Measure, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// `cargo xtask bench`.
pub(crate) fn command(repository: &Repository, options: &Options) -> Result<()> {
    target::ensure(repository)?;
    guests::build(repository, Kind::Plugins, &[], false)?;
    guests::build(repository, Kind::Guests, &GUESTS.map(String::from), false)?;
    let guests = languages::build(repository);
    let bench = measure::bench(repository, measure::RELEASE)?;
    let figures = measure_all(repository, &guests, bench, options.seconds)?;
    let text = figures::text(&figures)?;
    println!("{text}");
    if options.dry_run {
        return Ok(());
    }
    page::FIGURES.write(repository, &text)?;
    files::write(&repository.root.join(CHART), chart::svg(&figures.calls))?;
    println!("written: {} and {CHART}", page::PATH);
    Ok(())
}

fn measure_all(
    repository: &Repository,
    guests: &[Guest],
    bench: Command,
    seconds: u64,
) -> Result<Figures> {
    let host = repository.target.join("release").join("host");
    let folder = repository.target.join("bench");
    fs::create_dir_all(&folder).context("cannot make a folder for the data")?;
    let (mut calls, mut compared) = (Vec::new(), Vec::new());
    for case in cases::all(repository, &folder, guests)? {
        let result = run(&host, &case.line(), seconds)?;
        let startup = case.starts.then(|| startup::median(&host, &case));
        if case.compiles {
            compared.push(compilers::compare(&host, &folder, &case, seconds)?);
        }
        calls.push(Call {
            startup: startup.transpose()?,
            case,
            result,
        });
    }
    let missing = guests.iter().filter(|guest| guest.component.is_none());
    Ok(Figures {
        calls,
        missing: missing.map(|guest| guest.language).collect(),
        compared,
        loaded: loading::measure(repository, bench)?,
    })
}

/// What `host bench` prints for the line.
fn run(host: &Path, line: &[String], seconds: u64) -> Result<Value> {
    let mut command = Command::new(host);
    command.arg("bench").args(line);
    command.args(["--json", "--duration", &format!("{seconds}s")]);
    let said = process::long_output_of(&mut command)?;
    serde_json::from_str(&said).context("`host bench --json` did not print JSON")
}
