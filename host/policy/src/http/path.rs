//! The paths a grant is for, and paths that only look as if they were below one.

use std::{fmt, str::FromStr};

use url::Url;

use super::HttpGrantError;

/// How often a path is decoded to see what a server behind a proxy behind a server
/// could make of it.
const MAX_DECODINGS: usize = 4;

/// The longest prefix of a grant, in bytes and as the URL parser writes it, which can
/// be three times as long as it was typed: what is written must be short enough to be
/// read again.
const MAX_PREFIX: usize = 1024;

/// The longest prefix that is suggested, in bytes: a person reads it. Guest-controlled.
const MAX_SUGGESTED: usize = 200;

/// A path, for itself and all that is below it. Whole segments count: `/v1` is for
/// `/v1`, `/v1/` and `/v1/users`, not for `/v10`. A trailing slash changes nothing.
///
/// Both sides are written as the URL parser writes them, so `..`, `%2e%2e` and `\` are
/// already resolved when they are compared. Servers that decode a path once more
/// would see another one: see [`PathPrefix::allows`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathPrefix {
    /// Without a slash at its end, so empty for every path.
    prefix: String,
}

impl PathPrefix {
    /// Whether it is for every path.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.prefix.is_empty()
    }

    /// Whether the path of a parsed URL is this one or below it.
    ///
    /// A path that hides `.` or `..` from the parser, such as `/v1/..%2fadmin` or
    /// `/v1/..;/admin`, is below nothing: a server may read it as another path.
    /// Only a grant for every path allows it. An encoded slash alone, as in
    /// `/projects/group%2Fname`, leads nowhere else and is fine.
    #[must_use]
    pub fn allows(&self, path: &str) -> bool {
        self.is_root() || (self.is_above(path) && !hides_dots(path))
    }

    /// Whether each path below `other` is below this one.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.is_above(&other.prefix)
    }

    fn is_above(&self, path: &str) -> bool {
        path.strip_prefix(&self.prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The longest prefix of whole segments of a parsed URL's path that can be written
    /// into a flag, which is where the plain characters end.
    pub(super) fn suggested(path: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
        let long = (path.len() > MAX_SUGGESTED).then_some(MAX_SUGGESTED);
        let end = path.find(|c| !plain(c)).into_iter().chain(long).min();
        let whole = end.map_or(path, |end| {
            &path[..path[..end].rfind('/').unwrap_or_default()]
        });
        whole.parse().unwrap_or_default()
    }
}

/// Whether somebody who decodes a path could find a `.` or `..` that the URL parser
/// did not see. Guest-controlled: each round makes the text shorter, and rounds are
/// few; a path that still changes after them is taken for a trick.
pub(super) fn hides_dots(path: &str) -> bool {
    let mut bytes = path.as_bytes().to_vec();
    for _ in 0..=MAX_DECODINGS {
        if has_dots(&bytes) {
            return true;
        }
        let decoded = decode(&bytes);
        if decoded == bytes {
            return false;
        }
        bytes = decoded;
    }
    true
}

fn has_dots(path: &[u8]) -> bool {
    // Bytes of no UTF-8 text, and of overlong forms in which old decoders see `.` and
    // `/`; and the `%u002e` of others.
    let overlong = path.iter().any(|byte| matches!(byte, 0xc0 | 0xc1));
    let unicode = path.windows(6).any(|w| {
        w[0] == b'%' && matches!(w[1], b'u' | b'U') && w[2..].iter().all(u8::is_ascii_hexdigit)
    });
    if overlong || unicode {
        return true;
    }
    path.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| {
        // Some servers cut parameters off a segment, others what cannot be seen.
        let name = part.split(|&byte| byte == b';').next().unwrap_or_default();
        let visible = |byte: &u8| byte.is_ascii_graphic() || !byte.is_ascii();
        let name: Vec<u8> = name.iter().copied().filter(visible).collect();
        matches!(name.as_slice(), b"." | b"..")
    })
}

/// The text with every `%2f` and the like decoded once.
fn decode(text: &[u8]) -> Vec<u8> {
    let hex = |byte: u8| char::from(byte).to_digit(16);
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        rest = tail;
        let mut byte = *first;
        if let (b'%', [high, low, tail @ ..]) = (byte, tail)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            // Two hexadecimal digits are at most 255.
            byte = u8::try_from(high * 16 + low).unwrap_or(byte);
            rest = tail;
        }
        decoded.push(byte);
    }
    decoded
}

impl FromStr for PathPrefix {
    type Err = HttpGrantError;

    fn from_str(text: &str) -> Result<Self, HttpGrantError> {
        let bad = |problem| HttpGrantError::BadPath {
            path: super::parse::shown(text),
            problem,
        };
        if text.is_empty() {
            return Ok(Self::default());
        }
        if !text.starts_with('/') {
            return Err(bad("it must start with `/`"));
        }
        if text.contains(['?', '#']) {
            return Err(bad(
                "a grant is for paths: leave out what follows `?` or `#`",
            ));
        }
        if text.contains(['\\', '"', '\'', '`', '$', '!', '*']) {
            return Err(bad("it is no pattern, and needs no quotes or backslashes"));
        }
        let url = Url::parse(&format!("http://host{text}"))
            .map_err(|_| bad("write one such as `/v1`"))?;
        let path = url.path();
        if path.len() > MAX_PREFIX {
            return Err(bad("it is too long: a shorter one covers it as well"));
        }
        if path.contains("//") {
            return Err(bad("it cannot hold `//`"));
        }
        if hides_dots(text) {
            return Err(bad("it cannot hold `.` or `..`, written in any way"));
        }
        Ok(Self {
            prefix: path.trim_end_matches('/').to_owned(),
        })
    }
}

impl fmt::Display for PathPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_root() { "/" } else { &self.prefix })
    }
}
