//! A result with everything a result can have.

use serde_json::Value;

use crate::content::{Content, IntoContent};

/// The result of a call: content blocks, a structured value, or both.
///
/// `T` is the type of the structured value; the output schema of the tool is
/// made from it. A tool that returns only one thing returns that thing and has
/// no need of this type.
///
/// ```
/// use toolhost_sdk::{Image, Output, schemars::JsonSchema, serde::Serialize, tool};
///
/// #[derive(Serialize, JsonSchema)]
/// # #[serde(crate = "toolhost_sdk::serde")]
/// # #[schemars(crate = "toolhost_sdk::schemars")]
/// struct Size {
///     bytes: usize,
/// }
///
/// /// Draws nothing in particular.
/// #[tool]
/// fn draw() -> Output<Size> {
///     let png = vec![0x89, b'P', b'N', b'G'];
///     Output::of(Size { bytes: png.len() })
///         .content(Image::png(png))
///         .model_view("A picture was drawn and shown to the user.")
/// }
/// # assert_eq!(draw().structured.unwrap().bytes, 4);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Output<T = Value> {
    /// The result as content blocks.
    pub content: Vec<Content>,
    /// The result as one value.
    pub structured: Option<T>,
    /// What the model sees in place of `content` and `structured`.
    pub model_view: Option<Vec<Content>>,
    /// For the caller's program; the model never sees it.
    pub custom_data: Option<Value>,
}

impl<T> Output<T> {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            content: Vec::new(),
            structured: None,
            model_view: None,
            custom_data: None,
        }
    }

    /// A structured value.
    pub fn of(value: T) -> Self {
        Self {
            structured: Some(value),
            ..Self::new()
        }
    }

    /// Adds text, a block, or several blocks.
    #[must_use]
    pub fn content(mut self, content: impl IntoContent) -> Self {
        self.content.extend(content.into_content());
        self
    }

    /// Sets the structured value.
    #[must_use]
    pub fn structured(mut self, value: T) -> Self {
        self.structured = Some(value);
        self
    }

    /// Sets what the model sees in place of everything else.
    #[must_use]
    pub fn model_view(mut self, content: impl IntoContent) -> Self {
        self.model_view = Some(content.into_content());
        self
    }

    /// Sets what only the caller's program sees.
    #[must_use]
    pub fn custom_data(mut self, data: impl Into<Value>) -> Self {
        self.custom_data = Some(data.into());
        self
    }

    /// All text blocks, one after the other with a line break between them.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<_> = self.content.iter().filter_map(Content::as_text).collect();
        texts.join("\n")
    }

    /// The same output with another structured value.
    pub(crate) fn with_structured<U>(self, structured: Option<U>) -> Output<U> {
        Output {
            content: self.content,
            structured,
            model_view: self.model_view,
            custom_data: self.custom_data,
        }
    }
}

impl<T> Default for Output<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// A structured value.
impl From<Value> for Output {
    fn from(value: Value) -> Self {
        Self::of(value)
    }
}
