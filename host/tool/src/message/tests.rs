//! What holds for every format: calls go in, results of all kinds come out, and
//! nothing that anybody writes makes it panic, lose a call or change the order.

use serde_json::{Map, Value, json};

use super::*;
use crate::{Arguments, ErrorKind, Media, MediaSource};

mod hostile;
mod render;
mod whole;

/// One message with two calls, `a` and `b`, as each API writes it.
fn message(format: Format) -> Value {
    match format {
        Format::Mcp => json!([
            {"id": "a", "name": "weather", "arguments": {"city": "Oslo"}},
            {"id": "b", "name": "clock"},
        ]),
        Format::OpenAiChat => json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "a", "type": "function",
             "function": {"name": "weather", "arguments": "{\"city\": \"Oslo\"}"}},
            {"id": "b", "type": "function", "function": {"name": "clock", "arguments": ""}},
        ]}),
        Format::OpenAiResponses => json!([
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "weather",
             "arguments": "{\"city\": \"Oslo\"}"},
            {"type": "function_call", "id": "fc_2", "call_id": "b", "name": "clock",
             "arguments": ""},
        ]),
        Format::Anthropic => json!({"role": "assistant", "content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Oslo"}},
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
            {"type": "tool_use", "id": "b", "name": "clock"},
        ]}),
        Format::Gemini => json!({"role": "model", "parts": [
            {"text": "Let me see."},
            {"functionCall": {"id": "a", "name": "weather", "args": {"city": "Oslo"}},
             "thoughtSignature": "c2ln"},
            {"functionCall": {"id": "b", "name": "clock"}},
        ]}),
        Format::Vercel => json!({"role": "assistant", "content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool-call", "toolCallId": "a", "toolName": "weather",
             "input": {"city": "Oslo"}},
            {"type": "tool-call", "toolCallId": "p", "toolName": "search", "input": {},
             "providerExecuted": true},
            {"type": "tool-call", "toolCallId": "b", "toolName": "clock"},
        ]}),
    }
}

/// The same message inside the whole response of its API.
fn response(format: Format) -> Value {
    let message = message(format);
    match format {
        Format::Mcp => json!({"calls": message}),
        Format::OpenAiChat => json!({
            "id": "chatcmpl-1", "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        }),
        Format::OpenAiResponses => json!({"id": "resp_1", "object": "response", "output": message}),
        Format::Anthropic => json!({
            "id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use",
            "content": message["content"],
        }),
        Format::Gemini => json!({"candidates": [{"content": message, "finishReason": "STOP"}]}),
        Format::Vercel => json!({"text": "", "response": {"messages": [message]}}),
    }
}

fn read(document: &Value, format: Option<Format>) -> (Format, Vec<Call>) {
    read_calls(&document.to_string(), format).unwrap()
}

fn refused(document: &Value, format: Option<Format>) -> String {
    read_calls_value(document, format).unwrap_err().to_string()
}

fn done(id: &'static str, content: Vec<ContentBlock>) -> ToolResult<'static> {
    ToolResult {
        tool_call_id: id,
        tool_name: "shot",
        is_error: false,
        content,
        structured: None,
        error: None,
    }
}

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.into() }
}

fn bytes(mime_type: &str) -> Media {
    Media {
        mime_type: mime_type.into(),
        source: MediaSource::Bytes {
            data: vec![1, 2, 3],
        },
    }
}

/// The ids of the results in what was written, in their order.
fn ids(written: &Value) -> Vec<&str> {
    let items = match written {
        Value::Array(items) => items,
        message => ["content", "parts"]
            .into_iter()
            .find_map(|key| message[key].as_array())
            .unwrap(),
    };
    let places = [
        "/toolCallId",
        "/tool_call_id",
        "/call_id",
        "/tool_use_id",
        "/functionResponse/id",
    ];
    items
        .iter()
        .filter_map(|item| places.into_iter().find_map(|at| item.pointer(at)?.as_str()))
        .collect()
}
