//! What is measured.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::repository::Repository;

use super::languages::Guest;

/// The guests of the integration tests that are called.
pub(super) const GUESTS: [&str; 4] = ["adder", "contract", "length", "relay"];

/// One measurement.
pub(super) struct Case {
    /// What it shows, for a reader.
    pub(super) name: String,
    /// The component.
    pub(super) plugin: PathBuf,
    tool: String,
    arguments: String,
    more: Vec<String>,
    /// Whether it belongs into the chart.
    pub(super) charted: bool,
    /// Whether a cached `host run` of it is measured from start to exit as well.
    pub(super) starts: bool,
    /// Whether what both compilers make of it is measured as well.
    pub(super) compiles: bool,
}

impl Case {
    fn new(name: &str, plugin: PathBuf, tool: &str, arguments: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            plugin,
            tool: tool.to_owned(),
            arguments: arguments.into(),
            more: Vec::new(),
            charted: false,
            starts: false,
            compiles: false,
        }
    }

    fn charted(mut self) -> Self {
        self.charted = true;
        self
    }

    fn starts(mut self) -> Self {
        self.starts = true;
        self
    }

    fn compiles(mut self) -> Self {
        self.compiles = true;
        self
    }

    fn with(mut self, more: &[&str]) -> Self {
        self.more.extend(more.iter().map(ToString::to_string));
        self
    }

    /// What follows `host run` or `host bench`.
    pub(super) fn line(&self) -> Vec<String> {
        self.line_of(&self.plugin.display().to_string())
    }

    /// The same for a plugin that is known by another name.
    pub(super) fn line_of(&self, plugin: &str) -> Vec<String> {
        let mut line = vec![
            "--plugin".to_owned(),
            plugin.to_owned(),
            "--tool".to_owned(),
            self.tool.clone(),
            "--args".to_owned(),
            self.arguments.clone(),
        ];
        line.extend(self.more.iter().cloned());
        line
    }
}

/// All cases; of `guests` those that there are.
pub(super) fn all(repository: &Repository, folder: &Path, guests: &[Guest]) -> Result<Vec<Case>> {
    let plugin = |name: &str| {
        repository
            .target
            .join("plugins")
            .join(format!("{name}.wasm"))
    };
    let guest = |name: &str| {
        repository
            .target
            .join("guests")
            .join(format!("{name}.wasm"))
    };
    let sum = r#"{"expression": "1 + 2"}"#;
    let (table, long) = (table(folder)?, long(folder)?);
    let dir = format!("{}::/data", folder.display());
    let mut cases = vec![
        Case::new("small tool: adds two numbers", guest("adder"), "add", r#"{"a": 1, "b": 2}"#)
            .charted()
            .starts(),
        Case::new("the same, two calls in flight", guest("adder"), "add", r#"{"a": 1, "b": 2}"#)
            .with(&["--concurrency", "2"]),
        Case::new("1 MB of arguments, their length returned", guest("length"), "length", format!("@{long}")),
        Case::new("larger tool: returns its context", guest("contract"), "echo_context", r#"{"text": "hi"}"#)
            .charted()
            .starts(),
        Case::new("`calc`: 1 + 2", plugin("calc"), "calc", sum)
            .charted()
            .starts()
            .compiles(),
        Case::new("`calc`, two calls in flight", plugin("calc"), "calc", sum)
            .with(&["--concurrency", "2"]),
        Case::new("`calc`, eight calls in flight", plugin("calc"), "calc", sum)
            .with(&["--concurrency", "8"]),
        Case::new(
            "`jq`: a filter over 40 bytes",
            plugin("jq"),
            "jq",
            r#"{"filter": ".a | add", "input": {"a": [1, 2, 3]}}"#,
        )
        .charted()
        .starts()
        .compiles(),
        Case::new(
            "`csv`: group 1,000 rows",
            plugin("csv"),
            "csv_query",
            format!(r#"{{"path": "/data/{table}", "groupBy": ["city"], "aggregate": [{{"op": "sum", "column": "amount"}}]}}"#),
        )
        .with(&["--dir", &dir])
        .charted(),
        Case::new("1 MB of arguments, returned as text", guest("contract"), "echo_arguments", format!("@{long}")),
        Case::new("refused: arguments that do not fit", plugin("calc"), "calc", r#"{"expresion": 1}"#),
        Case::new("refused: a tool that is not there", plugin("calc"), "no_such_tool", "{}"),
        Case::new("1,000 calls that wait 100 ms each", guest("relay"), "nap", r#"{"ms": 100}"#)
            .with(&["--concurrency", "1000"]),
    ];
    for Guest {
        language,
        component,
    } in guests
    {
        if let Some(component) = component {
            let name = format!("`stats` in {language}: 3 numbers");
            let arguments = r#"{"numbers": [1, 2, 3]}"#;
            let case = Case::new(&name, component.clone(), "stats", arguments);
            cases.push(case.charted().starts().compiles());
        }
    }
    Ok(cases)
}

/// A table of 1,000 rows.
fn table(folder: &Path) -> Result<&'static str> {
    let mut text = "city,amount\n".to_owned();
    for row in 0..1_000 {
        let city = ["Vienna", "Rome", "Oslo"][row % 3];
        writeln!(text, "{city},{row}").context("cannot write a row")?;
    }
    fs::write(folder.join("rows.csv"), text).context("cannot write the table")?;
    Ok("rows.csv")
}

/// Arguments of a megabyte: text, numbers and nesting.
fn long(folder: &Path) -> Result<String> {
    let row =
        r#"{"name": "a row of some length, as they come", "numbers": [1, 22.5, 333], "ok": true}"#;
    let rows = vec![row; 1_000_000 / (row.len() + 1)].join(",");
    let path = folder.join("long.json");
    fs::write(&path, format!(r#"{{"any": [{rows}]}}"#)).context("cannot write the arguments")?;
    Ok(path.display().to_string())
}
