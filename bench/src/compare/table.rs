//! The figures of all contestants, for a person and for a program.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::timing::Summary;

/// A contestant's line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Who.
    pub(super) name: String,
    /// How it was set up.
    pub(super) settings: String,
    /// What it took.
    pub(super) timing: Summary,
}

impl Row {
    pub(super) fn to_json(&self) -> Value {
        let Self {
            name,
            settings,
            timing: Summary { p50, p99, count },
        } = self;
        json!({"name": name, "settings": settings, "p50Us": p50, "p99Us": p99, "count": count})
    }

    /// A line that another program wrote in the form of [`to_json`](Self::to_json).
    pub(super) fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        Some(Self {
            name: value["name"].as_str()?.to_owned(),
            settings: value["settings"].as_str()?.to_owned(),
            timing: Summary {
                p50: value["p50Us"].as_f64()?,
                p99: value["p99Us"].as_f64()?,
                count: usize::try_from(value["count"].as_u64()?).ok()?,
            },
        })
    }
}

/// A table in Markdown, the quickest first. Times are beside those of the first.
pub(super) fn markdown(rows: &[Row]) -> String {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|one, other| one.timing.p50.total_cmp(&other.timing.p50));
    let least = rows.first().map_or(1.0, |row| row.timing.p50);
    let mut text = String::from("| by | p50 µs | p99 µs | × the first | calls | settings |\n");
    text.push_str("|---|--:|--:|--:|--:|---|");
    for Row {
        name,
        settings,
        timing: Summary { p50, p99, count },
    } in rows
    {
        let times = p50 / least;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n| {name} | {p50:.1} | {p99:.1} | {times:.1} | {count} | {settings} |"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, p50: f64) -> Row {
        Row {
            name: name.to_owned(),
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
        let text = markdown(&[row("slow", 30.0), row("quick", 10.0)]);
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(
            lines[0],
            "| quick | 10.0 | 20.0 | 1.0 | 100 | as it comes |"
        );
        assert_eq!(lines[1], "| slow | 30.0 | 60.0 | 3.0 | 100 | as it comes |");
    }

    #[test]
    fn a_line_of_another_program_is_read() {
        let written = row("extism", 2_900.0);
        assert_eq!(Row::parse(&written.to_json().to_string()), Some(written));
        assert_eq!(Row::parse("wasmtime said something"), None);
    }
}
