//! The effect ledger of one call: every outward act is written down before it
//! starts, as possible, and settled when its end is known. So an act that a
//! deadline, a trap or a cancel cuts short stays in it as possible.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolhost_policy::Redactor;
use toolhost_tool::{Effect, EffectKind, EffectState, truncate_chars};

/// Most acts that are kept; of more, only how many there were.
const MAX_EFFECTS: usize = 1_000;

/// Longest target that is kept; a guest makes it up.
const MAX_TARGET_CHARS: usize = 300;

/// What a call did outside its sandbox. Clones are one ledger: whoever runs a call
/// can read it while the call is on its way, and after it was given up.
#[derive(Clone, Default)]
pub struct Ledger(Arc<Mutex<Entries>>);

/// A place in a ledger.
#[derive(Default)]
pub(crate) struct Mark {
    effects: usize,
    dropped: u64,
}

#[derive(Default)]
struct Entries {
    effects: Vec<Effect>,
    dropped: u64,
    redactor: Redactor,
}

impl Ledger {
    /// Keeps secrets out of what is written down from now on.
    pub(crate) fn redact_with(&self, redactor: &Redactor) {
        self.entries().redactor = redactor.clone();
    }

    /// Writes down that an act starts.
    pub(crate) fn begin(&self, kind: EffectKind, target: impl Into<String>) -> Act {
        let mut entries = self.entries();
        let index = entries.effects.len();
        if index >= MAX_EFFECTS {
            entries.dropped += 1;
            return Act {
                ledger: self.clone(),
                index: None,
            };
        }
        let mut target = target.into();
        entries.redactor.redact_string(&mut target);
        entries.effects.push(Effect {
            kind,
            target: truncate_chars(target, MAX_TARGET_CHARS),
            state: EffectState::Possible,
            bytes: 0,
        });
        Act {
            ledger: self.clone(),
            index: Some(index),
        }
    }

    /// Everything that was written down so far, and how many acts were not.
    #[must_use]
    pub fn effects(&self) -> (Vec<Effect>, u64) {
        self.since(&Mark::default())
    }

    /// Where the ledger ends now.
    pub(crate) fn mark(&self) -> Mark {
        let entries = self.entries();
        Mark {
            effects: entries.effects.len(),
            dropped: entries.dropped,
        }
    }

    /// What was written down after `mark`, and how many acts were not.
    pub(crate) fn since(&self, mark: &Mark) -> (Vec<Effect>, u64) {
        let entries = self.entries();
        let effects = entries.effects.get(mark.effects..).unwrap_or_default();
        (effects.to_vec(), entries.dropped - mark.dropped)
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Every change under the lock is one push or one assignment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One act in the ledger. Dropping it leaves the act as it was last settled.
pub(crate) struct Act {
    ledger: Ledger,
    index: Option<usize>,
}

impl Act {
    /// Certainly nothing has happened.
    pub(crate) fn did_not_happen(&self) {
        self.change(|effect| {
            effect.state = EffectState::None;
            effect.bytes = 0;
        });
    }

    /// It is begun, and from here on it may have happened.
    pub(crate) fn may_have_happened(&self) {
        self.change(|effect| effect.state = EffectState::Possible);
    }

    /// It has happened.
    pub(crate) fn confirm(&self) {
        self.change(|effect| effect.state = EffectState::Confirmed);
    }

    /// More bytes went out.
    pub(crate) fn add_bytes(&self, bytes: u64) {
        self.change(|effect| effect.bytes = effect.bytes.saturating_add(bytes));
    }

    fn change(&self, change: impl FnOnce(&mut Effect)) {
        let Some(index) = self.index else { return };
        if let Some(effect) = self.ledger.entries().effects.get_mut(index) {
            change(effect);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_that_is_cut_short_stays_possible() {
        let ledger = Ledger::default();
        let sent = ledger.begin(EffectKind::Http, "POST https://example.com/");
        sent.add_bytes(7);
        sent.confirm();
        ledger.begin(EffectKind::File, "/data/a").did_not_happen();
        drop(ledger.begin(EffectKind::Storage, "key"));

        let (effects, dropped) = ledger.effects();
        let states: Vec<_> = effects.iter().map(|effect| effect.state).collect();
        let expected = [
            EffectState::Confirmed,
            EffectState::None,
            EffectState::Possible,
        ];
        assert_eq!((states.as_slice(), dropped), (expected.as_slice(), 0));
        assert_eq!(effects[0].bytes, 7);
    }

    #[test]
    fn a_guest_cannot_make_the_ledger_grow_without_end() {
        let ledger = Ledger::default();
        for _ in 0..MAX_EFFECTS + 5 {
            ledger
                .begin(EffectKind::Storage, "x".repeat(10_000))
                .confirm();
        }
        let (effects, dropped) = ledger.effects();
        assert_eq!((effects.len(), dropped), (MAX_EFFECTS, 5));
        assert!(effects[0].target.len() < 1_000);
    }
}
