//! How much the keywords of one schema read, beside the schemas in them.

use serde_json::{Map, Value};

/// Bytes of text that count as one step where they are read, compared or copied.
pub(in crate::schema) const BYTES_PER_STEP: u64 = 64;

/// Steps of looking a name up among the members of an object, or among the properties
/// of a schema.
pub(in crate::schema) const LOOKUP_STEPS: u64 = 16;

/// Steps of hashing a value, or a stretch of text, to find it again.
pub(in crate::schema) const HASH_STEPS: u64 = 3;

/// Steps of dividing a number by a `multipleOf` that is no integer, which may be done
/// with fractions of hundreds of digits.
const DIVISION_STEPS: u64 = 400;

/// What the keywords of one schema read.
#[derive(Debug, Default)]
pub(in crate::schema) struct Weight {
    /// Steps of the lists and values in the schema that are gone through for any value.
    lists: u64,
    /// Whether a keyword goes over the text of a string: `minLength`, `enum` …
    pub(in crate::schema) reads_text: bool,
    /// Whether all of an array is read: `uniqueItems`.
    pub(in crate::schema) reads_items: bool,
    /// Steps of dividing a number by a fraction: `multipleOf`.
    pub(in crate::schema) division: u64,
    /// Whether an error shows items of the value: `unevaluatedItems`.
    pub(in crate::schema) shows_items: bool,
    /// Steps of copying what of the schema an error shows: `not`, `pattern`.
    pub(in crate::schema) shown: u64,
}

impl Weight {
    pub(super) fn of(keywords: &Map<String, Value>) -> Self {
        let text = ["minLength", "maxLength", "enum"];
        let multiple = keywords.get("multipleOf").and_then(Value::as_f64);
        Self {
            lists: lists(keywords),
            reads_text: text.iter().any(|keyword| keywords.contains_key(*keyword)),
            reads_items: keywords.get("uniqueItems") == Some(&Value::Bool(true)),
            division: match multiple {
                Some(multiple) if multiple.fract() != 0.0 => DIVISION_STEPS,
                _ => 0,
            },
            shows_items: keywords.contains_key("unevaluatedItems"),
            shown: ["not", "pattern"]
                .iter()
                .filter_map(|keyword| keywords.get(*keyword))
                .map(size)
                .sum(),
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
        .map(|(keyword, value)| match (keyword.as_str(), value) {
            ("enum", Value::Array(options)) => compared(options),
            // What is outermost is in the step of the schema itself.
            ("const", value) => size(value) - 1,
            ("required", names) => lookups(names),
            // A value of `dependencies` is a schema or, in draft-07, a list of names.
            ("dependentRequired" | "dependentSchemas" | "dependencies", Value::Object(entries)) => {
                let each = entries.values().map(|list| LOOKUP_STEPS + lookups(list));
                names(entries) + each.sum::<u64>()
            }
            ("properties", Value::Object(entries)) => names(entries),
            _ => 0,
        });
    steps.fold(0, u64::saturating_add)
}

/// Steps of comparing a value with the options of an `enum`. If these are nothing but
/// strings or nothing but integers, and perhaps `null`, it is looked up instead.
fn compared(options: &[Value]) -> u64 {
    let all = |is: fn(&Value) -> bool| options.iter().all(|option| option.is_null() || is(option));
    if all(Value::is_string) || all(Value::is_i64) {
        return 0;
    }
    let scalars = options.iter().filter(|option| is_scalar(option)).count();
    let others = options.iter().filter(|option| !is_scalar(option));
    scalars as u64 / SCALARS_PER_STEP + others.map(size).sum::<u64>()
}

/// Options of an `enum` that are compared in one step.
const SCALARS_PER_STEP: u64 = 4;

fn is_scalar(value: &Value) -> bool {
    match value {
        Value::String(text) => text_steps(text) == 0,
        Value::Array(_) | Value::Object(_) => false,
        _ => true,
    }
}

/// A step for each value, name and stretch of text. Recursion ends: the depth of a
/// schema is limited.
fn size(value: &Value) -> u64 {
    match value {
        Value::String(text) => 1 + text_steps(text),
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => {
            let values = members.values().map(|member| HASH_STEPS + size(member));
            1 + names(members) + values.sum::<u64>()
        }
        _ => 1,
    }
}

/// Steps for the text of an object's names.
fn names(object: &Map<String, Value>) -> u64 {
    object.keys().map(String::len).sum::<usize>() as u64 / BYTES_PER_STEP
}

/// Steps of looking up each name of a list.
fn lookups(list: &Value) -> u64 {
    let names = list.as_array().into_iter().flatten();
    names
        .map(|name| LOOKUP_STEPS + text_steps(name.as_str().unwrap_or_default()))
        .sum()
}

/// Steps of going over a text, beyond the one for its being there.
pub(in crate::schema) fn text_steps(text: &str) -> u64 {
    text.len() as u64 / BYTES_PER_STEP
}
