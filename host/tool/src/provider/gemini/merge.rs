//! Two schemas that both hold, as one.

use serde_json::{Map, Value};

/// Keywords of which the larger value holds.
const LARGER: [&str; 5] = [
    "minimum",
    "minLength",
    "minItems",
    "minProperties",
    "exclusiveMinimum",
];

/// Keywords of which the smaller value holds.
const SMALLER: [&str; 5] = [
    "maximum",
    "maxLength",
    "maxItems",
    "maxProperties",
    "exclusiveMaximum",
];

/// What says nothing about values: the outer one is for the place at hand.
const ANNOTATIONS: [&str; 8] = [
    "title",
    "description",
    "default",
    "examples",
    "$schema",
    "$id",
    "$comment",
    "format",
];

/// Adds what `other` says, and gives the keywords on which the two cannot be joined.
pub(super) fn merge(schema: &mut Map<String, Value>, other: Map<String, Value>) -> Vec<String> {
    let mut lost = Vec::new();
    for (keyword, theirs) in other {
        let Some(ours) = schema.get_mut(&keyword) else {
            schema.insert(keyword, theirs);
            continue;
        };
        if *ours == theirs || ANNOTATIONS.contains(&&*keyword) {
            continue;
        }
        if !join(&keyword, ours, theirs) {
            lost.push(keyword);
        }
    }
    lost
}

fn join(keyword: &str, ours: &mut Value, theirs: Value) -> bool {
    match (keyword, ours, theirs) {
        ("properties" | "$defs" | "definitions", Value::Object(ours), Value::Object(theirs)) => {
            theirs
                .into_iter()
                .all(|(name, theirs)| match ours.get(&name) {
                    Some(same) => *same == theirs,
                    None => ours.insert(name, theirs).is_none(),
                })
        }
        ("required", Value::Array(ours), Value::Array(theirs)) => {
            for name in theirs {
                if !ours.contains(&name) {
                    ours.push(name);
                }
            }
            true
        }
        ("enum", Value::Array(ours), Value::Array(theirs)) => {
            ours.retain(|value| theirs.contains(value));
            !ours.is_empty()
        }
        (keyword, ours, theirs) if LARGER.contains(&keyword) => {
            if theirs.as_f64() > ours.as_f64() {
                *ours = theirs;
            }
            true
        }
        (keyword, ours, theirs) if SMALLER.contains(&keyword) => {
            if theirs.as_f64() < ours.as_f64() {
                *ours = theirs;
            }
            true
        }
        _ => false,
    }
}
