//! Messages of Anthropic: calls as `tool_use` blocks, results as `tool_result`
//! blocks of one `user` message.
//!
//! Shape: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use>.
//! Two rules of the API are kept here because breaking one fails the whole
//! request: a block of blank text is refused, and a result that is an error holds
//! text alone, and some.

use serde_json::{Value, json};

use super::{
    MessageError, Shape, ToolResult,
    find::Found,
    node::{Node, is},
    shown::{FAILED, Piece},
};

pub(super) const SHAPE: Shape = Shape {
    message: &[],
    messages: &["/messages"],
    role: Some("assistant"),
    calls,
    call,
    write,
};

// `server_tool_use` blocks have another type: the API ran those itself.
#[expect(clippy::unnecessary_wraps, reason = "one signature for all formats")]
fn calls<'a>(message: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    let content = message.get("content").unwrap_or_else(|| message.clone());
    Ok(content.items_or_self(|block| is(block, "type", "tool_use")))
}

fn call(node: &Node<'_>) -> Result<Found, MessageError> {
    Ok(Found {
        id: Some(node.required_text("id")?),
        name: node.required_text("name")?,
        arguments: node.arguments(&["input"]),
    })
}

fn write(results: &[ToolResult<'_>]) -> Value {
    let blocks: Vec<Value> = results.iter().map(tool_result).collect();
    json!({"role": "user", "content": blocks})
}

fn tool_result(result: &ToolResult<'_>) -> Value {
    let pieces = result.pieces(|mime_type| !result.is_error && KNOWN.contains(&mime_type));
    let mut content: Vec<Value> = pieces.iter().filter_map(block).collect();
    let mut written = json!({"type": "tool_result", "tool_use_id": result.tool_call_id});
    if result.is_error {
        written["is_error"] = true.into();
        if content.is_empty() {
            content.push(json!({"type": "text", "text": FAILED}));
        }
    }
    if !content.is_empty() {
        written["content"] = content.into();
    }
    written
}

const KNOWN: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "application/pdf",
];

fn block(piece: &Piece<'_>) -> Option<Value> {
    let media = match piece {
        Piece::Text(text) if text.trim().is_empty() => return None,
        Piece::Text(text) => return Some(json!({"type": "text", "text": text})),
        Piece::Media(media) => media,
    };
    let source = json!({
        "type": "base64",
        "media_type": media.mime_type,
        "data": media.base64(),
    });
    if media.is_image() {
        return Some(json!({"type": "image", "source": source}));
    }
    let mut document = json!({"type": "document", "source": source});
    if let Some(name) = media.name {
        document["title"] = name.into();
    }
    Some(document)
}
