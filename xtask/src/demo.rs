//! Four tools at work on this repository's own data.
//!
//! Each is run the way a user would run it, as a command that is printed first
//! and can be pasted; what follows is what it really said.

mod data;
mod scene;

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::guests::{self, Kind};
use crate::process;
use crate::repository::{Repository, Workspace};
use crate::target;

use self::scene::Scene;

/// The plugins that the demo runs.
const PLUGINS: [&str; 4] = ["jq", "csv", "search", "chart"];

/// `cargo xtask demo`.
pub(crate) fn run(repository: &Repository) -> Result<()> {
    target::ensure(repository)?;
    guests::build(repository, Kind::Plugins, &PLUGINS.map(String::from), false)?;
    build_host(repository)?;
    let folder = repository.target.join("demo");
    let lines = data::prepare(repository, &folder)?;
    for scene in scene::all(repository, &folder, &lines) {
        show(scene)?;
    }
    let chart = folder.join(scene::CHART);
    println!("\nopen {}", repository.shown(&chart));
    Ok(())
}

/// Builds the program `host` as a user would have it.
pub(crate) fn build_host(repository: &Repository) -> Result<()> {
    let mut command = repository.cargo(Workspace::Host, "build");
    command.args(["--release", "--package", "toolhost-cli"]);
    eprintln!("$ {}", process::shell_line(&command));
    let status = command.stdin(Stdio::null()).status();
    let status = status.with_context(|| process::cannot_start(&command))?;
    if !status.success() {
        bail!(process::failed(&command, status));
    }
    Ok(())
}

/// Prints what is asked and the command, and lets the command answer.
fn show(scene: Scene) -> Result<()> {
    let Scene {
        question,
        mut command,
    } = scene;
    println!("\n# {question}\n$ {}", process::shell_line(&command));
    let status = Command::status(command.stdin(Stdio::null()));
    let status = status.with_context(|| process::cannot_start(&command))?;
    if !status.success() {
        bail!(process::failed(&command, status));
    }
    Ok(())
}
