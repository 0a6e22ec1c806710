//! Where this host keeps the keys and values of its plugins: in one file, unless
//! the program brings a store of its own.

mod sqlite;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use toolhost_sandbox::{KeyValueStore, PluginStore};

use crate::host::HostBuilder;

pub use sqlite::{OpenStoreError, SqliteStore};

/// The store of a host, when it has one.
#[derive(Clone, Default)]
pub(crate) struct StoreSlot(Option<Arc<dyn KeyValueStore>>);

impl StoreSlot {
    /// The store of the plugin `name`.
    pub(crate) fn of_plugin(&self, name: &str) -> Option<PluginStore> {
        self.0.as_ref().map(|store| PluginStore {
            store: Arc::clone(store),
            plugin: name.into(),
        })
    }
}

impl fmt::Debug for StoreSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "StoreSlot({})", self.0.is_some())
    }
}

impl HostBuilder {
    /// Where plugins that are granted `storage` keep their keys and values, such
    /// as a [`SqliteStore`]. By default nowhere: then they are told that there is
    /// no store.
    #[must_use]
    pub fn storage(mut self, store: impl KeyValueStore + 'static) -> Self {
        self.store = StoreSlot(Some(Arc::new(store)));
        self
    }
}

/// Where a user's store is, unless they say otherwise: `toolhost/state.db` in the
/// folder for data of programs. `None` when there is no such folder.
#[must_use]
pub fn default_store_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let base = etcetera::choose_base_strategy().ok()?;
    let file = base.data_dir().join("toolhost").join("state.db");
    // An empty `$HOME` would put it into whatever folder is the current one.
    file.is_absolute().then_some(file)
}
