//! The figures as tables.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::machine;

use super::{Call, Figures, compilers, loading, startup};

/// Everything that stands between the markers of the page.
pub(super) fn text(figures: &Figures) -> Result<String> {
    let mut page = String::new();
    write(&mut page, figures).context("cannot write the figures")?;
    Ok(page)
}

fn write(page: &mut String, figures: &Figures) -> std::fmt::Result {
    let Figures {
        calls,
        missing,
        compared,
        loaded,
    } = figures;
    writeln!(page, "\n{}\n", machine::text())?;
    if !missing.is_empty() {
        let missing = missing.join(" and ");
        writeln!(page, "Not measured this time: the plugin in {missing}.\n")?;
    }
    writeln!(page, "![Calls beside the floor](performance.svg)\n")?;
    times(page, calls)?;
    stages(page, calls)?;
    memory(page, calls)?;
    compilers::text(page, compared)?;
    loading::text(page, loaded)?;
    writeln!(page)
}

fn times(page: &mut String, calls: &[Call]) -> std::fmt::Result {
    writeln!(
        page,
        "Microseconds; the floor is the same component with the same arguments in bare wasmtime, and the \
         fuel floor the same with fuel counted. The p10 is what a call takes when nothing else on the \
         machine gets in its way; ratios are those of the p10 and of the p50.\n"
    )?;
    writeln!(
        page,
        "| call | p10 | p50 | p90 | p99 | p99 ÷ p50 | floor p10 · p50 | ratio | fuel floor p10 · p50 | ratio | calls/s |"
    )?;
    writeln!(
        page,
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    for Call { case, result, .. } in calls {
        let us = |quantile: &str| &result["pipeline"]["us"][quantile];
        let spread = us("p99").as_f64().zip(us("p50").as_f64());
        let spread = spread.map_or("—".to_owned(), |(p99, p50)| format!("{:.1}", p99 / p50));
        let floor = |name: &str| {
            let us = &result[name]["us"];
            pair(&us["p10"], &us["p50"])
        };
        writeln!(
            page,
            "| {} | {} | {} | {} | {} | {spread} | {} | {} | {} | {} | {} |",
            case.name,
            number(us("p10")),
            number(us("p50")),
            number(us("p90")),
            number(us("p99")),
            floor("floor"),
            pair(&result["ratioP10"], &result["ratio"]),
            floor("meteredFloor"),
            pair(&result["meteredRatioP10"], &result["meteredRatio"]),
            number(&result["pipeline"]["callsPerSecond"]),
        )?;
    }
    Ok(())
}

fn stages(page: &mut String, calls: &[Call]) -> std::fmt::Result {
    writeln!(page, "\nWhere the time goes, mean microseconds:\n")?;
    let stages = calls
        .first()
        .and_then(|Call { result, .. }| result["stagesUs"].as_object());
    let names: Vec<&str> = stages
        .map(|stages| stages.keys().map(String::as_str).collect())
        .unwrap_or_default();
    writeln!(page, "| call | {} |", names.join(" | "))?;
    writeln!(page, "|---{}|", "|---:".repeat(names.len()))?;
    for Call { case, result, .. } in calls {
        let times = names.iter().map(|stage| number(&result["stagesUs"][stage]));
        let times: Vec<String> = times.collect();
        writeln!(page, "| {} | {} |", case.name, times.join(" | "))?;
    }
    Ok(())
}

fn memory(page: &mut String, calls: &[Call]) -> std::fmt::Result {
    writeln!(
        page,
        "\nMemory, and a cached `host run` from process start to exit (median of {}):\n",
        startup::RUNS
    )?;
    writeln!(
        page,
        "| call | a live sandbox, KiB resident | guest memory, KiB at most | start to exit, ms |"
    )?;
    writeln!(page, "|---|---:|---:|---:|")?;
    let kib = |bytes: &Value| {
        let bytes = bytes.as_u64();
        bytes.map_or("—".into(), |bytes| (bytes / 1024).to_string())
    };
    for Call {
        case,
        result,
        startup,
    } in calls.iter().filter(|call| call.case.charted)
    {
        let startup = startup.map_or("—".into(), |time| format!("{time:.1}"));
        let live = kib(&result["sandboxResidentBytes"]);
        let guest = kib(&result["guestMemoryBytes"]);
        writeln!(page, "| {} | {live} | {guest} | {startup} |", case.name)?;
    }
    Ok(())
}

/// Two numbers in one cell.
fn pair(one: &Value, other: &Value) -> String {
    if one.is_null() && other.is_null() {
        return number(one);
    }
    format!("{} · {}", number(one), number(other))
}

/// A number with no more digits than it has meaning.
pub(super) fn number(value: &Value) -> String {
    match value.as_f64() {
        None => "—".to_owned(),
        Some(number) if number >= 1_000.0 => format!("{number:.0}"),
        Some(number) if number >= 100.0 => format!("{number:.1}"),
        Some(number) => format!("{number}"),
    }
}
