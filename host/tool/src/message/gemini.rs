//! Contents of Gemini: calls as `functionCall` parts, results as
//! `functionResponse` parts of one `user` content.
//!
//! Shape: <https://ai.google.dev/gemini-api/docs/function-calling>. A response is
//! an object: `output` for a result, `error` for a failure. Images and PDF files
//! are parts of their `functionResponse`; audio and video, which the API takes as
//! input but not there, follow as parts of the same content, each under a line
//! that says whose result it is. An id is sent back only where one came in.

use serde_json::{Value, json};

use super::{
    MessageError, Shape, ToolResult,
    find::Found,
    is_made_up_id,
    node::Node,
    shown::{Inline, Piece, joined},
};

pub(super) const SHAPE: Shape = Shape {
    message: &["/candidates/0/content"],
    messages: &["/contents"],
    role: Some("model"),
    calls,
    call,
    write,
};

#[expect(clippy::unnecessary_wraps, reason = "one signature for all formats")]
fn calls<'a>(content: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    // A candidate holds a content, a content holds parts.
    let content = content
        .get("content")
        .filter(|inner| inner.get("parts").is_some())
        .unwrap_or_else(|| content.clone());
    let parts = content.get("parts").unwrap_or(content);
    let is_call = |part: &Value| KEYS.iter().any(|key| part.get(key).is_some());
    // A chat message has a `function_call` too, beside its role.
    let is_message = parts.get("role").is_some();
    Ok(parts.items_or_self(|part| is_call(part) && !is_message))
}

/// The member that makes a part a call; the API reads and writes both spellings.
const KEYS: [&str; 2] = ["functionCall", "function_call"];

fn call(node: &Node<'_>) -> Result<Found, MessageError> {
    let call = KEYS.iter().find_map(|key| node.get(key));
    let call = call.ok_or_else(|| node.missing(KEYS[0]))?.object()?;
    Ok(Found {
        id: call.text("id")?,
        name: call.required_text("name")?,
        arguments: call.arguments(&["args"]),
    })
}

fn write(results: &[ToolResult<'_>]) -> Value {
    let mut parts = Vec::new();
    let mut beside = Vec::new();
    for result in results {
        let pieces = result.pieces(|mime_type| is_inside(mime_type) || is_beside(mime_type));
        let media = pieces.iter().filter_map(|piece| match piece {
            Piece::Media(media) => Some(media),
            Piece::Text(_) => None,
        });
        let (inside, after): (Vec<_>, Vec<_>) =
            media.partition(|media| is_inside(&media.mime_type));
        if !after.is_empty() {
            beside
                .push(json!({"text": format!("[media of the result of `{}`]", result.tool_name)}));
            beside.extend(after.into_iter().map(inline));
        }
        let inside = inside.into_iter().map(inline).collect();
        parts.push(response(result, &pieces, inside));
    }
    parts.extend(beside);
    json!({"role": "user", "parts": parts})
}

fn response(result: &ToolResult<'_>, pieces: &[Piece<'_>], media: Vec<Value>) -> Value {
    let shown = result.json().unwrap_or_else(|| joined(pieces).into());
    let key = if result.is_error { "error" } else { "output" };
    let mut response = json!({"name": result.tool_name, "response": {key: shown}});
    if !is_made_up_id(result.tool_call_id) {
        response["id"] = result.tool_call_id.into();
    }
    if !media.is_empty() {
        response["parts"] = media.into();
    }
    json!({"functionResponse": response})
}

fn is_inside(mime_type: &str) -> bool {
    ["image/png", "image/jpeg", "image/webp", "application/pdf"].contains(&mime_type)
}

fn is_beside(mime_type: &str) -> bool {
    ["image/heic", "image/heif"].contains(&mime_type)
        || mime_type.starts_with("audio/")
        || mime_type.starts_with("video/")
}

fn inline(media: &Inline<'_>) -> Value {
    json!({"inlineData": {"mimeType": media.mime_type, "data": media.base64()}})
}
