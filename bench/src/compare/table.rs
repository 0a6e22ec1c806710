//! The figures of all contestants, for a person and for a program.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::TOOL_HOST;
use super::timing::Summary;

/// A contestant's line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Who.
    pub(super) name: String,
    /// Which version of it.
    pub(super) version: String,
    /// How it was set up.
    pub(super) settings: String,
    /// What it took.
    pub(super) timing: Summary,
}

impl Row {
    pub(super) fn to_json(&self) -> Value {
        let Self {
            name,
            version,
            settings,
            timing: Summary { p50, p99, count },
        } = self;
        json!({
            "name": name,
            "version": version,
            "settings": settings,
            "p50Us": p50,
            "p99Us": p99,
            "count": count,
        })
    }

    /// A line that another program wrote in the form of [`to_json`](Self::to_json).
    pub(super) fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        Some(Self {
            name: value["name"].as_str()?.to_owned(),
            version: value["version"].as_str()?.to_owned(),
            settings: value["settings"].as_str()?.to_owned(),
            timing: Summary {
                p50: value["p50Us"].as_f64()?,
                p99: value["p99Us"].as_f64()?,
                count: usize::try_from(value["count"].as_u64()?).ok()?,
            },
        })
    }
}

/// A table in Markdown, the quickest first. Times are beside those of the tool host.
pub(super) fn markdown(rows: &[Row]) -> String {
    let ours = rows.iter().find(|row| row.name == TOOL_HOST);
    let ours = ours.map(|row| row.timing.p50);
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|one, other| one.timing.p50.total_cmp(&other.timing.p50));
    let mut text =
        String::from("| by | version | p50 µs | p99 µs | × the tool host | calls | settings |\n");
    text.push_str("|---|---|---:|---:|---:|---:|---|");
    for Row {
        name,
        version,
        settings,
        timing: Summary { p50, p99, count },
    } in rows
    {
        let times = ours.map_or("—".to_owned(), |ours| significant(p50 / ours));
        let (p50, p99) = (significant(*p50), significant(*p99));
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n| {name} | {version} | {p50} | {p99} | {times} | {count} | {settings} |"
        );
    }
    text
}

/// Three digits, or as many as there are before the point.
fn significant(number: f64) -> String {
    let digits = match number {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{number:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, p50: f64) -> Row {
        Row {
            name: name.to_owned(),
            version: "1.2".to_owned(),
            settings: "as it comes".to_owned(),
            timing: Summary {
                p50,
                p99: p50 * 2.0,
                count: 100,
            },
        }
    }

    #[test]
    fn the_quickest_is_first() {
        let text = markdown(&[row(TOOL_HOST, 2_000.0), row("quick", 10.0)]);
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(
            lines[0],
            "| quick | 1.2 | 10.0 | 20.0 | 0.01 | 100 | as it comes |"
        );
        assert_eq!(
            lines[1],
            "| tool host | 1.2 | 2000 | 4000 | 1.00 | 100 | as it comes |"
        );
    }

    #[test]
    fn a_line_of_another_program_is_read() {
        let written = row("extism", 2_900.0);
        assert_eq!(Row::parse(&written.to_json().to_string()), Some(written));
        assert_eq!(Row::parse("wasmtime said something"), None);
    }
}
