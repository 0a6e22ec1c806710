//! Putting one plugin in the place of another.

use std::path::Path;

use super::{Host, LoadedPlugin};
use crate::error::Error;
use crate::toolset::Toolset;

impl Host {
    /// Loads the file of a plugin anew, with the same options, and puts its tools in
    /// the place of the old ones, all at once. Calls that have begun end on the old
    /// plugin; what was approved for it does not hold for the new one, unless the
    /// file is the same.
    ///
    /// Its tools come under their own names. A program that gave them others, or chose
    /// among them, [opens](Self::open) the file itself and
    /// [replaces](Self::replace) the plugin by a [`Toolset`]. To do this whenever the
    /// file changes, see [`PluginWatch`](crate::PluginWatch).
    ///
    /// # Errors
    ///
    /// When the file cannot be loaded, or has a tool whose name is taken by another
    /// plugin, or the plugin was loaded from memory. Then the old plugin stays.
    pub async fn reload(&self, old: &LoadedPlugin) -> Result<LoadedPlugin, Error> {
        let new = self.open(old.file()?, old.options.clone()).await?;
        self.replace(old, &new)?;
        Ok(new)
    }

    /// Puts tools in the place of all that `old` has added to this host, at once:
    /// there is no moment without one of them.
    ///
    /// # Errors
    ///
    /// When a name cannot be called by a model, or is taken by a tool that stays. Then
    /// nothing changes.
    pub fn replace(&self, old: &LoadedPlugin, tools: impl Into<Toolset>) -> Result<(), Error> {
        let tools = self.adopt(tools)?;
        self.registry_to_change().replace(&old.plugin, &tools)
    }
}

impl LoadedPlugin {
    /// The file it was loaded from.
    pub(crate) fn file(&self) -> Result<&Path, Error> {
        self.path.as_deref().ok_or_else(|| Error::NoFile {
            plugin: self.plugin.info().name.clone(),
        })
    }
}
