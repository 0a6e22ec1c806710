//! A store and a configuration in memory, for unit tests: one for each thread.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::StoreError;

#[derive(Default)]
struct Fake {
    values: BTreeMap<String, Vec<u8>>,
    denied: bool,
    config: BTreeMap<String, String>,
}

thread_local! {
    static FAKE: RefCell<Fake> = RefCell::default();
}

/// Empties the store of this thread, and grants it again.
pub fn clear_store() {
    FAKE.with_borrow_mut(|fake| {
        fake.values.clear();
        fake.denied = false;
    });
}

/// Refuses the store of this thread, as when the operator does not grant it.
pub fn deny_store() {
    FAKE.with_borrow_mut(|fake| fake.denied = true);
}

/// Sets a value of the configuration of this thread.
pub fn set_config(key: impl Into<String>, value: impl Into<String>) {
    FAKE.with_borrow_mut(|fake| fake.config.insert(key.into(), value.into()));
}

fn granted<T>(
    act: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    FAKE.with_borrow_mut(|fake| {
        if fake.denied {
            return Err(StoreError::Denied);
        }
        act(&mut fake.values)
    })
}

pub(super) fn get(key: &str) -> Result<Option<Vec<u8>>, StoreError> {
    granted(|values| Ok(values.get(key).cloned()))
}

pub(super) fn set(key: &str, value: &[u8]) -> Result<(), StoreError> {
    granted(|values| {
        values.insert(key.into(), value.into());
        Ok(())
    })
}

pub(super) fn delete(key: &str) -> Result<(), StoreError> {
    granted(|values| {
        values.remove(key);
        Ok(())
    })
}

pub(super) fn increment(key: &str, delta: i64) -> Result<i64, StoreError> {
    granted(|values| {
        let number = match values.get(key) {
            None => Some(0),
            Some(bytes) => std::str::from_utf8(bytes)
                .ok()
                .and_then(|text| text.parse::<i64>().ok()),
        };
        let sum = number.and_then(|number| number.checked_add(delta));
        let Some(sum) = sum else {
            let message = format!("`{key}` is no whole number, or the sum does not fit");
            return Err(StoreError::Other(message));
        };
        values.insert(key.into(), sum.to_string().into_bytes());
        Ok(sum)
    })
}

pub(super) fn keys() -> Result<Vec<String>, StoreError> {
    granted(|values| Ok(values.keys().cloned().collect()))
}

pub(super) fn config(key: &str) -> Option<String> {
    FAKE.with_borrow(|fake| fake.config.get(key).cloned())
}

pub(super) fn read(key: &str) -> Result<Seen, StoreError> {
    Ok(Seen {
        key: key.into(),
        value: get(key)?,
    })
}

/// A key as it was.
pub(super) struct Seen {
    key: String,
    value: Option<Vec<u8>>,
}

impl Seen {
    pub(super) fn value(&self) -> Option<&[u8]> {
        self.value.as_deref()
    }

    /// Sets the value, or returns the key as it is now.
    pub(super) fn swap(self, value: &[u8]) -> Result<Option<Self>, StoreError> {
        let now = read(&self.key)?;
        if now.value != self.value {
            return Ok(Some(now));
        }
        set(&self.key, value)?;
        Ok(None)
    }
}
