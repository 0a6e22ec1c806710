//! Gemini: function declarations with a subset of OpenAPI 3.0 as their schema.

mod convert;
mod flatten;
mod keywords;
mod merge;

use serde_json::{Value, json};

use super::error::Problem;
use super::strict::{self, StrictSupport};
use super::{Exported, Note, Strict, prepare};
use crate::ToolDefinition;

pub(super) fn export(tool: &ToolDefinition, strict: Strict) -> Result<Exported, Problem> {
    let mut schema = prepare::tool(tool)?;
    prepare::choices(&mut schema);
    // `check_name` has seen to the rest of the name.
    if let Some(first) = tool.name.chars().next()
        && !first.is_ascii_alphabetic()
        && first != '_'
    {
        return Err(Problem::NameStart(first));
    }
    let (parameters, mut notes) = convert::arguments(&schema)?;
    let strict = strict::decide(strict, || support(&notes), &mut Vec::new())?;
    if tool.description.is_empty() {
        notes.push(Note::new(
            "",
            "",
            "the description is empty, and Gemini asks for one",
        ));
    }
    let mut definition = json!({
        "name": tool.name,
        "description": tool.description,
    });
    // An object without properties is refused; a function without parameters is not.
    if parameters["properties"]
        .as_object()
        .is_some_and(|all| !all.is_empty())
    {
        definition["parameters"] = parameters;
    }
    Ok(Exported {
        definition,
        strict,
        notes,
    })
}

pub(super) fn strict_support(schema: &Value) -> StrictSupport {
    match convert::arguments(schema) {
        Ok((_, notes)) => support(&notes),
        Err(problem) => StrictSupport::no("", "$ref", problem.to_string()),
    }
}

/// Whether the converted schema says all that the tool's own does.
fn support(notes: &[Note]) -> StrictSupport {
    match notes.first() {
        Some(note) => StrictSupport::no(
            &*note.property,
            &*note.keyword,
            format!("it {}", note.message),
        ),
        None => StrictSupport::Ok,
    }
}
