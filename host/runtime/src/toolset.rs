//! Tools that are registered together, under the names the model shall know
//! them by.

use toolhost_tool::{ToolDefinition, suggest};

use crate::error::Error;
use crate::host::LoadedPlugin;
use crate::tool::Tool;

/// Tools that are registered together, see
/// [`Host::register`](crate::Host::register). Names are what the model calls; a
/// renamed tool reaches its plugin, or its function, all the same.
///
/// ```no_run
/// use toolhost::{Host, PluginOptions, Toolset};
///
/// # async fn example() -> Result<(), toolhost::Error> {
/// let host = Host::builder().build()?;
/// let csv = host.open("target/plugins/csv.wasm", PluginOptions::default()).await?;
/// let jq = host.open("target/plugins/jq.wasm", PluginOptions::default()).await?;
///
/// let read_only = Toolset::from(csv)
///     .filter(|tool| tool.annotations.read_only == Some(true))
///     .prefix("data_")
///     .combine(Toolset::from(jq).rename("jq", "query_json")?);
/// host.register(read_only)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a toolset does nothing until it is registered"]
pub struct Toolset {
    tools: Vec<Tool>,
}

impl Toolset {
    /// A set without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more tool.
    pub fn with(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// With the tools of another set. Two tools of one name are refused when
    /// the set is registered.
    pub fn combine(mut self, other: impl Into<Self>) -> Self {
        self.tools.extend(other.into().tools);
        self
    }

    /// With `prefix` before the name of every tool. A name that becomes too
    /// long is refused when the set is registered.
    pub fn prefix(self, prefix: &str) -> Self {
        let tools = self.tools.into_iter().map(|tool| {
            let name = format!("{prefix}{}", tool.definition.name);
            tool.renamed(name)
        });
        Self {
            tools: tools.collect(),
        }
    }

    /// With the tool `name` called `new` from now on.
    ///
    /// # Errors
    ///
    /// When there is no tool `name` in the set.
    pub fn rename(mut self, name: &str, new: impl Into<String>) -> Result<Self, Error> {
        let found = self
            .tools
            .iter()
            .position(|tool| tool.definition.name == name);
        let Some(index) = found else {
            return Err(Error::NotInToolset {
                tool: name.to_owned(),
                suggestion: suggest(name, self.names()).map(str::to_owned),
            });
        };
        let tool = self.tools.remove(index).renamed(new.into());
        self.tools.insert(index, tool);
        Ok(self)
    }

    /// With those tools alone that `keep` wants.
    pub fn filter(mut self, mut keep: impl FnMut(&ToolDefinition) -> bool) -> Self {
        self.tools.retain(|tool| keep(&tool.definition));
        self
    }

    /// The names of its tools.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.definition.name.as_str())
    }

    pub(crate) fn into_tools(self) -> Vec<Tool> {
        self.tools
    }
}

impl From<Tool> for Toolset {
    fn from(tool: Tool) -> Self {
        Self { tools: vec![tool] }
    }
}

impl From<&LoadedPlugin> for Toolset {
    fn from(plugin: &LoadedPlugin) -> Self {
        plugin.tools.iter().map(|tool| Tool::clone(tool)).collect()
    }
}

impl From<LoadedPlugin> for Toolset {
    fn from(plugin: LoadedPlugin) -> Self {
        Self::from(&plugin)
    }
}

impl FromIterator<Tool> for Toolset {
    fn from_iter<T: IntoIterator<Item = Tool>>(tools: T) -> Self {
        Self {
            tools: tools.into_iter().collect(),
        }
    }
}

impl<const N: usize> From<[Tool; N]> for Toolset {
    fn from(tools: [Tool; N]) -> Self {
        tools.into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
