//! What a call may write, and what of it is used up.
//!
//! | limit | counts |
//! |---|---|
//! | `written-bytes` | every byte written, and every byte by which a file grows: a hole is not free |
//! | `file-size` | where a write ends, or a file is made to end |
//! | `created-files` | files, directories, hard and symbolic links |
//!
//! A file that is larger already may be changed inside.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use toolhost_policy::Limits;
use toolhost_tool::{Denial, truncate_chars};
use wasmtime_wasi::p2::FsError;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;

use super::MAX_TARGET_CHARS;

/// Most refusals that are remembered; a guest may try without end.
const MAX_DENIALS: usize = 32;

/// What a call has written so far. Its streams share it.
pub(super) struct Usage {
    written: AtomicU64,
    created: AtomicU32,
    max_written: u64,
    max_created: u32,
    max_size: u64,
    denials: Mutex<Vec<Denial>>,
}

/// A quota is used up.
#[derive(Debug, thiserror::Error)]
#[error("the quota `{0}` is used up")]
pub(super) struct OverQuota(&'static str);

impl From<OverQuota> for FsError {
    fn from(_: OverQuota) -> Self {
        ErrorCode::Quota.into()
    }
}

impl Usage {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            written: AtomicU64::new(0),
            created: AtomicU32::new(0),
            max_written: limits.written_bytes,
            max_created: limits.created_files,
            max_size: limits.file_size,
            denials: Mutex::default(),
        }
    }

    pub(super) fn denials(&self) -> Vec<Denial> {
        let denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        denials.clone()
    }

    pub(super) fn refuse(&self, limit: &'static str, target: &str) -> OverQuota {
        let denial = Denial {
            capability: "dir".into(),
            target: truncate_chars(target.to_owned(), MAX_TARGET_CHARS),
            allow_with: Some(format!("limits.{limit}")),
        };
        // Every change under the lock is one push.
        let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        if denials.len() < MAX_DENIALS && !denials.contains(&denial) {
            denials.push(denial);
        }
        OverQuota(limit)
    }

    /// Takes what a write of `len` bytes at `start` needs, in a file of `size`
    /// bytes. What other streams of the same call have on their way into the same
    /// file is not in `size` yet: together they may pass `file-size` by that, and
    /// never `written-bytes`.
    pub(super) fn reserve(
        &self,
        path: &str,
        size: u64,
        start: u64,
        len: u64,
    ) -> Result<(), OverQuota> {
        if len == 0 {
            return Ok(());
        }
        let end = start.saturating_add(len);
        if end > self.max_size.max(size) {
            return Err(self.refuse("file-size", path));
        }
        let needed = len.max(end.saturating_sub(size));
        let take = |written: u64| {
            let sum = written.checked_add(needed)?;
            (sum <= self.max_written).then_some(sum)
        };
        let order = Ordering::Relaxed;
        match self.written.fetch_update(order, order, take) {
            Ok(_) => Ok(()),
            Err(_) => Err(self.refuse("written-bytes", path)),
        }
    }

    pub(super) fn check_creation(&self, path: &str) -> Result<(), OverQuota> {
        if self.created.load(Ordering::Relaxed) >= self.max_created {
            return Err(self.refuse("created-files", path));
        }
        Ok(())
    }

    pub(super) fn count_creation(&self) {
        self.created.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage() -> Usage {
        Usage::new(&Limits {
            written_bytes: 100,
            file_size: 60,
            created_files: 1,
            ..Limits::default()
        })
    }

    #[test]
    fn a_hole_is_not_free() {
        let usage = usage();
        usage.reserve("a", 0, 49, 1).unwrap();
        usage.reserve("b", 0, 0, 50).unwrap();
        assert!(usage.reserve("c", 0, 0, 1).is_err());
        let denial = &usage.denials()[0];
        assert_eq!(denial.allow_with.as_deref(), Some("limits.written-bytes"));
        assert_eq!(denial.target, "c");
    }

    #[test]
    fn writing_over_counts_and_a_large_file_may_be_changed_inside() {
        let usage = usage();
        usage.reserve("a", 1_000, 500, 40).unwrap();
        assert!(usage.reserve("a", 1_000, 990, 20).is_err());
        usage.reserve("a", 1_000, 0, 60).unwrap();
        assert!(usage.reserve("a", 1_000, 0, 1).is_err());
    }

    #[test]
    fn no_offset_overflows() {
        let usage = usage();
        assert!(usage.reserve("a", 0, u64::MAX, u64::MAX).is_err());
        assert!(usage.reserve("a", u64::MAX, u64::MAX, u64::MAX).is_err());
        usage.reserve("a", 0, u64::MAX, 0).unwrap();
    }
}
