//! Redacting JSON values.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{REDACTED, Redactor};

/// Whether a byte may stand in a JSON number.
pub(super) fn is_in_numbers(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Values have been parsed within a depth limit, so the recursion is bounded.
pub(super) fn redact(redactor: &Redactor, numeric: bool, value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => {
            if numeric && redactor.contains(number.to_string().as_bytes()).is_some() {
                *value = REDACTED.into();
            }
        }
        Value::String(text) => redactor.redact_string(text),
        Value::Array(items) => {
            for item in items {
                redact(redactor, numeric, item);
            }
        }
        Value::Object(object) => {
            if object
                .keys()
                .any(|key| redactor.contains(key.as_bytes()).is_some())
            {
                *object = with_clean_keys(redactor, std::mem::take(object));
            }
            for (_, item) in object.iter_mut() {
                redact(redactor, numeric, item);
            }
        }
    }
}

fn with_clean_keys(redactor: &Redactor, object: Map<String, Value>) -> Map<String, Value> {
    let kept = object
        .keys()
        .filter(|key| redactor.contains(key.as_bytes()).is_none());
    let mut taken: HashSet<String> = kept.cloned().collect();
    let mut number = 1;
    let clean = object.into_iter().map(|(key, value)| {
        let Cow::Owned(clean) = redactor.redact_text(&key) else {
            return (key, value);
        };
        let mut unique = clean.clone();
        while !taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{clean} {number}");
        }
        (unique, value)
    });
    clean.collect()
}
