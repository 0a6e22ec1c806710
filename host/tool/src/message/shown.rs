//! What a model is shown of a result, before it takes the shape of an API: texts,
//! and the media which that API takes.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::ToolResult;
use crate::{ContentBlock, Media, MediaSource, truncate_chars};

/// What stands for a failure that says nothing.
pub(super) const FAILED: &str = "the tool failed";

/// Characters of a name or a type, chosen by a plugin, that a note repeats.
const NOTED: usize = 200;

/// The same for an address, which is of use only as a whole.
const NOTED_ADDRESS: usize = 2_000;

/// One piece of what a model is shown.
pub(super) enum Piece<'a> {
    Text(Cow<'a, str>),
    Media(Inline<'a>),
}

/// Media that an API takes.
pub(super) struct Inline<'a> {
    /// Lower case, without parameters.
    pub(super) mime_type: String,
    /// The name of the file, when it has one.
    pub(super) name: Option<&'a str>,
    pub(super) data: &'a [u8],
}

impl Inline<'_> {
    pub(super) fn base64(&self) -> String {
        base64(self.data)
    }

    /// The media as an address that carries them.
    pub(super) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.mime_type, self.base64())
    }

    pub(super) fn is_image(&self) -> bool {
        self.mime_type.starts_with("image/")
    }

    /// The name, or one that tells the type.
    pub(super) fn file_name(&self) -> String {
        let ending = self.mime_type.rsplit('/').next().unwrap_or_default();
        self.name
            .map_or_else(|| format!("file.{ending}"), str::to_owned)
    }
}

impl ToolResult<'_> {
    /// The result as JSON, when that is what the model sees: there is no content,
    /// or it is nothing but the same JSON as text.
    pub(super) fn json(&self) -> Option<Value> {
        let value = match self.error {
            // Our own type: string keys and no failing serializer.
            Some(error) => serde_json::to_value(error).unwrap_or_else(|_| FAILED.into()),
            None => self.structured?.clone(),
        };
        let shown_as_is = match self.content.as_slice() {
            [] => true,
            [ContentBlock::Text { text }] => {
                let same = value.to_string();
                *text == same
            }
            _ => false,
        };
        shown_as_is.then_some(value)
    }

    /// What the model sees, with the media whose type `takes` accepts.
    pub(super) fn pieces(&self, takes: impl Fn(&str) -> bool) -> Vec<Piece<'_>> {
        match self.json() {
            Some(value) => vec![Piece::Text(value.to_string().into())],
            None if self.is_error && self.content.is_empty() => vec![Piece::Text(FAILED.into())],
            None => self
                .content
                .iter()
                .map(|block| piece(block, &takes))
                .collect(),
        }
    }

    /// What the model sees, in texts alone.
    pub(super) fn text(&self) -> String {
        joined(&self.pieces(|_| false))
    }

    /// [`pieces`](Self::pieces) for APIs without a mark for errors: the text says
    /// it, unless it is the host's own account of the error and does so anyway.
    pub(super) fn marked_pieces(&self, takes: impl Fn(&str) -> bool) -> Vec<Piece<'_>> {
        let mut pieces = self.pieces(takes);
        let told = match self.json() {
            Some(_) => self.error.is_some(),
            None => self.content.is_empty(),
        };
        if self.is_error && !told {
            pieces.insert(0, Piece::Text(FAILED.into()));
        }
        pieces
    }
}

/// The texts, one under the other.
pub(super) fn joined(pieces: &[Piece<'_>]) -> String {
    let texts: Vec<&str> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_ref()),
            Piece::Media(_) => None,
        })
        .collect();
    texts.join("\n")
}

fn piece<'a>(block: &'a ContentBlock, takes: &impl Fn(&str) -> bool) -> Piece<'a> {
    let item = match Item::of(block) {
        Ok(item) => item,
        Err(text) => return Piece::Text(text),
    };
    let MediaSource::Bytes { data } = &item.media.source else {
        return Piece::Text(item.note().into());
    };
    let mime_type = essence(&item.media.mime_type);
    if let Some(text) = as_text(&mime_type, data) {
        return Piece::Text(format!("[{}]\n{text}", item.label()).into());
    }
    // APIs refuse a request with media of no bytes.
    if data.is_empty() || !takes(&mime_type) {
        return Piece::Text(item.note().into());
    }
    Piece::Media(Inline {
        mime_type,
        name: item.name,
        data,
    })
}

/// A block that is no text.
pub(super) struct Item<'a> {
    /// `image`, `audio` or `file`.
    pub(super) kind: &'static str,
    pub(super) name: Option<&'a str>,
    pub(super) media: &'a Media,
}

impl<'a> Item<'a> {
    /// The block, or else its text; content of a kind that this version does not
    /// know is told as one.
    pub(super) fn of(block: &'a ContentBlock) -> Result<Self, Cow<'a, str>> {
        let (kind, name, media) = match block {
            ContentBlock::Text { text } => return Err(text.into()),
            ContentBlock::Other { kind, data } => {
                return Err(format!("[content of kind `{}`] {data}", shown(kind, NOTED)).into());
            }
            ContentBlock::Image(media) => ("image", None, media),
            ContentBlock::Audio(media) => ("audio", None, media),
            ContentBlock::File { name, media } => ("file", name.as_deref(), media),
        };
        Ok(Self { kind, name, media })
    }

    /// The text that stands for media which a model does not get to see.
    pub(super) fn note(&self) -> String {
        let label = self.label();
        match &self.media.source {
            MediaSource::Bytes { data } if data.len() == 1 => {
                format!("[{label}, 1 byte, not shown]")
            }
            MediaSource::Bytes { data } => format!("[{label}, {} bytes, not shown]", data.len()),
            MediaSource::Uri { uri } => format!("[{label} at `{}`]", shown(uri, NOTED_ADDRESS)),
            MediaSource::Other { source } => {
                format!("[{label} from `{}`]", shown(source, NOTED_ADDRESS))
            }
        }
    }

    fn label(&self) -> String {
        let mime_type = &self.media.mime_type;
        let is_video = mime_type.starts_with("video/");
        let kind = if is_video { "video" } else { self.kind };
        let name = self.name.map(|name| format!(" `{}`", shown(name, NOTED)));
        let name = name.unwrap_or_default();
        format!("{kind}{name} of type `{}`", shown(mime_type, NOTED))
    }
}

fn shown(text: &str, most: usize) -> String {
    truncate_chars(text.to_owned(), most)
}

/// A MIME type without its parameters, in lower case, and one name for JPEG.
pub(super) fn essence(mime_type: &str) -> String {
    let name = mime_type.split(';').next().unwrap_or_default().trim();
    let name = name.to_ascii_lowercase();
    if name == "image/jpg" {
        "image/jpeg".into()
    } else {
        name
    }
}

/// The content of a text file: a model reads it better than any attachment.
pub(super) fn as_text<'a>(mime_type: &str, data: &'a [u8]) -> Option<&'a str> {
    let textual = mime_type.starts_with("text/")
        || mime_type.ends_with("+json")
        || mime_type.ends_with("+xml")
        || TEXTUAL.contains(&mime_type);
    textual.then(|| std::str::from_utf8(data).ok()).flatten()
}

/// Types of text that are not called so.
const TEXTUAL: [&str; 5] = [
    "application/json",
    "application/xml",
    "application/yaml",
    "application/toml",
    "application/javascript",
];

pub(super) fn base64(data: &[u8]) -> String {
    STANDARD.encode(data)
}
