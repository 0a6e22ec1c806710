//! What a tool keeps from one call to the next: JSON values by key.
//!
//! ```
//! use toolhost_sdk::{store, tool};
//!
//! /// Counts how often it was called, and remembers by whom.
//! #[tool]
//! fn visit(name: String) -> Result<String, store::StoreError> {
//!     let count = store::increment("visits", 1)?;
//!     let names: Vec<String> = store::update("names", |names: Option<Vec<String>>| {
//!         let mut names = names.unwrap_or_default();
//!         names.push(name.clone());
//!         names
//!     })?;
//!     Ok(format!("visit {count}, by {}", names.join(", ")))
//! }
//!
//! assert_eq!(visit("Ada".into())?, "visit 1, by Ada");
//! assert_eq!(visit("Bob".into())?, "visit 2, by Ada, Bob");
//! assert_eq!(store::get::<u32>("visits")?, Some(2));
//! # Ok::<(), store::StoreError>(())
//! ```
//!
//! The operator grants it (`--storage plugin`, `storage = "plugin"`) and decides
//! whether a plugin has one store, one for each session, or one for each
//! principal; no plugin sees the keys of another. There are limits on how many
//! keys there are and how large they get.
//!
//! Several calls may run at once. [`increment`] and [`update`] lose nothing then;
//! a [`get`] that is followed by a [`set`] may overwrite what another call has
//! written in between.
//!
//! Outside of WebAssembly there is an empty store in memory for each thread, and
//! so for each test. [`testing`](crate::testing) can clear it or refuse it.
//!
//! A plugin that calls none of these functions imports nothing of it.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod fake;
#[cfg(target_arch = "wasm32")]
mod host;

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ToolError;

#[cfg(not(target_arch = "wasm32"))]
use fake as backend;
#[cfg(target_arch = "wasm32")]
use host as backend;

/// How often [`update`] tries again when others change the same key.
const MAX_TRIES: usize = 100;

/// Why the store did not do what it was asked. A tool may pass it on with `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The operator has not granted it.
    Denied,
    /// The value is no JSON, or not of the type that was asked for; the text
    /// says what is wrong.
    Value(String),
    /// Anything else, such as a limit; the text names it.
    Other(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied => f.write_str("storage is not granted (`--storage plugin`)"),
            Self::Value(text) | Self::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        let name = match error {
            StoreError::Denied => "StorageDeniedError",
            StoreError::Value(_) => "StorageValueError",
            StoreError::Other(_) => "StorageError",
        };
        Self::new(name, error.to_string())
    }
}

/// The value at `key`; `None` when there is none.
///
/// # Errors
/// [`StoreError::Value`] when it does not parse as `T`.
pub fn get<T: DeserializeOwned>(key: &str) -> Result<Option<T>, StoreError> {
    backend::get(key)?
        .map(|bytes| parse(key, &bytes))
        .transpose()
}

/// Sets the value at `key`, in the place of an older one.
///
/// # Errors
/// [`StoreError::Value`] when it cannot be written as JSON.
pub fn set<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<(), StoreError> {
    backend::set(key, &write(key, value)?)
}

/// Removes `key`; one that is not there may be removed too.
///
/// # Errors
/// When the store cannot be used.
pub fn delete(key: &str) -> Result<(), StoreError> {
    backend::delete(key)
}

/// Adds `delta` to the number at `key`, which is 0 when absent, and returns the
/// sum. Nothing is lost when other calls count at the same time.
///
/// # Errors
/// When there is something else than a whole number, or the sum does not fit.
pub fn increment(key: &str, delta: i64) -> Result<i64, StoreError> {
    backend::increment(key, delta)
}

