//! Encodings that leave most characters alone: percent-encoding, and escapes as
//! in JSON. They are undone byte by byte, and each byte remembers where in the
//! text it stood.

/// A byte of a text after decoding, and what it stands for in the text itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) byte: u8,
    /// Where it starts in the text.
    pub(super) start: u64,
    /// Where it ends.
    pub(super) end: u64,
}

/// An encoding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// `%41`.
    Percent,
    /// `\n`, `\u0041`, `\x41`, `\u{41}`.
    Escape,
}

/// All of them, in the order of their views.
pub(super) const CODINGS: [Coding; 2] = [Coding::Percent, Coding::Escape];

/// What the start of an undecoded text is.
enum Read {
    /// Too short to tell.
    More,
    /// So many bytes that stand for one character or byte.
    Token(usize, Decoded),
    /// A first byte that stands for itself.
    Literal,
}

enum Decoded {
    Byte(u8),
    Char(char),
}

impl Coding {
    /// The byte every token starts with.
    pub(super) fn marker(self) -> u8 {
        match self {
            Self::Percent => b'%',
            Self::Escape => b'\\',
        }
    }

    /// Takes one byte and hands out what it completes. What is not complete is
    /// kept in `pending`, at most the 12 bytes of a surrogate pair.
    pub(super) fn push(self, pending: &mut Vec<Unit>, unit: Unit, decoded: &mut impl FnMut(Unit)) {
        if pending.is_empty() && unit.byte != self.marker() {
            decoded(unit);
            return;
        }
        pending.push(unit);
        self.drain(pending, false, decoded);
    }

    /// Hands out what is left at the end of the text.
    pub(super) fn finish(self, pending: &mut Vec<Unit>, decoded: &mut impl FnMut(Unit)) {
        self.drain(pending, true, decoded);
    }

    fn drain(self, pending: &mut Vec<Unit>, at_end: bool, decoded: &mut impl FnMut(Unit)) {
        while !pending.is_empty() {
            let used = match self.read(pending) {
                Read::More if !at_end => return,
                Read::Token(length, token) => {
                    let (start, end) = (pending[0].start, pending[length - 1].end);
                    let mut buffer = [0; 4];
                    let bytes = match token {
                        Decoded::Byte(byte) => {
                            buffer[0] = byte;
                            &buffer[..1]
                        }
                        Decoded::Char(char) => char.encode_utf8(&mut buffer).as_bytes(),
                    };
                    for byte in bytes {
                        decoded(Unit {
                            byte: *byte,
                            start,
                            end,
                        });
                    }
                    length
                }
                Read::More | Read::Literal => {
                    decoded(pending[0]);
                    1
                }
            };
            pending.drain(..used);
        }
    }

    fn read(self, pending: &[Unit]) -> Read {
        if pending[0].byte != self.marker() {
            return Read::Literal;
        }
        match self {
            Self::Percent => match digits(pending, 1, 2) {
                Digits::Value(value) => byte(3, value),
                Digits::More => Read::More,
                Digits::None => Read::Literal,
            },
            Self::Escape => escape(pending),
        }
    }
}

fn byte(length: usize, value: u32) -> Read {
    match u8::try_from(value) {
        Ok(value) => Read::Token(length, Decoded::Byte(value)),
        Err(_) => Read::Literal,
    }
}

fn escape(pending: &[Unit]) -> Read {
    let Some(kind) = pending.get(1) else {
        return Read::More;
    };
    let simple = match kind.byte {
        b'"' | b'\\' | b'/' | b'\'' => kind.byte,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'0' => 0,
        b'x' => {
            return match digits(pending, 2, 2) {
                Digits::Value(value) => match char::from_u32(value) {
                    // Above ASCII it is a byte in Python and C, and a character
                    // in JavaScript.
                    Some(char) if char.is_ascii() => Read::Token(4, Decoded::Char(char)),
                    _ => byte(4, value),
                },
                Digits::More => Read::More,
                Digits::None => Read::Literal,
            };
        }
        b'u' => return unicode(pending),
        _ => return Read::Literal,
    };
    Read::Token(2, Decoded::Byte(simple))
}

