//! A tool as the host calls it: its definition, its compiled schemas, and what
//! its calls may use.

use toolhost_sandbox::{Budget, Plugin};
use toolhost_tool::{SchemaLimits, ToolDefinition, ToolSchema};

/// A tool of a loaded plugin.
pub struct Tool {
    pub(crate) definition: ToolDefinition,
    pub(crate) input: ToolSchema,
    pub(crate) output: Option<ToolSchema>,
    pub(crate) plugin: Plugin,
    pub(crate) budget: Budget,
}

impl Tool {
    /// What the model is told of it.
    #[must_use]
    pub fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The plugin it belongs to.
    #[must_use]
    pub fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    /// Compiles the schemas of `definition`.
    pub(crate) fn new(
        definition: ToolDefinition,
        plugin: Plugin,
        budget: Budget,
    ) -> Result<Self, String> {
        let limits = SchemaLimits::default();
        let input = ToolSchema::compile_value(definition.input_schema.clone(), &limits)
            .map_err(|error| format!("its input schema cannot be used: {error}"))?;
        let output = definition
            .output_schema
            .clone()
            .map(|schema| ToolSchema::compile_output_value(schema, &limits))
            .transpose()
            .map_err(|error| format!("its output schema cannot be used: {error}"))?;
        if !plugin.has_hooks() && definition.hooks.any() {
            return Err("it names hooks, and the plugin exports none".into());
        }
        Ok(Self {
            definition,
            input,
            output,
            plugin,
            budget,
        })
    }
}
