//! Runs a piece of a native tool on a task of its own and lets the deadline and
//! the caller's cancel race it, so that a panic, or code that never yields,
//! harms nobody but this call.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use tokio::task::{JoinError, JoinHandle};
use toolhost_sandbox::{CancelHandle, Failure, LimitKind};
use toolhost_tool::LimitHit;

use super::context::ToolContext;
use super::error::ToolError;

/// A piece of a native tool.
pub(crate) type Work<T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send>>;

/// Runs `work` to its end, the deadline of `context`, or the end of the grace
/// time after a cancel, whichever comes first; then it is dropped.
///
/// Code that blocks its thread cannot be dropped: the call ends all the same,
/// and the thread is free again when the code returns.
pub(crate) async fn run<T: Send + 'static>(
    context: &ToolContext,
    cancel: &CancelHandle,
    work: Work<T>,
) -> Result<T, Failure> {
    if cancel.is_cancelled() {
        return Err(Failure::Aborted);
    }
    let started = Instant::now();
    let (grace, deadline) = (context.limits().grace, context.deadline());
    let mut task = Task(tokio::spawn(work));
    let result = tokio::select! {
        biased;
        joined = &mut task.0 => joined.unwrap_or_else(|error| Err(lost(error))),
        () = tokio::time::sleep_until(deadline.into()) => Err(too_slow(started, deadline)),
        () = after_grace(cancel, grace) => Err(Failure::Aborted),
    };
    // A tool that returns after the cancel, within its grace time, has done as
    // it was told; the call is cancelled all the same.
    if cancel.is_cancelled() {
        return Err(Failure::Aborted);
    }
    result
}

/// A task that ends when nobody waits for it any more.
struct Task<T>(JoinHandle<T>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn after_grace(cancel: &CancelHandle, grace: Duration) {
    cancel.cancelled().await;
    tokio::time::sleep(grace).await;
}

fn too_slow(started: Instant, deadline: Instant) -> Failure {
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let hit = LimitHit {
        name: "wall-clock".into(),
        allowed: milliseconds(deadline.saturating_duration_since(started) + ROUND_UP),
        used: milliseconds(started.elapsed()),
    };
    Failure::Limit(LimitKind::Deadline, hit)
}

/// The deadline was set a moment before the work started: what is shown is the
/// limit itself.
const ROUND_UP: Duration = Duration::from_micros(999);

fn lost(error: JoinError) -> Failure {
    match error.try_into_panic() {
        Ok(panic) => {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            let message = format!("the tool panicked: {}", text.unwrap_or("no message"));
            ToolError::new("ToolPanickedError", message).into_failure()
        }
        // Only a runtime that shuts down ends a task that somebody waits for.
        Err(_) => Failure::Aborted,
    }
}
