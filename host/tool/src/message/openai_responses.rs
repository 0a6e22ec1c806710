//! The responses API of `OpenAI`: calls as `function_call` items, results as
//! `function_call_output` items, whose `output` is a text or a list of inputs.
//!
//! Shape: <https://platform.openai.com/docs/api-reference/responses/create>, input
//! items. A list of items is looked at as a whole: what waits are the calls
//! without an output.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    MessageError, Shape, ToolResult,
    find::Found,
    node::{Node, is},
    shown::{Piece, joined},
};

pub(super) const SHAPE: Shape = Shape {
    message: &["/output", "/response/output", "/input"],
    messages: &[],
    role: None,
    calls,
    call,
    write,
};

fn calls<'a>(items: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    let all = items.value.as_array().map_or(&[][..], Vec::as_slice);
    let is_answer = |item: &Value| {
        is(item, "type", "function_call_output") || is(item, "type", "custom_tool_call_output")
    };
    let answered: HashSet<&Value> = all
        .iter()
        .filter(|item| is_answer(item))
        .filter_map(|item| item.get("call_id"))
        .collect();
    let is_call =
        |item: &Value| is(item, "type", "function_call") || is(item, "type", "custom_tool_call");
    let waits =
        |item: &Value| is_call(item) && item.get("call_id").is_none_or(|id| !answered.contains(id));
    let calls = items.items_or_self(waits);
    if calls.is_empty()
        && all.iter().any(is_call)
        && let Some(last) = all.iter().rposition(is_answer)
    {
        let path = format!("{}/{last}", items.path);
        return Err(MessageError::Answered { path });
    }
    Ok(calls)
}

fn call(node: &Node<'_>) -> Result<Found, MessageError> {
    if is(node.value, "type", "custom_tool_call") {
        return Err(node.unusable("only tools of type `function` run here: offer it as one"));
    }
    Ok(Found {
        id: Some(node.required_text("call_id")?),
        name: node.required_text("name")?,
        arguments: node.arguments(&["arguments"]),
    })
}

fn write(results: &[ToolResult<'_>]) -> Value {
    let item = |result: &ToolResult<'_>| {
        json!({
            "type": "function_call_output",
            "call_id": result.tool_call_id,
            "output": output(result),
        })
    };
    Value::Array(results.iter().map(item).collect())
}

fn output(result: &ToolResult<'_>) -> Value {
    let pieces = result.marked_pieces(|mime_type| KNOWN.contains(&mime_type));
    if pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) {
        return Value::String(joined(&pieces));
    }
    let input = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => json!({"type": "input_text", "text": text}),
        Piece::Media(media) if media.is_image() => {
            json!({"type": "input_image", "image_url": media.data_url()})
        }
        Piece::Media(media) => json!({
            "type": "input_file",
            "filename": media.file_name(),
            "file_data": media.data_url(),
        }),
    };
    Value::Array(pieces.iter().map(input).collect())
}

const KNOWN: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "application/pdf",
];
