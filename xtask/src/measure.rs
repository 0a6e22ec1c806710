//! `cargo xtask soak`, `guard`, `flat` and `compare`: builds `bench/` and what it needs, and
//! starts it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::guests::{self, Kind};
use crate::repository::{Repository, TARGET_VARIABLE, Workspace};
use crate::{process, target};

/// The program `host` is built with it: for `compare`, and because the two then have
/// the same features and wasmtime is compiled once.
const PACKAGES: [&str; 3] = ["toolhost-cli", "toolhost-bench", "toolhost-bench-add"];

/// The workspace of those who bring a wasmtime of their own.
const PEERS: &str = "bench/peers/Cargo.toml";

/// Profiles that calls are counted in, and the folders cargo puts them into.
const PROFILES: [(&str, &str); 2] = [("dev", "debug"), ("release", "release")];

/// `cargo xtask soak`.
pub(crate) fn soak(repository: &Repository, calls: u64, minutes: Option<u64>) -> Result<()> {
    components(repository, &["adder", "misbehave"], &["calc", "jq"])?;
    let mut command = bench(repository, PROFILES[1])?;
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
    components(repository, &["adder", "misbehave"], &[])?;
    let mut command = bench(repository, PROFILES[1])?;
    run(command.arg("flat"))
}

/// `cargo xtask compare`.
pub(crate) fn compare(repository: &Repository, seconds: u64, json: Option<PathBuf>) -> Result<()> {
    components(repository, &["adder"], &[])?;
    let mut command = bench(repository, PROFILES[1])?;
    command.args(["compare", "--seconds", &seconds.to_string()]);
    if let Some(json) = json {
        command.arg("--json").arg(json);
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
    run(&mut command)
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
fn bench(repository: &Repository, (profile, folder): (&str, &str)) -> Result<Command> {
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
