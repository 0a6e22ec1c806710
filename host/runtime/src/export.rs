//! Definitions in the form a protocol expects.

use serde_json::{Value, json};
use toolhost_tool::ToolDefinition;

/// A definition as an entry of `tools/list` of the Model Context Protocol
/// (revision 2025-06-18): `{name, title?, description, inputSchema,
/// outputSchema?, annotations?, _meta?}`. An output schema that is not of type
/// `object` is left out: the protocol has no place for it.
#[must_use]
pub fn mcp(tool: &ToolDefinition) -> Value {
    let mut entry = json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    });
    if let Some(title) = tool
        .annotations
        .title
        .as_ref()
        .or(tool.display_name.as_ref())
    {
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

#[cfg(test)]
mod tests {
    use super::*;
    use toolhost_tool::{Annotations, ApprovalRequirement, Behaviour, HookSet};

    #[test]
    fn a_tool_is_listed_as_the_protocol_names_things() {
        let tool = ToolDefinition {
            name: "add".into(),
            display_name: Some("Add".into()),
            description: "Adds.".into(),
            input_schema: json!({"type": "object"}),
            output_schema: Some(json!({"type": "number"})),
            annotations: Annotations {
                read_only: Some(true),
                ..Annotations::default()
            },
            approval: ApprovalRequirement::Never,
            behaviour: Behaviour::default(),
            hooks: HookSet::default(),
            max_retries: 0,
            meta: None,
        };
        assert_eq!(
            mcp(&tool),
            json!({
                "name": "add", "title": "Add", "description": "Adds.",
                "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true},
            })
        );
    }
}
