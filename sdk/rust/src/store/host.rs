//! The store inside a sandbox: the plugin's own bucket.

use super::StoreError;
use crate::bindings::storage::wasi::config::store as configuration;
use crate::bindings::storage::wasi::keyvalue0_2_0_draft2::atomics::{self, Cas, CasError};
use crate::bindings::storage::wasi::keyvalue0_2_0_draft2::store::{self, Bucket, Error};

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::AccessDenied => Self::Denied,
            Error::NoSuchStore => Self::Other("this host has no store".into()),
            Error::Other(text) => Self::Other(text),
        }
    }
}

fn open() -> Result<Bucket, StoreError> {
    Ok(store::open("")?)
}

pub(super) fn get(key: &str) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(open()?.get(key)?)
}

pub(super) fn set(key: &str, value: &[u8]) -> Result<(), StoreError> {
    Ok(open()?.set(key, value)?)
}

pub(super) fn delete(key: &str) -> Result<(), StoreError> {
    Ok(open()?.delete(key)?)
}

pub(super) fn increment(key: &str, delta: i64) -> Result<i64, StoreError> {
    Ok(atomics::increment(&open()?, key, delta)?)
}

pub(super) fn keys() -> Result<Vec<String>, StoreError> {
    let bucket = open()?;
    let mut keys = Vec::new();
    let mut cursor = None;
    loop {
        let page = bucket.list_keys(cursor.as_deref())?;
        keys.extend(page.keys);
        cursor = page.cursor;
        if cursor.is_none() {
            return Ok(keys);
        }
    }
}

/// The configuration of a host that fails to read it is as good as none.
pub(super) fn config(key: &str) -> Option<String> {
    configuration::get(key).ok().flatten()
}

pub(super) fn read(key: &str) -> Result<Seen, StoreError> {
    let (cas, value) = Cas::new_with_read(&open()?, key)?;
    Ok(Seen { cas, value })
}

/// A key as it was.
pub(super) struct Seen {
    cas: Cas,
    value: Option<Vec<u8>>,
}

impl Seen {
    pub(super) fn value(&self) -> Option<&[u8]> {
        self.value.as_deref()
    }

    /// Sets the value, or returns the key as it is now.
    pub(super) fn swap(self, value: &[u8]) -> Result<Option<Self>, StoreError> {
        match atomics::swap(self.cas, value) {
            Ok(()) => Ok(None),
            Err(CasError::CasFailed((cas, value))) => Ok(Some(Self { cas, value })),
            Err(CasError::StoreError(error)) => Err(error.into()),
        }
    }
}
