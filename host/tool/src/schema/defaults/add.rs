//! Adding defaults to a document: what [`fill`](super::fill) does to a tree, without
//! a copy of them.

use super::{Plan, StateId};
use crate::json::{Added, Document, Kind, ReadMembers, ReadPart};

/// Members that may be added to one object. They are found by comparing names, so a
/// schema with thousands of defaults is left to `fill`.
const MAX_ADDED: usize = 32;

impl Plan {
    /// Adds the members that are absent. `None`, with nothing added, when these are
    /// more than `limit` parts, or of a kind that `fill` has to see to.
    pub(crate) fn add<'t>(&'t self, document: &mut Document<'t>, limit: usize) -> Option<()> {
        let mut walk = Walk {
            plan: self,
            added: Vec::new(),
            left: limit,
        };
        walk.part(document.root(), 0, 0)?;
        let Walk { added, .. } = walk;
        document.add(added);
        Some(())
    }
}

struct Walk<'t> {
    plan: &'t Plan,
    added: Vec<Added<'t>>,
    /// Parts that may still be added.
    left: usize,
}

impl Walk<'_> {
    /// Goes to every place where a default applies. Recurses as deep as the value.
    fn part(&mut self, part: ReadPart<'_>, id: StateId, depth: usize) -> Option<()> {
        let state = &self.plan.states[id];
        match part.kind() {
            Kind::Object(members) => {
                // Before those of its members: an object comes before what is in it.
                self.object(part, &members, id, depth)?;
                if state.named.is_empty() && state.rest.is_none() {
                    return Some(());
                }
                for (name, member) in members {
                    if let Some(way) = state.named.get(name.text).copied().or(state.rest) {
                        self.part(member, way, depth + 1)?;
                    }
                }
            }
            Kind::Array(items) if state.items.is_some() => {
                for (index, item) in items.enumerate() {
                    if let Some(way) = state.prefix.get(index).copied().or(state.items) {
                        self.part(item, way, depth + 1)?;
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    fn object(
        &mut self,
        object: ReadPart<'_>,
        members: &ReadMembers<'_>,
        id: StateId,
        depth: usize,
    ) -> Option<()> {
        let before = self.added.len();
        for default in &self.plan.states[id].defaults {
            if members.get(&default.name).is_none() {
                self.left = self.left.checked_sub(default.parts)?;
                self.added.push(Added {
                    object: object.place(),
                    depth,
                    name: &default.name,
                    value: &default.value,
                    measure: default.measure?,
                });
            }
        }
        (self.added.len() - before <= MAX_ADDED).then_some(())
    }
}
