//! The Tokio runtime, for the commands that need one.

use std::future::Future;
use std::time::Duration;

use crate::failure::{Failure, Stop};
use crate::interrupt;

/// One call needs one worker; the second keeps timers going while a guest
/// computes on the first.
const WORKERS: usize = 2;

/// How long work on other threads may take to clear up when the user ends it.
const CLEARING: Duration = Duration::from_millis(100);

/// Runs `work` to its end. What it left on other threads, such as a compile that
/// nobody waits for any more, is abandoned.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Stop>>) -> Result<T, Stop> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build()
        .map_err(|error| Failure::usage("cannot start the runtime").because(&error))?;
    let ended = runtime.block_on(work);
    match ended {
        // A compiler is ended, and its file removed.
        Err(Stop::Interrupted) => runtime.shutdown_timeout(CLEARING),
        _ => runtime.shutdown_background(),
    }
    interrupt::end_at_next();
    ended
}
