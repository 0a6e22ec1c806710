//! The automaton that finds all forms of all secrets at once (Aho and Corasick),
//! fed byte by byte so that it can stop and go on anywhere.

use std::collections::HashMap;

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, Input, MatchKind};

use super::scan::Scan;

/// Finds the forms it was made of.
pub(crate) struct Matcher {
    nfa: NFA,
    /// The secret each form is one of.
    owners: Vec<usize>,
    /// How many bytes of a form a state has read: where a match that has begun
    /// would start.
    depths: HashMap<StateID, usize>,
    start: StateID,
}

/// A form that was found. Places count from the start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Which secret it is.
    pub(crate) owner: usize,
}

impl Matcher {
    /// Finds `forms`, each with the secret it is one of. None may be empty.
    pub(super) fn new(forms: &[(Vec<u8>, usize)]) -> Self {
        let nfa = NFA::builder()
            .match_kind(MatchKind::Standard)
            .build(forms.iter().map(|(form, _)| form))
            .expect("secrets are few and short, far from the limits of an automaton");
        let start = nfa
            .start_state(Anchored::No)
            .expect("unanchored searches are always built");
        let mut depths = HashMap::new();
        for (form, _) in forms {
            let mut state = start;
            for (index, byte) in form.iter().enumerate() {
                state = nfa.next_state(Anchored::No, state, *byte);
                depths.insert(state, index + 1);
            }
        }
        Self {
            nfa,
            owners: forms.iter().map(|(_, owner)| *owner).collect(),
            depths,
            start,
        }
    }

    /// A secret that is in `text`.
    pub(super) fn first_owner(&self, text: &[u8]) -> Option<usize> {
        let mut input = Input::new(text);
        input.set_earliest(true);
        if let Ok(Some(found)) = self.nfa.try_find(&input) {
            return Some(self.owners[found.pattern().as_usize()]);
        }
        if !text.iter().any(|byte| matches!(byte, b'%' | b'\\')) {
            return None;
        }
        let mut owner = None;
        let mut scan = Scan::new(self);
        for block in text.chunks(super::BLOCK_BYTES) {
            scan.feed(self, block, &mut |found| {
                owner = owner.or(Some(found.owner));
            });
            if owner.is_some() {
                return owner;
            }
        }
        scan.finish(self, &mut |found| owner = owner.or(Some(found.owner)));
        owner
    }

    pub(super) fn start(&self) -> StateID {
        self.start
    }

    pub(super) fn next(&self, state: StateID, byte: u8) -> StateID {
        self.nfa.next_state(Anchored::No, state, byte)
    }

    /// How many of the last bytes may be the beginning of a form.
    pub(super) fn depth(&self, state: StateID) -> usize {
        self.depths.get(&state).copied().unwrap_or(0)
    }

    /// How many bytes the longest form has.
    pub(super) fn longest(&self) -> usize {
        self.nfa.max_pattern_len()
    }

    /// The forms that end where `state` is: length and secret.
    pub(super) fn matches(&self, state: StateID) -> impl Iterator<Item = (usize, usize)> + '_ {
        let count = if self.nfa.is_match(state) {
            self.nfa.match_len(state)
        } else {
            0
        };
        (0..count).map(move |index| {
            let pattern = self.nfa.match_pattern(state, index);
            (
                self.nfa.pattern_len(pattern),
                self.owners[pattern.as_usize()],
            )
        })
    }
}
