//! Where plugins keep their keys and values, from what was typed to a store.

use std::path::PathBuf;

use clap::Args;
use toolhost::{HostBuilder, PluginOptions, SqliteStore, default_store_file};

use crate::failure::Failure;

/// The flag about the store.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StorageFlags {
    /// Keep what plugins store in this file [default: one in the user's data folder]
    #[arg(long, value_name = "FILE", help_heading = "Storage")]
    pub(crate) storage_file: Option<PathBuf>,
}

/// What is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StorageChoice(Option<PathBuf>);

impl StorageChoice {
    /// The flag wins over the configuration.
    pub(crate) fn new(flags: StorageFlags, configured: Option<PathBuf>) -> Self {
        Self(flags.storage_file.or(configured))
    }

    /// Gives the host a store when one of the plugins may use it; where none may,
    /// no file is made.
    ///
    /// # Errors
    ///
    /// When the file cannot be used.
    pub(crate) fn open<'a>(
        &self,
        builder: HostBuilder,
        plugins: impl IntoIterator<Item = &'a PluginOptions>,
    ) -> Result<HostBuilder, Failure> {
        let mut plugins = plugins.into_iter();
        if plugins.all(|options| options.grants.storage.is_none()) {
            return Ok(builder);
        }
        let hint = "name a file with `--storage-file FILE`, or `file` under `[storage]`";
        let Some(file) = self.0.clone().or_else(default_store_file) else {
            return Err(Failure::usage("there is no home folder to keep the store in").hint(hint));
        };
        let store = SqliteStore::open(file).map_err(|error| {
            Failure::usage("a plugin may use storage, and there is none")
                .because(&error)
                .hint(hint)
        })?;
        Ok(builder.storage(store))
    }
}
