//! Reading JSON text nobody vouches for: arguments a model wrote, results and
//! schemas a plugin gave.
//!
//! The parsing itself is `serde_json`'s. What that leaves open and this module
//! decides, because two readers of one text must never see two different values:
//!
//! | text | answer |
//! |---|---|
//! | an object with a key twice | refused; the key is named |
//! | an integer outside of -2⁶³ … 2⁶⁴-1 | refused, never rounded; it can be sent as a string |
//! | a float outside of the range, `1e400` | refused |
//! | a float that needs rounding, `0.1` | the nearest double |
//! | an integer beyond 2⁵³ | kept to the last digit |
//! | `-0` | the float `-0.0`, as in JavaScript |
//! | half of a surrogate pair, `"\ud800"` | refused |
//! | a byte order mark, text after the value | refused |
//! | more bytes, depth or values than the limits | refused before a value is built |
//!
//! One pass over the bytes (`scan`) answers for the limits and the integers, so
//! that 100,000 brackets cost neither memory nor stack; `serde_json` then builds
//! the value (`tree`). Where a problem lies is worked out only when there is one
//! (`locate`).
//!
//! Arguments stay text: they are checked and handed on without a tree of values, from
//! a list that points into them (`document`), which holds to the same table. Who looks
//! into values sees both alike (`part`).

mod document;
mod error;
mod locate;
mod measure;
mod part;
mod scan;
mod tree;

pub(crate) use document::{Added, Document, Kind, ReadMembers, ReadPart};
pub use error::{JsonError, JsonErrorKind};
pub(crate) use measure::{Measure, measure, whole};
pub use measure::{check, depth_of, discard};
pub(crate) use part::{Items, Members, MembersIter, Part, Seen};

use serde_json::Value;

/// The deepest nesting that is ever read: `serde_json` goes no deeper, neither
/// here nor in the guests that use it.
pub const MAX_DEPTH: usize = 127;

/// How much JSON one document may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonLimits {
    /// Bytes of text; protects the time of reading. Default: 8 MiB.
    pub bytes: usize,
    /// Arrays and objects inside each other; protects the stack of everything that
    /// walks the value. Default, and most: [`MAX_DEPTH`].
    pub depth: usize,
    /// Values in the document, counting arrays, objects and what is in them;
    /// protects memory, as a value takes about 80 bytes where its text may take
    /// two. Default: 524,288.
    pub values: usize,
}

impl Default for JsonLimits {
    fn default() -> Self {
        Self {
            bytes: 8 << 20,
            depth: MAX_DEPTH,
            values: 1 << 19,
        }
    }
}

impl JsonLimits {
    /// The same limits with another number of bytes.
    #[must_use]
    pub fn with_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }
}

/// Reads one JSON document.
///
/// ```
/// use toolhost_tool::json::{self, JsonLimits};
///
/// let limits = JsonLimits::default();
/// assert_eq!(json::parse(r#"{"a": [1, 2]}"#, &limits).unwrap()["a"][1], 2);
///
/// let refused = json::parse(r#"{"a": 1, "a": 2}"#, &limits).unwrap_err();
/// assert_eq!(refused.path(), Some("/a"));
/// ```
///
/// # Errors
/// When the text is no JSON, is more than `limits` allow, or says something that
/// the table of the [module](self) refuses.
pub fn parse(text: &str, limits: &JsonLimits) -> Result<Value, JsonError> {
    scan::scan(text, limits)?;
    tree::build(text)
}

#[cfg(test)]
mod tests;
