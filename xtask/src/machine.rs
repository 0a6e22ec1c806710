//! What was measured on: without it no figure means anything.

use std::fs;
use std::process::Command;

/// The machine and the versions, in a sentence.
pub(crate) fn text() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model
        .and_then(|line| line.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let said = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let kernel = said("uname", "-sr").unwrap_or_default();
    let rustc = said("rustc", "--version").unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    format!(
        "Measured on {model}, {cores} cores, {kernel}, {rustc}, with a load of {load} when it ended."
    )
}
