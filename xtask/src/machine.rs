//! What was measured on: without it no figure means anything.

use std::fs;
use std::process::Command;

use crate::process;

/// The machine and the versions, in a sentence.
pub(crate) fn text() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model
        .and_then(|line| line.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let said = |command: &mut Command| process::output_of(command).unwrap_or_default();
    let kernel = said(Command::new("uname").arg("-sr"));
    let rustc = said(process::rustc().arg("--version"));
    let (kernel, rustc) = (kernel.trim(), rustc.trim());
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    format!(
        "Measured on {model}, {cores} cores, {kernel}, {rustc}, with a load of {load} when it ended."
    )
}
