//! Just enough JSON to write a manifest: objects of texts.

use std::fmt::Write as _;

/// An object, written member by member.
#[derive(Default)]
pub(super) struct Object(String);

impl Object {
    /// Adds a text.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.raw(key, &quoted(value));
    }

    /// Adds what is JSON already.
    pub(super) fn raw(&mut self, key: &str, json: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push_str(&quoted(key));
        self.0.push(':');
        self.0.push_str(json);
    }

    /// The whole object.
    pub(super) fn finish(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}

/// A text as JSON writes it (RFC 8259, section 7).
fn quoted(text: &str) -> String {
    let mut json = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                json.push('\\');
                json.push(letter);
            }
            '\n' => json.push_str("\\n"),
            '\t' => json.push_str("\\t"),
            '\0'..='\x1f' => {
                // Writing to a text cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(letter));
            }
            _ => json.push(letter),
        }
    }
    json.push('"');
    json
}
