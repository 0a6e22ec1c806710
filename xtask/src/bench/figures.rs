//! The figures as tables.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cases::Case;

pub(super) type Measured = (Case, Value, Option<f64>);

/// Everything that stands between the markers of the page.
pub(super) fn text(measured: &[Measured]) -> Result<String> {
    let mut page = String::new();
    write(&mut page, measured).context("cannot write the figures")?;
    Ok(page)
}

fn write(page: &mut String, measured: &[Measured]) -> std::fmt::Result {
    writeln!(page, "\n{}\n", machine())?;
    writeln!(page, "![Calls beside the floor](performance.svg)\n")?;
    writeln!(
        page,
        "Microseconds; the floor is the same component with the same arguments in bare wasmtime.\n"
    )?;
    writeln!(
        page,
        "| call | p50 | p90 | p99 | floor p50 | ratio | calls/s |"
    )?;
    writeln!(page, "|---|---:|---:|---:|---:|---:|---:|")?;
    for (case, result, _) in measured {
        let us = |quantile: &str| number(&result["pipeline"]["us"][quantile]);
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            case.name,
            us("p50"),
            us("p90"),
            us("p99"),
            number(&result["floor"]["us"]["p50"]),
            number(&result["ratio"]),
            number(&result["pipeline"]["callsPerSecond"]),
        )?;
    }
    writeln!(page, "\nWhere the time goes, mean microseconds:\n")?;
    let stages: Vec<&String> = measured
        .first()
        .and_then(|(_, result, _)| result["stagesUs"].as_object())
        .map(|stages| stages.keys().collect())
        .unwrap_or_default();
    let names: Vec<&str> = stages.iter().map(|stage| stage.as_str()).collect();
    writeln!(page, "| call | {} |", names.join(" | "))?;
    writeln!(page, "|---{}|", "|---:".repeat(stages.len()))?;
    for (case, result, _) in measured {
        let times: Vec<String> = stages
            .iter()
            .map(|stage| number(&result["stagesUs"][stage.as_str()]))
            .collect();
        writeln!(page, "| {} | {} |", case.name, times.join(" | "))?;
    }
    writeln!(
        page,
        "\nMemory, and a cached `host run` from process start to exit (median of 21):\n"
    )?;
    writeln!(
        page,
        "| call | a live sandbox, KiB resident | guest memory, KiB at most | start to exit, ms |"
    )?;
    writeln!(page, "|---|---:|---:|---:|")?;
    for (case, result, startup) in measured.iter().filter(|(case, ..)| case.charted) {
        let kib = |bytes: &Value| {
            bytes
                .as_u64()
                .map_or("—".into(), |bytes| (bytes / 1024).to_string())
        };
        let startup = startup.map_or("—".into(), |time| format!("{time:.1}"));
        let (live, guest) = (&result["sandboxResidentBytes"], &result["guestMemoryBytes"]);
        writeln!(
            page,
            "| {} | {} | {} | {startup} |",
            case.name,
            kib(live),
            kib(guest)
        )?;
    }
    writeln!(page)
}

fn number(value: &Value) -> String {
    match value.as_f64() {
        None => "—".to_owned(),
        Some(number) if number >= 1_000.0 => format!("{number:.0}"),
        Some(number) if number >= 100.0 => format!("{number:.1}"),
        Some(number) => format!("{number}"),
    }
}

/// The machine and the versions, in a sentence.
fn machine() -> String {
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
