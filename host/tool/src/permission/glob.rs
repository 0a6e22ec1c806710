//! Patterns with `*` and `?`, matched in time that grows with the length of the
//! text and nothing else: the text comes from a model, and a megabyte of it against
//! `*a*a*a*b` must not stop the host.
//!
//! A pattern is cut at its stars. The first piece has to be at the start and the
//! last at the end; each one between is looked for once, behind the one before it,
//! and never moved again: the earliest place leaves the most text for the rest, so
//! a later one could not do better.

use std::{collections::HashMap, fmt};

use serde::{Deserialize, Serialize};

/// Characters of a pattern.
const MAX_PATTERN: usize = 512;

/// Characters of a piece with a `?` that stands between two stars: a bit each in
/// the search.
const MAX_SEARCHED: usize = 128;

/// A pattern: `*` is any number of characters, `?` is exactly one, `\*`, `\?` and
/// `\\` are the characters themselves. Everything else is itself; `*` and `?` also
/// match `/` and line ends.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Glob {
    text: String,
    /// The pieces between the stars; at least one.
    pieces: Vec<Piece>,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// Nothing to match.
    #[error("the pattern is empty and matches only an empty text: write `*` to match everything")]
    Empty,
    /// Too many characters.
    #[error("the pattern has {0} characters; at most {MAX_PATTERN} are allowed")]
    TooLong(usize),
    /// A long piece with `?` between two stars.
    #[error(
        "the pattern has {0} characters with `?` between two `*`; at most {MAX_SEARCHED} are allowed"
    )]
    PieceTooLong(usize),
    /// A backslash before something else.
    #[error("`\\` in `{0}` must stand before `*`, `?` or `\\`")]
    Escape(String),
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is empty or too long, or a `\` stands before another character.
    pub fn new(text: impl Into<String>) -> Result<Self, GlobError> {
        let text = text.into();
        let length = text.chars().count();
        if length == 0 {
            return Err(GlobError::Empty);
        }
        if length > MAX_PATTERN {
            return Err(GlobError::TooLong(length));
        }
        let mut pieces = vec![Vec::new()];
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            let symbol = match letter {
                '*' => {
                    pieces.push(Vec::new());
                    continue;
                }
                '?' => Symbol::Any,
                '\\' => match letters.next() {
                    Some(escaped @ ('*' | '?' | '\\')) => Symbol::Letter(escaped),
                    _ => return Err(GlobError::Escape(text)),
                },
                letter => Symbol::Letter(letter),
            };
            if let Some(piece) = pieces.last_mut() {
                piece.push(symbol);
            }
        }
        let pieces: Vec<Piece> = pieces.into_iter().map(Piece::new).collect();
        let between = pieces
            .get(1..pieces.len().saturating_sub(1))
            .unwrap_or_default();
        let too_long = between
            .iter()
            .find(|piece| piece.literal.is_none() && piece.symbols.len() > MAX_SEARCHED);
        match too_long {
            Some(piece) => Err(GlobError::PieceTooLong(piece.symbols.len())),
            None => Ok(Self { text, pieces }),
        }
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the whole text fits the pattern.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let Some((first, others)) = self.pieces.split_first() else {
            return false;
        };
        let Some(mut rest) = first.strip_prefix(text) else {
            return false;
        };
        let Some((last, between)) = others.split_last() else {
            return rest.is_empty();
        };
        for piece in between {
            match piece.skip_past(rest) {
                Some(behind) => rest = behind,
                None => return false,
            }
        }
        last.ends(rest)
    }

    /// The characters that a text must have to fit.
    pub(super) fn letters(&self) -> impl Iterator<Item = char> {
        let symbols = self.pieces.iter().flat_map(|piece| &piece.symbols);
        symbols.filter_map(|symbol| match symbol {
            Symbol::Letter(letter) => Some(*letter),
            Symbol::Any => None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Letter(char),
    Any,
}

impl Symbol {
    fn fits(self, letter: char) -> bool {
        self == Self::Any || self == Self::Letter(letter)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    symbols: Vec<Symbol>,
    /// The piece as text, when it has no `?`.
    literal: Option<String>,
}

impl Piece {
    fn new(symbols: Vec<Symbol>) -> Self {
        let letters = symbols.iter().map(|symbol| match symbol {
            Symbol::Letter(letter) => Some(*letter),
            Symbol::Any => None,
        });
        let literal = letters.collect();
        Self { symbols, literal }
    }

    /// What follows when the text starts with the piece.
    fn strip_prefix<'a>(&self, text: &'a str) -> Option<&'a str> {
        let mut letters = text.chars();
        for symbol in &self.symbols {
            if !symbol.fits(letters.next()?) {
                return None;
            }
        }
        Some(letters.as_str())
    }

    fn ends(&self, text: &str) -> bool {
        let mut letters = text.chars().rev();
        let mut symbols = self.symbols.iter().rev();
        symbols.all(|symbol| letters.next().is_some_and(|letter| symbol.fits(letter)))
    }

    /// What follows the earliest place of the piece.
    fn skip_past<'a>(&self, text: &'a str) -> Option<&'a str> {
        match &self.literal {
            Some(literal) => text
                .find(literal.as_str())
                .map(|at| &text[at + literal.len()..]),
            None => self.search(text),
        }
    }

    /// The bitap search: bit `n` of `state` is set when the last letters read fit
    /// the first `n + 1` symbols, so a letter costs the same wherever it stands.
    fn search<'a>(&self, text: &'a str) -> Option<&'a str> {
        let any = self.bits(|symbol| symbol == Symbol::Any);
        let mut fitting: HashMap<char, u128> = HashMap::new();
        for symbol in &self.symbols {
            if let Symbol::Letter(letter) = *symbol {
                fitting
                    .entry(letter)
                    .or_insert_with(|| self.bits(|symbol| symbol.fits(letter)));
            }
        }
        let found = 1_u128 << (self.symbols.len() - 1);
        let mut state = 0_u128;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            state = (state << 1 | 1) & fitting.get(&letter).copied().unwrap_or(any);
            if state & found != 0 {
                return Some(letters.as_str());
            }
        }
        None
    }

    fn bits(&self, wanted: impl Fn(Symbol) -> bool) -> u128 {
        let symbols = self.symbols.iter().enumerate();
        let wanted = symbols.filter(|(_, symbol)| wanted(**symbol));
        wanted.fold(0, |bits, (place, _)| bits | 1 << place)
    }
}

impl TryFrom<String> for Glob {
    type Error = GlobError;

    fn try_from(text: String) -> Result<Self, GlobError> {
        Self::new(text)
    }
}

impl From<Glob> for String {
    fn from(glob: Glob) -> Self {
        glob.text
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Glob({:?})", self.text)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, text: &str) -> bool {
        Glob::new(pattern).unwrap().matches(text)
    }

    #[test]
    fn patterns_match_what_they_say() {
        for (pattern, text, expected) in [
            ("read", "read", true),
            ("read", "Read", false),
            ("read", "read_file", false),
            ("*", "", true),
            ("?", "", false),
            ("?", "ö", true),
            ("?", "ab", false),
            ("write_*", "write_", true),
            ("write_*", "rewrite_file", false),
            ("*_file", "read_file", true),
            ("*_file", "_file", true),
            ("*_file", "read_files", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("ab*ba", "aba", false),
            ("*ab*ab*", "abab", true),
            ("*ab*ab*", "aab", false),
            ("*a?c*", "xxabxabc", true),
            ("*a?c*c", "abc", false),
            ("a**b", "ab", true),
            ("/tmp/*", "/tmp/../etc/passwd", true),
            ("a*b", "a\n/b", true),
            ("\\*", "*", true),
            ("\\*", "x", false),
            ("a\\?\\\\", "a?\\", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn a_bad_pattern_is_told_what_is_wrong() {
        assert_eq!(Glob::new(""), Err(GlobError::Empty));
        assert_eq!(Glob::new("a\\"), Err(GlobError::Escape("a\\".into())));
        assert_eq!(Glob::new("\\d"), Err(GlobError::Escape("\\d".into())));
        assert_eq!(Glob::new("x".repeat(513)), Err(GlobError::TooLong(513)));
        let piece = format!("*{}*", "?".repeat(129));
        assert_eq!(Glob::new(piece), Err(GlobError::PieceTooLong(129)));
        assert!(Glob::new(format!("*{}*", "?".repeat(128))).is_ok());
    }

    /// The matcher agrees with the plain definition on every short text.
    #[test]
    fn it_agrees_with_a_slow_matcher() {
        fn slow(pattern: &[u8], text: &[u8]) -> bool {
            match (pattern.split_first(), text.split_first()) {
                (None, _) => text.is_empty(),
                (Some((b'*', rest)), _) => {
                    (0..=text.len()).any(|skipped| slow(rest, &text[skipped..]))
                }
                (Some((b'?', rest)), Some((_, behind))) => slow(rest, behind),
                (Some((letter, rest)), Some((other, behind))) => {
                    letter == other && slow(rest, behind)
                }
                (Some(_), None) => false,
            }
        }
        fn words(letters: &[u8], length: u32) -> impl Iterator<Item = Vec<u8>> {
            let base = letters.len();
            (0..base.pow(length)).map(move |number| {
                (0..length)
                    .map(|place| letters[number / base.pow(place) % base])
                    .collect()
            })
        }
        for pattern in (1..=5).flat_map(|length| words(b"ab*?", length)) {
            let glob = Glob::new(String::from_utf8(pattern.clone()).unwrap()).unwrap();
            for text in (0..=4).flat_map(|length| words(b"ab", length)) {
                let shown = String::from_utf8(text.clone()).unwrap();
                assert_eq!(
                    glob.matches(&shown),
                    slow(&pattern, &text),
                    "{glob} {shown}"
                );
            }
        }
    }

    #[test]
    fn a_megabyte_against_many_stars_is_answered_at_once() {
        let text = "a".repeat(1 << 20);
        let pattern = format!("{}b", "*a".repeat(250));
        let questions = format!("*{}b?*{}", "a?".repeat(50), "*?".repeat(100));
        let started = std::time::Instant::now();
        assert!(!fits(&pattern, &text));
        assert!(!fits(&questions, &text));
        assert!(started.elapsed() < std::time::Duration::from_secs(5));
    }
}
