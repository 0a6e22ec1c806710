//! One decoded view of a text, searched while it is decoded.
//!
//! A view is opened at the first byte that may be encoded. Up to there it reads
//! as the view it is made of, so it starts from that one's state; it is given up
//! when it reads the same again.

use std::collections::VecDeque;

use aho_corasick::automaton::StateID;

use super::coding::{CODINGS, Coding, Unit};
use super::matcher::{Found, Matcher};

/// How many encodings are seen through at once.
const LAYERS: u8 = 2;

/// The views made of one view, one for each encoding. Without a view, the text
/// reads as the one it would be made of.
#[derive(Clone, Default)]
pub(super) struct Lanes([Option<Box<Lane>>; CODINGS.len()]);

#[derive(Clone)]
struct Lane {
    coding: Coding,
    layer: u8,
    pending: Vec<Unit>,
    search: Search,
}

/// The search in one view, and the views made of it.
#[derive(Clone)]
struct Search {
    state: StateID,
    /// Where the last bytes of the view start in the text.
    starts: VecDeque<u64>,
    lanes: Lanes,
}

impl Lanes {
    /// Hands a byte to the views, before the view they are made of takes it.
    /// `layer` is how many encodings that one has undone; `place` is asked when a
    /// view is opened: the state of that one, and where the bytes start that it
    /// may have begun a match with.
    pub(super) fn feed(
        &mut self,
        matcher: &Matcher,
        layer: u8,
        unit: Unit,
        place: impl Fn() -> (StateID, VecDeque<u64>),
        found: &mut dyn FnMut(Found),
    ) {
        if layer >= LAYERS {
            return;
        }
        for (index, coding) in CODINGS.into_iter().enumerate() {
            if self.0[index].is_none() && unit.byte == coding.marker() {
                let (state, starts) = place();
                // Up to here the new view is the one it is made of, and so are the
                // views made of each.
                let lanes = if layer + 1 < LAYERS {
                    self.one_layer_up()
                } else {
                    Self::default()
                };
                let search = Search {
                    state,
                    starts,
                    lanes,
                };
                self.0[index] = Some(Box::new(Lane {
                    coding,
                    layer: layer + 1,
                    pending: Vec::new(),
                    search,
                }));
            }
        }
        for lane in self.0.iter_mut().flatten() {
            lane.feed(matcher, unit, found);
        }
    }

    pub(super) fn finish(&mut self, matcher: &Matcher, found: &mut dyn FnMut(Found)) {
        for lane in self.0.iter_mut().flatten() {
            lane.finish(matcher, found);
        }
    }

    /// Gives up views that read as the one they are made of, which is in `state`
    /// with a match begun at `from`.
    pub(super) fn trim(&mut self, matcher: &Matcher, state: StateID, from: Option<u64>) {
        for lane in self.0.iter_mut().flatten() {
            lane.trim(matcher);
        }
        for index in 0..self.0.len() {
            let given_up = self.0[index].as_ref().is_some_and(|lane| {
                lane.reads_as(matcher, state, from)
                    && lane.search.lanes.read_as(matcher, lane.coding, self)
            });
            if given_up {
                self.0[index] = None;
            }
        }
    }

    /// The first place at which a match that is not complete may start.
    pub(super) fn open_from(&self, matcher: &Matcher) -> Option<u64> {
        let open = self
            .0
            .iter()
            .flatten()
            .filter_map(|lane| lane.open_from(matcher));
        open.min()
    }

    /// The same views, made of one that has undone one encoding more.
    fn one_layer_up(&self) -> Self {
        let mut lanes = self.clone();
        for lane in lanes.0.iter_mut().flatten() {
            lane.layer += 1;
            if lane.layer >= LAYERS {
                lane.search.lanes = Self::default();
            }
        }
        lanes
    }

    /// Whether these views, made of the one of `coding` among `others`, read as
    /// the others.
    fn read_as(&self, matcher: &Matcher, coding: Coding, others: &Self) -> bool {
        self.0
            .iter()
            .zip(&others.0)
            .all(|(lane, other)| match (lane, other) {
                (None, None) => true,
                // It is the one that these are made of.
                (None, Some(other)) => other.coding == coding,
                (Some(_), None) => false,
                (Some(lane), Some(other)) => {
                    let (state, from) = (other.search.state, other.search.from(matcher));
                    other.pending.is_empty() && lane.reads_as(matcher, state, from)
                }
            })
    }
}

impl Lane {
    fn feed(&mut self, matcher: &Matcher, unit: Unit, found: &mut dyn FnMut(Found)) {
        let (search, layer) = (&mut self.search, self.layer);
        self.coding.push(&mut self.pending, unit, &mut |unit| {
            search.take(matcher, layer, unit, found);
        });
    }

    fn finish(&mut self, matcher: &Matcher, found: &mut dyn FnMut(Found)) {
        let (search, layer) = (&mut self.search, self.layer);
        self.coding.finish(&mut self.pending, &mut |unit| {
            search.take(matcher, layer, unit, found);
        });
        search.lanes.finish(matcher, found);
    }

    fn trim(&mut self, matcher: &Matcher) {
        let from = self.search.from(matcher);
        self.search.lanes.trim(matcher, self.search.state, from);
    }

    fn reads_as(&self, matcher: &Matcher, state: StateID, from: Option<u64>) -> bool {
        self.pending.is_empty() && self.search.state == state && self.search.from(matcher) == from
    }

    fn open_from(&self, matcher: &Matcher) -> Option<u64> {
        let pending = self.pending.first().map(|unit| unit.start);
        let here = self.search.from(matcher).or(pending);
        let there = self.search.lanes.open_from(matcher);
        here.into_iter().chain(there).min()
    }
}

impl Search {
    fn take(&mut self, matcher: &Matcher, layer: u8, unit: Unit, found: &mut dyn FnMut(Found)) {
        let (state, starts) = (self.state, &self.starts);
        let place = || {
            let from = starts.len().saturating_sub(matcher.depth(state));
            (state, starts.range(from..).copied().collect())
        };
        self.lanes.feed(matcher, layer, unit, place, found);
        self.state = matcher.next(self.state, unit.byte);
        if self.starts.len() >= matcher.longest() {
            self.starts.pop_front();
        }
        self.starts.push_back(unit.start);
        for (length, owner) in matcher.matches(self.state) {
            let first = self.starts.len().saturating_sub(length);
            found(Found {
                start: self.starts[first],
                end: unit.end,
                owner,
            });
        }
    }

    /// Where the match that may have begun would start.
    fn from(&self, matcher: &Matcher) -> Option<u64> {
        let depth = matcher.depth(self.state);
        let first = self.starts.len().checked_sub(depth)?;
        self.starts.get(first).copied()
    }
}
