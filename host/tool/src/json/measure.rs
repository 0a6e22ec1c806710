//! The same limits for values that were never text: a Rust caller can build a
//! `Value` of any depth, and everything that walks it by recursion, its own `Drop`
//! included, would overflow the stack. Nothing here recurses.

use serde_json::Value;

use super::{JsonError, JsonErrorKind, JsonLimits, MAX_DEPTH};

/// What a walk over a value found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    /// Arrays and objects inside each other; 0 for a scalar.
    pub(crate) depth: usize,
    /// Values, counting arrays, objects and what is in them.
    pub(crate) values: usize,
    /// Bytes of strings and keys, and one for every value.
    pub(crate) bytes: usize,
    /// Whether a number is a float without a fraction, such as `3.0`.
    pub(crate) whole_float: bool,
}

/// Measures a value and gives up as soon as a limit is passed.
pub(crate) fn measure(value: &Value, limits: &JsonLimits) -> Result<Measure, JsonError> {
    let refuse = |kind| Err(JsonError::new(kind, None));
    let allowed_depth = limits.depth.min(MAX_DEPTH);
    let mut found = Measure::default();
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        found.values += 1;
        found.bytes += 1;
        match value {
            Value::String(text) => found.bytes += text.len(),
            Value::Number(number) => found.whole_float |= is_whole_float(number),
            Value::Array(items) => {
                found.depth = found.depth.max(depth + 1);
                open.extend(items.iter().map(|item| (item, depth + 1)));
            }
            Value::Object(members) => {
                found.depth = found.depth.max(depth + 1);
                for (key, member) in members {
                    found.bytes += key.len();
                    open.push((member, depth + 1));
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
        if found.depth > allowed_depth {
            return refuse(JsonErrorKind::TooDeep {
                limit: allowed_depth,
            });
        }
        if found.values > limits.values {
            return refuse(JsonErrorKind::TooManyValues {
                limit: limits.values,
            });
        }
        if found.bytes > limits.bytes {
            return refuse(JsonErrorKind::TooLong {
                bytes: found.bytes,
                limit: limits.bytes,
            });
        }
    }
    Ok(found)
}

fn is_whole_float(number: &serde_json::Number) -> bool {
    number.is_f64() && number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Checks a value against the limits that [`parse`](super::parse) holds a text to.
///
/// # Errors
/// When the value is deeper or larger than `limits` allow; bytes are those of its
/// strings and keys, and one for every value.
pub fn check(value: &Value, limits: &JsonLimits) -> Result<(), JsonError> {
    measure(value, limits).map(|_| ())
}

/// How deep arrays and objects are nested in a value: 0 for a scalar, 1 for `[]`.
/// Takes a value of any depth.
#[must_use]
pub fn depth_of(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|item| (item, depth + 1))),
            _ => continue,
        }
        deepest = deepest.max(depth + 1);
    }
    deepest
}

/// Drops a value of any depth. Its own `Drop` recurses and would overflow the
/// stack somewhere beyond 10,000 levels.
pub fn discard(value: Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.into_iter().map(|(_, member)| member)),
            _ => {}
        }
    }
}
