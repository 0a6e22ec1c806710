//! Chat completions of `OpenAI`: calls in `tool_calls` of an assistant message,
//! results as `tool` messages.
//!
//! Shape: <https://platform.openai.com/docs/api-reference/chat/create>. A `tool`
//! message takes text alone, so images, audio and PDF files follow in one `user`
//! message, each under a line that says whose result it is: a model must not take
//! what a tool shows it for something the user said.

use serde_json::{Value, json};

use super::{
    MessageError, Shape, ToolResult,
    find::Found,
    node::Node,
    shown::{Inline, Piece, joined},
};

pub(super) const SHAPE: Shape = Shape {
    message: &["/choices/0/message", "/message"],
    messages: &["/messages"],
    role: Some("assistant"),
    calls,
    call,
    write,
};

fn calls<'a>(message: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    if let Some(calls) = message.get("tool_calls") {
        return Ok(calls.array()?.items(|_| true));
    }
    if let Some(call) = message.get("function_call")
        && message.get("role").is_some()
    {
        return Err(call.unusable(
            "`function_call` is the old form without an id: offer the functions as `tools`",
        ));
    }
    Ok(message.items_or_self(|item| item["function"].is_object()))
}

fn call(node: &Node<'_>) -> Result<Found, MessageError> {
    if node.text("type")?.is_some_and(|kind| kind != "function") {
        return Err(node.unusable("only tools of type `function` run here: offer it as one"));
    }
    let function = node.required("function")?;
    Ok(Found {
        id: Some(node.required_text("id")?),
        name: function.required_text("name")?,
        arguments: function.arguments(&["arguments"]),
    })
}

fn write(results: &[ToolResult<'_>]) -> Value {
    let mut messages = Vec::new();
    let mut media = Vec::new();
    for result in results {
        let pieces = result.marked_pieces(|mime_type| KNOWN.contains(&mime_type));
        let mut text = vec![joined(&pieces)];
        let inline: Vec<_> = pieces.iter().filter_map(part).collect();
        if !inline.is_empty() {
            text.push("[the media of this result follow in the next user message]".into());
            media.push(json!({"type": "text", "text": format!(
                "[media of the result of tool `{}`, call `{}`]",
                result.tool_name, result.tool_call_id,
            )}));
            media.extend(inline);
            text.retain(|text| !text.is_empty());
        }
        messages.push(json!({
            "role": "tool",
            "tool_call_id": result.tool_call_id,
            "content": text.join("\n"),
        }));
    }
    if !media.is_empty() {
        messages.push(json!({"role": "user", "content": media}));
    }
    Value::Array(messages)
}

const KNOWN: [&str; 11] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "audio/mpeg",
    "audio/mp3",
    "audio/wav",
    "audio/wave",
    "audio/x-wav",
    "audio/vnd.wave",
    "application/pdf",
];

fn part(piece: &Piece<'_>) -> Option<Value> {
    let Piece::Media(media) = piece else {
        return None;
    };
    Some(if media.is_image() {
        json!({"type": "image_url", "image_url": {"url": media.data_url()}})
    } else if media.mime_type.starts_with("audio/") {
        let audio = json!({"data": media.base64(), "format": audio_format(media)});
        json!({"type": "input_audio", "input_audio": audio})
    } else {
        let file = json!({"filename": media.file_name(), "file_data": media.data_url()});
        json!({"type": "file", "file": file})
    })
}

fn audio_format(media: &Inline<'_>) -> &'static str {
    if media.mime_type.contains("wav") {
        "wav"
    } else {
        "mp3"
    }
}
