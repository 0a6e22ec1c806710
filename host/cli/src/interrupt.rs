//! Ctrl-C, and the signals by which a service manager or a closed terminal ends a
//! program: the first cancels the call, so that the tool can put things in order,
//! the audit log gets its line and the report still comes; a second one ends
//! `host` at once.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use toolhost::CancelHandle;

use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::printer::Printer;

/// Whether nothing is left to cancel.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Hears Ctrl-C, `SIGTERM` and `SIGHUP`, from its making on; before that the
/// process just ends.
pub(crate) struct Interrupts {
    first: CancelHandle,
}

impl Interrupts {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// When the system does not let us.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let first = CancelHandle::new();
        let heard = first.clone();
        let (tell, told) = mpsc::channel();
        let listening = thread::Builder::new()
            .name("signals".into())
            .spawn(move || listen(&heard, &tell))
            .and_then(|_| {
                told.recv()
                    .unwrap_or_else(|gone| Err(io::Error::other(gone)))
            });
        match listening {
            Ok(()) => Ok(Self { first }),
            Err(error) => Err(Failure::usage("cannot listen for signals").because(&error)),
        }
    }

    /// Returns once the first of them has come.
    pub(crate) async fn heard(&self) {
        self.first.cancelled().await;
    }

    /// Whether one has come.
    pub(crate) fn is_heard(&self) -> bool {
        self.first.is_cancelled()
    }

    /// Does `work`, and leaves it at the first of them.
    ///
    /// # Errors
    ///
    /// When it is left.
    pub(crate) async fn or<T>(&self, work: impl Future<Output = T>) -> Result<T, Stop> {
        tokio::select! {
            biased;
            () = self.heard() => Err(Stop::Interrupted),
            done = work => Ok(done),
        }
    }

    /// The same for work that blocks its thread, such as the wait for a file.
    ///
    /// # Errors
    ///
    /// When it is left.
    pub(crate) async fn or_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Stop> {
        let done = self.or(tokio::task::spawn_blocking(work)).await?;
        done.map_err(|error| Failure::usage("the work was lost").because(&error).into())
    }

    /// What the first of them cancels, even while nothing else gets a turn.
    pub(crate) fn handle(&self) -> CancelHandle {
        self.first.clone()
    }

    /// Cancels a call at the first of them and says so, until the returned value is
    /// dropped.
    pub(crate) fn cancel(&self, call: CancelHandle, printer: Printer) -> Cancelling {
        let first = self.first.clone();
        Cancelling(tokio::spawn(async move {
            first.cancelled().await;
            call.cancel();
            printer.note("cancelling the call; Ctrl-C once more ends at once");
        }))
    }
}

/// Has the next of them end the process, be it the first: nothing is left to cancel,
/// only a result to show, maybe to somebody who does not take it.
pub(crate) fn end_at_next() {
    IS_OVER.store(true, Ordering::Relaxed);
}

/// Listens until the process ends, on a thread of its own: calls and compilers may
/// keep all others busy. It says nothing itself, for stderr may be blocked.
fn listen(first: &CancelHandle, tell: &mpsc::Sender<io::Result<()>>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build();
    let Err(error) = runtime.and_then(|runtime| runtime.block_on(hear(first, tell)));
    // Whoever asked waits for it.
    let _ = tell.send(Err(error));
}

async fn hear(first: &CancelHandle, tell: &mpsc::Sender<io::Result<()>>) -> io::Result<Infallible> {
    let mut signals = Signals::new()?;
    let _ = tell.send(Ok(()));
    loop {
        signals.next().await;
        if first.is_cancelled() || IS_OVER.load(Ordering::Relaxed) {
            leave();
        }
        first.cancel();
    }
}

/// The signals that ask a program to end.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// `None` under `nohup`, which asks that it be ignored.
    hang_up: Option<Signal>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: if ignores_hang_up() {
                None
            } else {
                Some(signal(SignalKind::hangup())?)
            },
        })
    }

    async fn next(&mut self) {
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hang_up => {}
        }
    }
}

#[expect(clippy::exit, reason = "whoever asks twice does not want to wait")]
fn leave() -> ! {
    std::process::exit(ExitCode::Interrupted as i32)
}

/// Whether whoever started the process had it ignore `SIGHUP`. Listening would
/// undo that. Where the system does not tell, nobody had.
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored(&status)
        .is_some_and(|signals| signals >> (SignalKind::hangup().as_raw_value() - 1) & 1 == 1)
}

/// The signals that a process ignores, as Linux tells it (proc(5)): one bit each.
fn ignored(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

/// A signal cancels a call as long as this lives.
#[must_use = "a signal cancels the call as long as this lives"]
pub(crate) struct Cancelling(JoinHandle<()>);

impl Drop for Cancelling {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_one_bit_each() {
        let status = "Name:\thost\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert_eq!(ignored(status), Some(0x1001));
        assert_eq!(ignored("Name:\thost\n"), None);
        assert_eq!(ignored("SigIgn:\tnone\n"), None);
    }
}
