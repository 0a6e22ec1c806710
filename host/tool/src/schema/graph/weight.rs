//! How much the keywords of one schema read, beside the schemas in them.

use serde_json::{Map, Value};

/// Bytes of text that count as one step where they are read, compared or copied.
pub(in crate::schema) const BYTES_PER_STEP: u64 = 64;

/// Steps of looking a name up among the members of an object, or among the properties
/// of a schema.
pub(in crate::schema) const LOOKUP_STEPS: u64 = 4;

/// Steps of dividing a number by a `multipleOf` that is no integer, which may be done
/// with fractions of hundreds of digits.
pub(in crate::schema) const DIVISION_STEPS: u64 = 100;

/// What the keywords of one schema read.
#[derive(Debug, Default)]
pub(in crate::schema) struct Weight {
    /// Steps of the lists and values in the schema that are gone through for any value.
    lists: u64,
    /// Whether a keyword goes over the text of a string: `minLength`, `enum` …
    pub(in crate::schema) reads_text: bool,
    /// Whether all of an array is read: `uniqueItems`.
    pub(in crate::schema) reads_items: bool,
    /// Whether numbers are divided by fractions: `multipleOf`.
    pub(in crate::schema) divides: bool,
}

impl Weight {
    pub(super) fn of(keywords: &Map<String, Value>) -> Self {
        let text = ["minLength", "maxLength", "enum"];
        let multiple = keywords.get("multipleOf").and_then(Value::as_f64);
        Self {
            lists: lists(keywords),
            reads_text: text.iter().any(|keyword| keywords.contains_key(*keyword)),
            reads_items: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
            divides: multiple.is_some_and(|multiple| multiple.fract() != 0.0),
        }
    }

    /// Steps of applying the schema to any value: one, and those of its lists.
    pub(in crate::schema) fn steps(&self) -> u64 {
        self.lists.saturating_add(1)
    }
}

/// Steps of the lists and values in a schema that the validator goes through for each
/// value.
fn lists(keywords: &Map<String, Value>) -> u64 {
    let steps = keywords
        .iter()
        .map(|(keyword, value)| match keyword.as_str() {
            "enum" if is_looked_up(value) => 0,
            // What is outermost is in the step of the schema itself.
            "const" | "enum" => size(value) - 1,
            "required" => lookups(value),
            // A value of `dependencies` is a schema or, in draft-07, a list of names.
            "dependentRequired" | "dependentSchemas" | "dependencies" => {
                let entries = value.as_object().into_iter().flatten();
                let each = entries.map(|(_, list)| LOOKUP_STEPS + lookups(list));
                names(value) + each.sum::<u64>()
            }
            "properties" => names(value),
            _ => 0,
        });
    steps.fold(0, u64::saturating_add)
}

/// Whether a value is looked up among the options of an `enum`, in place of being
/// compared with each.
fn is_looked_up(options: &Value) -> bool {
    let Value::Array(options) = options else {
        return true;
    };
    let is_integer = |option: &Value| option.is_i64() || option.is_u64();
    options.iter().all(Value::is_string) || options.iter().all(is_integer)
}

/// A step for each value, name and stretch of text. Recursion ends: the depth of a
/// schema is limited.
fn size(value: &Value) -> u64 {
    match value {
        Value::String(text) => 1 + text_steps(text),
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => 1 + names(value) + members.values().map(size).sum::<u64>(),
        _ => 1,
    }
}

/// Steps for the text of an object's names.
fn names(object: &Value) -> u64 {
    let bytes = object
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .map(String::len);
    bytes.sum::<usize>() as u64 / BYTES_PER_STEP
}

/// Steps of looking up each name of a list.
fn lookups(list: &Value) -> u64 {
    let names = list.as_array().into_iter().flatten();
    names
        .map(|name| LOOKUP_STEPS + text_steps(name.as_str().unwrap_or_default()))
        .sum()
}

fn text_steps(text: &str) -> u64 {
    text.len() as u64 / BYTES_PER_STEP
}