/// Sets the value at `key` to what `change` makes of the one that is there, and
/// returns it. When another call changes it at the same time, `change` is asked
/// again.
///
/// # Errors
/// [`StoreError::Value`] when either value does not fit; [`StoreError::Other`]
/// when others never stop changing it.
pub fn update<T, F>(key: &str, mut change: F) -> Result<T, StoreError>
where
    T: Serialize + DeserializeOwned,
    F: FnMut(Option<T>) -> T,
{
    let mut seen = backend::read(key)?;
    for _ in 0..MAX_TRIES {
        let old = seen.value();
        let new = change(old.map(|bytes| parse(key, bytes)).transpose()?);
        match seen.swap(&write(key, &new)?)? {
            None => return Ok(new),
            Some(now) => seen = now,
        }
    }
    let message = format!("`{key}` is changed by others all the time; try again later");
    Err(StoreError::Other(message))
}

/// All keys, in no particular order.
///
/// # Errors
/// When the store cannot be used.
pub fn keys() -> Result<Vec<String>, StoreError> {
    backend::keys()
}

/// The value that the operator has set for `key` in the plugin's configuration
/// (`--config-value KEY=VALUE`, or `config` under `[grants]`).
///
/// ```
/// use toolhost_sdk::{config, testing};
///
/// assert_eq!(config("units"), None);
/// testing::set_config("units", "metric");
/// assert_eq!(config("units").as_deref(), Some("metric"));
/// ```
#[must_use]
pub fn config(key: &str) -> Option<String> {
    backend::config(key)
}

fn parse<T: DeserializeOwned>(key: &str, bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| {
        StoreError::Value(format!("what is stored at `{key}` does not fit: {error}"))
    })
}

fn write<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value)
        .map_err(|error| StoreError::Value(format!("the value for `{key}` is no JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn values_are_kept_by_key() {
        set("list", &["a", "b"]).unwrap();
        assert_eq!(get::<Vec<String>>("list").unwrap().unwrap(), ["a", "b"]);
        assert_eq!(increment("n", 2).unwrap(), 2);
        assert_eq!(increment("n", -3).unwrap(), -1);
        assert_eq!(get::<i64>("n").unwrap(), Some(-1));
        let mut found = keys().unwrap();
        found.sort();
        assert_eq!(found, ["list", "n"]);
        delete("list").unwrap();
        assert_eq!(get::<Vec<String>>("list").unwrap(), None);
    }

    #[test]
    fn an_update_sees_what_is_there() {
        let double = |old: Option<u32>| old.map_or(1, |old| old * 2);
        assert_eq!(update("n", double).unwrap(), 1);
        assert_eq!(update("n", double).unwrap(), 2);
        // Somebody else is there in between.
        let mut first = true;
        let sum = update("n", |old: Option<u32>| {
            if std::mem::take(&mut first) {
                set("n", &10).unwrap();
            }
            old.unwrap_or_default() + 1
        });
        assert_eq!(sum.unwrap(), 11);
        let never = update("n", |old: Option<u32>| {
            increment("n", 1).unwrap();
            old.unwrap_or_default()
        });
        assert!(never.unwrap_err().to_string().contains("try again"));
    }

    #[test]
    fn another_type_is_an_error_and_changes_nothing() {
        set("text", "seven").unwrap();
        let error = get::<u32>("text").unwrap_err();
        assert!(matches!(&error, StoreError::Value(text) if text.contains("`text`")));
        assert_eq!(ToolError::from(error).name, "StorageValueError");
        assert!(increment("text", 1).is_err());
        assert!(update("text", |_: Option<u32>| 1).is_err());
        assert_eq!(get::<String>("text").unwrap().unwrap(), "seven");
        set("most", &i64::MAX).unwrap();
        assert!(increment("most", 1).is_err());
    }

    #[test]
    fn a_test_can_refuse_the_store() {
        set("a", &1).unwrap();
        testing::deny_store();
        assert_eq!(get::<u32>("a"), Err(StoreError::Denied));
        assert_eq!(set("a", &1), Err(StoreError::Denied));
        assert_eq!(keys(), Err(StoreError::Denied));
        testing::clear_store();
        assert_eq!(get::<u32>("a"), Ok(None));
    }
}
