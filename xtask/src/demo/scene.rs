//! The questions that the demo asks, each with the command that answers it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::guests::Kind;
use crate::repository::Repository;

/// The picture that the last tool leaves, in the demo's folder.
pub(crate) const CHART: &str = "chart.png";

/// How many crates the chart shows at most.
const BARS: usize = 12;

/// A question and a command.
pub(crate) struct Scene {
    /// What one wants to know, in a line.
    pub(crate) question: &'static str,
    /// The call of a tool that tells.
    pub(crate) command: Command,
}

/// All of them. `folder` has the files of [`super::data`]; `lines` counts the
/// lines of code of each crate.
pub(crate) fn all(repository: &Repository, folder: &Path, lines: &[(String, usize)]) -> Vec<Scene> {
    let data = format!("{}::/data:ro", repository.shown(folder));
    vec![
        Scene {
            question: "jq: which crates of this repository name the most dependencies?",
            command: with_folder(call(repository, "jq", "jq", &hubs()), &data),
        },
        Scene {
            question: "csv: which crates does the lock file have in several versions?",
            command: with_folder(call(repository, "csv", "csv_query", &versions()), &data),
        },
        Scene {
            question: "search: where are the host's public traits? The tool sees `host` and nothing else",
            command: with_folder(
                call(repository, "search", "search", &traits()),
                "host::/host:ro",
            ),
        },
        Scene {
            question: "chart: how large are the crates?",
            command: with_file(
                call(repository, "chart", "chart", &sizes(lines)),
                &folder.join(CHART),
            ),
        },
    ]
}

/// A jq filter over what cargo says of the workspace.
fn hubs() -> Value {
    json!({
        "path": "/data/metadata.json",
        "filter": "[.packages[] | {name, dependencies: (.dependencies | length)}] \
                   | sort_by(-.dependencies) | .[:5][]",
    })
}

/// A question about the table of locked crates.
fn versions() -> Value {
    json!({
        "path": "/data/crates.csv",
        "groupBy": ["crate"],
        "aggregate": [{ "op": "count", "as": "versions" }],
        "sort": [{ "column": "versions", "descending": true }],
        "limit": 5,
    })
}

/// A search through the sources.
fn traits() -> Value {
    json!({
        "pattern": r"^pub (unsafe )?trait \w+",
        "path": "/host",
        "include": ["*.rs"],
        "maxResults": 8,
    })
}

/// A chart of the largest crates.
fn sizes(lines: &[(String, usize)]) -> Value {
    let bars = &lines[..lines.len().min(BARS)];
    let names: Vec<&str> = bars.iter().map(|(name, _)| name.as_str()).collect();
    let counts: Vec<usize> = bars.iter().map(|(_, count)| *count).collect();
    json!({
        "type": "bar",
        "title": "Lines of Rust in each crate",
        "labels": names,
        "series": [{ "name": "lines", "y": counts }],
    })
}

/// `host run` with a tool of a plugin and its arguments.
fn call(repository: &Repository, plugin: &str, tool: &str, arguments: &Value) -> Command {
    let host = format!("host{}", std::env::consts::EXE_SUFFIX);
    let file = Kind::Plugins.output(repository).join(plugin);
    let mut command = Command::new(repository.target.join("release").join(host));
    command
        .current_dir(&repository.root)
        .args(["run", "--plugin"])
        .arg(file.with_added_extension("wasm"))
        .args(["--tool", tool, "--args", &arguments.to_string()]);
    command
}

/// The call with a folder that the tool may use.
fn with_folder(mut command: Command, grant: &str) -> Command {
    command.args(["--dir", grant]);
    command
}

/// The call with a file for the picture it makes.
fn with_file(mut command: Command, path: &Path) -> Command {
    command.arg("--out").arg(path);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_pasted_in_the_root_of_the_clone() {
        let repository = Repository {
            root: "/clone".into(),
            target: "/clone/target".into(),
        };
        let lines = [("host".to_owned(), 10)];
        let scenes = all(&repository, Path::new("/clone/target/demo"), &lines);
        let printed: Vec<_> = scenes
            .iter()
            .map(|scene| crate::process::shell_line(&scene.command))
            .collect();
        assert!(printed[0].starts_with(
            "target/release/host run --plugin target/plugins/jq.wasm --tool jq --args '{"
        ));
        assert!(printed[0].ends_with("--dir target/demo::/data:ro"));
        assert!(printed[3].ends_with("--out target/demo/chart.png"));
    }
}
