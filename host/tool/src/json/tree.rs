//! Building the value: what `serde_json` does, except that a key given twice is
//! an error. `serde_json`'s own reading keeps the last of the two, other readers
//! keep the first, and a check that sees one of them is no check.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, map::Entry};

use super::{
    JsonError, JsonErrorKind,
    locate::{locate, offset_of},
};

/// Characters of a key that a message repeats.
const KEY_SHOWN: usize = 100;

/// Builds the value of a text whose limits have been checked.
pub(super) fn build(text: &str) -> Result<Value, JsonError> {
    let duplicate = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Tree {
        duplicate: &duplicate,
    }
    .deserialize(&mut reader);
    read.and_then(|value| reader.end().map(|()| value))
        .map_err(|error| {
            let offset = if error.is_eof() {
                text.len()
            } else {
                offset_of(text, error.line(), error.column())
            };
            let place = locate(text, offset);
            let kind = match duplicate.take() {
                Some(key) => JsonErrorKind::DuplicateKey { key },
                None => JsonErrorKind::Syntax(reason(&error)),
            };
            JsonError::new(kind, Some(place))
        })
}

/// What `serde_json` says, without the place, in words that name the remedy where
/// its own do not.
fn reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    match message {
        "number out of range" => "the number is too large for a double: send it as a string".into(),
        "trailing characters" => "there is more text after the end of the JSON value".into(),
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "half of a surrogate pair in a `\\u` escape: write both halves, or the character".into()
        }
        "expected value" | "expected ident" => {
            "a JSON value was expected: text stands in double quotes".into()
        }
        "key must be a string" => "a key must be text in double quotes".into(),
        "trailing comma" => "there is a comma before the end: leave it out".into(),
        _ if message.starts_with("control character") => {
            "a control character in a string: write it as an escape, such as `\\n`".into()
        }
        _ if error.is_eof() => format!("the text ends too early: {message}"),
        _ => message.to_owned(),
    }
}

#[derive(Clone, Copy)]
struct Tree<'a> {
    duplicate: &'a RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            match object.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(members.next_value_seed(self)?);
                }
                Entry::Occupied(place) => {
                    self.duplicate
                        .replace(Some(place.key().chars().take(KEY_SHOWN).collect()));
                    return Err(A::Error::custom("duplicate key"));
                }
            }
        }
        Ok(Value::Object(object))
    }
}
