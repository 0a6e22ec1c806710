//! Keys and values in one `SQLite` file, for any number of processes at once.
//!
//! A write is one transaction that takes the file's write lock when it begins, so
//! that what it has read is still true when it writes. Reads have a connection of
//! their own and never wait for a write.

mod write;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};
use toolhost_sandbox::{
    Bucket, KeyPage, KeyValueStore, Namespace, Quota, Slot, StoreError, Stored, Swapped,
};

use crate::database::{self, Layout, PATIENCE};
use write::Writer;

/// `THKV`, so that a journal is not taken for a store.
const KIND: i32 = i32::from_be_bytes(*b"THKV");

/// Names and keys are any text, zero bytes among it, so they are kept as bytes.
const TABLES: &str = "
    CREATE TABLE namespaces (
        id INTEGER PRIMARY KEY,
        plugin BLOB NOT NULL,
        scope TEXT NOT NULL,
        owner BLOB NOT NULL,
        keys INTEGER NOT NULL DEFAULT 0,
        bytes INTEGER NOT NULL DEFAULT 0,
        changes INTEGER NOT NULL DEFAULT 0,
        UNIQUE (plugin, scope, owner)
    ) STRICT;
    CREATE TABLE pairs (
        namespace INTEGER NOT NULL REFERENCES namespaces (id),
        bucket BLOB NOT NULL,
        key BLOB NOT NULL,
        value BLOB NOT NULL,
        place INTEGER NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (namespace, bucket, key)
    ) STRICT;
    CREATE UNIQUE INDEX places ON pairs (namespace, bucket, place);
";

/// A process that ends, however it ends, loses nothing that it was told is done.
const LAYOUT: Layout = Layout {
    kind: KIND,
    version: 1,
    tables: TABLES,
    synchronous: "NORMAL",
};

/// Most bytes of keys in one page.
const MAX_PAGE_BYTES: usize = 1 << 20;

/// Keys and values in one `SQLite` file.
#[derive(Debug)]
pub struct SqliteStore {
    reader: Mutex<Connection>,
    writer: Mutex<Connection>,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the store `{path}`: {message}")]
pub struct OpenStoreError {
    /// Its file.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl SqliteStore {
    /// Opens the store at `path`, and makes it when it is not there, with the
    /// folders above it.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, is no store, or one of another version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenStoreError> {
        Self::open_within(path, PATIENCE)
    }

    /// The same, when another process may hold the file for no longer than `patience`;
    /// [`open`](Self::open) waits for 10 seconds.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_within(path: impl AsRef<Path>, patience: Duration) -> Result<Self, OpenStoreError> {
        let path = path.as_ref();
        let open = || database::open(path, &LAYOUT, patience);
        let opened = make_folder(path).and_then(|()| Ok((open()?, open()?)));
        let (reader, writer) = opened.map_err(|message| OpenStoreError {
            path: path.display().to_string(),
            message,
        })?;
        Ok(Self {
            reader: Mutex::new(reader),
            writer: Mutex::new(writer),
        })
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        // A read leaves nothing behind that a panic could break.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(
        &self,
        namespace: &Namespace,
        act: impl FnOnce(&mut Writer<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // A transaction that a panic left open was rolled back when it was
        // dropped.
        let mut connection = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writer = Writer::begin(&mut connection, namespace)?;
        let done = act(&mut writer)?;
        writer.commit()?;
        Ok(done)
    }

    /// Reads columns of one slot; `None` when nothing is in it.
    fn look<T>(
        &self,
        columns: &str,
        slot: &Slot,
        read: impl FnOnce(&Row) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let Slot { bucket, key } = slot;
        let space = &bucket.namespace;
        let sql = format!("SELECT {columns} FROM {JOINED} AND key = ?5");
        let parameters = params![
            space.plugin.as_bytes(),
            space.scope.to_string(),
            space.owner.as_bytes(),
            bucket.name.as_bytes(),
            key.as_bytes()
        ];
        self.reader()
            .prepare(&sql)
            .and_then(|mut query| query.query_row(parameters, read))
            .optional()
            .map_err(failed)
    }
}

impl KeyValueStore for SqliteStore {
    fn get(&self, slot: &Slot) -> Result<Option<Stored>, StoreError> {
        let found = self.look("value, version", slot, |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.map(|(value, version)| Stored {
            value,
            version: unsigned(version),
        }))
    }

