//! The Model Context Protocol: `tools/list`.

use serde_json::{Value, json};

use super::error::Problem;
use super::{Exported, prepare};
use crate::ToolDefinition;

/// A definition as an entry of `tools/list` of the Model Context Protocol
/// (revision 2025-06-18): `{name, title?, description, inputSchema,
/// outputSchema?, annotations?, _meta?}`. An output schema that is not of type
/// `object` is left out: the protocol has no place for it.
///
/// Nothing is checked; [`export`](super::export) does that.
#[must_use]
pub fn mcp(tool: &ToolDefinition) -> Value {
    let schema = prepare::schema(&tool.input_schema);
    entry(tool, schema.as_ref().unwrap_or(&tool.input_schema))
}

pub(super) fn export(tool: &ToolDefinition) -> Result<Exported, Problem> {
    let schema = prepare::tool(tool)?;
    Ok(Exported {
        definition: entry(tool, &schema),
        strict: false,
        notes: Vec::new(),
    })
}

fn entry(tool: &ToolDefinition, input_schema: &Value) -> Value {
    let mut entry = json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": input_schema,
    });
    let title = tool.annotations.title.as_ref();
    if let Some(title) = title.or(tool.display_name.as_ref()) {
        entry["title"] = json!(title);
    }
    if let Some(schema) = &tool.output_schema
        && schema["type"] == "object"
    {
        entry["outputSchema"] = schema.clone();
    }
    if !tool.annotations.is_empty() {
        entry["annotations"] = json!(tool.annotations);
    }
    if let Some(meta) = &tool.meta
        && meta.is_object()
    {
        entry["_meta"] = meta.clone();
    }
    entry
}
