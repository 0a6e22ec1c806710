//! Schemas that ask for a type and nothing else, as the branches of an optional value
//! do: whether one accepts a value is known without the validator.

use serde_json::{Map, Value};

use crate::json::{Part, Seen, whole};

/// Keywords that never refuse a value.
const REMARKS: [&str; 9] = [
    "$comment",
    "default",
    "deprecated",
    "description",
    "examples",
    "format",
    "readOnly",
    "title",
    "writeOnly",
];

/// The types that such a schema accepts; all of them if it names none.
#[derive(Debug)]
pub(in crate::schema) struct Plain(Option<Vec<String>>);

impl Plain {
    pub(super) fn of(keywords: &Map<String, Value>) -> Option<Self> {
        let mut others = keywords
            .keys()
            .filter(|name| *name != "type" && !REMARKS.contains(&name.as_str()));
        if others.next().is_some() {
            return None;
        }
        let types = match keywords.get("type") {
            None => None,
            Some(Value::Array(types)) => Some(types.iter().filter_map(name).collect()),
            Some(only) => Some(name(only).into_iter().collect()),
        };
        Some(Self(types))
    }

    pub(in crate::schema) fn accepts(&self, value: Part<'_>) -> bool {
        let accepts = |kind| {
            let types = self.0.as_ref();
            types.is_none_or(|types| types.iter().any(|accepted| accepted == kind))
        };
        match value.see() {
            Seen::Null => accepts("null"),
            Seen::Bool(_) => accepts("boolean"),
            Seen::String(_) => accepts("string"),
            Seen::Array(_) => accepts("array"),
            Seen::Object(_) => accepts("object"),
            Seen::Number(number) => {
                let is_integer =
                    !number.is_f64() || number.as_f64().is_some_and(|float| whole(float).is_some());
                accepts("number") || (is_integer && accepts("integer"))
            }
        }
    }
}

fn name(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
