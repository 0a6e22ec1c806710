//! A plugin on one page. Nearly every word on it is the plugin's own, so all of
//! it is made harmless, on a terminal or not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use toolhost::{ApprovalRequirement, Digest, HookSet, LoadedPlugin, PluginInfo, ToolDefinition};

use super::manifest;
use super::parameters::{self, Parameter};
use crate::{text, units};

/// Width of the page, in characters.
const WIDTH: usize = 96;

/// Widest column of names or types; longer ones push the rest of their line.
const MAX_COLUMN: usize = 30;

/// Narrowest column that text is wrapped into.
const MIN_WRAPPED: usize = 24;

/// The page.
pub(super) fn render(file: &Path, loaded: &LoadedPlugin) -> String {
    let info = loaded.plugin.info();
    let definitions: Vec<_> = loaded.tools.iter().map(|tool| tool.definition()).collect();
    let mut page = head(file, info, definitions.len());
    for definition in &definitions {
        page.push('\n');
        page.push_str(&tool(definition));
    }
    page.push_str(&table(
        "hooks",
        &hooks(&definitions, loaded.plugin.has_hooks()),
    ));
    page.push_str(&manifest::wants(info.manifest.as_ref()));
    page.push_str(&table("imports", &imports(&info.imports)));
    if !loaded.warnings.is_empty() {
        page.push_str("\nwarnings\n");
        for warning in &loaded.warnings {
            let _ = writeln!(page, "  {}", text::line(warning));
        }
    }
    page
}

fn head(file: &Path, info: &PluginInfo, tools: usize) -> String {
    let mut compiled = if info.cached {
        format!(
            "earlier; read from the cache in {}",
            units::duration(info.compile_time)
        )
    } else {
        format!("in {}", units::duration(info.compile_time))
    };
    if info.fast_compiled {
        compiled.push_str("; by the fast compiler, for trusted plugins only");
    }
    let digest: &Digest = &info.digest;
    let mut rows = [
        ("file", file.display().to_string()),
        ("digest", format!("sha256:{digest}")),
        ("size", units::bytes(info.bytes)),
        (
            "contract",
            super::contract(&info.exports).unwrap_or_default(),
        ),
        ("compiled", compiled),
    ]
    .map(|(label, value)| (label.to_owned(), value))
    .to_vec();
    rows.extend(manifest::about(info.manifest.as_ref()));
    let mut head = format!(
        "{}: {}\n",
        text::line(&info.name),
        units::plural(tools, "tool")
    );
    for (label, value) in rows {
        let _ = writeln!(head, "  {label:<9} {}", text::line(&value));
    }
    head
}

fn tool(definition: &ToolDefinition) -> String {
    let mut shown = definition.name.clone();
    let traits = traits(definition);
    if !traits.is_empty() {
        let _ = write!(shown, " ({})", traits.join(", "));
    }
    shown.push('\n');
    for line in text::wrap(&text::block(definition.description.trim()), WIDTH - 2) {
        let _ = writeln!(shown, "{}", format!("  {line}").trim_end());
    }
    let mut rows = parameters::of(&definition.input_schema);
    rows.extend(definition.output_schema.as_ref().map(parameters::returned));
    if !rows.is_empty() {
        shown.push('\n');
        shown.push_str(&parameter_table(&rows));
    }
    shown
}

/// What is unusual about a tool.
fn traits(definition: &ToolDefinition) -> Vec<String> {
    let hints = &definition.annotations;
    let behaviour = definition.behaviour;
    let flags = [
        (hints.read_only == Some(true), "read-only"),
        (hints.destructive == Some(true), "destructive"),
        (hints.idempotent == Some(true), "idempotent"),
        (hints.open_world == Some(true), "open-world"),
        (behaviour.edits_files, "edits files"),
        (behaviour.defer_loading, "loaded on demand"),
        (behaviour.sequential, "one at a time"),
        (behaviour.ends_run, "ends the run"),
        (behaviour.client_side, "run by the caller"),
        (behaviour.programmatic_only, "for programs only"),
        (behaviour.programmatic, "for programs too"),
    ];
    let set = flags
        .into_iter()
        .filter(|(set, _)| *set)
        .map(|(_, name)| name.to_owned());
    let approval = match &definition.approval {
        ApprovalRequirement::Never => None,
        ApprovalRequirement::Always => Some("asks for approval".to_owned()),
        ApprovalRequirement::AskHook => Some("may ask for approval".to_owned()),
        ApprovalRequirement::Other(name) => Some(format!(
            "asks for approval: {}",
            text::line(&text::cut(name, MAX_COLUMN))
        )),
    };
    set.chain(approval).collect()
}

