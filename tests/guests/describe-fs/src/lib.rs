//! Tries everything during `describe`, which has no capability, and tells in the
//! description of its one tool what it got, as a JSON object.

use guest_support::bindings::run::{self, LogLevel, MessageRange};
use guest_support::bindings::types::ToolDefinition;
use guest_support::{Answer, Request, Tool, definition, said, schema, text};
use serde_json::{Value, json};
use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

const TOOLS: &[Tool] = &[Tool {
    name: "nosy",
    description: "",
    properties: "{}",
    run: nosy,
}];

fn nosy(_: &Request) -> Answer {
    text(attempts().to_string())
}

fn attempts() -> Value {
    let started = Instant::now();
    println!("describe on stdout");
    eprintln!("describe on stderr");
    run::log(LogLevel::Error, "describe in the log");
    let kind = |error: std::io::Error| error.kind();
    json!({
        "readFile": said(std::fs::read_to_string("/etc/passwd").map_err(kind)),
        "listRoot": said(std::fs::read_dir("/").map(Iterator::count).map_err(kind)),
        "writeFile": said(std::fs::write("/written", "x").map(|()| Value::Null).map_err(kind)),
        "variables": std::env::vars().count(),
        "arguments": std::env::args().count(),
        "stdin": said(std::io::read_to_string(std::io::stdin()).map_err(kind)),
        "messageCount": said(run::message_count()),
        "messages": said(run::messages(MessageRange { start: 0, end: None })),
        "emitPartial": said(run::emit_partial("{}").map(|flow| format!("{flow:?}"))),
        "attachMetadata": said(run::attach_metadata("{}").map(|()| Value::Null)),
        "isAborted": run::is_aborted(),
        "signalReady": run::abort_signal().ready(),
        "random": RandomState::new().hash_one(0),
        "elapsedMs": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

fn describe() -> Vec<ToolDefinition> {
    vec![definition("nosy", &attempts().to_string(), &schema("{}"))]
}

guest_support::plugin!(TOOLS, describe());
