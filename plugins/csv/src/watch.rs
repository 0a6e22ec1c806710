//! What a long run tells, and asks, along the way.

use crate::failure::{Failure, FailureKind};

/// After how many rows the caller's wish to stop is looked at.
const ROWS_PER_LOOK: u64 = 1000;
/// After how many rows a partial result is shown.
const ROWS_PER_PARTIAL: u64 = 50_000;

/// Whoever waits for the answer.
pub trait Watch {
    /// Whether the answer is no longer wanted.
    fn is_aborted(&self) -> bool;

    /// Shows what is known so far. False when nobody looks any more.
    fn show(&self, snapshot: serde_json::Value) -> bool;
}

/// Nobody in particular: never stops, never looks.
pub struct Unwatched;

impl Watch for Unwatched {
    fn is_aborted(&self) -> bool {
        false
    }

    fn show(&self, _: serde_json::Value) -> bool {
        false
    }
}

/// Keeps count of when to ask and when to tell.
pub(crate) struct Pace<'a> {
    watch: &'a dyn Watch,
    is_looking: bool,
}

impl<'a> Pace<'a> {
    pub(crate) fn new(watch: &'a dyn Watch) -> Self {
        Self {
            watch,
            is_looking: true,
        }
    }

    /// To be called after each row.
    ///
    /// # Errors
    /// The caller has cancelled.
    pub(crate) fn step(
        &mut self,
        rows: u64,
        snapshot: impl FnOnce() -> serde_json::Value,
    ) -> Result<(), Failure> {
        if rows.is_multiple_of(ROWS_PER_LOOK) && self.watch.is_aborted() {
            let message = format!("the call was cancelled after {rows} rows");
            return Err(Failure::new(FailureKind::Aborted, message));
        }
        if self.is_looking && rows.is_multiple_of(ROWS_PER_PARTIAL) {
            self.is_looking = self.watch.show(snapshot());
        }
        Ok(())
    }
}
