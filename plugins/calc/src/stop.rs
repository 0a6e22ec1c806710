//! Ends a calculation that would take too long. Two short lines can ask for
//! more digits than the universe has room for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fend_core::Interrupt;

/// How long all lines together may take: well within the second or so that the
/// host's default fuel lasts, so that the model reads a reason and not a limit.
const MAX_TIME: Duration = Duration::from_millis(250);
/// What counts of the time between two looks at the clock. A machine that does
/// something else for a second has not made a small calculation a long one.
const MAX_STEP: Duration = Duration::from_millis(10);
/// How often the calculator may ask whether to go on; holds where the clock
/// stands still.
const MAX_POLLS: u64 = 20_000_000;
/// After how many questions the clock is looked at: often, as there may be
/// long multiplications between them.
const POLLS_PER_LOOK: u64 = 64;

/// Why a calculation did not end by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It took too long.
    TooLong,
    /// The caller cancelled it.
    Aborted,
}

/// The stopwatch of one calculation.
pub(crate) struct Stop {
    started: Instant,
    /// Microseconds from the start to the last look at the clock.
    looked: AtomicU64,
    /// Microseconds that count.
    spent: AtomicU64,
    polls: AtomicU64,
    fired: AtomicBool,
}

impl Stop {
    /// The time runs from here.
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            looked: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            polls: AtomicU64::new(0),
            fired: AtomicBool::new(false),
        }
    }

    /// Whether the calculation was stopped.
    pub(crate) fn has_fired(&self) -> bool {
        self.fired.load(Ordering::Relaxed)
    }

    /// Whether the time is over, so long after the start.
    fn is_over(&self, elapsed: Duration) -> bool {
        let now = micros(elapsed);
        let step = now.saturating_sub(self.looked.swap(now, Ordering::Relaxed));
        let step = step.min(micros(MAX_STEP));
        self.spent.fetch_add(step, Ordering::Relaxed) + step > micros(MAX_TIME)
    }
}

impl Interrupt for Stop {
    fn should_interrupt(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        let late = polls.is_multiple_of(POLLS_PER_LOOK) && self.is_over(self.started.elapsed());
        if late || polls > MAX_POLLS {
            self.fired.store(true, Ordering::Relaxed);
        }
        self.has_fired()
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calculation_that_goes_on_is_ended() {
        let stop = Stop::start();
        let looks = (1..).find(|look| stop.is_over(Duration::from_millis(5 * look)));
        assert_eq!(looks, Some(51));
    }

    #[test]
    fn a_machine_that_does_something_else_ends_none() {
        let stop = Stop::start();
        assert!(!(1..=20).any(|look| stop.is_over(Duration::from_secs(look))));
        assert!(!stop.has_fired());
    }
}