    fn version(&self, slot: &Slot) -> Result<Option<u64>, StoreError> {
        let found = self.look("version", slot, |row| row.get(0))?;
        Ok(found.map(unsigned))
    }

    fn keys(&self, bucket: &Bucket, after: u64, most: usize) -> Result<KeyPage, StoreError> {
        let space = &bucket.namespace;
        let sql = format!("SELECT key, place FROM {JOINED} AND place > ?5 ORDER BY place");
        let parameters = params![
            space.plugin.as_bytes(),
            space.scope.to_string(),
            space.owner.as_bytes(),
            bucket.name.as_bytes(),
            signed(after)
        ];
        let reader = self.reader();
        let mut query = reader.prepare(&sql).map_err(failed)?;
        let mut rows = query.query(parameters).map_err(failed)?;
        let mut page = KeyPage::default();
        let (mut bytes, mut last) = (0, 0);
        while let Some(row) = rows.next().map_err(failed)? {
            if page.keys.len() >= most.max(1) || bytes >= MAX_PAGE_BYTES {
                page.next = Some(unsigned(last));
                break;
            }
            let key: Vec<u8> = row.get(0).map_err(failed)?;
            last = row.get(1).map_err(failed)?;
            bytes += key.len();
            page.keys.push(text(key)?);
        }
        Ok(page)
    }

    fn set(&self, slot: &Slot, value: &[u8], quota: Quota) -> Result<(), StoreError> {
        self.write(&slot.bucket.namespace, |writer| {
            writer.put(slot, value, quota)
        })
    }

    fn delete(&self, slot: &Slot) -> Result<bool, StoreError> {
        self.write(&slot.bucket.namespace, |writer| writer.delete(slot))
    }

    fn increment(
        &self,
        slot: &Slot,
        delta: i128,
        range: RangeInclusive<i128>,
        quota: Quota,
    ) -> Result<i128, StoreError> {
        self.write(&slot.bucket.namespace, |writer| {
            let old = writer.get(slot)?;
            let sum = add(old.as_ref().map(|old| &*old.value), delta, &range)?;
            writer.put(slot, sum.to_string().as_bytes(), quota)?;
            Ok(sum)
        })
    }

    fn swap(
        &self,
        slot: &Slot,
        seen: Option<u64>,
        value: &[u8],
        quota: Quota,
    ) -> Result<Swapped, StoreError> {
        self.write(&slot.bucket.namespace, |writer| {
            let now = writer.get(slot)?;
            if now.as_ref().map(|now| now.version) != seen {
                return Ok(Swapped::Changed(now));
            }
            writer.put(slot, value, quota)?;
            Ok(Swapped::Done)
        })
    }
}

/// The pairs of one bucket; the parameters are plugin, scope, owner and bucket.
const JOINED: &str = "pairs JOIN namespaces ON namespaces.id = pairs.namespace
    WHERE plugin = ?1 AND scope = ?2 AND owner = ?3 AND bucket = ?4";

/// What is at a key that is no number was written by somebody with another idea
/// of it, and stays.
fn add(old: Option<&[u8]>, delta: i128, range: &RangeInclusive<i128>) -> Result<i128, StoreError> {
    let number = match old {
        None => Some(0),
        Some(bytes) => std::str::from_utf8(bytes)
            .ok()
            .and_then(|text| text.parse().ok()),
    };
    let Some(number): Option<i128> = number else {
        let message = "the value is no whole number, so nothing can be added to it";
        return Err(StoreError::Unusable(message.into()));
    };
    let sum = number.checked_add(delta);
    sum.filter(|sum| range.contains(sum)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        StoreError::Unusable(format!("the sum is not between {least} and {most}"))
    })
}

fn make_folder(path: &Path) -> Result<(), String> {
    let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| error.to_string())
}

/// A path would say more to a guest than it has to know; these messages have none.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn failed(error: rusqlite::Error) -> StoreError {
    StoreError::Failed(error.to_string())
}

fn text(bytes: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(bytes).map_err(|_| StoreError::Failed("a key is no text".into()))
}

/// `SQLite` has signed numbers; ours count up from 0.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
