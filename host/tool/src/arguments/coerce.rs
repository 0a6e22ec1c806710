//! Strings that models write for numbers and booleans. The validator's errors say
//! where a string stands and what was asked for instead, so nothing is coerced that
//! was right as it was.

use std::collections::BTreeSet;

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::{Number, Value};

use crate::json::whole;

/// What can be coerced, given what is wrong: JSON Pointers and the values to put
/// there.
pub(super) fn coercions(errors: &[ValidationError<'_>]) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for error in errors {
        match error.kind() {
            Kind::Type { kind } => {
                if let Some(value) = coerce(error.instance(), kind) {
                    found.push((error.instance_path().to_string(), value));
                }
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                // The first alternative that nothing but coercible strings keeps
                // from matching.
                let matching = context.iter().find_map(|branch| {
                    let found = coercions(branch);
                    let paths: BTreeSet<&str> =
                        found.iter().map(|(path, _)| path.as_str()).collect();
                    let helped =
                        !paths.is_empty() && branch.iter().all(|error| helps(error, &paths));
                    helped.then_some(found)
                });
                found.extend(matching.into_iter().flatten());
            }
            _ => {}
        }
    }
    found
}

/// Whether a coercion at one of the places changes the value that an error is about.
fn helps(error: &ValidationError<'_>, places: &BTreeSet<&str>) -> bool {
    let at = error.instance_path().as_str();
    match error.kind() {
        // The places in a part follow the part itself.
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => places
            .range(at..)
            .next()
            .is_some_and(|place| place.starts_with(at)),
        _ => places.contains(at),
    }
}

/// The value of the asked-for type that a string spells exactly.
fn coerce(value: &Value, asked: &TypeKind) -> Option<Value> {
    let Value::String(text) = value else {
        return None;
    };
    let asks = |kind| match asked {
        TypeKind::Single(single) => *single == kind,
        TypeKind::Multiple(several) => several.contains(kind),
    };
    if asks(JsonType::Integer) || asks(JsonType::Number) {
        if let Some(integer) = integer(text) {
            return Some(Value::Number(integer));
        }
        if asks(JsonType::Number)
            && let Some(decimal) = decimal(text)
        {
            return Some(Value::Number(decimal));
        }
    }
    match text.as_str() {
        "true" if asks(JsonType::Boolean) => Some(Value::Bool(true)),
        "false" if asks(JsonType::Boolean) => Some(Value::Bool(false)),
        _ => None,
    }
}

/// `0`, `-12`: as JSON writes it, and within 64 bits.
fn integer(text: &str) -> Option<Number> {
    if !is_whole_part(text) {
        return None;
    }
    let unsigned = text.parse::<u64>().map(Number::from);
    unsigned
        .or_else(|_| text.parse::<i64>().map(Number::from))
        .ok()
}

/// `0.5`, `-12.25`: as JSON writes it, without an exponent.
fn decimal(text: &str) -> Option<Number> {
    let (whole, fraction) = text.split_once('.')?;
    let digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || !is_whole_part(whole) {
        return None;
    }
    Number::from_f64(text.parse().ok()?)
}

fn is_whole_part(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    digits.iter().all(u8::is_ascii_digit) && matches!(digits, [b'0'] | [b'1'..=b'9', ..])
}

/// Turns floats without a fraction into the integers they equal. Recurses as deep
/// as the value.
pub(super) fn whole_floats(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(integer) = number.as_f64().and_then(whole) {
                *number = Number::from(integer);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_floats),
        Value::Object(members) => members.values_mut().for_each(whole_floats),
        _ => {}
    }
}
