//! Messages of the Vercel AI SDK: calls as `tool-call` parts, results as
//! `tool-result` parts of one `tool` message.
//!
//! Shape: <https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message>, version 6.
//! Read are also the `args` and `toolInvocations` of version 4, the tool parts of
//! UI messages, and the `toolCalls` of what `generateText` returns. Calls that the
//! provider ran, and invocations that have a result, are not ours.

use serde_json::{Value, json};

use super::{
    MessageError, Shape, ToolResult,
    find::Found,
    node::{Node, is},
    shown::{Piece, joined},
};

pub(super) const SHAPE: Shape = Shape {
    message: &[],
    messages: &["/response/messages", "/messages"],
    role: Some("assistant"),
    calls,
    call,
    write,
};

#[expect(clippy::unnecessary_wraps, reason = "one signature for all formats")]
fn calls<'a>(message: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    let lists = ["parts", "content"].into_iter();
    let parts = lists
        .filter_map(|key| message.get(key))
        .find(|list| list.value.is_array())
        .unwrap_or_else(|| message.clone());
    let found = parts.items_or_self(is_waiting_part);
    if !found.is_empty() {
        return Ok(found);
    }
    for key in ["toolInvocations", "toolCalls"] {
        if let Some(list) = message.get(key) {
            return Ok(list.items(is_waiting));
        }
    }
    Ok(found)
}

/// Whether a part is a call that waits for its result. Version 4 of the SDK wraps
/// it, and UI messages name the tool in the type.
fn is_waiting_part(part: &Value) -> bool {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "tool-call" | "dynamic-tool" => is_waiting(part),
        "tool-invocation" => part.get("toolInvocation").is_none_or(is_waiting),
        _ => kind.starts_with("tool-") && part.get("state").is_some() && is_waiting(part),
    }
}

fn is_waiting(call: &Value) -> bool {
    let ran = call.get("providerExecuted") == Some(&Value::Bool(true));
    let state = call.get("state").and_then(Value::as_str);
    !ran && !state.is_some_and(|state| DONE.contains(&state))
}

const DONE: [&str; 4] = [
    "result",
    "output-available",
    "output-error",
    "output-denied",
];

fn call(node: &Node<'_>) -> Result<Found, MessageError> {
    if is(node.value, "type", "tool-invocation") {
        return call(&node.required("toolInvocation")?);
    }
    if let Some(state) = node.text("state")?
        && !["call", "input-available"].contains(&state.as_str())
    {
        return Err(node.unusable(
            "its `state` must be `call` or `input-available`: wait until the model has written it",
        ));
    }
    let kind = node.text("type")?.unwrap_or_default();
    let name = match kind.strip_prefix("tool-") {
        Some(name) if node.get("toolName").is_none() && kind != "tool-call" => name.to_owned(),
        _ => node.required_text("toolName")?,
    };
    Ok(Found {
        id: Some(node.required_text("toolCallId")?),
        name,
        arguments: node.arguments(&["input", "args", "arguments"]),
    })
}

fn write(results: &[ToolResult<'_>]) -> Value {
    let part = |result: &ToolResult<'_>| {
        json!({
            "type": "tool-result",
            "toolCallId": result.tool_call_id,
            "toolName": result.tool_name,
            "output": output(result),
        })
    };
    let parts: Vec<Value> = results.iter().map(part).collect();
    json!({"role": "tool", "content": parts})
}

/// The SDK knows results with media and results that are errors, but none that
/// are both: an error keeps its text.
fn output(result: &ToolResult<'_>) -> Value {
    if result.is_error {
        return match result.json() {
            Some(value) => json!({"type": "error-json", "value": value}),
            None => json!({"type": "error-text", "value": result.text()}),
        };
    }
    if let Some(value) = result.json() {
        return json!({"type": "json", "value": value});
    }
    // It is for the provider behind the SDK to say which types it takes.
    let pieces = result.pieces(|mime_type| mime_type.contains('/'));
    if pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) {
        return json!({"type": "text", "value": joined(&pieces)});
    }
    let parts: Vec<Value> = pieces.iter().map(content).collect();
    json!({"type": "content", "value": parts})
}

fn content(piece: &Piece<'_>) -> Value {
    let media = match piece {
        Piece::Text(text) => return json!({"type": "text", "text": text}),
        Piece::Media(media) => media,
    };
    let kind = if media.is_image() {
        "image-data"
    } else {
        "file-data"
    };
    let mut part = json!({"type": kind, "data": media.base64(), "mediaType": media.mime_type});
    if let Some(name) = media.name
        && kind == "file-data"
    {
        part["filename"] = name.into();
    }
    part
}
