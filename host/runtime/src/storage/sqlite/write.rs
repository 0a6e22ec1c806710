//! A write: one transaction in one namespace, which keeps count of what is in it.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use toolhost_sandbox::{Namespace, Quota, Slot, StoreError, Stored};

use super::{failed, signed, unsigned};

/// A write in the making. Dropping it undoes it.
pub(super) struct Writer<'a> {
    transaction: Transaction<'a>,
    space: Space,
}

/// A namespace as it is in the file.
struct Space {
    id: i64,
    keys: i64,
    bytes: i64,
    /// Counts up with every write: places and versions are made of it.
    changes: i64,
}

impl<'a> Writer<'a> {
    pub(super) fn begin(
        connection: &'a mut Connection,
        namespace: &Namespace,
    ) -> Result<Self, StoreError> {
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let space = find(&transaction, namespace).map_err(failed)?;
        Ok(Self { transaction, space })
    }

    pub(super) fn commit(self) -> Result<(), StoreError> {
        let Space {
            id,
            keys,
            bytes,
            changes,
        } = self.space;
        self.transaction
            .prepare("UPDATE namespaces SET keys = ?2, bytes = ?3, changes = ?4 WHERE id = ?1")
            .and_then(|mut update| update.execute(params![id, keys, bytes, changes]))
            .map_err(failed)?;
        self.transaction.commit().map_err(failed)
    }

    pub(super) fn get(&self, slot: &Slot) -> Result<Option<Stored>, StoreError> {
        let found = self
            .transaction
            .prepare(
                "SELECT value, version FROM pairs
                 WHERE namespace = ?1 AND bucket = ?2 AND key = ?3",
            )
            .and_then(|mut query| {
                query.query_row(self.place(slot), |row| Ok((row.get(0)?, row.get(1)?)))
            })
            .optional()
            .map_err(failed)?;
        Ok(found.map(|(value, version)| Stored {
            value,
            version: unsigned(version),
        }))
    }

    pub(super) fn put(
        &mut self,
        slot: &Slot,
        value: &[u8],
        quota: Quota,
    ) -> Result<(), StoreError> {
        let old = self.size(slot)?;
        let (keys, removed) = old.map_or((1, 0), |size| (0, size));
        self.grow(keys, size_of(slot, value.len()) - removed, quota)?;
        let change = self.space.changes;
        let (namespace, bucket, key) = self.place(slot);
        self.transaction
            .prepare(
                "INSERT INTO pairs (namespace, bucket, key, value, place, version)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                 ON CONFLICT (namespace, bucket, key)
                 DO UPDATE SET value = ?4, version = ?5",
            )
            .and_then(|mut insert| insert.execute(params![namespace, bucket, key, value, change]))
            .map_err(failed)?;
        Ok(())
    }

    pub(super) fn delete(&mut self, slot: &Slot) -> Result<bool, StoreError> {
        let Some(size) = self.size(slot)? else {
            return Ok(false);
        };
        self.transaction
            .prepare("DELETE FROM pairs WHERE namespace = ?1 AND bucket = ?2 AND key = ?3")
            .and_then(|mut delete| delete.execute(self.place(slot)))
            .map_err(failed)?;
        self.space.keys -= 1;
        self.space.bytes -= size;
        self.space.changes += 1;
        Ok(true)
    }

    /// What a key takes up, when it is there.
    fn size(&self, slot: &Slot) -> Result<Option<i64>, StoreError> {
        let bytes: Option<i64> = self
            .transaction
            .prepare(
                "SELECT length(value) FROM pairs
                 WHERE namespace = ?1 AND bucket = ?2 AND key = ?3",
            )
            .and_then(|mut query| query.query_row(self.place(slot), |row| row.get(0)))
            .optional()
            .map_err(failed)?;
        Ok(bytes.map(|bytes| bytes + size_of(slot, 0)))
    }

    /// Counts what is added. A store that holds more than it may, because it was
    /// allowed more before, can still shrink.
    fn grow(&mut self, keys: i64, bytes: i64, quota: Quota) -> Result<(), StoreError> {
        let space = &mut self.space;
        let full = |limit, allowed, unit| {
            Err(StoreError::Full {
                limit,
                allowed,
                unit,
            })
        };
        if keys > 0 && space.keys + keys > signed(quota.keys) {
            return full("storage-keys", quota.keys, "keys");
        }
        if bytes > 0 && space.bytes + bytes > signed(quota.bytes) {
            return full("storage-bytes", quota.bytes, "bytes");
        }
        space.keys += keys;
        space.bytes += bytes;
        space.changes += 1;
        Ok(())
    }

    fn place<'s>(&self, slot: &'s Slot) -> (i64, &'s [u8], &'s [u8]) {
        let bucket = slot.bucket.name.as_bytes();
        (self.space.id, bucket, slot.key.as_bytes())
    }
}

/// The name of the bucket counts for each key, as it is kept with each.
fn size_of(slot: &Slot, value: usize) -> i64 {
    let bytes = slot.bucket.name.len() + slot.key.len() + value;
    signed(bytes as u64)
}

/// Finds a namespace, and makes it when it is not there.
fn find(transaction: &Transaction<'_>, namespace: &Namespace) -> rusqlite::Result<Space> {
    let Namespace {
        plugin,
        scope,
        owner,
    } = namespace;
    let name = params![plugin.as_bytes(), scope.to_string(), owner.as_bytes()];
    transaction
        .prepare(
            "INSERT INTO namespaces (plugin, scope, owner) VALUES (?1, ?2, ?3)
             ON CONFLICT DO NOTHING",
        )?
        .execute(name)?;
    transaction
        .prepare(
            "SELECT id, keys, bytes, changes FROM namespaces
             WHERE plugin = ?1 AND scope = ?2 AND owner = ?3",
        )?
        .query_row(name, |row| {
            Ok(Space {
                id: row.get(0)?,
                keys: row.get(1)?,
                bytes: row.get(2)?,
                changes: row.get(3)?,
            })
        })
}
