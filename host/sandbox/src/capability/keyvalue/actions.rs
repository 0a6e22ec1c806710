//! What the functions of both versions of the interface do.
//!
//! The store may block, so it is asked on a thread that may; the deadline of the
//! call races the answer. A write that the deadline cuts short may still happen:
//! it stays in the ledger as possible.

use std::ops::RangeInclusive;
use std::sync::Arc;

use toolhost_tool::EffectKind;
use wasmtime::component::Resource;

use super::{Cas, KeyValueError, StorageCtx, shown};
use crate::ledger::Act;
use crate::state::CallState;
use crate::storage::{Bucket, KeyPage, KeyValueStore, Quota, Slot, StoreError, Swapped};

/// Keys in one answer of `list-keys`, and in one call of a batch.
const MAX_KEYS_AT_ONCE: usize = 1_000;

/// What a function answers. The outer error is a fault of the guest, such as a
/// handle that it does not have.
pub(super) type Answer<T> = wasmtime::Result<Result<T, KeyValueError>>;

/// `?` for the inner error.
macro_rules! told {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        }
    };
}

impl CallState {
    pub(super) fn open_bucket(&mut self, name: String) -> Answer<Resource<Bucket>> {
        let bucket = told!(self.bucket(name));
        Ok(Ok(self.table.push(bucket)?))
    }

    pub(super) fn drop_bucket(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }

    pub(super) async fn get_value(
        &mut self,
        bucket: &Resource<Bucket>,
        key: String,
    ) -> Answer<Option<Vec<u8>>> {
        let slot = told!(self.slot_of(bucket, key)?);
        let target = shown(&slot);
        let stored = self.ask(move |store| store.get(&slot)).await;
        Ok(stored
            .map(|stored| stored.map(|stored| stored.value))
            .map_err(|error| self.told(&error, &target)))
    }

    pub(super) async fn has_key(&mut self, bucket: &Resource<Bucket>, key: String) -> Answer<bool> {
        let slot = told!(self.slot_of(bucket, key)?);
        let target = shown(&slot);
        let version = self.ask(move |store| store.version(&slot)).await;
        Ok(version
            .map(|version| version.is_some())
            .map_err(|error| self.told(&error, &target)))
    }

    pub(super) async fn set_value(
        &mut self,
        bucket: &Resource<Bucket>,
        key: String,
        value: Vec<u8>,
    ) -> Answer<()> {
        let slot = told!(self.slot_of(bucket, key)?);
        told!(self.check_value(&slot, &value));
        let (target, quota) = (shown(&slot), self.quota());
        let act = self.begin_write(&target, value.len());
        let ended = self.ask(move |store| store.set(&slot, &value, quota)).await;
        settle(&act, &ended);
        Ok(ended.map_err(|error| self.told(&error, &target)))
    }

    pub(super) async fn delete_key(
        &mut self,
        bucket: &Resource<Bucket>,
        key: String,
    ) -> Answer<()> {
        let slot = told!(self.slot_of(bucket, key)?);
        let target = shown(&slot);
        let act = self.begin_write(&target, 0);
        let ended = self.ask(move |store| store.delete(&slot)).await;
        match &ended {
            Ok(false) => act.did_not_happen(),
            _ => settle(&act, &ended),
        }
        Ok(ended
            .map(|_| ())
            .map_err(|error| self.told(&error, &target)))
    }

    pub(super) async fn list_keys(
        &mut self,
        bucket: &Resource<Bucket>,
        after: u64,
    ) -> Answer<KeyPage> {
        let bucket = self.table.get(bucket)?.clone();
        let target = bucket.name.to_string();
        let page = self
            .ask(move |store| store.keys(&bucket, after, MAX_KEYS_AT_ONCE))
            .await;
        Ok(page.map_err(|error| self.told(&error, &target)))
    }

    pub(super) async fn add_to_number(
        &mut self,
        bucket: &Resource<Bucket>,
        key: String,
        delta: i128,
        range: RangeInclusive<i128>,
    ) -> Answer<i128> {
        let slot = told!(self.slot_of(bucket, key)?);
        let (target, quota) = (shown(&slot), self.quota());
        let act = self.begin_write(&target, 0);
        let ended = self
            .ask(move |store| store.increment(&slot, delta, range, quota))
            .await;
        settle(&act, &ended);
        Ok(ended.map_err(|error| self.told(&error, &target)))
    }

    /// Remembers a key as it is now, with its value.
    pub(super) async fn remember(
        &mut self,
        bucket: &Resource<Bucket>,
        key: String,
    ) -> Answer<(Cas, Option<Vec<u8>>)> {
        let slot = told!(self.slot_of(bucket, key)?);
        let (target, asked) = (shown(&slot), slot.clone());
        let stored = match self.ask(move |store| store.get(&asked)).await {
            Ok(stored) => stored,
            Err(error) => return Ok(Err(self.told(&error, &target))),
        };
        let seen = stored.as_ref().map(|stored| stored.version);
        let value = stored.map(|stored| stored.value);
        Ok(Ok((Cas { slot, seen }, value)))
    }

