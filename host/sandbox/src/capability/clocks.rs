//! `wasi:clocks`: on for everybody, and for tests of tools with a clock of their
//! own that shows the same times in every call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use wasmtime::component::{HasData, Linker, Resource, ResourceTable};
use wasmtime_wasi::clocks::{
    HostMonotonicClock, HostWallClock, WasiClocks, WasiClocksCtxView, WasiClocksView,
};
use wasmtime_wasi::p2::bindings::clocks::{monotonic_clock, wall_clock};
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};

use crate::state::CallState;

/// When the steady clock starts: 2026-01-01T00:00:00Z, in seconds.
const START_SECONDS: u64 = 1_767_225_600;

/// How far each look at the steady clock moves it, in nanoseconds. A clock that
/// stood still would hold up whoever waits by looking at it.
const STEP_NANOS: u64 = 1_000_000;

/// A clock that starts at the same time in every call and moves on only when it
/// is looked at, and by what a guest has slept. Clones are one clock.
#[derive(Clone, Default)]
pub(crate) struct SteadyClock(Arc<AtomicU64>);

impl SteadyClock {
    fn look(&self) -> u64 {
        self.0.fetch_add(STEP_NANOS, Ordering::Relaxed)
    }
}

impl HostWallClock for SteadyClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(STEP_NANOS)
    }

    fn now(&self) -> Duration {
        Duration::from_secs(START_SECONDS) + Duration::from_nanos(self.look())
    }
}

impl HostMonotonicClock for SteadyClock {
    fn resolution(&self) -> u64 {
        STEP_NANOS
    }

    fn now(&self) -> u64 {
        self.look()
    }
}

struct Clocks;

/// The clocks while a host function works on them.
struct View<'a> {
    clocks: WasiClocksCtxView<'a>,
    steady: Option<SteadyClock>,
}

impl HasData for Clocks {
    type Data<'a> = View<'a>;
}

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    wall_clock::add_to_linker::<_, WasiClocks>(linker, CallState::clocks)?;
    monotonic_clock::add_to_linker::<_, Clocks>(linker, |state| View {
        steady: state.steady.clone(),
        clocks: state.clocks(),
    })
}

impl monotonic_clock::Host for View<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        monotonic_clock::Host::now(&mut self.clocks)
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        monotonic_clock::Host::resolution(&mut self.clocks)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        match &self.steady {
            Some(clock) => {
                let now = clock.0.load(Ordering::Relaxed);
                subscribe_to(clock, when.saturating_sub(now), self.clocks.table)
            }
            None => self.clocks.subscribe_instant(when),
        }
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        match &self.steady {
            Some(clock) => subscribe_to(clock, duration, self.clocks.table),
            None => self.clocks.subscribe_duration(duration),
        }
    }
}

fn subscribe_to(
    clock: &SteadyClock,
    nanos: u64,
    table: &mut ResourceTable,
) -> wasmtime::Result<Resource<DynPollable>> {
    let now = clock.0.load(Ordering::Relaxed);
    let timer = table.push(Timer {
        wakes: Instant::now().checked_add(Duration::from_nanos(nanos)),
        shows: now.saturating_add(nanos),
        clock: clock.clone(),
    })?;
    subscribe(table, timer)
}

/// A sleep takes its time, and then the clock shows that it did.
struct Timer {
    /// `None`: in more time than there is.
    wakes: Option<Instant>,
    shows: u64,
    clock: SteadyClock,
}

#[async_trait::async_trait]
impl Pollable for Timer {
    async fn ready(&mut self) {
        match self.wakes {
            // A guest may poll without waiting for anything; others want to run.
            Some(wakes) if wakes <= Instant::now() => tokio::task::yield_now().await,
            Some(wakes) => tokio::time::sleep_until(wakes).await,
            None => std::future::pending().await,
        }
        self.clock.0.fetch_max(self.shows, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_clock_shows_the_same_in_every_call() {
        for _ in 0..2 {
            let clock = SteadyClock::default();
            let start = Duration::from_secs(START_SECONDS);
            assert_eq!(HostWallClock::now(&clock), start);
            assert_eq!(HostMonotonicClock::now(&clock), STEP_NANOS);
            assert_eq!(HostWallClock::now(&clock), start + Duration::from_millis(2));
        }
    }

    #[tokio::test]
    async fn sleeping_moves_a_steady_clock_by_what_was_slept() {
        let clock = SteadyClock::default();
        let mut timer = Timer {
            wakes: Instant::now().checked_add(Duration::from_millis(5)),
            shows: 5_000_000,
            clock: clock.clone(),
        };
        timer.ready().await;
        assert_eq!(HostMonotonicClock::now(&clock), 5_000_000);
    }
}
