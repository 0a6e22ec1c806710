//! The calls themselves: workers take the next number, make the call of its kind,
//! time it, and keep what is known of it when it ends otherwise than it must.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use toolhost::{Call, CallOptions, CallResult, ExecutionContext, Host};

use super::mix::{KINDS, Kind, Manner, kind_of};
use super::pace::Times;
use super::stray::{Stray, Strays};

/// How long a call runs before it is given up.
const PATIENCE: Duration = Duration::from_millis(1);

/// The work of a soak. All clones are one.
#[derive(Clone)]
pub(super) struct Work(Arc<Inner>);

struct Inner {
    host: Host,
    calls: u64,
    started: Instant,
    next: AtomicU64,
    made: AtomicU64,
    stopped: AtomicBool,
    strays: Strays,
    times: Times,
    counts: [AtomicU64; KINDS.len()],
}

impl Work {
    pub(super) fn new(host: Host, calls: u64) -> Self {
        Self(Arc::new(Inner {
            host,
            calls,
            started: Instant::now(),
            next: AtomicU64::new(0),
            made: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            strays: Strays::default(),
            times: Times::default(),
            counts: [const { AtomicU64::new(0) }; KINDS.len()],
        }))
    }

    /// Starts as many workers as calls are to be in flight.
    pub(super) fn start(&self, workers: u32) -> JoinSet<()> {
        (0..workers).map(|_| self.clone().worker()).collect()
    }

    /// Since the first call.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// Calls that have ended.
    pub(super) fn made(&self) -> u64 {
        self.0.made.load(Ordering::Relaxed)
    }

    /// No call is started any more.
    pub(super) fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// How long the calls take.
    pub(super) fn times(&self) -> &Times {
        &self.0.times
    }

    /// Calls that ended otherwise than their kind promises.
    pub(super) fn strays(&self) -> &Strays {
        &self.0.strays
    }

    /// How many calls of each kind have ended.
    pub(super) fn counts(&self) -> impl fmt::Display {
        let counts = self.0.counts.iter().zip(&KINDS);
        let lines: Vec<_> = counts
            .map(|(count, kind)| {
                let count = count.load(Ordering::Relaxed);
                let ended = kind.error.unwrap_or("done");
                format!("{count:10} {:22} {ended}", kind.name)
            })
            .collect();
        lines.join("\n")
    }

    async fn worker(self) {
        let inner = &*self.0;
        while !inner.stopped.load(Ordering::Relaxed) {
            let number = inner.next.fetch_add(1, Ordering::Relaxed);
            if number >= inner.calls {
                break;
            }
            let index = kind_of(number);
            self.one(number, index).await;
            inner.counts[index].fetch_add(1, Ordering::Relaxed);
            inner.made.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn one(&self, number: u64, index: usize) {
        let (inner, kind) = (&*self.0, &KINDS[index]);
        let started = Instant::now();
        let Some(result) = make(&inner.host, kind, number).await else {
            return;
        };
        let took = started.elapsed();
        inner.times.add(index, took);
        let stray = Stray::of(kind, number, &result, self.elapsed(), took);
        if stray.is_some_and(|stray| inner.strays.add(stray)) {
            self.stop();
        }
    }
}

/// Makes a call. `None`: it was given up, so nobody knows how it ended.
async fn make(host: &Host, kind: &Kind, number: u64) -> Option<CallResult> {
    let call = Call::from_text(format!("call-{number}"), kind.tool, kind.arguments);
    let context = ExecutionContext::default();
    match kind.manner {
        Manner::Wait => {
            let options = CallOptions {
                limits: (kind.limits)(),
                ..CallOptions::default()
            };
            Some(host.call_with(call, context, options).await)
        }
        Manner::Cancel => {
            let running = host.start(call, context, (kind.limits)());
            running.cancel();
            Some(running.result().await)
        }
        Manner::Drop => tokio::time::timeout(PATIENCE, host.call(call, context))
            .await
            .ok(),
    }
}
