//! What `--verbose` says of a call: the plugin's log, what was refused, and what
//! the call used.

use std::time::Duration;

use toolhost::{CallResult, LogLevel, LogLine, LogSource, Report};

use super::explain;
use crate::printer::Printer;
use crate::units;

/// Says it.
pub(crate) fn say(result: &CallResult, printer: &Printer) {
    let report = &result.report;
    for line in &report.logs {
        printer.log(label(line), &line.message);
    }
    if report.logs_dropped_bytes > 0 {
        let dropped = units::bytes(report.logs_dropped_bytes);
        printer.note(&format!("{dropped} of the log were dropped"));
    }
    // A failure tells of refusals itself.
    if !result.is_error() {
        for denial in &report.denials {
            printer.note(&explain::refused(denial));
        }
    }
    if report.fast_compiled {
        printer.note("the fast compiler compiled the plugin (`fast-compile`)");
    }
    printer.note(&used(report));
}

fn label(line: &LogLine) -> &'static str {
    match (line.source, line.level) {
        (LogSource::Stdout, _) => "stdout",
        (LogSource::Stderr, _) => "stderr",
        (LogSource::Log, LogLevel::Trace) => "trace",
        (LogSource::Log, LogLevel::Debug) => "debug",
        (LogSource::Log, LogLevel::Info) => "info",
        (LogSource::Log, LogLevel::Warn) => "warn",
        (LogSource::Log, LogLevel::Error) => "error",
    }
}

fn used(report: &Report) -> String {
    let total = report.duration_ms.total;
    let time = Duration::try_from_secs_f64(total / 1_000.0).unwrap_or_default();
    format!(
        "{} in all, {} of fuel, {} of memory, {}",
        units::duration(time),
        units::count(report.fuel),
        units::bytes(report.memory_peak_bytes),
        units::plural(
            usize::try_from(report.host_calls).unwrap_or(usize::MAX),
            "host call"
        ),
    )
}
