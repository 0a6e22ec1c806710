//! One value, whatever it was read into: what the validator, the budget and the
//! defaults see, so that each of them exists once.

use std::slice;

use serde_json::{Map, Number, Value, map};

use super::document::{Added, Document, Kind, ReadItems, ReadMembers, ReadPart, SMALL_OBJECT};

/// A JSON value that is borrowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    /// In a tree.
    Tree(&'a Value),
    /// In a text that was read.
    Read(ReadPart<'a>),
    /// A string that stands for the name of a member.
    Name(&'a str),
}

/// What a value is, and what is in it.
pub(crate) enum Seen<'a> {
    Null,
    Bool(bool),
    Number(&'a Number),
    String(&'a str),
    Array(Items<'a>),
    Object(Members<'a>),
}

impl<'a> From<&'a Value> for Part<'a> {
    fn from(value: &'a Value) -> Self {
        Self::Tree(value)
    }
}

impl<'a> From<&'a Document<'_>> for Part<'a> {
    fn from(document: &'a Document<'_>) -> Self {
        Self::Read(document.root())
    }
}

impl<'a> Part<'a> {
    pub(crate) fn see(self) -> Seen<'a> {
        match self {
            Self::Tree(value) => match value {
                Value::Null => Seen::Null,
                Value::Bool(value) => Seen::Bool(*value),
                Value::Number(number) => Seen::Number(number),
                Value::String(text) => Seen::String(text),
                Value::Array(items) => Seen::Array(Items::Tree(items.iter())),
                Value::Object(members) => Seen::Object(Members::Tree(members)),
            },
            Self::Read(part) => match part.kind() {
                Kind::Null => Seen::Null,
                Kind::Bool(value) => Seen::Bool(value),
                Kind::Number(number) => Seen::Number(number),
                Kind::String(text) => Seen::String(text.text),
                Kind::Array(items) => Seen::Array(Items::Read(items)),
                Kind::Object(members) => Seen::Object(Members::Read(members)),
            },
            Self::Name(name) => Seen::String(name),
        }
    }

    /// An address that no other living value has.
    pub(crate) fn address(self) -> usize {
        match self {
            Self::Tree(value) => std::ptr::from_ref(value).addr(),
            Self::Read(part) => part.address(),
            Self::Name(name) => name.as_ptr().addr(),
        }
    }
}

/// The items of an array.
#[derive(Clone, Debug)]
pub(crate) enum Items<'a> {
    Tree(slice::Iter<'a, Value>),
    Read(ReadItems<'a>),
}

impl<'a> Iterator for Items<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        match self {
            Self::Tree(items) => items.next().map(Part::Tree),
            Self::Read(items) => items.next().map(Part::Read),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Tree(items) => items.size_hint(),
            Self::Read(items) => items.size_hint(),
        }
    }
}

impl ExactSizeIterator for Items<'_> {}

/// The members of an object.
#[derive(Clone, Debug)]
pub(crate) enum Members<'a> {
    Tree(&'a Map<String, Value>),
    Read(ReadMembers<'a>),
}

impl<'a> Members<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Tree(members) => members.len(),
            Self::Read(members) => members.len() + members.added().len(),
        }
    }

    /// A member by its name.
    pub(crate) fn get(&self, name: &str) -> Option<Part<'a>> {
        match self {
            // Hashing the name costs more than comparing a few.
            Self::Tree(members) if members.len() <= SMALL_OBJECT => members
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, member)| Part::Tree(member)),
            Self::Tree(members) => members.get(name).map(Part::Tree),
            Self::Read(members) => members.get(name).map(Part::Read).or_else(|| {
                let mut added = members.added().iter();
                let found = added.find(|member| member.name == name)?;
                Some(Part::Tree(found.value))
            }),
        }
    }

    /// All of them, those of the text first.
    pub(crate) fn iter(&self) -> MembersIter<'a> {
        match self {
            Self::Tree(members) => MembersIter::Tree(members.iter()),
            Self::Read(members) => MembersIter::Read(members.clone(), members.added().iter()),
        }
    }
}

/// See [`Members::iter`].
pub(crate) enum MembersIter<'a> {
    Tree(map::Iter<'a>),
    Read(ReadMembers<'a>, slice::Iter<'a, Added<'a>>),
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, Part<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Tree(members) => members
                .next()
                .map(|(name, member)| (name.as_str(), Part::Tree(member))),
            Self::Read(members, added) => match members.next() {
                Some((name, member)) => Some((name.text, Part::Read(member))),
                None => added
                    .next()
                    .map(|member| (member.name, Part::Tree(member.value))),
            },
        }
    }
}
