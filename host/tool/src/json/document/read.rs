//! Reading a [`Document`]: `serde_json` says what the text means, and everything
//! that [`scan`](super::super::scan) and [`tree`](super::super::tree) look after is
//! counted on the way.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::{Document, Entry, keys::Keys};
use crate::json::{JsonLimits, MAX_DEPTH, Measure, whole};

/// From here on a float can be an integer that does not fit into 64 bits, which only
/// the text tells.
const LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Bytes of text for which room for one entry is made beforehand.
const BYTES_PER_ENTRY: usize = 8;

pub(super) fn read<'t>(text: &'t str, limits: &JsonLimits) -> Option<Document<'t>> {
    // Places in the text and in the list take 32 bits, and no byte makes two entries.
    if text.len() > limits.bytes.min(u32::MAX as usize / 4) {
        return None;
    }
    let mut reader = Reader {
        document: Document {
            text,
            unescaped: String::new(),
            entries: Vec::with_capacity(text.len() / BYTES_PER_ENTRY + 4),
            added: Vec::new(),
            measure: Measure::default(),
        },
        depth: 0,
        empty: 0,
        allowed_depth: limits.depth.min(MAX_DEPTH),
        allowed_values: limits.values,
    };
    let mut source = serde_json::Deserializer::from_str(text);
    Part(&mut reader).deserialize(&mut source).ok()?;
    source.end().ok()?;
    Some(reader.document)
}

struct Reader<'t> {
    document: Document<'t>,
    depth: usize,
    /// Arrays and objects without content; `scan` counts them twice.
    empty: usize,
    allowed_depth: usize,
    allowed_values: usize,
}

impl<'t> Reader<'t> {
    /// Adds a value.
    fn value<E: Error>(&mut self, entry: Entry) -> Result<(), E> {
        let measure = &mut self.document.measure;
        measure.values += 1;
        measure.bytes += 1;
        if measure.values + self.empty > self.allowed_values {
            return Err(refuse());
        }
        self.document.entries.push(entry);
        Ok(())
    }

    fn number<E: Error>(&mut self, number: Number) -> Result<(), E> {
        self.value(Entry::Number(number))
    }

    /// The entry of a string that lies in the text as it is.
    fn plain(&mut self, string: &'t str) -> Entry {
        let text = self.document.text;
        match string.as_ptr().addr().checked_sub(text.as_ptr().addr()) {
            Some(start) if start + string.len() <= text.len() => {
                self.document.measure.bytes += string.len();
                Entry::Plain {
                    start: short(start),
                    len: short(string.len()),
                }
            }
            _ => self.unescaped(string),
        }
    }

    /// The entry of a string that had escapes.
    fn unescaped(&mut self, string: &str) -> Entry {
        self.document.measure.bytes += string.len();
        let start = short(self.document.unescaped.len());
        self.document.unescaped.push_str(string);
        Entry::Unescaped {
            start,
            len: short(string.len()),
        }
    }

    /// Starts an array or object; gives its entry.
    fn open<E: Error>(&mut self) -> Result<usize, E> {
        self.depth += 1;
        if self.depth > self.allowed_depth {
            return Err(refuse());
        }
        let measure = &mut self.document.measure;
        measure.depth = measure.depth.max(self.depth);
        let at = self.document.entries.len();
        self.value(Entry::Null)?;
        Ok(at)
    }

    /// Ends an array or object with `len` parts.
    fn close<E: Error>(&mut self, len: u32) -> Result<(), E> {
        self.depth -= 1;
        if len == 0 {
            self.empty += 1;
            if self.document.measure.values + self.empty > self.allowed_values {
                return Err(refuse());
            }
        }
        Ok(())
    }

    fn end(&self) -> u32 {
        short(self.document.entries.len())
    }
}

/// Positions in a text, and in the entries made of it, fit: see [`read`].
#[expect(clippy::cast_possible_truncation, reason = "the text is short enough")]
fn short(position: usize) -> u32 {
    position as u32
}

/// Nobody reads the reason: the text is read again to find it.
fn refuse<E: Error>() -> E {
    E::custom("")
}

/// Reads a value.
struct Part<'r, 't>(&'r mut Reader<'t>);

impl<'t> DeserializeSeed<'t> for Part<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for Part<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.value(Entry::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.value(Entry::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.number(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.number(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        if value.abs() >= LARGE {
            return Err(refuse());
        }
        let number = match whole(value) {
            Some(integer) => integer.into(),
            None => Number::from_f64(value).ok_or_else(refuse)?,
        };
        self.0.number(number)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'t str) -> Result<(), E> {
        let entry = self.0.plain(value);
        self.0.value(entry)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        let entry = self.0.unescaped(value);
        self.0.value(entry)
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<(), A::Error> {
        let Self(reader) = self;
        let at = reader.open()?;
        let mut len = 0;
        while items.next_element_seed(Part(reader))?.is_some() {
            len += 1;
        }
        reader.close(len)?;
        let end = reader.end();
        reader.document.entries[at] = Entry::Array { len, end };
        Ok(())
    }

    fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<(), A::Error> {
        let Self(reader) = self;
        let at = reader.open()?;
        let mut keys = Keys::default();
        loop {
            let key = reader.document.entries.len();
            if members.next_key_seed(Key(reader))?.is_none() {
                break;
            }
            if !keys.add(short(key), &reader.document) {
                return Err(refuse());
            }
            members.next_value_seed(Part(reader))?;
        }
        let len = keys.len;
        if !keys.order(&mut reader.document) {
            return Err(refuse());
        }
        reader.close(len)?;
        let end = reader.end();
        reader.document.entries[at] = Entry::Object { len, end };
        Ok(())
    }
}

/// Reads a key.
struct Key<'r, 't>(&'r mut Reader<'t>);

impl<'t> DeserializeSeed<'t> for Key<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_str(self)
    }
}

impl<'t> Visitor<'t> for Key<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, value: &'t str) -> Result<(), E> {
        let entry = self.0.plain(value);
        self.0.document.entries.push(entry);
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        let entry = self.0.unescaped(value);
        self.0.document.entries.push(entry);
        Ok(())
    }
}
