//! The tools a host knows, by name.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use toolhost_policy::LoadLimits;
use toolhost_sandbox::Plugin;
use toolhost_tool::{KnownNames, ToolDefinition};

use crate::error::Error;
use crate::search::{self, Index};
use crate::tool::Tool;

/// The tools a host knows. Names are unique: a model calls by name alone.
pub(crate) struct Registry {
    tools: BTreeMap<String, Arc<Tool>>,
    /// The host's own tools. They can be called while tools are deferred.
    built_in: BTreeMap<&'static str, Arc<Tool>>,
    index: Index,
    /// Made when somebody first asks for a tool that is not there: with it, a model
    /// that makes up names costs no more where there are thousands of tools.
    names: OnceLock<KnownNames>,
}

impl Registry {
    /// A registry with the host's own tools and no other.
    pub(crate) fn new(limits: LoadLimits) -> Result<Self, Error> {
        let index = Index::default();
        let built_in = search::built_in(&index, limits)?;
        Ok(Self {
            tools: BTreeMap::new(),
            built_in,
            index,
            names: OnceLock::new(),
        })
    }

    /// Adds all of `tools`, or none of them.
    pub(crate) fn add(&mut self, tools: &[Arc<Tool>]) -> Result<(), Error> {
        self.change(None, tools)
    }

    /// Puts all of `tools` in the place of those of the plugin `old`, or changes
    /// nothing.
    pub(crate) fn replace(&mut self, old: &Plugin, tools: &[Arc<Tool>]) -> Result<(), Error> {
        self.change(Some(old), tools)
    }

    fn change(&mut self, old: Option<&Plugin>, tools: &[Arc<Tool>]) -> Result<(), Error> {
        let goes = |tool: &Tool| {
            old.zip(tool.plugin())
                .is_some_and(|(old, plugin)| plugin.is(old))
        };
        let mut new: BTreeMap<&str, &Arc<Tool>> = BTreeMap::new();
        for tool in tools {
            tool.check_name()?;
            let name = tool.definition.name.as_str();
            let known = self.tools.get(name).filter(|tool| !goes(tool));
            let known = known.or_else(|| self.built_in.get(name));
            if let Some(first) = known.or(new.insert(name, tool)) {
                return Err(Error::DuplicateTool {
                    tool: name.to_owned(),
                    first: first.source().to_owned(),
                    second: tool.source().to_owned(),
                });
            }
        }
        // Most changes add tools, and most tools are not deferred: to look at all tools
        // each time would make a host of thousands slow to start.
        let mut searched = tools.iter().any(|tool| is_searched(tool));
        if old.is_some() {
            self.tools.retain(|_, tool| {
                let goes = goes(tool);
                searched |= goes && is_searched(tool);
                !goes
            });
        }
        for tool in tools {
            self.tools
                .insert(tool.definition.name.clone(), Arc::clone(tool));
        }
        self.names.take();
        if searched {
            self.index
                .set(self.tools.values().filter(|tool| is_searched(tool)));
        }
        Ok(())
    }

    /// The tool `name`, or else names that are close to it.
    pub(crate) fn find(&self, name: &str) -> Result<Arc<Tool>, Vec<String>> {
        if let Some(tool) = self.tools.get(name) {
            return Ok(Arc::clone(tool));
        }
        if let Some(tool) = self.built_in.get(name)
            && !self.index.is_empty()
        {
            return Ok(Arc::clone(tool));
        }
        let names = || self.tools.keys().map(String::as_str).collect();
        let names: &KnownNames = self.names.get_or_init(names);
        Err(names.closest(name).map(str::to_owned).into_iter().collect())
    }

    /// The tools that were added, by name.
    pub(crate) fn tools(&self) -> Vec<Arc<Tool>> {
        self.tools.values().map(Arc::clone).collect()
    }

    /// The definition of one of the host's own tools.
    pub(crate) fn built_in(&self, name: &str) -> Option<ToolDefinition> {
        self.built_in.get(name).map(|tool| tool.definition.clone())
    }

    pub(crate) fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools
            .values()
            .map(|tool| tool.definition.clone())
            .collect()
    }
}

/// Whether it is found by `tool_search`.
fn is_searched(tool: &Tool) -> bool {
    let behaviour = tool.definition.behaviour;
    behaviour.defer_loading && !behaviour.programmatic_only
}
