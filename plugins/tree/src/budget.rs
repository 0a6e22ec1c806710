//! What bounds a search: the caller who may cancel it, the time it has, and how
//! much it reads. A search that meets a bound returns what it has.

use std::cell::Cell;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use toolhost_sdk::Context;

use crate::findings::Findings;

/// How often the state so far is shown.
const SHOW_EVERY: Duration = Duration::from_millis(500);

/// Most bytes one call reads. A byte costs up to 62 units of fuel, so that the
/// host's default of 5 G lasts: a search that stops by itself keeps its results,
/// one that runs out of fuel loses them.
const MAX_BYTES: u64 = 64 << 20;

/// What finding a file or directory costs, in bytes read, whether or not it is
/// wanted: 30 to 50 thousand units of fuel.
const ENTRY_BYTES: u64 = 1 << 10;

/// What is said when as much was looked at as one call may.
pub(crate) const USED_UP: &str = "one call reads 64 MiB and looks at 65,000 files and directories, and \
                                  that is used up; look at one directory after the other with `path`";

/// Why a search ends before it has seen everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The caller cancelled.
    Cancelled,
    /// The time of the call is nearly over.
    Time,
    /// As much was read, or looked at, as one call may.
    Bytes,
    /// There are as many results as asked for.
    Count,
    /// The results are as large as a result may be.
    Size,
}

/// The bounds of one call.
pub struct Budget<'a> {
    ctx: &'a Context,
    time: Duration,
    started: Instant,
    pace: Duration,
    shown: Cell<Option<Instant>>,
    bytes: Cell<u64>,
    stopped: Cell<Option<Stop>>,
}

impl<'a> Budget<'a> {
    /// The budget of the call, which begins now. A fifth of its time is left for
    /// writing the result.
    #[must_use]
    pub fn new(ctx: &'a Context) -> Self {
        let started = Instant::now();
        Self {
            ctx,
            time: ctx.deadline().mul_f64(0.8),
            started,
            pace: SHOW_EVERY,
            shown: Cell::new(Some(started)),
            bytes: Cell::new(0),
            stopped: Cell::new(None),
        }
    }

    /// Shows the state so far as often as this; every half second by default.
    #[cfg(test)]
    pub(crate) fn show_every(&mut self, pace: Duration) {
        self.pace = pace;
    }

    /// Why to stop now, if there is a reason. Once given it stays.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.stopped.get().is_none() {
            let stop = if self.ctx.is_aborted() {
                Some(Stop::Cancelled)
            } else if self.started.elapsed() > self.time {
                Some(Stop::Time)
            } else if self.bytes.get() > MAX_BYTES {
                Some(Stop::Bytes)
            } else {
                None
            };
            self.stopped.set(stop);
        }
        self.stopped.get()
    }

    /// Shows the state so far, if the last time is a while ago.
    pub(crate) fn show(&self, findings: &Findings) {
        let due = self
            .shown
            .get()
            .is_some_and(|last| last.elapsed() >= self.pace);
        if due {
            let listening = !self.ctx.emit(findings).is_stop();
            self.shown.set(listening.then(Instant::now));
        }
    }

    /// Counts what was read.
    pub(crate) fn spend(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
    }

    /// How many files and directories may still be looked at.
    pub(crate) fn entries_left(&self) -> u64 {
        MAX_BYTES.saturating_sub(self.bytes.get()) / ENTRY_BYTES
    }

    /// Counts files and directories that were found.
    pub(crate) fn spend_entries(&self, count: u64) {
        self.spend(count.saturating_mul(ENTRY_BYTES));
    }

    /// The file `inner`, read within this budget: reading fails once it is used
    /// up.
    pub(crate) fn reader<R: Read>(&self, inner: R) -> Within<'_, R> {
        Within {
            inner,
            budget: self,
        }
    }
}

/// A reader within a budget.
pub(crate) struct Within<'a, R> {
    inner: R,
    budget: &'a Budget<'a>,
}

impl<R: Read> Read for Within<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.budget.stop().is_some() {
            return Err(io::Error::other("the search was stopped"));
        }
        let read = self.inner.read(buffer)?;
        self.budget.spend(read as u64);
        Ok(read)
    }
}
