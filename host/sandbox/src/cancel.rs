//! The caller's way to end a call early.

use tokio_util::sync::CancellationToken;

/// Cancels the calls it was given to. Cheap to clone: all clones are one handle.
///
/// The tool is told first and has the grace time of its limits to return; then
/// it is killed. Either way the outcome says `aborted`.
#[derive(Clone, Debug, Default)]
pub struct CancelHandle(CancellationToken);

impl CancelHandle {
    /// A handle that nobody has used yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels. Doing so again changes nothing.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Returns once [`cancel`](Self::cancel) is called.
    pub async fn cancelled(&self) {
        self.0.cancelled().await;
    }
}
