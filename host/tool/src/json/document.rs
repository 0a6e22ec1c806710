//! A JSON text read without building a tree: its values lie one after the other in
//! one list, strings point into the text. Arguments that need no change are checked
//! and written from it, which takes a quarter of the time and two allocations where
//! a [`Value`] takes one for every string, array and object.
//!
//! It takes no text that [`parse`](super::parse) refuses, and it explains nothing:
//! what it does not take is read again by `parse`, which says why.

mod keys;
mod read;
mod walk;
mod write;

use serde_json::{Number, Value};

use super::{JsonLimits, Measure};
pub(crate) use walk::{Kind, ReadItems, ReadMembers, ReadPart, Text};

/// Objects with more members than this have an index of their keys; in smaller ones
/// comparing all keys is faster.
pub(super) const SMALL_OBJECT: usize = 16;

/// A text that was read.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    /// Strings that are not in the text as they are, because escapes are in them.
    unescaped: String,
    entries: Vec<Entry>,
    /// Members that objects have beside those of the text.
    added: Vec<Added<'t>>,
    measure: Measure,
}

/// A member that is added to an object which does not have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Added<'t> {
    /// The [place](ReadPart::place) of the object.
    pub(crate) object: usize,
    /// Arrays and objects around the object.
    pub(crate) depth: usize,
    pub(crate) name: &'t str,
    pub(crate) value: &'t Value,
    pub(crate) measure: Measure,
}

/// One value or key. The items of an array follow it, as do the members of an
/// object, each as its key and its value.
#[derive(Debug)]
enum Entry {
    Null,
    Bool(bool),
    /// Never a float without a fraction that an integer equals.
    Number(Number),
    /// A string without escapes: bytes of the text.
    Plain {
        start: u32,
        len: u32,
    },
    /// A string that had escapes: bytes of `unescaped`.
    Unescaped {
        start: u32,
        len: u32,
    },
    /// `end` is the entry after the last one of the array.
    Array {
        len: u32,
        end: u32,
    },
    /// The same for an object. One that is not small ends with as many `Order` as it
    /// has members.
    Object {
        len: u32,
        end: u32,
    },
    /// A key of the object, in the order of the keys' bytes.
    Order(u32),
}

impl<'t> Document<'t> {
    /// Reads a text; `None` when `parse` has to say what is wrong with it, or to
    /// read it after all, which it has to with numbers from 2⁶³ on.
    pub(crate) fn read(text: &'t str, limits: &JsonLimits) -> Option<Self> {
        read::read(text, limits)
    }

    /// The tree of the text alone, without what was added.
    pub(crate) fn into_value(mut self) -> Value {
        self.added.clear();
        self.root().to_value()
    }

    pub(crate) fn measure(&self) -> &Measure {
        &self.measure
    }

    /// The text of the value, without spaces, with what was added. It always is
    /// `Some`; writing into memory does not fail.
    pub(crate) fn to_text(&self) -> Option<String> {
        write::write(self)
    }

    /// Adds members to objects, in the order of the objects in the text.
    pub(crate) fn add(&mut self, added: Vec<Added<'t>>) {
        for member in &added {
            self.measure.add(member.name, &member.measure, member.depth);
        }
        self.added = added;
    }

    /// The value of the whole text.
    pub(crate) fn root(&self) -> ReadPart<'_> {
        ReadPart {
            document: self,
            at: 0,
        }
    }

    /// The string or key at an entry.
    fn string(&self, at: usize) -> Option<Text<'_>> {
        let (whole, start, len, plain) = match self.entries[at] {
            Entry::Plain { start, len } => (self.text, start, len, true),
            Entry::Unescaped { start, len } => (self.unescaped.as_str(), start, len, false),
            _ => return None,
        };
        let start = start as usize;
        let text = whole.get(start..start + len as usize)?;
        Some(Text { text, plain })
    }

    fn key(&self, at: usize) -> &str {
        self.string(at).map_or("", |key| key.text)
    }

    /// The entry after a value and all that is in it.
    fn after(&self, at: usize) -> usize {
        match self.entries[at] {
            Entry::Array { end, .. } | Entry::Object { end, .. } => end as usize,
            _ => at + 1,
        }
    }
}

#[cfg(test)]
mod tests;
