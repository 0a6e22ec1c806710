//! Plain tool definitions.

use crate::bindings::types::{
    Annotations, ApprovalRequirement, Behaviour, HookSet, ToolDefinition,
};

/// A definition with a name, a description and an input schema as text, which
/// need not be right: the liars use it too.
#[must_use]
pub fn definition(name: &str, description: &str, input_schema: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        display_name: None,
        description: description.to_owned(),
        input_schema: input_schema.to_owned(),
        output_schema: None,
        annotations: Annotations {
            title: None,
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
        },
        approval: ApprovalRequirement::Never,
        behaviour: Behaviour::empty(),
        hooks: HookSet::empty(),
        max_retries: 0,
        meta: None,
    }
}

/// A definition that says nothing but its name and takes no arguments.
#[must_use]
pub fn named(name: &str) -> ToolDefinition {
    definition(name, "A tool of the test suite.", &schema("{}"))
}

/// An object schema around the text of `properties`, closed for other ones.
#[must_use]
pub fn schema(properties: &str) -> String {
    format!(r#"{{"type":"object","properties":{properties},"additionalProperties":false}}"#)
}
