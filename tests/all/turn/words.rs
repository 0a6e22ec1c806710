//! The words these stories are told in.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolhost::{NativeTool, ToolContext, ToolError};

use crate::cli::program::{Ran, guest_path, host_in};

/// A folder in which turns are run and suspended.
pub(super) struct Desk {
    dir: tempfile::TempDir,
    /// The plugin that all of its turns use.
    plugin: PathBuf,
}

impl Desk {
    pub(super) fn new() -> Self {
        Self::with_plugin("contract")
    }

    /// The same, with another guest.
    pub(super) fn with_plugin(guest: &str) -> Self {
        Self {
            dir: tempfile::tempdir().expect("a folder can be made"),
            plugin: guest_path(guest).into(),
        }
    }

    /// The same, with a copy of the guest that can be changed.
    pub(super) fn with_own_plugin() -> Self {
        let mut desk = Self::new();
        let copy = desk.path("contract.wasm");
        std::fs::copy(&desk.plugin, &copy).expect("a guest can be copied");
        desk.plugin = copy;
        desk
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file can be written");
    }

    /// Starts a turn with these calls, `(id, tool, arguments)`.
    pub(super) fn start(&self, calls: &[(&str, &str, Value)], more: &[&str]) -> Ran {
        let calls: Vec<Value> = calls
            .iter()
            .map(|(id, name, arguments)| json!({"id": id, "name": name, "arguments": arguments}))
            .collect();
        self.start_message(&json!(calls), more)
    }

    /// Starts a turn with this message.
    pub(super) fn start_message(&self, message: &Value, more: &[&str]) -> Ran {
        self.write("message.json", &message.to_string());
        let plugin = self.plugin.display().to_string();
        let mut line = vec!["turn", "--plugin", &plugin, "--message", "@message.json"];
        line.extend(more);
        host_in(self.dir.path(), line)
    }

    /// Goes on with the turn in `turn.json`.
    pub(super) fn go_on(&self, more: &[&str]) -> Ran {
        let mut line = vec!["turn", "--state", "turn.json"];
        line.extend(more);
        host_in(self.dir.path(), line)
    }

    pub(super) fn state(&self) -> Value {
        let text = std::fs::read_to_string(self.path("turn.json")).expect("the turn waits");
        serde_json::from_str(&text).expect("a state is JSON")
    }

    /// What the call `id` waits for.
    pub(super) fn pending(&self, id: &str) -> Value {
        let state = self.state();
        let calls = state["calls"].as_array().expect("a turn has calls");
        let call = calls.iter().find(|call| call["toolCallId"] == id);
        call.expect("the call is there")["pending"].clone()
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.path("turn.json").exists()
    }
}

/// Makes another plugin of the one at `path`, which does the same: a section with
/// an unknown name is part of the file and of nothing else.
pub(super) fn rebuild(path: &Path) {
    let mut bytes = std::fs::read(path).expect("the plugin is there");
    bytes.extend([0, 6, 4, b'n', b'o', b't', b'e', b'!']);
    std::fs::write(path, bytes).expect("the plugin can be changed");
}

/// The state options of nearly every story.
pub(super) const STATE: &[&str] = &["--state", "turn.json"];

/// The result of the call `id` among printed MCP results.
#[track_caller]
pub(super) fn result<'a>(results: &'a Value, id: &str) -> &'a Value {
    results
        .as_array()
        .and_then(|results| results.iter().find(|result| result["toolCallId"] == id))
        .unwrap_or_else(|| panic!("no result for `{id}`: {results:#}"))
}

/// The error that the model is told of in an MCP result.
#[track_caller]
pub(super) fn told(results: &Value, id: &str) -> Value {
    let result = result(results, id);
    assert_eq!(result["isError"], true, "{result:#}");
    let text = result["content"][0]["text"]
        .as_str()
        .expect("an error is a text");
    serde_json::from_str(text).expect("an error is JSON")
}

/// A native tool that takes anything.
pub(super) fn native<F, Fut>(name: &str, run: F) -> toolhost::Tool
where
    F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Value, ToolError>> + Send + 'static,
{
    NativeTool::builder(name)
        .description("A tool of a story.")
        .input_schema(json!({"type": "object"}))
        .execute(run)
        .build()
        .expect("the tool is sound")
}
