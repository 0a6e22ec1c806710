//! Ctrl-C: the first cancels the call, so that the tool can put things in order
//! and the report still comes; a second one ends `host` at once.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use toolhost::CancelHandle;

use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::printer::Printer;

/// Hears Ctrl-C, from its making on; before that the process just ends.
pub(crate) struct Interrupts(Signal);

impl Interrupts {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// When the system does not let us.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let signal = signal(SignalKind::interrupt())
            .map_err(|error| Failure::usage("cannot listen for Ctrl-C").because(&error))?;
        Ok(Self(signal))
    }

    /// Returns at the next Ctrl-C.
    pub(crate) async fn next(&mut self) {
        self.0.recv().await;
    }

    /// Cancels a call at the next Ctrl-C, ends the process at the one after; until
    /// the returned value is dropped.
    pub(crate) fn cancel(mut self, call: CancelHandle, printer: Printer) -> Cancelling {
        Cancelling(tokio::spawn(async move {
            self.next().await;
            call.cancel();
            printer.note("cancelling the call; Ctrl-C once more ends at once");
            self.next().await;
            std::process::exit(ExitCode::Interrupted as i32);
        }))
    }
}

/// Ctrl-C cancels a call as long as this lives.
#[must_use = "Ctrl-C cancels the call as long as this lives"]
pub(crate) struct Cancelling(JoinHandle<()>);

impl Drop for Cancelling {
    fn drop(&mut self) {
        self.0.abort();
    }
}
