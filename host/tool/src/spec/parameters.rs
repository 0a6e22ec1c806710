//! Parameters: names, defaults and descriptions around the types.

use serde_json::{Map, Value, json};

use super::cursor::{Cursor, is_word};
use super::error::SpecError;
use super::kind::{self, Kind};
use crate::schema::{SchemaLimits, ToolSchema};

/// Characters of a parameter's name; more than some providers accept.
const MAX_NAME: usize = 64;

/// Reads parameters up to the `close`, or the end of the spec, and gives the schema
/// of the object that has them.
pub(super) fn parse(
    cursor: &mut Cursor,
    close: Option<char>,
    depth: usize,
) -> Result<Map<String, Value>, SpecError> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    loop {
        cursor.skip_space();
        match (cursor.peek(), close) {
            (Some(letter), Some(close)) if letter == close => {
                cursor.take("}");
                break;
            }
            (None, None) => break,
            (None, Some(close)) => return Err(cursor.error(format!("`{close}` is missing"))),
            (Some('#'), _) => {
                return Err(
                    cursor.error("a `#` description stands behind its parameter, on the same line")
                );
            }
            _ => {}
        }
        let start = cursor.at();
        let parameter = parameter(cursor, close, depth)?;
        if properties.contains_key(&parameter.name) {
            let message = format!("the parameter `{}` is there already", parameter.name);
            return Err(cursor.error_at(start, message));
        }
        if !parameter.optional {
            required.push(parameter.name.clone());
        }
        properties.insert(parameter.name, Value::Object(parameter.schema));
    }
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    schema.insert("additionalProperties".into(), json!(false));
    Ok(schema)
}

struct Parameter {
    name: String,
    optional: bool,
    schema: Map<String, Value>,
}

fn parameter(
    cursor: &mut Cursor,
    close: Option<char>,
    depth: usize,
) -> Result<Parameter, SpecError> {
    let name = name(cursor)?;
    let mut optional = cursor.take("?");
    cursor.skip_blanks();
    if !cursor.take(":") {
        let found = cursor.found();
        let message = format!("expected `:` and a type behind `{name}`, found {found}");
        return Err(cursor.error(message));
    }
    cursor.skip_blanks();
    let mut kind = kind::parse(cursor, depth)?;
    let default = default(cursor, &mut kind)?;
    let mut schema = kind.schema;
    // The description leads, as in schemas that people write.
    if let Some(text) = description(cursor, close)? {
        schema.insert("description".into(), json!(text));
    }
    if let Some(value) = default {
        optional = true;
        schema.insert("default".into(), value);
    }
    Ok(Parameter {
        name,
        optional,
        schema,
    })
}

fn name(cursor: &mut Cursor) -> Result<String, SpecError> {
    let start = cursor.at();
    let name = cursor.take_while(is_word);
    let foreign = name.chars().find(|letter| !letter.is_ascii());
    if let Some(letter) = foreign {
        let message = format!(
            "the name `{name}` has the character {letter:?}; use letters, digits, `_`, `-` and `.`"
        );
        return Err(cursor.error_at(start, message));
    }
    if name.is_empty() {
        let hint = match cursor.peek() {
            Some('"' | '\'') => "; names are written without quotes",
            _ => "",
        };
        let found = cursor.found();
        return Err(cursor.error(format!("expected a parameter's name, found {found}{hint}")));
    }
    if name.len() > MAX_NAME {
        let message = format!(
            "the name has {} characters, at most {MAX_NAME} are allowed",
            name.len()
        );
        return Err(cursor.error_at(start, message));
    }
    Ok(name.to_owned())
}

/// `= value`, and the range behind it.
fn default(cursor: &mut Cursor, kind: &mut Kind) -> Result<Option<Value>, SpecError> {
    cursor.skip_blanks();
    if !cursor.take("=") {
        return Ok(None);
    }
    cursor.skip_blanks();
    let start = cursor.at();
    let value = cursor.json()?;
    cursor.skip_blanks();
    if cursor.peek() == Some('(') {
        kind::range(cursor, kind)?;
    }
    check_default(&kind.schema, &value).map_err(|why| cursor.error_at(start, why))?;
    Ok(Some(value))
}

/// A default that breaks its own type would be left out without a word later.
fn check_default(schema: &Map<String, Value>, value: &Value) -> Result<(), String> {
    let schema = Value::Object(schema.clone());
    let schema = ToolSchema::compile_output_value(schema, &SchemaLimits::default())
        .map_err(|error| error.to_string())?;
    match schema.check(value.clone()) {
        Ok(checked) if checked == *value || value.is_object() || value.is_array() => Ok(()),
        // A call's argument may be text where a number is meant; a default not.
        Ok(checked) => Err(format!("the default is written wrongly: write `{checked}`")),
        Err(issues) => {
            let why = issues.first().map_or("", |issue| issue.message.as_str());
            Err(format!("the default does not match its type: {why}"))
        }
    }
}

/// The description and what separates the parameter from the next. A `#` may stand
/// behind the comma, because there it lines up with the others.
fn description(cursor: &mut Cursor, close: Option<char>) -> Result<Option<String>, SpecError> {
    cursor.skip_blanks();
    let mut text = None;
    if cursor.peek() == Some('"') {
        text = cursor.json()?.as_str().map(str::to_owned);
        cursor.skip_blanks();
    }
    let mut ended = cursor.take(",");
    cursor.skip_blanks();
    if cursor.peek() == Some('#') {
        if text.is_some() {
            return Err(cursor.error("the parameter has a description already"));
        }
        cursor.take("#");
        let line = cursor.take_while(|letter| letter != '\n');
        text = Some(line.trim().to_owned());
        ended = true;
    }
    match cursor.peek() {
        None | Some('\n') => Ok(text),
        Some(letter) if ended || Some(letter) == close => Ok(text),
        Some(_) => {
            let found = cursor.found();
            Err(cursor.error(format!(
                "expected `,` or the end of the line, found {found}"
            )))
        }
    }
}
