//! Ctrl-C, and the signals by which a service manager or a closed terminal ends a
//! program: the first cancels the call, so that the tool can put things in order,
//! the audit log gets its line and the report still comes; a second one ends
//! `host` at once.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use toolhost::CancelHandle;

use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::printer::Printer;

/// Whether signals were listened to.
static LISTENED: AtomicBool = AtomicBool::new(false);

/// Hears Ctrl-C, `SIGTERM` and `SIGHUP`, from its making on; before that the
/// process just ends.
pub(crate) struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
    /// `None` under `nohup`, which asks that it be ignored.
    hang_up: Option<Signal>,
}

impl Interrupts {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// When the system does not let us.
    pub(crate) fn listen() -> Result<Self, Failure> {
        LISTENED.store(true, Ordering::Relaxed);
        let listen = |kind| {
            signal(kind)
                .map_err(|error| Failure::usage("cannot listen for signals").because(&error))
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: if ignores_hang_up() {
                None
            } else {
                Some(listen(SignalKind::hangup())?)
            },
        })
    }

    /// Returns at the next of them.
    pub(crate) async fn next(&mut self) {
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

    /// Cancels a call at the next of them, ends the process at the one after; until
    /// the returned value is dropped.
    pub(crate) fn cancel(mut self, call: CancelHandle, printer: Printer) -> Cancelling {
        Cancelling(tokio::spawn(async move {
            self.next().await;
            call.cancel();
            printer.note("cancelling the call; Ctrl-C once more ends at once");
            self.next().await;
            leave();
        }))
    }
}

/// Has the next of them end the process, if anybody has listened: nothing is left to
/// cancel, only a result to show, maybe to somebody who does not take it. The system
/// itself ends no process that has listened once.
pub(crate) fn end_at_next() {
    if !LISTENED.load(Ordering::Relaxed) {
        return;
    }
    let wait = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            if let Ok(mut interrupts) = Interrupts::listen() {
                interrupts.next().await;
                leave();
            }
        });
    };
    // Without a thread it is as it was.
    let _ = std::thread::Builder::new().spawn(wait);
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
