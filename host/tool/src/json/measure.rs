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
    /// Whether a number is a float that equals an integer, such as `3.0`.
    pub(crate) whole_float: bool,
}

/// Measures a value and gives up as soon as a limit is passed.
pub(crate) fn measure(value: &Value, limits: &JsonLimits) -> Result<Measure, JsonError> {
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
        found.check(limits)?;
    }
    Ok(found)
}

impl Measure {
    /// Counts a member in that is added to an object with `depth` arrays and objects
    /// around it.
    pub(crate) fn add(&mut self, name: &str, member: &Self, depth: usize) {
        self.depth = self.depth.max(depth + 1 + member.depth);
        self.values += member.values;
        self.bytes += name.len() + member.bytes;
        self.whole_float |= member.whole_float;
    }

    /// Whether that is within the limits.
    pub(crate) fn check(&self, limits: &JsonLimits) -> Result<(), JsonError> {
        let allowed_depth = limits.depth.min(MAX_DEPTH);
        let kind = if self.depth > allowed_depth {
            JsonErrorKind::TooDeep {
                limit: allowed_depth,
            }
        } else if self.values > limits.values {
            JsonErrorKind::TooManyValues {
                limit: limits.values,
            }
        } else if self.bytes > limits.bytes {
            JsonErrorKind::TooLong {
                bytes: self.bytes,
                limit: limits.bytes,
            }
        } else {
            return Ok(());
        };
        Err(JsonError::new(kind, None))
    }
}

fn is_whole_float(number: &serde_json::Number) -> bool {
    number.is_f64() && number.as_f64().and_then(whole).is_some()
}

/// Below this, every integer is a float and the other way round.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The integer that a float without a fraction equals.
pub(crate) fn whole(float: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be exact")]
    (float.fract() == 0.0 && float.abs() < EXACT).then_some(float as i64)
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
