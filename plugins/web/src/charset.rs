//! Bytes to text, in the encodings of the web (WHATWG Encoding).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far into a page its own declaration is looked for, after the HTML standard.
const DECLARATION_BYTES: usize = 1024;

/// The text of some bytes. The first that is known decides: a byte order mark, what
/// the header says, what a page says of itself; else it is UTF-8 if it can be, and
/// windows-1252 (with Latin-1 in it) if not. What does not decode is `�`.
#[must_use]
pub fn decode(bytes: &[u8], header: Option<&str>, is_page: bool) -> String {
    let declared = || is_page.then(|| declared(bytes)).flatten();
    let encoding = header
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(declared)
        .unwrap_or_else(|| if is_utf_8(bytes) { UTF_8 } else { WINDOWS_1252 });
    // A byte order mark wins over all of them.
    encoding.decode(bytes).0.into_owned()
}

/// Whether it is UTF-8, perhaps with its last character cut in two. Where that is the
/// only one that is not ASCII, it is more likely a whole one of another encoding.
fn is_utf_8(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !bytes[..error.valid_up_to()].is_ascii(),
    }
}

/// What a page says in `<meta charset=…>`, in its one form or the other.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(DECLARATION_BYTES)];
    let lower = start.to_ascii_lowercase();
    let mut rest = &*lower;
    while let Some(at) = find(rest, b"charset") {
        rest = rest[at + b"charset".len()..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let end = value
            .iter()
            .position(|byte| b"\"'>; /\t\r\n".contains(byte));
        if let Some(encoding) = Encoding::for_label(&value[..end.unwrap_or(value.len())]) {
            // Read as bytes so far, so it cannot be UTF-16.
            let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
            return Some(if is_wide { UTF_8 } else { encoding });
        }
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_of_an_encoding_counts_in_its_order() {
        let latin = b"caf\xe9";
        assert_eq!(decode(latin, Some("iso-8859-1"), false), "café");
        assert_eq!(decode("café".as_bytes(), Some("utf-8"), false), "café");
        assert_eq!(decode(latin, None, false), "café");
        assert_eq!(decode("café".as_bytes(), None, false), "café");
        assert_eq!(
            decode(b"\xef\xbb\xbfcaf\xc3\xa9", Some("latin1"), false),
            "café"
        );
        assert_eq!(
            decode(b"\x93\xfa\x96\x7b", Some("shift_jis"), false),
            "日本"
        );
        assert_eq!(decode(b"\xfe\xff\0c\0a", None, false), "ca");
        assert_eq!(decode(latin, Some("no-such-thing"), false), "café");
    }

    #[test]
    fn a_page_says_it_itself() {
        let page = b"<meta charset='windows-1251'>\xcf\xf0";
        assert!(decode(page, None, true).ends_with("Пр"));
        assert!(decode(page, None, false).ends_with("Ïð"));
        let page =
            b"<meta http-equiv=content-type content=\"text/html; charset = koi8-r\">\xf0\xd2";
        assert!(decode(page, None, true).ends_with("Пр"));
        let page = "<meta charset=utf-16>é".as_bytes();
        assert!(decode(page, None, true).ends_with('é'));
    }

    #[test]
    fn a_character_that_was_cut_does_not_change_the_encoding() {
        assert_eq!(decode(b"\xc3\xa9t\xc3", None, false), "ét\u{fffd}");
    }
}
