//! Content blocks: the parts of a result that a model or a person reads.

use serde_json::Value;

/// One part of a result.
///
/// A tool returns one, several (`Vec<Content>`), or an [`Output`](crate::Output)
/// that carries some beside a structured value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(String),
    /// A picture.
    Image(Image),
    /// A recording.
    Audio(Audio),
    /// A file, or a link to one.
    File(File),
    /// A kind this version does not name.
    Other {
        /// The kind.
        kind: String,
        /// The content.
        data: Value,
    },
}

impl Content {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The text of a text block; `None` for every other kind.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Bytes of a known type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The MIME type, such as `image/png`.
    pub mime_type: String,
    /// The bytes, or where they are.
    pub source: MediaSource,
}

/// Bytes, or where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaSource {
    /// The bytes themselves.
    Bytes(Vec<u8>),
    /// A URI under which the caller finds them.
    Uri(String),
    /// A way this version does not name.
    Other(String),
}

impl Media {
    fn bytes(mime_type: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            mime_type: mime_type.into(),
            source: MediaSource::Bytes(bytes.into()),
        }
    }

    fn link(mime_type: impl Into<String>, uri: impl Into<String>) -> Self {
        Self {
            mime_type: mime_type.into(),
            source: MediaSource::Uri(uri.into()),
        }
    }
}

/// A picture.
///
/// ```
/// use toolhost_sdk::{Content, Image};
///
/// let dot = Image::svg(r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#);
/// assert_eq!(dot.media.mime_type, "image/svg+xml");
/// assert!(matches!(Content::from(dot), Content::Image(_)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Its bytes and their type.
    pub media: Media,
}

impl Image {
    /// A picture of any type, such as `image/jpeg`.
    pub fn new(mime_type: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            media: Media::bytes(mime_type, bytes),
        }
    }

    /// A PNG.
    pub fn png(bytes: impl Into<Vec<u8>>) -> Self {
        Self::new("image/png", bytes)
    }

    /// An SVG.
    pub fn svg(text: impl Into<String>) -> Self {
        Self::new("image/svg+xml", text.into())
    }

    /// A picture that the caller finds under `uri`.
    pub fn link(mime_type: impl Into<String>, uri: impl Into<String>) -> Self {
        Self {
            media: Media::link(mime_type, uri),
        }
    }
}

/// A recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audio {
    /// Its bytes and their type.
    pub media: Media,
}

impl Audio {
    /// A recording of any type, such as `audio/wav`.
    pub fn new(mime_type: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            media: Media::bytes(mime_type, bytes),
        }
    }

    /// A recording that the caller finds under `uri`.
    pub fn link(mime_type: impl Into<String>, uri: impl Into<String>) -> Self {
        Self {
            media: Media::link(mime_type, uri),
        }
    }
}

/// A file, or a link to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The name to show or save it under.
    pub name: Option<String>,
    /// What is in it.
    pub media: Media,
}

impl File {
    /// A file with a name, a MIME type and bytes.
    pub fn new(
        name: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> Self {
        Self {
            name: Some(name.into()),
            media: Media::bytes(mime_type, bytes),
        }
    }

    /// A file that the caller finds under `uri`, without a name.
    pub fn link(mime_type: impl Into<String>, uri: impl Into<String>) -> Self {
        Self {
            name: None,
            media: Media::link(mime_type, uri),
        }
    }

    /// The same file under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Image> for Content {
    fn from(image: Image) -> Self {
        Self::Image(image)
    }
}

impl From<Audio> for Content {
    fn from(audio: Audio) -> Self {
        Self::Audio(audio)
    }
}

impl From<File> for Content {
    fn from(file: File) -> Self {
        Self::File(file)
    }
}

/// What stands for content blocks as it is: text, one block, or a list of
/// blocks. A tool or the hook `model_output` may return any of them.
pub trait IntoContent {
    /// The blocks.
    fn into_content(self) -> Vec<Content>;
}

impl IntoContent for Vec<Content> {
    fn into_content(self) -> Vec<Content> {
        self
    }
}

impl<const N: usize> IntoContent for [Content; N] {
    fn into_content(self) -> Vec<Content> {
        self.into()
    }
}

macro_rules! one_block {
    ($($type:ty),*) => {$(
        impl IntoContent for $type {
            fn into_content(self) -> Vec<Content> {
                vec![self.into()]
            }
        }
    )*};
}

one_block!(Content, String, &str, Image, Audio, File);

impl IntoContent for std::borrow::Cow<'_, str> {
    fn into_content(self) -> Vec<Content> {
        vec![Content::Text(self.into_owned())]
    }
}
