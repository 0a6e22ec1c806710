//! `cargo xtask soak`, `guard`, `flat`, `arguments` and `compare`: builds `bench/` and what it
//! needs, and starts it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::guests::{self, Kind};
use crate::repository::{Repository, TARGET_VARIABLE, Workspace};
use crate::{machine, page, process, target};

/// The program `host` is built with it: for `compare`, and because the two then have
/// the same features and wasmtime is compiled once.
const PACKAGES: [&str; 3] = ["toolhost-cli", "toolhost-bench", "toolhost-bench-add"];

/// The workspace of those who bring a wasmtime of their own.
const PEERS: &str = "bench/peers/Cargo.toml";

/// A profile, and the folder cargo puts it into.
pub(crate) type Profile = (&'static str, &'static str);

/// What users get.
pub(crate) const RELEASE: Profile = ("release", "release");

/// Profiles that calls are counted in.
const PROFILES: [Profile; 2] = [("dev", "debug"), RELEASE];

/// `cargo xtask soak`.
pub(crate) fn soak(repository: &Repository, calls: u64, minutes: Option<u64>) -> Result<()> {
    components(repository, &["adder", "misbehave"], &["calc", "jq"])?;
    let mut command = bench(repository, RELEASE)?;
    command.args(["soak", "--calls", &calls.to_string()]);
    if let Some(minutes) = minutes {
        command.args(["--minutes", &minutes.to_string()]);
    }
    run(&mut command)
}

/// `cargo xtask guard`.
pub(crate) fn guard(repository: &Repository, update: bool) -> Result<()> {
    components(repository, &["adder"], &[])?;
    for profile in PROFILES {
        let mut command = bench(repository, profile)?;
        command.arg("guard");
        if update {
            command.arg("--update");
        }
        run(&mut command)?;
    }
    Ok(())
}

/// `cargo xtask flat`.
pub(crate) fn flat(repository: &Repository) -> Result<()> {
    let guests = ["adder", "misbehave", "many-tools", "table-grow"];
    components(repository, &guests, &[])?;
    let mut command = bench(repository, RELEASE)?;
    run(command.arg("flat"))
}

/// `cargo xtask arguments`.
pub(crate) fn arguments(repository: &Repository) -> Result<()> {
    components(repository, &["length"], &[])?;
    let mut command = bench(repository, RELEASE)?;
    run(command.arg("arguments"))
}

/// How to compare.
#[derive(clap::Args)]
pub(crate) struct CompareOptions {
    /// How long each of them runs
    #[arg(long, value_name = "S", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Write the figures to a file as JSON too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Measure, and write nothing into the page
    #[arg(long)]
    dry_run: bool,
}

/// `cargo xtask compare`.
pub(crate) fn compare(repository: &Repository, options: &CompareOptions) -> Result<()> {
    components(repository, &["adder"], &[])?;
    let mut command = bench(repository, RELEASE)?;
    command.args(["compare", "--seconds", &options.seconds.to_string()]);
    if let Some(json) = &options.json {
        command.arg("--json").arg(std::path::absolute(json)?);
    }
    match peers(repository) {
        Ok(program) => {
            command.arg("--peers").arg(program);
        }
        Err(error) => eprintln!("note: there are no peers: {error:#}"),
    }
    if process::exists("wasmtime") {
        command.arg("--command").arg(wasi_command(repository)?);
    }
    let table = process::long_output_of(&mut command)?;
    let text = format!("\n{}\n\n{table}\n", machine::text());
    println!("{text}");
    if !options.dry_run {
        page::PEERS.write(repository, &text)?;
        println!("written: {}", page::PATH);
    }
    Ok(())
}

fn components(repository: &Repository, guests: &[&str], plugins: &[&str]) -> Result<()> {
    target::ensure(repository)?;
    for (kind, names) in [(Kind::Guests, guests), (Kind::Plugins, plugins)] {
        if !names.is_empty() {
            let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            guests::build(repository, kind, &names, false)?;
        }
    }
    Ok(())
}

/// Builds the programs, and gives the command that starts `bench`.
pub(crate) fn bench(repository: &Repository, (profile, folder): Profile) -> Result<Command> {
    let mut command = repository.cargo(Workspace::Host, "build");
    command.args(["--profile", profile]);
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    run(&mut command)?;
    let mut bench = Command::new(repository.target.join(folder).join("bench"));
    bench.current_dir(&repository.root);
    bench.arg("--target").arg(&repository.target);
    Ok(bench)
}

/// Builds the peers, and says where they are.
fn peers(repository: &Repository) -> Result<PathBuf> {
    let target = repository.target.join("peers");
    let mut command = process::cargo();
    command
        .current_dir(&repository.root)
        .args(["build", "--release", "--locked", "--manifest-path", PEERS])
        .env(TARGET_VARIABLE, &target);
    run(&mut command)?;
    Ok(target.join("release/peers"))
}

/// Builds the program `add` for WASI, and says where it is.
fn wasi_command(repository: &Repository) -> Result<PathBuf> {
    let mut command = repository.cargo(Workspace::Host, "build");
    command.args(["--release", "--package", "toolhost-bench-add"]);
    command.args(["--target", target::TRIPLE]);
    run(&mut command)?;
    let folder = repository.target.join(target::TRIPLE).join("release");
    Ok(folder.join("add.wasm"))
}

/// Runs a command that must succeed; what it writes goes through.
fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", process::shell_line(command));
    let status = command.stdin(Stdio::null()).status();
    let status = status.with_context(|| process::cannot_start(command))?;
    if !status.success() {
        bail!(process::failed(command, status));
    }
    Ok(())
}
