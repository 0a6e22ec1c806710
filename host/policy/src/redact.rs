//! Takes secrets out of what leaves a sandbox.
//!
//! A plugin does not hold the secrets it uses, but what it talks to may echo
//! them, and a revealed one it holds itself. A [`Redactor`] finds them in these
//! forms and writes `[REDACTED]` in their place:
//!
//! | form | found as |
//! |---|---|
//! | plain | the text, also in lower case, and each line of a secret of several lines |
//! | percent-encoded | any choice of characters encoded, in either case; a space also as `+` |
//! | escaped, as in JSON | `\"`, `\\`, `\/`, `\n`, `\u0041`, and `\x41`, `\u{41}` of other languages |
//! | base64 | standard and URL-safe, padded or not, at any place in what was encoded |
//! | hexadecimal | in either case |
//! | in HTML | special characters as the usual engines of pages write them |
//! | UTF-16 | in either order of bytes |
//!
//! Percent-encoding and escaping are also seen through when they lie around one
//! of the other forms, two layers deep, such as JSON inside JSON.
//!
//! It keeps accidents and echoes from spreading a secret. It is no wall against
//! a plugin that was given the value and hides it on purpose: that it is not
//! given the value is the wall.
//!
//! All of it takes time linear in the text, and a text that comes in pieces is
//! redacted as if it came whole.

mod coding;
mod forms;
mod json;
mod lane;
mod matcher;
mod scan;
mod stream;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::SecretValue;
use matcher::Matcher;
pub(crate) use scan::Scan;
pub use stream::RedactStream;

/// What stands in the place of a secret.
pub const REDACTED: &str = "[REDACTED]";

/// How much is scanned in one go. After each block, views of the text that show
/// nothing new are given up.
const BLOCK_BYTES: usize = 4 * 1024;

/// Finds secrets in texts. Cheap to clone. The default knows no secret and
/// changes nothing.
///
/// ```
/// use toolhost_policy::{Redactor, SecretValue};
///
/// let token = SecretValue::new("correct horse".to_owned())?;
/// let redactor = Redactor::new([("github", &token)]);
/// assert_eq!(redactor.redact_text("the key: correct%20horse"), "the key: [REDACTED]");
/// assert_eq!(redactor.contains(b"Y29ycmVjdCBob3JzZQ=="), Some("github"));
/// # Ok::<(), toolhost_policy::SecretError>(())
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    inner: Option<Arc<Inner>>,
}

struct Inner {
    names: Vec<String>,
    matcher: Matcher,
    /// A secret could be written as a JSON number.
    numeric: bool,
}

impl Redactor {
    /// Knows these secrets, each by its name.
    pub fn new<'a>(secrets: impl IntoIterator<Item = (&'a str, &'a SecretValue)>) -> Self {
        let mut names = Vec::new();
        let mut forms = Vec::new();
        let mut numeric = false;
        for (name, value) in secrets {
            let text = value.expose();
            numeric |= text.bytes().all(json::is_in_numbers);
            forms.extend(forms::of(text).into_iter().map(|form| (form, names.len())));
            names.push(name.to_owned());
        }
        let inner = (!names.is_empty()).then(|| {
            Arc::new(Inner {
                names,
                matcher: Matcher::new(&forms),
                numeric,
            })
        });
        Self { inner }
    }

    /// Whether it knows no secret.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.is_none()
    }

    /// The text without secrets; the text itself when there are none in it.
    #[must_use]
    pub fn redact_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.redact_bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // Forms are whole characters, so what is left around them is, too.
            Cow::Owned(bytes) => Cow::Owned(
                String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            ),
        }
    }

    /// The bytes without secrets; the bytes themselves when there are none in
    /// them.
    #[must_use]
    pub fn redact_bytes<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if self.contains(bytes).is_none() {
            return Cow::Borrowed(bytes);
        }
        let mut stream = self.stream();
        let mut clean = stream.push(bytes);
        clean.extend(stream.finish());
        Cow::Owned(clean)
    }

    /// Redacts a text where it stands.
    pub fn redact_string(&self, text: &mut String) {
        if let Cow::Owned(clean) = self.redact_text(text) {
            *text = clean;
        }
    }

    /// Redacts all strings and keys of a JSON value, and numbers that spell a
    /// secret. Keys that become equal are numbered, so that no value is lost.
    pub fn redact_json(&self, value: &mut serde_json::Value) {
        if let Some(inner) = &self.inner {
            json::redact(self, inner.numeric, value);
        }
    }

    /// The name of a secret that is in `bytes` in one of its forms.
    #[must_use]
    pub fn contains(&self, bytes: &[u8]) -> Option<&str> {
        let inner = self.inner.as_deref()?;
        let owner = inner.matcher.first_owner(bytes)?;
        Some(&inner.names[owner])
    }

    /// Redacts a text that comes in pieces.
    #[must_use]
    pub fn stream(&self) -> RedactStream {
        RedactStream::new(self.clone())
    }

    pub(crate) fn matcher(&self) -> Option<&Matcher> {
        self.inner.as_deref().map(|inner| &inner.matcher)
    }

    pub(crate) fn names(&self) -> &[String] {
        self.inner.as_deref().map_or(&[], |inner| &inner.names)
    }
}

impl fmt::Debug for Redactor {
    /// Names only: the automaton spells the secrets out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Redactor").field(&self.names()).finish()
    }
}

/// The text with its percent-encoding undone, wherever there is any.
pub(crate) fn percent_decoded(text: &[u8]) -> Vec<u8> {
    coding::undo(coding::Coding::Percent, text)
}

#[cfg(test)]
mod tests;
