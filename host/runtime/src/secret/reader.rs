//! Reading one value, on a thread of its own: sources may block, a keyring waits for
//! the user to unlock it. The thread is left behind when nobody waits any more; one
//! of the runtime's own would keep the program from ending.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::oneshot;
use tokio::time::timeout_at;
use toolhost_policy::{SecretName, SecretSpec};

use super::vault::SecretSettings;
use super::{ReadSecret, SecretReadError};

/// Whether somebody may be asked for a value, to unlock a keyring for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// They may: a plugin needs it.
    Asking,
    /// They may not.
    Unasked,
}

/// A value that is being read.
pub(super) struct Started(Option<oneshot::Receiver<Outcome>>);

type Outcome = Result<ReadSecret, SecretReadError>;

impl SecretSettings {
    /// Starts to read a value.
    pub(super) fn start(&self, name: &SecretName, spec: &SecretSpec, manner: Manner) -> Started {
        let source = Arc::clone(&self.source);
        let (name, origin) = (name.clone(), spec.origin.clone());
        let (done, read) = oneshot::channel();
        let thread = std::thread::Builder::new().name("secret".into());
        let started = thread.spawn(move || {
            let outcome = match manner {
                Manner::Asking => source.read(&name, &origin),
                Manner::Unasked => source.read_unasked(&name, &origin),
            };
            drop(done.send(outcome));
        });
        Started(started.is_ok().then_some(read))
    }
}

/// Waits for a value.
pub(super) async fn outcome(started: Started) -> Outcome {
    let failed = |why: &str| Err(SecretReadError::Other(format!("its source {why}")));
    match started.0 {
        Some(read) => read.await.unwrap_or_else(|_| failed("failed")),
        None => failed("cannot be started, for lack of threads"),
    }
}

/// Waits for a value, and no longer than until `deadline`.
pub(super) async fn outcome_until(started: Started, deadline: Instant) -> Outcome {
    let outcome = timeout_at(deadline.into(), outcome(started)).await;
    outcome.unwrap_or_else(|_| {
        let said = "its source does not answer: check that it can be reached";
        Err(SecretReadError::Other(said.into()))
    })
}