    /// Sets the value of a key that nobody has changed since; otherwise what is
    /// there now.
    pub(super) async fn swap_value(
        &mut self,
        cas: Resource<Cas>,
        value: Vec<u8>,
    ) -> Answer<Result<(), (Cas, Option<Vec<u8>>)>> {
        let Cas { slot, seen } = self.table.delete(cas)?;
        told!(self.check_value(&slot, &value));
        let (target, quota, asked) = (shown(&slot), self.quota(), slot.clone());
        let act = self.begin_write(&target, value.len());
        let ended = self
            .ask(move |store| store.swap(&asked, seen, &value, quota))
            .await;
        settle(&act, &ended);
        match ended {
            Ok(Swapped::Done) => Ok(Ok(Ok(()))),
            Ok(Swapped::Changed(stored)) => {
                act.did_not_happen();
                let seen = stored.as_ref().map(|stored| stored.version);
                let value = stored.map(|stored| stored.value);
                Ok(Ok(Err((Cas { slot, seen }, value))))
            }
            Err(error) => Ok(Err(self.told(&error, &target))),
        }
    }

    /// The values of several keys; all of them together may have no more bytes
    /// than cross in one call.
    pub(super) async fn get_values(
        &mut self,
        bucket: &Resource<Bucket>,
        keys: Vec<String>,
    ) -> Answer<Vec<Option<(String, Vec<u8>)>>> {
        told!(check_count(keys.len()));
        let allowed = self.limits.host_call_bytes;
        let mut bytes = 0;
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            let value = told!(self.get_value(bucket, key.clone()).await?);
            bytes += value.as_ref().map_or(0, Vec::len) as u64;
            if bytes > allowed {
                return Ok(Err(KeyValueError::Other(format!(
                    "the values have more than {allowed} bytes (`host-call-bytes`); ask for fewer"
                ))));
            }
            values.push(value.map(|value| (key, value)));
        }
        Ok(Ok(values))
    }

    pub(super) async fn set_values(
        &mut self,
        bucket: &Resource<Bucket>,
        pairs: Vec<(String, Vec<u8>)>,
    ) -> Answer<()> {
        told!(check_count(pairs.len()));
        for (key, value) in pairs {
            told!(self.set_value(bucket, key, value).await?);
        }
        Ok(Ok(()))
    }

    pub(super) async fn delete_keys(
        &mut self,
        bucket: &Resource<Bucket>,
        keys: Vec<String>,
    ) -> Answer<()> {
        told!(check_count(keys.len()));
        for key in keys {
            told!(self.delete_key(bucket, key).await?);
        }
        Ok(Ok(()))
    }

    fn slot_of(&mut self, bucket: &Resource<Bucket>, key: String) -> Answer<Slot> {
        let bucket = self.table.get(bucket)?.clone();
        Ok(self.slot(&bucket, key))
    }

    fn quota(&self) -> Quota {
        Quota::of(&self.limits)
    }

    fn begin_write(&self, target: &str, bytes: usize) -> Act {
        let act = self.ledger.begin(EffectKind::Storage, target);
        act.add_bytes(bytes as u64);
        act
    }

    /// `&mut`: the state of a call may move between threads, not be shared by them.
    async fn ask<T: Send + 'static>(
        &mut self,
        question: impl FnOnce(&dyn KeyValueStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let StorageCtx::Open { store, .. } = &self.storage else {
            // A bucket is handed out only where there is a store.
            return Err(StoreError::Failed("it is not open".into()));
        };
        let store = Arc::clone(store);
        tokio::task::spawn_blocking(move || question(&*store))
            .await
            .unwrap_or_else(|error| {
                tracing::error!("the store broke: {error}");
                Err(StoreError::Failed(
                    "it broke; this is a bug in the host".into(),
                ))
            })
    }
}

fn check_count(keys: usize) -> Result<(), KeyValueError> {
    if keys <= MAX_KEYS_AT_ONCE {
        return Ok(());
    }
    Err(KeyValueError::Other(format!(
        "{keys} keys at once, and {MAX_KEYS_AT_ONCE} are allowed; ask for fewer"
    )))
}

fn settle<T>(act: &Act, ended: &Result<T, StoreError>) {
    match ended {
        Ok(_) => act.confirm(),
        Err(StoreError::Full { .. } | StoreError::Unusable(_)) => act.did_not_happen(),
        Err(_) => {}
    }
}
