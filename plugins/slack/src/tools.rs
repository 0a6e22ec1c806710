//! The tools as the model sees them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toolhost_sdk::{ToolError, tool};

use crate::api::Api;
use crate::channel;
use crate::message::{Message, RawMessages};

/// A message that was posted, as Slack tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawPosted {
    channel: String,
    ts: String,
}

/// A message that was posted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Posted {
    /// The id of its channel.
    pub channel: String,
    /// What names it in its channel: the `threadTs` of replies to it.
    pub ts: String,
}

/// A part of a channel or thread.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Messages {
    /// The id of the channel.
    pub channel: String,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The `cursor` with which it goes on: to older messages of a channel, to newer
    /// ones of a thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// Posts a message on Slack, for all members of the channel to read and in the name of
/// the bot. Sends at once: show the text to the user first unless they asked for it.
#[tool(
    name = "slack_post_message",
    title = "Post on Slack",
    destructive = false,
    idempotent = false,
    open_world
)]
pub(crate) fn post_message(
    /// The channel, by `#name` or id.
    #[schemars(length(min = 1, max = 200))]
    channel: &str,
    /// The message, in Slack's markup: `*bold*`, `_italic_`, `<https://…|a link>`.
    #[schemars(length(min = 1, max = 40000))]
    text: &str,
    /// The `ts` of a message, to reply in its thread.
    #[serde(rename = "threadTs")]
    #[schemars(length(max = 40))]
    thread_ts: Option<&str>,
) -> Result<Posted, ToolError> {
    if text.trim().is_empty() {
        return Err(crate::failure::explain("no_text", None, ""));
    }
    let api = Api::of_operator()?;
    let mut body = json!({ "channel": channel.trim(), "text": text });
    if let Some(thread) = thread_ts {
        body["thread_ts"] = json!(thread);
    }
    let about = channel::named(channel);
    let posted: RawPosted = api.post("chat.postMessage", &body, &about)?;
    Ok(Posted {
        channel: posted.channel,
        ts: posted.ts,
    })
}

/// Reads the newest messages of a channel on Slack, or those of a thread, oldest first.
#[tool(
    name = "slack_read_messages",
    title = "Read Slack messages",
    read_only,
    open_world,
    max_retries = 1
)]
pub(crate) fn read_messages(
    /// The channel, by `#name` or id.
    #[schemars(length(min = 1, max = 200))]
    channel: &str,
    /// The `ts` of a message, to read its thread.
    #[serde(rename = "threadTs")]
    #[schemars(length(max = 40))]
    thread_ts: Option<&str>,
    /// Most messages.
    #[tool(default = 20)]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// Where to go on: `nextCursor` of the call before.
    #[schemars(length(max = 1000))]
    cursor: Option<&str>,
) -> Result<Messages, ToolError> {
    let api = Api::of_operator()?;
    let id = channel::id(&api, channel)?;
    let limit = limit.to_string();
    let mut query = vec![("channel", &*id), ("limit", &limit)];
    let method = match thread_ts {
        Some(thread) => {
            query.push(("ts", thread));
            "conversations.replies"
        }
        None => "conversations.history",
    };
    query.extend(cursor.map(|cursor| ("cursor", cursor)));
    let found: RawMessages = api.get(method, &query, &channel::named(channel))?;
    let mut messages: Vec<Message> = found.messages.into_iter().map(Message::from).collect();
    // A channel comes newest first, a thread oldest first.
    messages.sort_by(|one, other| one.ts.cmp(&other.ts));
    let next = found.response_metadata.next_cursor;
    Ok(Messages {
        channel: id,
        messages,
        next_cursor: (!next.is_empty()).then_some(next),
    })
}

#[cfg(test)]
mod tests;
