//! What kind of content a response says it has.

/// A content type, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// Type and subtype in lower case, such as `text/html`; empty when there is none.
    pub essence: String,
    /// Its character set, when it names one.
    pub charset: Option<String>,
}

/// What can be done with content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page, to be made readable.
    Html,
    /// Text of any sort, for a reader as it is.
    Text,
    /// Nothing to read.
    Binary,
    /// The server does not say.
    Unknown,
}

impl Media {
    /// Reads a `content-type`.
    #[must_use]
    pub fn read(header: Option<&str>) -> Self {
        let mut parts = header.unwrap_or_default().split(';');
        let essence = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.trim().trim_matches('"');
            name.trim()
                .eq_ignore_ascii_case("charset")
                .then(|| value.to_owned())
        });
        Self { essence, charset }
    }

    /// What can be done with it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        let Some((class, subtype)) = self.essence.split_once('/') else {
            return Kind::Unknown;
        };
        match (class, subtype) {
            ("text", "html") | ("application", "xhtml+xml") => Kind::Html,
            ("application", "octet-stream") => Kind::Unknown,
            ("text" | "message", _) => Kind::Text,
            (_, subtype) if is_text(subtype) => Kind::Text,
            _ => Kind::Binary,
        }
    }
}

/// Whether a subtype is one of text although its class does not say so.
fn is_text(subtype: &str) -> bool {
    const TEXT: [&str; 14] = [
        "ecmascript",
        "graphql",
        "javascript",
        "json",
        "ndjson",
        "sql",
        "toml",
        "x-javascript",
        "x-ndjson",
        "x-sh",
        "x-www-form-urlencoded",
        "x-yaml",
        "xml",
        "yaml",
    ];
    TEXT.contains(&subtype) || subtype.ends_with("+json") || subtype.ends_with("+xml")
}

/// What content is that no header describes.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Kind {
    let start = bytes.trim_ascii_start();
    let begins = |tag: &[u8]| {
        start
            .get(..tag.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(tag))
    };
    if begins(b"<!doctype html") || begins(b"<html") {
        return Kind::Html;
    }
    // A character that is cut in two at the end is no reason.
    let is_text = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if is_text && !bytes.contains(&0) {
        Kind::Text
    } else {
        Kind::Binary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_tell_what_can_be_read() {
        for (header, kind) in [
            ("text/html; charset=utf-8", Kind::Html),
            ("TEXT/HTML", Kind::Html),
            ("application/json", Kind::Text),
            ("application/problem+json", Kind::Text),
            ("image/svg+xml", Kind::Text),
            ("text/csv", Kind::Text),
            ("image/png", Kind::Binary),
            ("application/pdf", Kind::Binary),
            ("application/octet-stream", Kind::Unknown),
            ("", Kind::Unknown),
            ("nonsense", Kind::Unknown),
        ] {
            assert_eq!(Media::read(Some(header)).kind(), kind, "{header}");
        }
        let media = Media::read(Some("text/html; a=b; Charset=\"ISO-8859-1\""));
        assert_eq!(media.charset.as_deref(), Some("ISO-8859-1"));
    }

    #[test]
    fn what_no_header_describes_is_looked_at() {
        assert_eq!(sniff(b"\n<!DOCTYPE HTML><p>"), Kind::Html);
        assert_eq!(sniff(b"{}"), Kind::Text);
        assert_eq!(sniff("é".as_bytes().split_at(1).0), Kind::Text);
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0"), Kind::Binary);
    }
}
