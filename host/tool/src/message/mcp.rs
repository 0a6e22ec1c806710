//! Calls as in the Model Context Protocol, `{id?, name, arguments}`: the
//! parameters of `tools/call` with an id beside them, whole `tools/call` requests,
//! or calls as this crate writes them, `{toolCallId, toolName, arguments}`.
//!
//! A result is a `CallToolResult` with the call's id and name beside it. Shape:
//! <https://modelcontextprotocol.io/specification/2025-06-18/server/tools>. The
//! protocol has no lists of calls; these are ours. `structuredContent` is an
//! object in the protocol: any other JSON is in `content` as text.

use serde_json::{Value, json};

use super::{
    MessageError, Shape, ToolResult,
    find::Found,
    node::{Node, is},
    shown::{FAILED, Item, as_text, base64, essence},
};
use crate::{ContentBlock, Media, MediaSource};

pub(super) const SHAPE: Shape = Shape {
    message: &["/calls"],
    messages: &[],
    role: None,
    calls,
    call,
    write,
};

#[expect(clippy::unnecessary_wraps, reason = "one signature for all formats")]
fn calls<'a>(document: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    let items = document.value.as_array();
    // One call makes it a list of calls: a nameless one is then an error, not
    // something to pass over.
    if items.is_some_and(|items| items.iter().any(looks_like_call)) {
        return Ok(document.items(|_| true));
    }
    Ok(document.items_or_self(looks_like_call))
}

fn looks_like_call(value: &Value) -> bool {
    let has = |keys: &[&str]| keys.iter().any(|key| value.get(key).is_some());
    // A message has a role, a definition of a tool has a schema; both have a name.
    let is_other = has(&["role", "type", "inputSchema", "input_schema", "parameters"]);
    is(value, "method", "tools/call") || has(&["name", "toolName", "arguments"]) && !is_other
}

fn call(node: &Node<'_>) -> Result<Found, MessageError> {
    let node = node.clone().object()?;
    let parameters = if is(node.value, "method", "tools/call") {
        node.required("params")?
    } else {
        node.clone()
    };
    let name = match parameters.text("toolName")? {
        Some(name) => name,
        None => parameters.required_text("name")?,
    };
    Ok(Found {
        id: id(&node)?,
        name,
        arguments: parameters.arguments(&["arguments", "input", "args"]),
    })
}

/// The id of a request may be a number.
fn id(node: &Node<'_>) -> Result<Option<String>, MessageError> {
    let key = ["toolCallId", "id"]
        .into_iter()
        .find(|key| node.get(key).is_some());
    match key.and_then(|key| node.value.get(key)) {
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        _ => node.text(key.unwrap_or("id")),
    }
}

fn write(results: &[ToolResult<'_>]) -> Value {
    Value::Array(results.iter().map(tool_result).collect())
}

fn tool_result(result: &ToolResult<'_>) -> Value {
    let mut content = match result.json() {
        Some(value) => vec![text(value.to_string())],
        None => blocks(result),
    };
    if content.is_empty() && result.is_error {
        content.push(text(FAILED));
    }
    let mut written = json!({
        "toolCallId": result.tool_call_id,
        "toolName": result.tool_name,
        "content": content,
    });
    if let Some(value) = result.structured
        && value.is_object()
        && !result.is_error
    {
        written["structuredContent"] = value.clone();
    }
    written["isError"] = result.is_error.into();
    written
}

fn blocks(result: &ToolResult<'_>) -> Vec<Value> {
    let blocks = result.content.iter().enumerate();
    blocks
        .map(|(index, block)| self::block(result, index, block))
        .collect()
}

fn block(result: &ToolResult<'_>, index: usize, block: &ContentBlock) -> Value {
    let item = match Item::of(block) {
        Ok(item) => item,
        Err(words) => return text(words),
    };
    let (name, media) = (item.name, item.media);
    match &media.source {
        MediaSource::Other { .. } => text(item.note()),
        MediaSource::Uri { uri } => json!({
            "type": "resource_link",
            "uri": uri,
            "name": name.or_else(|| uri.rsplit('/').find(|part| !part.is_empty())).unwrap_or(uri),
            "mimeType": media.mime_type,
        }),
        MediaSource::Bytes { data } if item.kind == "file" => {
            let uri = resource_uri(result.tool_call_id, index, name);
            resource(&uri, media, data)
        }
        MediaSource::Bytes { data } => {
            json!({"type": item.kind, "data": base64(data), "mimeType": media.mime_type})
        }
    }
}

/// A file inside the result. The protocol wants a URI for it; this one says that
/// it is nowhere else.
fn resource(uri: &str, media: &Media, data: &[u8]) -> Value {
    let mut resource = json!({"uri": uri, "mimeType": media.mime_type});
    match as_text(&essence(&media.mime_type), data) {
        Some(text) => resource["text"] = text.into(),
        None => resource["blob"] = base64(data).into(),
    }
    json!({"type": "resource", "resource": resource})
}

fn resource_uri(call: &str, index: usize, name: Option<&str>) -> String {
    let name = name.map_or_else(String::new, |name| format!("/{}", percent_encoded(name)));
    format!("tool-result:/{}/{index}{name}", percent_encoded(call))
}

fn percent_encoded(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| {
            if keep(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn text(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}