/// `\u0041`, two of them that are a surrogate pair, or `\u{41}`.
fn unicode(pending: &[Unit]) -> Read {
    const LONGEST_BRACED: usize = 6;
    let char = |length, value| match char::from_u32(value) {
        Some(char) => Read::Token(length, Decoded::Char(char)),
        None => Read::Literal,
    };
    if pending.get(2).is_some_and(|unit| unit.byte == b'{') {
        let close = pending[3..].iter().position(|unit| unit.byte == b'}');
        let count = close.unwrap_or(pending.len() - 3);
        if count > LONGEST_BRACED {
            return Read::Literal;
        }
        return match (digits(pending, 3, count), close) {
            (Digits::Value(value), Some(1..)) => char(4 + count, value),
            (Digits::Value(_), None) => Read::More,
            _ => Read::Literal,
        };
    }
    let high = match digits(pending, 2, 4) {
        Digits::Value(value) => value,
        Digits::More => return Read::More,
        Digits::None => return Read::Literal,
    };
    if !(0xd800..0xdc00).contains(&high) {
        return char(6, high);
    }
    let follows = |index: usize, byte| {
        pending
            .get(index)
            .is_none_or(|unit: &Unit| unit.byte == byte)
    };
    if !follows(6, b'\\') || !follows(7, b'u') {
        return Read::Literal;
    }
    match digits(pending, 8, 4) {
        Digits::More => Read::More,
        Digits::Value(low @ 0xdc00..0xe000) => {
            char(12, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
        }
        _ => Read::Literal,
    }
}

enum Digits {
    Value(u32),
    More,
    None,
}

/// `count` hexadecimal digits from `from` on.
fn digits(pending: &[Unit], from: usize, count: usize) -> Digits {
    let mut value = 0;
    for index in from..from + count {
        let Some(unit) = pending.get(index) else {
            return Digits::More;
        };
        let Some(digit) = char::from(unit.byte).to_digit(16) else {
            return Digits::None;
        };
        value = value * 16 + digit;
    }
    Digits::Value(value)
}

/// The whole text decoded.
pub(super) fn undo(coding: Coding, text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut pending = Vec::new();
    let mut decoded = |unit: Unit| bytes.push(unit.byte);
    for byte in text {
        let unit = Unit {
            byte: *byte,
            start: 0,
            end: 0,
        };
        coding.push(&mut pending, unit, &mut decoded);
    }
    coding.finish(&mut pending, &mut decoded);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undone(coding: Coding, text: &str) -> String {
        String::from_utf8(undo(coding, text.as_bytes())).unwrap()
    }

    #[test]
    fn percent_encoding_is_undone_where_there_is_some() {
        for (text, expected) in [
            ("plain", "plain"),
            ("%41%6a%6A", "Ajj"),
            ("100% of %4", "100% of %4"),
            ("%%41%", "%A%"),
            ("%C3%A9", "é"),
            ("%2541", "%41"),
            ("%é1", "%é1"),
        ] {
            assert_eq!(undone(Coding::Percent, text), expected, "{text}");
        }
    }

    #[test]
    fn escapes_of_json_and_of_programs_are_undone() {
        for (text, expected) in [
            (r"plain", "plain"),
            (r#"\"\\\/\n"#, "\"\\/\n"),
            (r"\u0041\u00e9\u00E9", "Aéé"),
            (r"\ud83d\ude00", "😀"),
            (r"\ud83d\u0041", r"\ud83dA"),
            (r"\ud83dx", r"\ud83dx"),
            (r"\u{41}\u{1F600}\u{}\u{1234567}", r"A😀\u{}\u{1234567}"),
            (r"\x41\x4", r"A\x4"),
            (r"\u00", r"\u00"),
            (r"\q\", r"\q\"),
        ] {
            assert_eq!(undone(Coding::Escape, text), expected, "{text}");
        }
    }
}
