//! Conversions of content blocks and results.

use super::context::parse;
use super::types;
use crate::content::{Audio, Content, File, Image, Media, MediaSource};
use crate::output::Output;
use crate::returns::RawJson;

fn blocks(content: Vec<Content>) -> Vec<types::ContentBlock> {
    content.into_iter().map(Into::into).collect()
}

fn contents(blocks: Vec<types::ContentBlock>) -> Vec<Content> {
    blocks.into_iter().map(Into::into).collect()
}

impl From<Output<RawJson>> for types::Output {
    fn from(output: Output<RawJson>) -> Self {
        let mut content = blocks(output.content);
        // The contract wants something, even from a tool with nothing to say.
        if content.is_empty() && output.structured.is_none() {
            content.push(types::ContentBlock::Text(String::new()));
        }
        Self {
            content,
            structured: output.structured.map(|RawJson(text)| text),
            model_view: output.model_view.map(blocks),
            custom_data: output.custom_data.map(|data| data.to_string()),
        }
    }
}

impl From<types::Output> for Output {
    fn from(output: types::Output) -> Self {
        Self {
            content: contents(output.content),
            structured: output.structured.as_deref().map(parse),
            model_view: output.model_view.map(contents),
            custom_data: output.custom_data.as_deref().map(parse),
        }
    }
}

impl From<Output<RawJson>> for Output {
    fn from(mut output: Output<RawJson>) -> Self {
        let structured = output.structured.take().map(|RawJson(text)| parse(&text));
        output.with_structured(structured)
    }
}

impl From<Content> for types::ContentBlock {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text),
            Content::Image(Image { media }) => Self::Image(media.into()),
            Content::Audio(Audio { media }) => Self::Audio(media.into()),
            Content::File(File { name, media }) => Self::File(types::File {
                name,
                media: media.into(),
            }),
            Content::Other { kind, data } => Self::Other(types::OtherContent {
                kind,
                data: data.to_string(),
            }),
        }
    }
}

impl From<types::ContentBlock> for Content {
    fn from(block: types::ContentBlock) -> Self {
        match block {
            types::ContentBlock::Text(text) => Self::Text(text),
            types::ContentBlock::Image(media) => Self::Image(Image {
                media: media.into(),
            }),
            types::ContentBlock::Audio(media) => Self::Audio(Audio {
                media: media.into(),
            }),
            types::ContentBlock::File(file) => Self::File(File {
                name: file.name,
                media: file.media.into(),
            }),
            types::ContentBlock::Other(other) => Self::Other {
                kind: other.kind,
                data: parse(&other.data),
            },
        }
    }
}

impl From<Media> for types::Media {
    fn from(media: Media) -> Self {
        Self {
            mime_type: media.mime_type,
            source: match media.source {
                MediaSource::Bytes(bytes) => types::MediaSource::Bytes(bytes),
                MediaSource::Uri(uri) => types::MediaSource::Uri(uri),
                MediaSource::Other(other) => types::MediaSource::Other(other),
            },
        }
    }
}

impl From<types::Media> for Media {
    fn from(media: types::Media) -> Self {
        Self {
            mime_type: media.mime_type,
            source: match media.source {
                types::MediaSource::Bytes(bytes) => MediaSource::Bytes(bytes),
                types::MediaSource::Uri(uri) => MediaSource::Uri(uri),
                types::MediaSource::Other(other) => MediaSource::Other(other),
            },
        }
    }
}
