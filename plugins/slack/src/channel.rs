//! From the name of a channel to its id, which is what Slack reads by.

use serde::Deserialize;
use toolhost_sdk::ToolError;

use crate::api::Api;

/// How many parts of the list of channels are looked through.
const MAX_PARTS: usize = 10;

/// A part of the list of channels, as Slack tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawPart {
    channels: Vec<RawChannel>,
    response_metadata: RawMetadata,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawChannel {
    id: String,
    name: String,
}

/// Where a list goes on, as Slack tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawMetadata {
    /// Empty at the end.
    pub next_cursor: String,
}

/// The id of a channel that is given by id or by name.
///
/// # Errors
/// When there is no channel of this name.
pub fn id(api: &Api, channel: &str) -> Result<String, ToolError> {
    let channel = channel.trim();
    if is_id(channel) {
        return Ok(channel.to_owned());
    }
    let wanted = channel.trim_start_matches('#').to_lowercase();
    let about = named(channel);
    let mut cursor = String::new();
    for _ in 0..MAX_PARTS {
        let mut query = vec![
            ("types", "public_channel,private_channel"),
            ("exclude_archived", "true"),
            ("limit", "1000"),
        ];
        if !cursor.is_empty() {
            query.push(("cursor", &cursor));
        }
        let part: RawPart = api.get("conversations.list", &query, &about)?;
        if let Some(found) = part.channels.into_iter().find(|found| found.name == wanted) {
            return Ok(found.id);
        }
        cursor = part.response_metadata.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    Err(ToolError::new(
        "SlackNotFoundError",
        format!("there is no {about} that the bot may see: check the name, or give its id"),
    ))
}

/// How a channel is called in what a model reads.
#[must_use]
pub fn named(channel: &str) -> String {
    let shown: String = channel.chars().take(100).collect();
    format!("channel `{}`", shown.escape_debug())
}

/// Whether it is an id, such as `C024BE91L`.
fn is_id(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    text.len() >= 9 && text.starts_with(['C', 'D', 'G']) && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_name() {
        assert!(is_id("C024BE91L") && is_id("D0123456789"));
        for name in [
            "#general",
            "general",
            "C1",
            "CUSTOMERS-X",
            "c024be91l",
            "U024BE91L",
        ] {
            assert!(!is_id(name), "{name}");
        }
    }
}
