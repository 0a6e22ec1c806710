//! Where in the arguments a pattern looks: a JSON Pointer (RFC 6901).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A place in a call's arguments, such as `/path` or `/files/0/name`; the empty
/// pointer is all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ArgumentPointer(String);

/// Why a text is no pointer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointerError {
    /// It does not begin with a slash.
    #[error("`{0}` is not a JSON Pointer: write `/{0}`")]
    NoSlash(String),
    /// It has a `~` that stands for nothing.
    #[error("`{0}` has a `~` that is neither `~0` (for `~`) nor `~1` (for `/`)")]
    Escape(String),
}

impl ArgumentPointer {
    /// Reads a pointer.
    ///
    /// # Errors
    /// When it begins without a slash, or has a `~` that stands for nothing. Either
    /// would point nowhere, and a rule that looks nowhere protects nothing.
    pub fn new(text: impl Into<String>) -> Result<Self, PointerError> {
        let text = text.into();
        if !text.is_empty() && !text.starts_with('/') {
            return Err(PointerError::NoSlash(text));
        }
        let mut tildes = text.split('~').skip(1);
        if tildes.any(|rest| !rest.starts_with(['0', '1'])) {
            return Err(PointerError::Escape(text));
        }
        Ok(Self(text))
    }

    /// The pointer as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value it points at.
    pub(super) fn find<'a>(&self, arguments: &'a Value) -> Option<&'a Value> {
        arguments.pointer(&self.0)
    }
}

impl TryFrom<String> for ArgumentPointer {
    type Error = PointerError;

    fn try_from(text: String) -> Result<Self, PointerError> {
        Self::new(text)
    }
}

impl From<ArgumentPointer> for String {
    fn from(pointer: ArgumentPointer) -> Self {
        pointer.0
    }
}

impl fmt::Display for ArgumentPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
