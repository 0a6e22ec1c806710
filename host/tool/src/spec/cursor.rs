//! A place in the text of a spec, and the small things that are read there.

use serde_json::{Number, Value};

use super::error::SpecError;

/// Where in the text reading has got to.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The offset in bytes; always between two characters.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes a text if it is next.
    pub(super) fn take(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    /// Takes characters as long as they are wanted.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|letter| !wanted(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Skips spaces within a line.
    pub(super) fn skip_blanks(&mut self) {
        self.take_while(|letter| matches!(letter, ' ' | '\t' | '\r'));
    }

    /// Skips spaces and line ends.
    pub(super) fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(super) fn error(&self, message: impl Into<String>) -> SpecError {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at(&self, at: usize, message: impl Into<String>) -> SpecError {
        SpecError::new(self.text, at, message)
    }

    /// What is next, for an error message.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            None => "the end".into(),
            Some('\n') => "the end of the line".into(),
            Some(_) => {
                let word: String = self.rest().chars().take_while(|c| is_word(*c)).collect();
                let shown: String = if word.is_empty() {
                    self.rest().chars().take(1).collect()
                } else {
                    word.chars().take(40).collect()
                };
                format!("`{shown}`")
            }
        }
    }

    /// A JSON value.
    pub(super) fn json(&mut self) -> Result<Value, SpecError> {
        // A number or word ends where it stops looking like one: JSON itself would
        // want a delimiter there that a spec does not have, as in `3(1..14)`.
        if let Some('{' | '[' | '"') = self.peek() {
            let mut values = serde_json::Deserializer::from_str(self.rest()).into_iter::<Value>();
            return match values.next() {
                Some(Ok(value)) => {
                    self.at += values.byte_offset();
                    Ok(value)
                }
                _ => Err(self.error("this JSON value is not complete or not valid")),
            };
        }
        let start = self.at;
        if matches!(self.peek(), Some('-' | '0'..='9')) {
            return self.number(true).map(Value::Number);
        }
        let word = self.take_while(is_word);
        match word {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            "null" => Ok(Value::Null),
            "" => {
                let found = self.found();
                Err(self.error(format!("expected a JSON value, found {found}")))
            }
            _ => Err(self.error_at(
                start,
                format!("`{word}` is not a JSON value: write text as `\"{word}\"`"),
            )),
        }
    }

    /// A number, with an exponent if that is allowed. It does not take the dots of
    /// `1..14`.
    pub(super) fn number(&mut self, exponent: bool) -> Result<Number, SpecError> {
        let start = self.at;
        self.take("-");
        self.take_while(|letter| letter.is_ascii_digit());
        let mut behind = self.rest().chars();
        if behind.next() == Some('.') && behind.next().is_some_and(|c| c.is_ascii_digit()) {
            self.take(".");
            self.take_while(|letter| letter.is_ascii_digit());
        }
        if exponent && (self.take("e") || self.take("E")) && !self.take("+") {
            self.take("-");
        }
        self.take_while(|letter| letter.is_ascii_digit());
        let text = &self.text[start..self.at];
        serde_json::from_str(text).map_err(|_| {
            let found = match text {
                "" => self.found(),
                _ => format!("`{text}`"),
            };
            self.error_at(start, format!("expected a number, found {found}"))
        })
    }
}

/// Whether a character can be part of a name or a word.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
}
