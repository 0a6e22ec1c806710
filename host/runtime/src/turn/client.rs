//! Tools that the caller runs: what they are asked, and what they gave.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use toolhost_tool::{
    CallError, ContentBlock, ErrorKind, Output, SchemaLimits, Suspension, SuspensionKind,
    ToolSchema, json as text,
};

use super::pending::Pending;
use crate::hooks::Ended;

/// The deepest JSON a suspension may carry: a document that holds it is a little
/// deeper, and still has to be read.
const MAX_DEPTH: usize = 64;

/// Whether a suspension can ever be answered. It is plugin-controlled.
pub(super) fn check(suspension: &Suspension) -> Result<(), String> {
    match &suspension.kind {
        SuspensionKind::ClientTools { calls } => {
            let mut ids = HashSet::new();
            if calls.is_empty() {
                return Err("the tool waits for client tools and names none".into());
            }
            if let Some(call) = calls.iter().find(|call| !ids.insert(&call.tool_call_id)) {
                let id = &call.tool_call_id;
                return Err(format!(
                    "the tool waits for two client calls with the id `{id}`"
                ));
            }
            shallow(calls.iter().map(|call| &call.arguments))
        }
        SuspensionKind::Question {
            schema: Some(schema),
            ..
        } => {
            shallow([schema])?;
            answer_schema(schema).map(|_| ())
        }
        SuspensionKind::Other { data, .. } => shallow([data]),
        _ => Ok(()),
    }
}

fn shallow<'a>(values: impl IntoIterator<Item = &'a Value>) -> Result<(), String> {
    let deep = values
        .into_iter()
        .any(|value| text::depth_of(value) > MAX_DEPTH);
    if deep {
        return Err(format!(
            "the tool waits for something nested deeper than {MAX_DEPTH}"
        ));
    }
    Ok(())
}

/// The schema that an answer to a question has to match.
pub(super) fn answer_schema(schema: &Value) -> Result<ToolSchema, String> {
    ToolSchema::compile_output_value(schema.clone(), &SchemaLimits::default())
        .map_err(|error| format!("the schema of the tool's question cannot be used: {error}"))
}

/// The ids that results are waited for under.
pub(super) fn ids(pending: &Pending) -> Vec<&str> {
    match &pending.suspension.kind {
        SuspensionKind::ClientTools { calls } => calls
            .iter()
            .filter(|call| !pending.results.contains_key(&call.tool_call_id))
            .map(|call| call.tool_call_id.as_str())
            .collect(),
        _ => Vec::new(),
    }
}

/// What a tool that waited for client tools gets back: `[{toolCallId, toolName,
/// result}]`, in the order in which it named them.
pub(super) fn answer(pending: &Pending) -> Value {
    let SuspensionKind::ClientTools { calls } = &pending.suspension.kind else {
        return Value::Null;
    };
    let results = calls.iter().map(|call| {
        json!({
            "toolCallId": call.tool_call_id,
            "toolName": call.tool_name,
            "result": pending.results.get(&call.tool_call_id),
        })
    });
    results.collect()
}

/// The result of a call whose tool the caller runs.
pub(super) fn ended(tool_name: &str, value: Value) -> Ended {
    let Value::Object(mut fields) = value else {
        return Ok(plain(value));
    };
    let is_result = ["content", "structuredContent", "isError"]
        .iter()
        .any(|key| fields.contains_key(*key));
    let Some(content) = is_result.then(|| content(&fields)).flatten() else {
        return Ok(plain(Value::Object(fields)));
    };
    let output = Output {
        content,
        structured: fields.remove("structuredContent"),
        ..Output::default()
    };
    if fields.get("isError") != Some(&Value::Bool(true)) {
        return Ok(output);
    }
    let message = output
        .joined_text()
        .or_else(|| output.structured.as_ref().map(ToString::to_string))
        .unwrap_or_else(|| "the client tool failed".into());
    Err(CallError::new(
        ErrorKind::Execution,
        "ClientToolError",
        tool_name,
        message,
    ))
}

/// `None` when the blocks are none that we know: then the object is a result of
/// its own that only looks like one of the protocol.
fn content(fields: &Map<String, Value>) -> Option<Vec<ContentBlock>> {
    match fields.get("content") {
        None => Some(Vec::new()),
        Some(blocks) => serde_json::from_value(blocks.clone()).ok(),
    }
}

fn plain(value: Value) -> Output {
    match value {
        Value::String(text) => Output::text(text),
        value => Output::structured(value),
    }
}