fn parameter_table(rows: &[Parameter]) -> String {
    let names = column(rows.iter().map(|row| row.name.as_str()));
    let types = column(rows.iter().map(|row| row.shape.as_str()));
    let indent = 2 + names + 2 + types + 2;
    let mut shown = String::new();
    for Parameter { name, shape, doc } in rows {
        let mut line = format!("  {name:<names$}  ");
        if name.chars().count() <= names && shape.chars().count() <= types {
            let _ = write!(line, "{shape:<types$}  ");
        } else {
            push_wrapped(&mut line, shape, 2 + names + 2);
            let _ = write!(line, "\n{:indent$}", "");
        }
        push_wrapped(&mut line, doc, indent);
        let _ = writeln!(shown, "{}", line.trim_end());
    }
    shown
}

/// Adds `value` in lines that fit the page, the further ones indented.
fn push_wrapped(line: &mut String, value: &str, indent: usize) {
    let width = WIDTH.saturating_sub(indent).max(MIN_WRAPPED);
    for (index, part) in text::wrap(value, width).iter().enumerate() {
        if index > 0 {
            let _ = write!(line, "\n{:indent$}", "");
        }
        line.push_str(part);
    }
}

/// A heading and lines of two columns; nothing when there are no lines.
pub(crate) fn table(heading: &str, rows: &[(String, String)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let width = column(rows.iter().map(|(name, _)| name.as_str()));
    let indent = 2 + width + 2;
    let mut shown = format!("\n{heading}\n");
    for (name, value) in rows {
        let mut line = format!("  {name:<width$}  ");
        push_wrapped(&mut line, value, indent);
        let _ = writeln!(shown, "{}", line.trim_end());
    }
    shown
}

fn column<'a>(cells: impl Iterator<Item = &'a str>) -> usize {
    cells
        .map(|cell| cell.chars().count())
        .max()
        .unwrap_or(0)
        .min(MAX_COLUMN)
}

fn hooks(definitions: &[&ToolDefinition], exported: bool) -> Vec<(String, String)> {
    type Uses = fn(HookSet) -> bool;
    let kinds: [(&str, Uses); 4] = [
        ("needs-approval", |hooks| hooks.needs_approval),
        ("validate", |hooks| hooks.validate),
        ("prepare", |hooks| hooks.prepare),
        ("model-output", |hooks| hooks.model_output),
    ];
    let mut rows = Vec::new();
    for (kind, uses) in kinds {
        let names: Vec<&str> = definitions
            .iter()
            .filter(|definition| uses(definition.hooks))
            .map(|definition| definition.name.as_str())
            .collect();
        if !names.is_empty() {
            rows.push((kind.to_owned(), names.join(", ")));
        }
    }
    if rows.is_empty() && exported {
        rows.push(("exported, and used by no tool".into(), String::new()));
    }
    rows
}

/// Imports by package: `wasi:io@0.2.6` and `error, poll, streams`.
fn imports(names: &[String]) -> Vec<(String, String)> {
    let mut packages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names {
        let name = text::line(name).into_owned();
        match name.split_once('/') {
            None => {
                packages.entry(name).or_default();
            }
            Some((package, rest)) => {
                let (interface, version) = rest.split_once('@').unwrap_or((rest, ""));
                let at = if version.is_empty() { "" } else { "@" };
                packages
                    .entry(format!("{package}{at}{version}"))
                    .or_default()
                    .push(interface.to_owned());
            }
        }
    }
    packages
        .into_iter()
        .map(|(package, interfaces)| (package, interfaces.join(", ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn imports_are_grouped_by_package() {
        let names = [
            "wasi:io/poll@0.2.0",
            "toolhost:plugin/run@0.1.0",
            "wasi:io/error@0.2.0",
            "plain",
        ]
        .map(str::to_owned);
        let expected = [
            ("plain", ""),
            ("toolhost:plugin@0.1.0", "run"),
            ("wasi:io@0.2.0", "poll, error"),
        ];
        assert_eq!(
            imports(&names),
            expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
    }

    #[test]
    fn a_tool_reads_like_a_manual() {
        let definition: ToolDefinition = serde_json::from_value(json!({
            "name": "profile",
            "description": "Describes each column.\u{1b}[2J",
            "inputSchema": {
                "type": "object",
                "required": ["path"],
                "properties": {
                    "path": {"type": "string", "description": "The file."},
                    "rows": {"type": "integer", "default": 10, "description": "Rows to read."},
                },
            },
            "annotations": {"readOnlyHint": true},
            "approval": "always",
        }))
        .unwrap();
        assert_eq!(
            tool(&definition),
            "\
profile (read-only, asks for approval)
  Describes each column.\\u001b[2J

  path  string, required       The file.
  rows  integer [default: 10]  Rows to read.
"
        );
    }
}
