//! The compact parameter spec: a tool's arguments in a line or two, for tools that
//! are declared by hand or at run time, where a JSON Schema would hide the point.
//!
//! ```text
//! city: string             # the city, in English
//! unit?: enum("C", "F")    # unit of the temperature
//! days?: integer = 3 (1..14), tags?: string[] (..5)
//! place?: {lat: number, lon: number} "where to measure"
//! ```
//!
//! # Grammar
//!
//! | part | is |
//! |---|---|
//! | spec | parameters, separated by a comma or a line end |
//! | parameter | name, `?` if it may be left out, `:`, type, default, range, description |
//! | name | letters, digits, `_`, `-`, `.`; at most 64 |
//! | type | one or more alternatives, separated by `\|` |
//! | alternative | `string`, `integer`, `number`, `boolean`, `null`, `any`, `object`, an enum or a group; with `[]` behind it a list of such |
//! | enum | `enum("a", "b")`, with strings or numbers as in JSON |
//! | group | `{` parameters `}`: an object with these members and no others |
//! | default | `=` and a JSON value; the parameter may then be left out |
//! | range | `(1..14)`, `(1..)`, `(..14)`, `(3)`: of a number, of a string's length, of a list's length; behind the type or behind the default |
//! | description | a JSON string, or `#` and the rest of the line |
//!
//! A range stands for what is right before it: `string(1..20)[] (..5)` is at most
//! five strings of 1 to 20 characters. The ends belong to the range. `object` is an
//! object with any members, `any` is any value.
//!
//! # What comes out
//!
//! A JSON Schema (2020-12) of type `object`. It and every group have
//! `additionalProperties: false`; every array has `items`. An empty spec is a tool
//! without arguments.

mod cursor;
mod error;
mod kind;
mod parameters;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use error::SpecError;

/// Bytes of a spec.
const MAX_LENGTH: usize = 64 << 10;

/// Groups and lists inside each other.
const MAX_DEPTH: usize = 16;

/// Reads a compact parameter spec and gives the JSON Schema of the arguments.
///
/// # Errors
/// When the text is no spec; the [error](SpecError) has the place and what to write
/// instead.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::spec::parse_parameters;
///
/// let schema = parse_parameters(r#"city: string "the city", days?: integer = 3 (1..14)"#)?;
/// assert_eq!(schema, json!({
///     "type": "object",
///     "properties": {
///         "city": {"type": "string", "description": "the city"},
///         "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
///     },
///     "required": ["city"],
///     "additionalProperties": false,
/// }));
///
/// let error = parse_parameters("city: strng").unwrap_err();
/// assert_eq!(error.to_string(), "column 7: unknown type `strng`; did you mean `string`?");
/// # Ok::<(), toolhost_tool::spec::SpecError>(())
/// ```
pub fn parse_parameters(text: &str) -> Result<Value, SpecError> {
    if text.len() > MAX_LENGTH {
        let message = format!(
            "the spec has {} bytes, at most {MAX_LENGTH} are allowed: use a JSON Schema",
            text.len()
        );
        return Err(SpecError::new(text, 0, message));
    }
    let mut cursor = cursor::Cursor::new(text);
    let schema = parameters::parse(&mut cursor, None, 0)?;
    Ok(Value::Object(schema))
}
