//! The values of a [`Document`], and what is in them.

use serde_json::{Map, Number, Value};

use super::{Added, Document, Entry, SMALL_OBJECT};

/// A string of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    /// Whether it is JSON as it is, between quotes.
    pub(crate) plain: bool,
}

/// One value of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadPart<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) at: usize,
}

/// What a value of a document is.
pub(crate) enum Kind<'a> {
    Null,
    Bool(bool),
    Number(&'a Number),
    String(Text<'a>),
    Array(ReadItems<'a>),
    Object(ReadMembers<'a>),
}

impl<'a> ReadPart<'a> {
    pub(crate) fn kind(self) -> Kind<'a> {
        let Self { document, at } = self;
        match &document.entries[at] {
            // A key's index is no value: nothing leads to it.
            Entry::Null | Entry::Order(_) => Kind::Null,
            Entry::Bool(value) => Kind::Bool(*value),
            Entry::Number(number) => Kind::Number(number),
            Entry::Plain { .. } | Entry::Unescaped { .. } => match document.string(at) {
                Some(text) => Kind::String(text),
                None => Kind::Null,
            },
            Entry::Array { len, .. } => Kind::Array(ReadItems {
                document,
                next: at + 1,
                left: *len as usize,
            }),
            Entry::Object { len, .. } => Kind::Object(ReadMembers {
                document,
                object: at,
                next: at + 1,
                left: *len as usize,
            }),
        }
    }

    /// Which value of the document it is.
    pub(crate) fn place(self) -> usize {
        self.at
    }

    /// An address that no other living value has.
    pub(crate) fn address(self) -> usize {
        std::ptr::from_ref(&self.document.entries[self.at]).addr()
    }

    /// The same as a tree of its own, with what was added. Recurses as deep as the
    /// value.
    pub(crate) fn to_value(self) -> Value {
        match self.kind() {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(value),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::String(text) => Value::String(text.text.to_owned()),
            Kind::Array(items) => Value::Array(items.map(Self::to_value).collect()),
            Kind::Object(members) => {
                let added = members.added();
                let mut object = Map::with_capacity(members.len() + added.len());
                object.extend(members.map(|(key, part)| (key.text.to_owned(), part.to_value())));
                object.extend(
                    added
                        .iter()
                        .map(|one| (one.name.to_owned(), one.value.clone())),
                );
                Value::Object(object)
            }
        }
    }
}

/// The items of an array.
#[derive(Clone, Debug)]
pub(crate) struct ReadItems<'a> {
    document: &'a Document<'a>,
    next: usize,
    left: usize,
}

impl<'a> Iterator for ReadItems<'a> {
    type Item = ReadPart<'a>;

    fn next(&mut self) -> Option<ReadPart<'a>> {
        self.left = self.left.checked_sub(1)?;
        let (document, at) = (self.document, self.next);
        self.next = document.after(at);
        Some(ReadPart { document, at })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ReadItems<'_> {}

/// The members of an object that are in the text, in its order.
#[derive(Clone, Debug)]
pub(crate) struct ReadMembers<'a> {
    document: &'a Document<'a>,
    object: usize,
    next: usize,
    left: usize,
}

impl<'a> ReadMembers<'a> {
    /// The members that were added to the object.
    pub(crate) fn added(&self) -> &'a [Added<'a>] {
        let added = &self.document.added;
        let start = added.partition_point(|member| member.object < self.object);
        let own = added[start..].partition_point(|member| member.object == self.object);
        &added[start..start + own]
    }

    /// A member of the text by its key.
    pub(crate) fn get(&self, key: &str) -> Option<ReadPart<'a>> {
        let document = self.document;
        let Entry::Object { len, end } = document.entries[self.object] else {
            return None;
        };
        let (len, end) = (len as usize, end as usize);
        if len <= SMALL_OBJECT {
            let mut at = self.object + 1;
            for _ in 0..len {
                if document.key(at) == key {
                    return Some(ReadPart {
                        document,
                        at: at + 1,
                    });
                }
                at = document.after(at + 1);
            }
            return None;
        }
        let order = &document.entries[end - len..end];
        let found = order.binary_search_by(|entry| match entry {
            Entry::Order(at) => document.key(*at as usize).cmp(key),
            _ => std::cmp::Ordering::Less,
        });
        match order[found.ok()?] {
            Entry::Order(at) => Some(ReadPart {
                document,
                at: at as usize + 1,
            }),
            _ => None,
        }
    }
}

impl<'a> Iterator for ReadMembers<'a> {
    type Item = (Text<'a>, ReadPart<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (document, key) = (self.document, self.next);
        let at = key + 1;
        self.next = document.after(at);
        Some((document.string(key)?, ReadPart { document, at }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ReadMembers<'_> {}
