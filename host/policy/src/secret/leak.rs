//! Looking for secrets in what a guest sends. It holds none, so a value in a
//! request is one that leaked, and it is not passed on.

use std::fmt;

use url::Url;

use super::{CallSecrets, SecretRefusal};
use crate::redact::Scan;

/// Parts of a request, as refusals name them.
pub(super) const URL: &str = "the URL";
pub(super) const HEADER_NAME: &str = "the name of a header";
pub(super) const HEADER: &str = "a header";
const BODY: &str = "the body";

/// Looks for secrets in a body that is sent in pieces. What may be the beginning
/// of a secret is held back, so that none leaves in two halves.
pub struct LeakScan {
    secrets: CallSecrets,
    known: Vec<bool>,
    scan: Option<Scan>,
    position: u64,
    held: Vec<u8>,
}

impl CallSecrets {
    /// Looks for secrets in the body of a request to `url`.
    #[must_use]
    pub fn body_scan(&self, url: &Url) -> LeakScan {
        LeakScan {
            known: self.known_to_plugin(url),
            scan: self.redactor().matcher().map(Scan::new),
            secrets: self.clone(),
            position: 0,
            held: Vec::new(),
        }
    }

    /// Looks for secrets in a part of a request. `known` says which of them the
    /// plugin may send itself.
    pub(super) fn check_leak(
        &self,
        known: &[bool],
        text: &[u8],
        place: &'static str,
    ) -> Result<(), SecretRefusal> {
        let redactor = self.redactor();
        let Some(matcher) = redactor.matcher() else {
            return Ok(());
        };
        if redactor.contains(text).is_none() {
            return Ok(());
        }
        let mut leaked = None;
        let mut note = |owner: usize| {
            if !known.get(owner).is_some_and(|known| *known) {
                leaked.get_or_insert(owner);
            }
        };
        let mut scan = Scan::new(matcher);
        scan.feed(matcher, text, &mut |found| note(found.owner));
        scan.finish(matcher, &mut |found| note(found.owner));
        self.refuse(leaked, place)
    }

    fn refuse(&self, leaked: Option<usize>, place: &'static str) -> Result<(), SecretRefusal> {
        let name = leaked.and_then(|owner| self.redactor().names().get(owner));
        match name {
            None => Ok(()),
            Some(name) => Err(SecretRefusal::Leak {
                name: name.clone(),
                place,
            }),
        }
    }
}

impl LeakScan {
    /// Takes the next piece of the body and returns what may be sent by now, which
    /// may be less, and may be what was held back before.
    ///
    /// # Errors
    ///
    /// When the body holds a secret. Then nothing more of it may be sent.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<u8>, SecretRefusal> {
        let Self {
            secrets,
            known,
            scan,
            position,
            held,
        } = self;
        let (Some(matcher), Some(scan)) = (secrets.redactor().matcher(), scan) else {
            return Ok(piece.to_owned());
        };
        let mut leaked = None;
        scan.feed(matcher, piece, &mut |found| {
            if !known.get(found.owner).is_some_and(|known| *known) {
                leaked.get_or_insert(found.owner);
            }
        });
        secrets.refuse(leaked, BODY)?;
        held.extend_from_slice(piece);
        *position += piece.len() as u64;
        let keep = usize::try_from(*position - scan.settled(matcher)).unwrap_or(usize::MAX);
        let clear = held.len().saturating_sub(keep);
        Ok(held.drain(..clear).collect())
    }

    /// Ends the body and returns the rest that may be sent.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn finish(&mut self) -> Result<Vec<u8>, SecretRefusal> {
        let Self {
            secrets,
            known,
            scan,
            held,
            ..
        } = self;
        let mut leaked = None;
        if let (Some(matcher), Some(scan)) = (secrets.redactor().matcher(), scan) {
            scan.finish(matcher, &mut |found| {
                if !known.get(found.owner).is_some_and(|known| *known) {
                    leaked.get_or_insert(found.owner);
                }
            });
        }
        secrets.refuse(leaked, BODY)?;
        Ok(std::mem::take(held))
    }
}

impl fmt::Debug for LeakScan {
    /// Not what is held: it may be half a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeakScan")
            .field("held", &self.held.len())
            .finish_non_exhaustive()
    }
}
