//! What a plugin says of itself and asks for.
//!
//! The manifest is JSON in a custom section of the `.wasm`, [`MANIFEST_SECTION`], so
//! that it is read without running anything:
//!
//! ```json
//! {
//!   "name": "github", "version": "1.2.0", "license": "Apache-2.0",
//!   "source": "https://git.example.org/github-plugin", "description": "Issues and files.",
//!   "wants": {
//!     "http": [{"allow": "GET,POST https://api.github.com/", "why": "reads and comments"}],
//!     "dirs": [{"guest": "/work", "access": "rw", "why": "saves downloads"}],
//!     "env": [{"name": "TZ", "why": "shows local times"}],
//!     "secrets": [{"name": "github-token", "why": "acts for you"}],
//!     "config": [{"key": "language", "why": "translates labels"}],
//!     "tools": [{"name": "csv_*", "why": "reads tables"}],
//!     "storage": {"why": "remembers what it has read"},
//!     "messages": {"why": "answers what was asked"}
//!   }
//! }
//! ```
//!
//! It is a ceiling and grants nothing: see [`effective`](crate::effective). All of it
//! is the plugin's word; what is not understood, too long or too much keeps the plugin
//! from being loaded.
//!
//! | left out | means |
//! |---|---|
//! | the manifest | no ceiling: the operator's grants alone decide |
//! | `wants`, or a key in it | nothing of that kind, whatever is granted |
//! | `license`, `source`, `description` | not said |
//! | `access` | reading: `"ro"` |

mod advice;
mod check;
mod error;
mod want;

use serde::{Deserialize, Serialize};
use toolhost_tool::json::{self, JsonLimits};

pub use error::ManifestError;
pub use want::{ConfigWant, DirWant, HttpWant, NamedWant, Reason, ToolWant, Want, Wants};

/// The name of the custom section.
pub const MANIFEST_SECTION: &str = "toolhost:manifest";

/// Most bytes of a manifest: it is read with every load and shown to people.
pub const MAX_MANIFEST_BYTES: usize = 64 << 10;

const LIMITS: JsonLimits = JsonLimits {
    bytes: MAX_MANIFEST_BYTES,
    depth: 8,
    values: 8 << 10,
};

/// What a plugin says of itself and asks for. None of it is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its name; at most 128 characters.
    pub name: String,
    /// Its version; at most 64 characters.
    pub version: String,
    /// Its licence, an SPDX expression; at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Where its source is, a URL; at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it is for; at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The most it may be granted. Left out: nothing.
    #[serde(default)]
    pub wants: Wants,
}

impl Manifest {
    /// Reads the bytes of the section.
    ///
    /// ```
    /// use toolhost_policy::Manifest;
    ///
    /// let manifest = Manifest::parse(br#"{"name": "jq", "version": "1.0.0"}"#)?;
    /// assert_eq!(manifest.name, "jq");
    /// assert!(manifest.wants.is_empty());
    ///
    /// let error = Manifest::parse(br#"{"name": "jq", "version": "1", "want": {}}"#).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 1, column 37: the key `want` is not known: did you mean `wants`?"
    /// );
    /// # Ok::<(), toolhost_policy::ManifestError>(())
    /// ```
    ///
    /// # Errors
    /// When it is too large, no JSON, or says something that cannot be meant.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        if bytes.len() > MAX_MANIFEST_BYTES {
            return Err(ManifestError::TooLarge { used: bytes.len() });
        }
        let text = std::str::from_utf8(bytes).map_err(|_| ManifestError::NotUtf8)?;
        // A key twice, deep nesting and the like: what one reader sees, all see.
        let value = json::parse(text, &LIMITS).map_err(ManifestError::Json)?;
        check::check_objects(&value)?;
        let manifest: Self =
            serde_json::from_str(text).map_err(|error| ManifestError::shape(&error))?;
        check::check(&manifest)?;
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests;
