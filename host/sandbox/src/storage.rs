//! Where plugins keep keys and values from one call to the next: a small trait,
//! so that the database can be a file here and a service elsewhere.
//!
//! A plugin has a namespace of its own, told from others by the plugin's *name*
//! as the operator gave it: the name in the configuration, else the name of its
//! file. It is not the digest, so that an update finds what its predecessor
//! kept, and not what the plugin calls itself, so that none can ask for the keys
//! of another.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use toolhost_policy::{Limits, StorageScope};

/// Keys and values of all plugins. Its functions may block; they are called on
/// threads that may. A write is done as a whole or not at all, also when another
/// process writes to the same place.
pub trait KeyValueStore: Send + Sync {
    /// The value at `slot` with its version.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn get(&self, slot: &Slot) -> Result<Option<Stored>, StoreError>;

    /// The version of the value at `slot`: another after every change.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn version(&self, slot: &Slot) -> Result<Option<u64>, StoreError>;

    /// Up to `most` keys of a bucket, those after the place `after`; a key keeps
    /// its place while it is there.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn keys(&self, bucket: &Bucket, after: u64, most: usize) -> Result<KeyPage, StoreError>;

    /// Sets the value at `slot`.
    ///
    /// # Errors
    ///
    /// When a quota forbids it, or the store cannot be written.
    fn set(&self, slot: &Slot, value: &[u8], quota: Quota) -> Result<(), StoreError>;

    /// Removes the key of `slot`; `false` when it was not there.
    ///
    /// # Errors
    ///
    /// When the store cannot be written.
    fn delete(&self, slot: &Slot) -> Result<bool, StoreError>;

    /// Adds `delta` to the number at `slot`, decimal digits that are 0 when
    /// absent, and returns the sum.
    ///
    /// # Errors
    ///
    /// When there is no number, the sum is outside of `range`, a quota forbids
    /// it, or the store cannot be written.
    fn increment(
        &self,
        slot: &Slot,
        delta: i128,
        range: RangeInclusive<i128>,
        quota: Quota,
    ) -> Result<i128, StoreError>;

    /// Sets the value at `slot` if its version is still `seen`; otherwise what is
    /// there now comes back in [`Swapped::Changed`].
    ///
    /// # Errors
    ///
    /// When a quota forbids it, or the store cannot be written.
    fn swap(
        &self,
        slot: &Slot,
        seen: Option<u64>,
        value: &[u8],
        quota: Quota,
    ) -> Result<Swapped, StoreError>;
}

/// Whose keys these are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// The name of the plugin.
    pub plugin: String,
    /// What of it has a namespace.
    pub scope: StorageScope,
    /// Which one: the session or the principal; empty for the plugin as a whole.
    pub owner: String,
}

/// One bucket of a namespace.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// Whose it is.
    pub namespace: Arc<Namespace>,
    /// Its name: any text.
    pub name: Arc<str>,
}

/// One key of a bucket.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Where it is.
    pub bucket: Bucket,
    /// The key: any text.
    pub key: String,
}

/// A value as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The value.
    pub value: Vec<u8>,
    /// Another after every change.
    pub version: u64,
}

/// Some keys of a bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPage {
    /// The keys.
    pub keys: Vec<String>,
    /// The place of the last one, when there are more behind it.
    pub next: Option<u64>,
}

/// How a swap ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The value was set.
    Done,
    /// It was not: somebody has changed the key. This is what is there now.
    Changed(Option<Stored>),
}

/// What a namespace may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Keys, in all its buckets.
    pub keys: u64,
    /// Bytes of keys, names of buckets and values.
    pub bytes: u64,
}

impl Quota {
    pub(crate) fn of(limits: &Limits) -> Self {
        Self {
            keys: limits.storage_keys,
            bytes: limits.storage_bytes,
        }
    }
}

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It would hold more than it may. Nothing was changed.
    #[error("the store may hold {allowed} {unit} (`{limit}`); delete something first")]
    Full {
        /// The name of the limit.
        limit: &'static str,
        /// What it allows.
        allowed: u64,
        /// Of what.
        unit: &'static str,
    },
    /// What is there cannot be used for this. Nothing was changed.
    #[error("{0}")]
    Unusable(String),
    /// The store does not work. What was asked may have happened or not.
    #[error("the store does not work: {0}")]
    Failed(String),
}

/// The store of one plugin.
#[derive(Clone)]
pub struct PluginStore {
    /// Where all plugins keep their keys.
    pub store: Arc<dyn KeyValueStore>,
    /// The name of this one.
    pub plugin: Arc<str>,
}

impl fmt::Debug for PluginStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PluginStore({})", self.plugin)
    }
}
