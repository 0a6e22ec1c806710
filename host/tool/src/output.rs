//! The result of a call: content blocks, structured data, and what only the
//! caller's program sees.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The result of a call that is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The result as content blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<ContentBlock>,
    /// The result as one JSON document.
    #[serde(
        default,
        rename = "structuredContent",
        skip_serializing_if = "Option::is_none"
    )]
    pub structured: Option<Value>,
    /// What the model sees in place of the two above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_view: Option<Vec<ContentBlock>>,
    /// For the caller's program; the model never sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<Value>,
}

impl Output {
    /// A result that is one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            content: vec![ContentBlock::Text { text: text.into() }],
            ..Self::default()
        }
    }

    /// A result that is one JSON document.
    #[must_use]
    pub fn structured(value: Value) -> Self {
        Self {
            structured: Some(value),
            ..Self::default()
        }
    }

    /// The text blocks, joined by line breaks; `None` when there are none.
    #[must_use]
    pub fn joined_text(&self) -> Option<String> {
        let texts: Vec<&str> = self
            .content
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

/// One part of a result. As JSON an object with a `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image(Media),
    /// A recording.
    Audio(Media),
    /// A file, or a link to one.
    File {
        /// The name to show or save it under.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// What is in it.
        #[serde(flatten)]
        media: Media,
    },
    /// A kind this version does not know.
    Other {
        /// The kind.
        kind: String,
        /// The content.
        data: Value,
    },
}

impl ContentBlock {
    /// The bytes of the block, when it carries bytes.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Image(media) | Self::Audio(media) | Self::File { media, .. } => {
                match &media.source {
                    MediaSource::Bytes { data } => Some(data),
                    MediaSource::Uri { .. } | MediaSource::Other { .. } => None,
                }
            }
            Self::Text { .. } | Self::Other { .. } => None,
        }
    }
}

/// Bytes of a known type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// The MIME type, such as `image/png`.
    pub mime_type: String,
    /// The bytes, or where they are.
    #[serde(flatten)]
    pub source: MediaSource,
}

/// Bytes, or where they are. As JSON a key beside `mimeType`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MediaSource {
    /// The bytes themselves, base64 as JSON.
    Bytes {
        /// The bytes.
        #[serde(with = "bytes_as_base64")]
        data: Vec<u8>,
    },
    /// Where the caller finds them.
    Uri {
        /// The URI.
        uri: String,
    },
    /// A way this version does not know.
    Other {
        /// The plugin's own words.
        source: String,
    },
}

/// Bytes as base64 text (RFC 4648, padded), the form JSON carries them in.
pub(crate) mod bytes_as_base64 {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        STANDARD
            .decode(String::deserialize(deserializer)?)
            .map_err(|error| D::Error::custom(format_args!("the text is not base64: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blocks_read_as_models_expect_them() {
        let png = ContentBlock::Image(Media {
            mime_type: "image/png".into(),
            source: MediaSource::Bytes {
                data: vec![1, 2, 3],
            },
        });
        let link = ContentBlock::File {
            name: Some("a.txt".into()),
            media: Media {
                mime_type: "text/plain".into(),
                source: MediaSource::Uri {
                    uri: "file:///a.txt".into(),
                },
            },
        };
        let expected = [
            json!({"type": "image", "mimeType": "image/png", "data": "AQID"}),
            json!({"type": "file", "name": "a.txt", "mimeType": "text/plain", "uri": "file:///a.txt"}),
        ];
        for (block, expected) in [png, link].into_iter().zip(expected) {
            let json = serde_json::to_value(&block).unwrap();
            assert_eq!(json, expected);
            assert_eq!(serde_json::from_value::<ContentBlock>(json).unwrap(), block);
        }
    }
}
