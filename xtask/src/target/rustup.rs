//! The ordinary way: let rustup download the library.

use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::process;

use super::TRIPLE;

/// How long the download of some 20 MB may take. Behind a firewall that swallows
/// packets, rustup would try for many minutes.
const LIMIT: Duration = Duration::from_mins(2);

/// Runs `rustup target add`. Under a rustup toolchain, cargo names that toolchain
/// in the environment, so that the target is added to the one in use.
pub(crate) fn add() -> Result<()> {
    if !process::exists("rustup") {
        bail!("rustup is not installed");
    }
    let mut command = Command::new("rustup");
    command.args(["target", "add", TRIPLE]);
    eprintln!("$ {}", process::shell_line(&command));
    process::run(&mut command, LIMIT)
}
