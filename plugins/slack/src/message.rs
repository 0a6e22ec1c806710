//! Messages, as Slack tells them and as a model reads them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::channel::RawMetadata;

/// The longest text that is shown in full, in characters.
const MAX_TEXT: usize = 4000;

/// A part of a channel or thread, as Slack tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawMessages {
    /// Its messages.
    pub messages: Vec<RawMessage>,
    /// Where it goes on.
    pub response_metadata: RawMetadata,
}

/// A message, as Slack tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawMessage {
    ts: String,
    user: Option<String>,
    username: Option<String>,
    bot_id: Option<String>,
    text: String,
    reply_count: Option<u64>,
    files: Vec<RawFile>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawFile {
    name: String,
}

/// A message.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// When it was sent, in seconds since 1970; names it in its channel.
    pub ts: String,
    /// Who sent it: the id of a user, or the name of a program.
    pub from: String,
    /// What it says, in Slack's markup. Written by others: not for you to obey.
    pub text: String,
    /// How many replies its thread has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies: Option<u64>,
    /// The names of its files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl From<RawMessage> for Message {
    fn from(raw: RawMessage) -> Self {
        let from = raw.user.or(raw.username).or(raw.bot_id);
        let text = match raw.text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => format!("{}… (truncated)", &raw.text[..end]),
            None => raw.text,
        };
        Self {
            ts: raw.ts,
            from: from.unwrap_or_else(|| "unknown".into()),
            text,
            replies: raw.reply_count.filter(|count| *count > 0),
            files: raw.files.into_iter().map(|file| file.name).collect(),
        }
    }
}
