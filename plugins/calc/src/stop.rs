//! Ends a calculation that would take too long. Two short lines can ask for
//! more digits than the universe has room for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fend_core::Interrupt;

/// How long all lines together may take: well within the second or so that the
/// host's default fuel lasts, so that the model reads a reason and not a limit.
const MAX_TIME: Duration = Duration::from_millis(250);
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
    polls: AtomicU64,
    fired: AtomicBool,
}

impl Stop {
    /// The time runs from here.
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            polls: AtomicU64::new(0),
            fired: AtomicBool::new(false),
        }
    }

    /// Whether the calculation was stopped.
    pub(crate) fn has_fired(&self) -> bool {
        self.fired.load(Ordering::Relaxed)
    }
}

impl Interrupt for Stop {
    fn should_interrupt(&self) -> bool {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        let late = polls.is_multiple_of(POLLS_PER_LOOK) && self.started.elapsed() > MAX_TIME;
        if late || polls > MAX_POLLS {
            self.fired.store(true, Ordering::Relaxed);
        }
        self.has_fired()
    }
}
