//! How the validator is set up: the only place that knows its options.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::{error::SchemaError, limits::SchemaLimits, view::Parts};
use crate::arguments::{shorten, show};

/// Compiles a schema whose references and cost have been checked.
///
/// Regular expressions run on an engine whose time is linear in the text. `format`
/// and `content…` are hints and never refuse a value. Nothing is ever fetched.
pub(super) fn build(
    schema: &Value,
    limits: &SchemaLimits,
) -> Result<Validator<Parts>, SchemaError> {
    let patterns = PatternOptions::regex()
        .size_limit(limits.pattern_bytes)
        .dfa_size_limit(limits.pattern_bytes);
    // Draft-07 would decode strings and read them as JSON.
    let encodings = ["base64", "base64url", "base32", "base32hex", "base16"];
    let options = encodings
        .into_iter()
        .fold(jsonschema::options_for::<Parts>(), |options, encoding| {
            options.without_content_encoding_support(encoding)
        });
    options
        .without_content_media_type_support("application/json")
        .with_pattern_options(patterns)
        .should_validate_formats(false)
        .offline()
        .build(schema)
        .map_err(|error| SchemaError::Invalid {
            at: error.instance_path().to_string(),
            message: message(&error),
        })
}

/// The validator's own words: they are about the schema, for its author.
fn message(error: &jsonschema::ValidationError<'_>) -> String {
    match error.kind() {
        jsonschema::error::ValidationErrorKind::AnyOf { .. } => {
            format!(
                "{} is not a value this keyword can have",
                show(error.instance())
            )
        }
        _ => shorten(&error.to_string(), 300),
    }
}
