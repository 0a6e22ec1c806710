//! As many compilers at once as the machine has cores: more would only share them,
//! and each may take gigabytes.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Wanted;

/// How often who waits for a place looks whether anybody still waits for it.
const INTERVAL: Duration = Duration::from_millis(100);

/// Places for compilers.
pub(super) struct Places {
    free: Mutex<usize>,
    given_back: Condvar,
}

/// A place that is taken, until it is dropped.
pub(super) struct Taken<'a>(&'a Places);

impl Places {
    /// So many, and at least one.
    pub(super) fn new(places: usize) -> Self {
        Self {
            free: Mutex::new(places.max(1)),
            given_back: Condvar::new(),
        }
    }

    /// Waits for a place. `None` when nobody waits for the work any more.
    pub(super) fn take(&self, wanted: &Wanted) -> Option<Taken<'_>> {
        let mut free = self.free();
        while *free == 0 {
            if wanted.is_given_up() {
                return None;
            }
            let woken = self.given_back.wait_timeout(free, INTERVAL);
            free = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Taken(self))
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.0.free() += 1;
        self.0.given_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_given_back_is_taken_again() {
        let (places, wanted) = (Places::new(1), Wanted::default());
        let first = places.take(&wanted).expect("it is free");
        std::thread::scope(|scope| {
            let second = scope.spawn(|| places.take(&wanted).is_some());
            drop(first);
            assert!(second.join().expect("it does not panic"));
        });
    }

    #[test]
    fn nobody_waits_for_work_that_is_given_up() {
        let (places, wanted) = (Places::new(0), Wanted::default());
        let _first = places.take(&wanted).expect("there is at least one");
        drop(wanted.waiting());
        assert!(places.take(&wanted).is_none());
    }
}
