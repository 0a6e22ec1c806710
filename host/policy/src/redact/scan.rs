//! The search through a text that comes in pieces: as it stands, and in every
//! decoded view of it.

use aho_corasick::automaton::StateID;

use super::coding::Unit;
use super::lane::Lanes;
use super::matcher::{Found, Matcher};

/// Where the search through one text is.
pub(crate) struct Scan {
    state: StateID,
    position: u64,
    lanes: Lanes,
}

impl Scan {
    pub(crate) fn new(matcher: &Matcher) -> Self {
        Self {
            state: matcher.start(),
            position: 0,
            lanes: Lanes::default(),
        }
    }

    /// Reads the next piece and hands out what it completes.
    pub(crate) fn feed(&mut self, matcher: &Matcher, piece: &[u8], found: &mut dyn FnMut(Found)) {
        for byte in piece {
            let (start, end) = (self.position, self.position + 1);
            let unit = Unit {
                byte: *byte,
                start,
                end,
            };
            let state = self.state;
            let place = || {
                let depth = matcher.depth(state) as u64;
                (state, (start - depth..start).collect())
            };
            self.lanes.feed(matcher, 0, unit, place, found);
            self.state = matcher.next(state, *byte);
            self.position = end;
            for (length, owner) in matcher.matches(self.state) {
                let start = end - length as u64;
                found(Found { start, end, owner });
            }
        }
        let from = self.from(matcher);
        self.lanes.trim(matcher, self.state, from);
    }

    /// Ends the text and hands out what its end completes.
    pub(crate) fn finish(&mut self, matcher: &Matcher, found: &mut dyn FnMut(Found)) {
        self.lanes.finish(matcher, found);
    }

    /// Nothing that will be found starts before this place.
    pub(crate) fn settled(&self, matcher: &Matcher) -> u64 {
        let open = self
            .from(matcher)
            .into_iter()
            .chain(self.lanes.open_from(matcher));
        open.min().unwrap_or(self.position)
    }

    fn from(&self, matcher: &Matcher) -> Option<u64> {
        let depth = matcher.depth(self.state) as u64;
        (depth > 0).then(|| self.position - depth)
    }
}
