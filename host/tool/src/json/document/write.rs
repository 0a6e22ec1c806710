//! Writing a [`Document`] as `serde_json` writes the tree of it.

use serde::Serialize;

use super::{Document, Kind, ReadPart, Text};

/// The text of a document; strings without escapes are copied as they are.
pub(super) fn write(document: &Document<'_>) -> Option<String> {
    let mut writer = Writer {
        text: Vec::with_capacity(document.text.len()),
    };
    writer.part(document.root())?;
    String::from_utf8(writer.text).ok()
}

struct Writer {
    text: Vec<u8>,
}

impl Writer {
    /// Writes a value. Recurses as deep as it is.
    fn part(&mut self, part: ReadPart<'_>) -> Option<()> {
        match part.kind() {
            Kind::Null => self.text.extend(b"null"),
            Kind::Bool(true) => self.text.extend(b"true"),
            Kind::Bool(false) => self.text.extend(b"false"),
            Kind::Number(number) => self.json(number)?,
            Kind::String(text) => self.string(text)?,
            Kind::Array(items) => {
                self.text.push(b'[');
                for (index, item) in items.enumerate() {
                    self.comma(index > 0);
                    self.part(item)?;
                }
                self.text.push(b']');
            }
            Kind::Object(members) => {
                let added = members.added();
                self.text.push(b'{');
                let mut follows = false;
                for (name, member) in members {
                    self.comma(follows);
                    self.string(name)?;
                    self.text.push(b':');
                    self.part(member)?;
                    follows = true;
                }
                for member in added {
                    self.comma(follows);
                    self.json(member.name)?;
                    self.text.push(b':');
                    self.json(member.value)?;
                    follows = true;
                }
                self.text.push(b'}');
            }
        }
        Some(())
    }

    fn string(&mut self, string: Text<'_>) -> Option<()> {
        if !string.plain {
            return self.json(string.text);
        }
        self.text.reserve(string.text.len() + 2);
        self.text.push(b'"');
        self.text.extend_from_slice(string.text.as_bytes());
        self.text.push(b'"');
        Some(())
    }

    fn comma(&mut self, follows: bool) {
        if follows {
            self.text.push(b',');
        }
    }

    fn json(&mut self, value: &(impl Serialize + ?Sized)) -> Option<()> {
        serde_json::to_writer(&mut self.text, value).ok()
    }
}
