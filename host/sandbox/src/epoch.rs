//! The clock that interrupts guests: a thread that advances the engine's epoch
//! every [`TICK`] while calls are live, and sleeps while none are.
//!
//! Advancing the epoch stops nobody by itself: at every tick each running guest
//! asks its own store whether it may go on, so that the end of one call never
//! touches another.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// How often running guests are looked at, and so how late a deadline can be
/// noticed by a guest that has a core of its own.
pub(crate) const TICK: Duration = Duration::from_millis(2);

/// Ticks without a live call after which the thread goes to sleep. Waking it
/// costs a system call, which a busy host should not pay for every call.
const IDLE_TICKS: u32 = 100;

/// Starts and stops with the engine that it ticks for.
pub(crate) struct Epoch {
    shared: Arc<Shared>,
    thread: Thread,
}

#[derive(Default)]
struct Shared {
    live_calls: AtomicUsize,
    asleep: AtomicBool,
    stopped: AtomicBool,
}

impl Epoch {
    /// Starts the clock of `engine`.
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (engine, clock) = (engine.weak(), Arc::clone(&shared));
        let handle = thread::Builder::new()
            .name("toolhost-epoch".into())
            .spawn(move || run(&engine, &clock))?;
        Ok(Self {
            shared,
            thread: handle.thread().clone(),
        })
    }

    /// Keeps the clock going for as long as the returned guard lives.
    pub(crate) fn hold(&self) -> EpochGuard<'_> {
        self.shared.live_calls.fetch_add(1, Ordering::SeqCst);
        if self.shared.asleep.swap(false, Ordering::SeqCst) {
            self.thread.unpark();
        }
        EpochGuard(&self.shared)
    }
}

impl Drop for Epoch {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// A live call, as far as the clock is concerned.
pub(crate) struct EpochGuard<'a>(&'a Shared);

impl Drop for EpochGuard<'_> {
    fn drop(&mut self) {
        self.0.live_calls.fetch_sub(1, Ordering::SeqCst);
    }
}

fn run(engine: &EngineWeak, shared: &Shared) {
    let mut idle_ticks = 0;
    while !shared.stopped.load(Ordering::SeqCst) {
        thread::sleep(TICK);
        let Some(engine) = engine.upgrade() else {
            return;
        };
        engine.increment_epoch();
        drop(engine);
        if shared.live_calls.load(Ordering::SeqCst) > 0 {
            idle_ticks = 0;
            continue;
        }
        idle_ticks += 1;
        if idle_ticks >= IDLE_TICKS {
            sleep_until_called(shared);
            idle_ticks = 0;
        }
    }
}

/// A call that starts between the check and the `park` has already cleared
/// `asleep` and left a token that makes `park` return at once.
fn sleep_until_called(shared: &Shared) {
    shared.asleep.store(true, Ordering::SeqCst);
    while shared.asleep.load(Ordering::SeqCst)
        && shared.live_calls.load(Ordering::SeqCst) == 0
        && !shared.stopped.load(Ordering::SeqCst)
    {
        thread::park();
    }
    shared.asleep.store(false, Ordering::SeqCst);
}
