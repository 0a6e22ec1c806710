//! What every provider needs: a name, a schema of an object, and `items`.

use serde_json::{Value, json};

use super::Note;
use super::error::Problem;
use super::walk::{self, Place};
use crate::arguments::kind_of;
use crate::json::{MAX_DEPTH, depth_of};
use crate::{ToolDefinition, check_name};

/// Checks the name and gives the schema to write.
pub(super) fn tool(tool: &ToolDefinition) -> Result<Value, Problem> {
    check_name(&tool.name)?;
    schema(&tool.input_schema)
}

/// The schema with `items` in every array, which OpenAI and Gemini refuse without.
pub(super) fn schema(schema: &Value) -> Result<Value, Problem> {
    // Everything here walks by recursion.
    if depth_of(schema) > MAX_DEPTH {
        return Err(Problem::TooDeep { limit: MAX_DEPTH });
    }
    let kind = &schema["type"];
    if kind != "object" && *kind != json!(["object"]) {
        return Err(Problem::NotAnObject);
    }
    let mut schema = schema.clone();
    schema["type"] = json!("object");
    walk::change(&mut schema, &Place::default(), &mut |schema, _| {
        let unsaid = matches!(schema.get("items"), None | Some(Value::Bool(true)));
        if unsaid && walk::has_type(schema, "array") {
            schema.insert("items".into(), json!({}));
        }
    });
    Ok(schema)
}

/// Removes the keywords that a provider does not take at the top.
///
/// # Errors
/// When the properties are under one of them: then nothing would be left.
pub(super) fn drop_at_top(
    schema: &mut Value,
    keywords: &[&'static str],
    notes: &mut Vec<Note>,
) -> Result<(), Problem> {
    let Value::Object(top) = schema else {
        return Ok(());
    };
    for &keyword in keywords {
        if top.contains_key(keyword) {
            if !top.contains_key("properties") && keyword.ends_with("Of") {
                return Err(Problem::TopKeyword { keyword });
            }
            top.shift_remove(keyword);
            let message = "is not taken at the top and left out; the host still checks it";
            notes.push(Note::new("", keyword, message));
        }
    }
    Ok(())
}

/// Writes a choice between constants as an `enum`: the form in which schemas of Rust
/// enums come, where each variant has a description. It says the same, strict modes
/// take it, and the descriptions move up.
pub(super) fn choices(schema: &mut Value) {
    walk::change(schema, &Place::default(), &mut |schema, _| {
        for keyword in ["oneOf", "anyOf"] {
            if let Some((values, lines)) = schema.get(keyword).and_then(constants)
                && !schema.contains_key("enum")
            {
                schema.shift_remove(keyword);
                if values.iter().all(Value::is_string) {
                    schema.entry("type").or_insert_with(|| json!("string"));
                }
                schema.insert("enum".into(), json!(values));
                let text = schema.get("description").and_then(Value::as_str);
                let lines: Vec<String> = text.map(str::to_owned).into_iter().chain(lines).collect();
                if !lines.is_empty() {
                    schema.insert("description".into(), json!(lines.join("\n")));
                }
            }
        }
    });
}

/// The constants that are to be chosen from, all different, and a line about each
/// that has a description.
fn constants(branches: &Value) -> Option<(Vec<Value>, Vec<String>)> {
    let mut values = Vec::new();
    let mut lines = Vec::new();
    for branch in branches.as_array()? {
        let known = ["const", "type", "title", "description"];
        let only = branch
            .as_object()?
            .keys()
            .all(|key| known.contains(&&**key));
        let value = branch.get("const")?;
        // Without a type beside it that says something else.
        let kind = branch.get("type");
        let fits = kind.is_none_or(|kind| kind == kind_of(value));
        if !only || !fits || values.contains(value) {
            return None;
        }
        if let Some(text) = branch["description"].as_str() {
            lines.push(format!("- {value}: {text}"));
        }
        values.push(value.clone());
    }
    (!values.is_empty()).then_some((values, lines))
}
