//! The calls themselves: workers take the next number, make the call of its kind,
//! and check how it ended.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use tokio::task::JoinSet;
use toolhost::{Call, CallOptions, CallResult, ExecutionContext, Host};

use super::mix::{KINDS, Kind, Manner, TOO_BUSY, kind_of};

/// How long a call runs before it is given up.
const PATIENCE: Duration = Duration::from_millis(1);

/// The work of a soak. All clones are one.
#[derive(Clone)]
pub(super) struct Work(Arc<Inner>);

struct Inner {
    host: Host,
    calls: u64,
    next: AtomicU64,
    made: AtomicU64,
    stopped: AtomicBool,
    /// Calls that ended for want of time.
    late: AtomicU64,
    counts: [AtomicU64; KINDS.len()],
}

impl Work {
    pub(super) fn new(host: Host, calls: u64) -> Self {
        Self(Arc::new(Inner {
            host,
            calls,
            next: AtomicU64::new(0),
            made: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            late: AtomicU64::new(0),
            counts: [const { AtomicU64::new(0) }; KINDS.len()],
        }))
    }

    /// Starts as many workers as calls are to be in flight.
    pub(super) fn start(&self, workers: u32) -> JoinSet<Result<()>> {
        (0..workers).map(|_| self.clone().worker()).collect()
    }

    /// Calls that have ended.
    pub(super) fn made(&self) -> u64 {
        self.0.made.load(Ordering::Relaxed)
    }

    /// No call is started any more.
    pub(super) fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// How many calls of each kind have ended.
    pub(super) fn counts(&self) -> impl fmt::Display {
        let counts = self.0.counts.iter().zip(&KINDS);
        let mut lines: Vec<_> = counts
            .map(|(count, kind)| {
                let count = count.load(Ordering::Relaxed);
                let ended = kind.error.unwrap_or("done");
                format!("{count:10} {:22} {ended}", kind.name)
            })
            .collect();
        let late = self.0.late.load(Ordering::Relaxed);
        lines.push(format!(
            "{late:10} of these ran out of time, for the machine was busy"
        ));
        lines.join("\n")
    }

    async fn worker(self) -> Result<()> {
        let inner = &*self.0;
        while !inner.stopped.load(Ordering::Relaxed) {
            let number = inner.next.fetch_add(1, Ordering::Relaxed);
            if number >= inner.calls {
                break;
            }
            let index = kind_of(number);
            let kind = &KINDS[index];
            if let Some(result) = make(&inner.host, kind, number).await
                && check(kind, &result)?
            {
                inner.late.fetch_add(1, Ordering::Relaxed);
            }
            inner.counts[index].fetch_add(1, Ordering::Relaxed);
            inner.made.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
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

/// Whether a call ran out of time. One that ends otherwise than it must is a fault,
/// and what is measured is then not what was meant.
fn check(kind: &Kind, result: &CallResult) -> Result<bool> {
    let name = kind.name;
    match (&result.outcome, kind.error) {
        (Ok(_), None) => Ok(false),
        (Err(error), Some(expected)) if error.name == expected => Ok(false),
        (Err(error), _) if TOO_BUSY.contains(&error.name.as_str()) => Ok(true),
        (Ok(_), Some(expected)) => bail!("a call of kind `{name}` worked, not `{expected}`"),
        (Err(error), expected) => {
            let expected = expected.unwrap_or("done");
            let (said, message) = (&error.name, &error.message);
            bail!("a call of kind `{name}` ended in `{said}`, not `{expected}`: {message}")
        }
    }
}
