//! Where plugins keep their keys and values, from what was typed to a store.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use toolhost::{HostBuilder, PluginOptions, SqliteStore, default_store_file};

use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;

/// Longest wait for a process that holds the file.
const PATIENCE: Duration = Duration::from_secs(10);

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
    /// no file is made. A process that holds the file is waited for as long as a call
    /// may take, which is `patience`, or until Ctrl-C.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, or the user presses Ctrl-C meanwhile.
    pub(crate) async fn open<'a>(
        &self,
        builder: HostBuilder,
        plugins: impl IntoIterator<Item = &'a PluginOptions>,
        patience: Duration,
        interrupts: &Interrupts,
    ) -> Result<HostBuilder, Stop> {
        let mut plugins = plugins.into_iter();
        if plugins.all(|options| options.grants.storage.is_none()) {
            return Ok(builder);
        }
        let hint = "name a file with `--storage-file FILE`, or `file` under `[storage]`";
        let Some(file) = self.0.clone().or_else(default_store_file) else {
            let failure = Failure::usage("there is no home folder to keep the store in");
            return Err(failure.hint(hint).into());
        };
        let opened =
            interrupts.or_blocking(move || SqliteStore::open_within(file, patience.min(PATIENCE)));
        let store = opened.await?.map_err(|error| {
            Failure::usage("a plugin may use storage, and it cannot be opened")
                .because(&error)
                .hint(hint)
        })?;
        Ok(builder.storage(store))
    }
}
