//! A tool as the host calls it: its definition, its compiled schemas, and who
//! runs it.

use toolhost_policy::LoadLimits;
use toolhost_sandbox::{
    Answer, ApprovalDecision, Budget, CancelHandle, Input, Link, Offer, Plugin,
};
use toolhost_tool::{
    ContentBlock, ExecutionContext, Issue, Outcome, Output, SchemaLimits, ToolDefinition,
    ToolSchema,
};

/// A tool that can be called.
pub struct Tool {
    pub(crate) definition: ToolDefinition,
    pub(crate) input: ToolSchema,
    pub(crate) output: Option<ToolSchema>,
    pub(crate) budget: Budget,
    pub(crate) runner: Runner,
}

/// Who runs a tool.
pub(crate) enum Runner {
    /// A plugin, in a sandbox.
    Plugin(Plugin),
}

impl Tool {
    /// What the model is told of it.
    #[must_use]
    pub fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// The plugin that runs it.
    #[must_use]
    pub fn plugin(&self) -> Option<&Plugin> {
        match &self.runner {
            Runner::Plugin(plugin) => Some(plugin),
        }
    }

    /// Where it comes from, for messages.
    #[must_use]
    pub fn source(&self) -> &str {
        match &self.runner {
            Runner::Plugin(plugin) => &plugin.info().name,
        }
    }

    /// A tool of a plugin. Compiles the schemas of `definition`.
    pub(crate) fn of_plugin(
        definition: ToolDefinition,
        plugin: Plugin,
        budget: Budget,
    ) -> Result<Self, String> {
        if !plugin.has_hooks() && definition.hooks.any() {
            return Err("it names hooks, and the plugin exports none".into());
        }
        Self::new(definition, budget, Runner::Plugin(plugin))
    }

    fn new(definition: ToolDefinition, budget: Budget, runner: Runner) -> Result<Self, String> {
        let limits = SchemaLimits::default();
        let input = ToolSchema::compile_value(definition.input_schema.clone(), &limits)
            .map_err(|error| format!("its input schema cannot be used: {error}"))?;
        let output = definition
            .output_schema
            .clone()
            .map(|schema| ToolSchema::compile_output_value(schema, &limits))
            .transpose()
            .map_err(|error| format!("its output schema cannot be used: {error}"))?;
        Ok(Self {
            definition,
            input,
            output,
            budget,
            runner,
        })
    }

    pub(crate) async fn execute(
        &self,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        link: Link,
    ) -> Answer<Outcome> {
        match &self.runner {
            Runner::Plugin(plugin) => plugin.execute(input, context, budget, link).await,
        }
    }

    pub(crate) async fn validate(
        &self,
        input: &Input,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<Issue>> {
        match &self.runner {
            Runner::Plugin(plugin) => plugin.validate(input, budget, cancel).await,
        }
    }

    pub(crate) async fn needs_approval(
        &self,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<ApprovalDecision> {
        match &self.runner {
            Runner::Plugin(plugin) => plugin.needs_approval(input, context, budget, cancel).await,
        }
    }

    pub(crate) async fn prepare(
        &self,
        context: &ExecutionContext,
        limits: &LoadLimits,
    ) -> Answer<Offer> {
        match &self.runner {
            Runner::Plugin(plugin) => {
                plugin
                    .prepare(&self.definition, context, &self.budget, limits)
                    .await
            }
        }
    }

    pub(crate) async fn model_output(
        &self,
        output: &Output,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<ContentBlock>> {
        match &self.runner {
            Runner::Plugin(plugin) => {
                plugin
                    .model_output(&self.definition.name, output, budget, cancel)
                    .await
            }
        }
    }
}
