//! The tools a host knows, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use toolhost_tool::{ToolDefinition, suggest};

use crate::error::Error;
use crate::tool::Tool;

/// The tools a host knows. Names are unique: a model calls by name alone.
#[derive(Default)]
pub(crate) struct Registry {
    tools: BTreeMap<String, Arc<Tool>>,
}

impl Registry {
    /// Adds all of `tools`, or none of them.
    pub(crate) fn add(&mut self, tools: Vec<Arc<Tool>>) -> Result<(), Error> {
        for tool in &tools {
            if let Some(known) = self.tools.get(&tool.definition.name) {
                return Err(Error::DuplicateTool {
                    tool: tool.definition.name.clone(),
                    first: known.source().to_owned(),
                    second: tool.source().to_owned(),
                });
            }
        }
        self.tools.extend(
            tools
                .into_iter()
                .map(|tool| (tool.definition.name.clone(), tool)),
        );
        Ok(())
    }

    /// The tool `name`, or else names that are close to it.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<Tool>, Vec<String>> {
        self.tools.get(name).cloned().ok_or_else(|| {
            let names = self.tools.keys().map(String::as_str);
            suggest(name, names)
                .map(str::to_owned)
                .into_iter()
                .collect()
        })
    }

    pub(crate) fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools
            .values()
            .map(|tool| tool.definition.clone())
            .collect()
    }
}
