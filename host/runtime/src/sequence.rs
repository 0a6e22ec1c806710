//! Sequential tools of one run: no two of them at a time, whichever turn, or
//! whichever tool, called them.
//!
//! The calls of one turn are kept apart by its schedule already; this is for
//! turns of one run that overlap, and for tools that call one another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// The one place that sequential tools of a run take in turn. Clones are one
/// place.
#[derive(Clone, Default)]
pub(crate) struct Sequence {
    place: Arc<AsyncMutex<()>>,
    /// A call above this one holds the place: it waits for this call, so this
    /// call must not wait for it.
    is_held_above: bool,
}

/// The place, taken until it is dropped.
pub(crate) struct Taken {
    _guard: Option<OwnedMutexGuard<()>>,
}

impl Sequence {
    /// Waits for the place.
    pub(crate) async fn take(&self) -> Taken {
        if self.is_held_above {
            return Taken { _guard: None };
        }
        Taken {
            _guard: Some(Arc::clone(&self.place).lock_owned().await),
        }
    }

    /// The same place for the calls that its holder makes.
    pub(crate) fn held(&self) -> Self {
        Self {
            is_held_above: true,
            ..self.clone()
        }
    }
}

/// The places of all runs that have calls right now.
#[derive(Default)]
pub(crate) struct Sequences(Mutex<HashMap<String, Weak<AsyncMutex<()>>>>);

impl Sequences {
    /// The place of a run. Calls that belong to no run share none.
    pub(crate) fn of_run(&self, run_id: Option<&str>) -> Sequence {
        let Some(run_id) = run_id else {
            return Sequence::default();
        };
        // Every change under the lock is one insertion or removal.
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = places.get(run_id).and_then(Weak::upgrade);
        let place = place.unwrap_or_else(|| {
            places.retain(|_, place| place.strong_count() > 0);
            let place = Arc::default();
            places.insert(run_id.to_owned(), Arc::downgrade(&place));
            place
        });
        Sequence {
            place,
            is_held_above: false,
        }
    }
}
