//! A tool as the host calls it: its definition, its compiled schemas, and who
//! runs it.

mod dispatch;

use std::fmt;
use std::sync::Arc;

use toolhost_policy::{Grants, Limits, LimitsError};
use toolhost_sandbox::{Budget, Plugin};
use toolhost_tool::{NameError, SchemaLimits, ToolDefinition, ToolSchema, check_name};

use crate::error::Error;
use crate::native::{AdapterSlot, NativeRunner};

/// A tool that can be called. Cheap to clone.
#[derive(Clone)]
pub struct Tool {
    pub(crate) definition: ToolDefinition,
    pub(crate) input: ToolSchema,
    pub(crate) output: Option<ToolSchema>,
    pub(crate) budget: Budget,
    pub(crate) runner: Runner,
    /// The name its author gave it, where a toolset gave it another.
    inner_name: Option<Arc<str>>,
}

/// Who runs a tool.
#[derive(Clone)]
pub(crate) enum Runner {
    /// A plugin, in a sandbox.
    Plugin(Plugin),
    /// A function of the program that embeds the host.
    Native(NativeRunner),
    /// The caller. Its hooks are functions of the program that embeds the host.
    Client(NativeRunner),
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
            Runner::Native(_) | Runner::Client(_) => None,
        }
    }

    /// Where it comes from, for messages.
    #[must_use]
    pub fn source(&self) -> &str {
        match &self.runner {
            Runner::Plugin(plugin) => &plugin.info().name,
            Runner::Native(native) | Runner::Client(native) => &native.source,
        }
    }

    /// The name its author gave it. The model may know it under another, see
    /// [`Toolset`](crate::Toolset).
    #[must_use]
    pub fn inner_name(&self) -> &str {
        self.inner_name.as_deref().unwrap_or(&self.definition.name)
    }

    /// The same tool under another name.
    pub(crate) fn renamed(mut self, name: String) -> Self {
        if self.inner_name.is_none() {
            self.inner_name = Some(self.definition.name.as_str().into());
        }
        self.definition.name = name;
        self
    }

    /// Refuses a name that no model could call.
    pub(crate) fn check_name(&self) -> Result<(), Error> {
        let reason = match check_name(&self.definition.name) {
            Ok(()) => return Ok(()),
            Err(NameError::TooLong(_)) if self.inner_name.is_some() => {
                "it is longer than 64 characters; use a shorter prefix".to_owned()
            }
            Err(error) => error.to_string(),
        };
        Err(self.unusable(reason))
    }

    fn unusable(&self, reason: String) -> Error {
        Error::Definition {
            tool: self.definition.name.clone(),
            source_name: self.source().to_owned(),
            reason,
        }
    }

    /// The tool as a host with these limits calls it. Plugins have been given
    /// theirs when they were loaded.
    pub(crate) fn at_host(
        mut self,
        limits: &Limits,
        sandbox: &AdapterSlot,
    ) -> Result<Self, LimitsError> {
        if let Runner::Native(native) | Runner::Client(native) = &mut self.runner {
            native.host_sandbox = sandbox.clone();
            self.budget.limits = limits.with(&native.limits)?;
        }
        Ok(self)
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

    /// A native tool, or one that the caller runs.
    pub(crate) fn of_native(
        definition: ToolDefinition,
        native: NativeRunner,
        is_client: bool,
    ) -> Result<Self, Error> {
        let (tool, source_name) = (definition.name.clone(), native.source.to_string());
        let grants = Grants {
            tools: native.calls.clone(),
            ..Grants::default()
        };
        let runner = if is_client {
            Runner::Client(native)
        } else {
            Runner::Native(native)
        };
        let budget = Budget {
            grants: Arc::new(grants),
            ..Budget::default()
        };
        let tool = Self::new(definition, budget, runner).map_err(|reason| Error::Definition {
            tool,
            source_name,
            reason,
        })?;
        tool.check_name()?;
        Ok(tool)
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
            inner_name: None,
        })
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Tool")
            .field("name", &self.definition.name)
            .field("source", &self.source())
            .finish_non_exhaustive()
    }
}
