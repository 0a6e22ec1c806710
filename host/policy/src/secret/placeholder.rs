//! The placeholder of a secret: `{{secret:NAME}}`.

use super::SecretName;

/// How every placeholder starts.
const MARKER: &[u8] = b"{{secret:";

/// How it ends.
const END: &[u8] = b"}}";

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text that stands for itself.
    Text(&'a [u8]),
    /// A placeholder, by the name of its secret.
    Secret(&'a str),
}

/// Something starts as a placeholder and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Whether a text holds a placeholder or the start of one.
pub(super) fn is_in(text: &[u8]) -> bool {
    find(text, MARKER).is_some()
}

/// Cuts a text at its placeholders. What was put in for one is never read again,
/// so none can come out of another.
pub(super) fn pieces(mut text: &[u8]) -> Result<Vec<Piece<'_>>, Malformed> {
    let mut pieces = Vec::new();
    while let Some(start) = find(text, MARKER) {
        let (before, rest) = text.split_at(start);
        let rest = &rest[MARKER.len()..];
        let end = find(rest, END).ok_or(Malformed)?;
        let name = &rest[..end];
        if !SecretName::fits(name) {
            return Err(Malformed);
        }
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Secret(
            std::str::from_utf8(name).map_err(|_| Malformed)?,
        ));
        text = &rest[end + END.len()..];
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_placeholders() {
        let cut = pieces(b"Bearer {{secret:a}}{{secret:b.c-d_1}}!").unwrap();
        let expected = [
            Piece::Text(b"Bearer "),
            Piece::Secret("a"),
            Piece::Secret("b.c-d_1"),
            Piece::Text(b"!"),
        ];
        assert_eq!(cut, expected);
        assert_eq!(
            pieces(b"{{no}} {secret:x}"),
            Ok(vec![Piece::Text(b"{{no}} {secret:x}")])
        );
    }

    #[test]
    fn what_starts_as_a_placeholder_has_to_be_one() {
        for text in [
            "{{secret:",
            "{{secret:x",
            "{{secret:x}",
            "{{secret:}}",
            "{{secret: x}}",
            "{{secret:{{secret:x}}}}",
            "{{secret:x}} {{secret:\u{e9}}}",
        ] {
            assert_eq!(pieces(text.as_bytes()), Err(Malformed), "{text}");
        }
        let long = format!("{{{{secret:{}}}}}", "x".repeat(65));
        assert_eq!(pieces(long.as_bytes()), Err(Malformed));
    }
}
