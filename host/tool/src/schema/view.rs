//! How the validator sees values: it can work on any representation of JSON that
//! says what a value is, so it works on [`Part`]s.

use std::borrow::Cow;

use jsonschema::{
    JsonType,
    json::{Array, Json, Node, NodeIdentity, Object, cmp},
};
use serde_json::{Number, Value};

use super::equal::{all_differ, equal};
use crate::json::{Items, Members, MembersIter, Part, Seen};

/// The representation.
pub(crate) struct Parts;

impl Json for Parts {
    type Node<'a> = Part<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    // As for the trees of `serde_json`, which are looked into in the same way.
    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Part<'_>) -> T) -> T {
        f(Part::Name(string))
    }
}

impl<'a> Node<'a, Parts> for Part<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = &'a Number;

    fn as_object(&self) -> Option<Members<'a>> {
        match self.see() {
            Seen::Object(members) => Some(members),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Items<'a>> {
        match self.see() {
            Seen::Array(items) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.see() {
            Seen::String(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self.see() {
            Seen::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.see() {
            Seen::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.see(), Seen::Null)
    }

    fn json_type(&self) -> JsonType {
        match self.see() {
            Seen::Null => JsonType::Null,
            Seen::Bool(_) => JsonType::Boolean,
            Seen::Number(_) => JsonType::Number,
            Seen::String(_) => JsonType::String,
            Seen::Array(_) => JsonType::Array,
            Seen::Object(_) => JsonType::Object,
        }
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let Seen::String(text) = self.see() else {
            return None;
        };
        // A character takes one to four bytes; mostly that alone decides.
        let (fewest, most) = (text.len().div_ceil(4) as u64, text.len() as u64);
        if most < min || fewest > max {
            return Some(false);
        }
        if min <= fewest && most <= max {
            return Some(true);
        }
        Some((min..=max).contains(&(text.chars().count() as u64)))
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match self {
            Part::Tree(value) => cmp::equal(value, expected),
            _ => equal(*self, expected.into()),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        match self {
            Part::Tree(value) => Cow::Borrowed(value),
            Part::Read(part) => Cow::Owned(part.to_value()),
            Part::Name(name) => Cow::Owned(Value::String((*name).to_owned())),
        }
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(self.address()))
    }
}

impl<'a> Object<'a, Parts> for Members<'a> {
    type Node = Part<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        Members::len(self)
    }

    fn get(&self, key: &String) -> Option<Part<'a>> {
        Members::get(self, key)
    }

    fn members(&self) -> MembersIter<'a> {
        self.iter()
    }
}

impl<'a> Array<'a, Parts> for Items<'a> {
    type Node = Part<'a>;
    type ElementsIter = Items<'a>;

    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    fn elements(&self) -> Items<'a> {
        self.clone()
    }

    fn is_unique(&self) -> bool {
        all_differ(self.clone())
    }
}
