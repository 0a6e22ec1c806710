//! Filling defaults into a value, and taking them out again.

use std::{collections::HashSet, iter::Peekable, slice};

use serde_json::{Map, Value};

use super::{Plan, State, StateId};

/// What was filled into a value: enough to take it out again.
#[derive(Debug, Default)]
pub(crate) struct Filled {
    /// The objects that got a member, counted as they are entered, and which default
    /// of their state that is. Ways and names would be text of any length.
    members: Vec<(usize, usize)>,
    parts: usize,
}

impl Filled {
    /// Whether nothing was filled in.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl Plan {
    /// Fills absent members in. `None`, with the value partly filled, when that
    /// would add more than `limit` parts: a few bytes of `[{},{},…]` can ask for
    /// many copies of a large default.
    pub(crate) fn fill(&self, value: &mut Value, limit: usize) -> Option<Filled> {
        let mut filling = Filling {
            filled: Filled::default(),
            limit,
            open: Vec::new(),
            objects: 0,
        };
        self.walk(0, value, &mut filling).ok()?;
        let mut filled = filling.filled;
        filled.members.sort_unstable();
        Some(filled)
    }

    /// Takes out what was filled in.
    pub(crate) fn remove(&self, filled: &Filled, value: &mut Value) {
        let mut removal = Removal {
            left: filled.members.iter().peekable(),
            objects: 0,
        };
        let Ok(()) = self.walk(0, value, &mut removal);
    }

    /// Goes to every object where a default may apply. Recurses as deep as the value.
    pub(super) fn walk<V: Visitor>(
        &self,
        id: StateId,
        value: &mut Value,
        visitor: &mut V,
    ) -> Result<(), V::Stop> {
        let state = &self.states[id];
        match value {
            Value::Object(members) => {
                visitor.enter(members, state);
                if !state.named.is_empty() || state.rest.is_some() {
                    for (name, member) in members.iter_mut() {
                        if let Some(way) = state.named.get(name).copied().or(state.rest) {
                            self.walk(way, member, visitor)?;
                        }
                    }
                }
                visitor.leave(members, state)
            }
            Value::Array(items) if state.items.is_some() => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(way) = state.prefix.get(index).copied().or(state.items) {
                        self.walk(way, item, visitor)?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// What is done with the objects that a walk meets.
pub(super) trait Visitor {
    /// Why a walk ends early.
    type Stop;

    /// Before the parts of the object.
    fn enter(&mut self, _members: &mut Map<String, Value>, _state: &State) {}

    /// After them: what is put in here is not gone through.
    fn leave(&mut self, members: &mut Map<String, Value>, state: &State) -> Result<(), Self::Stop>;
}

struct Filling {
    filled: Filled,
    limit: usize,
    /// Objects that were entered and not left.
    open: Vec<usize>,
    objects: usize,
}

/// There would be more parts than the limit.
struct TooMany;

impl Visitor for Filling {
    type Stop = TooMany;

    fn enter(&mut self, _: &mut Map<String, Value>, _: &State) {
        self.open.push(self.objects);
        self.objects += 1;
    }

    fn leave(&mut self, members: &mut Map<String, Value>, state: &State) -> Result<(), TooMany> {
        let object = self.open.pop().unwrap_or_default();
        for (index, default) in state.defaults.iter().enumerate() {
            if members.contains_key(&default.name) {
                continue;
            }
            self.filled.parts += default.parts;
            if self.filled.parts > self.limit {
                return Err(TooMany);
            }
            self.filled.members.push((object, index));
            members.insert(default.name.clone(), default.value.clone());
        }
        Ok(())
    }
}

struct Removal<'a> {
    left: Peekable<slice::Iter<'a, (usize, usize)>>,
    objects: usize,
}

impl Visitor for Removal<'_> {
    type Stop = std::convert::Infallible;

    /// Before its parts, of which some are those that were filled in.
    fn enter(&mut self, members: &mut Map<String, Value>, state: &State) {
        let mut names = HashSet::new();
        while let Some((_, index)) = self.left.next_if(|(object, _)| *object == self.objects) {
            names.insert(state.defaults[*index].name.as_str());
        }
        if !names.is_empty() {
            members.retain(|name, _| !names.contains(name.as_str()));
        }
        self.objects += 1;
    }

    fn leave(&mut self, _: &mut Map<String, Value>, _: &State) -> Result<(), Self::Stop> {
        Ok(())
    }
}
