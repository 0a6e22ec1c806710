//! Counting the steps of checking one value before it is checked, where the schema
//! alone does not tell that they are few. Goes the ways of the validator, and stops
//! as soon as too many are counted; every turn of a loop here is paid for.

use super::{
    graph::{BYTES_PER_STEP, Graph, HASH_STEPS, LOOKUP_STEPS, Node, NodeId, text_steps},
    limits::SchemaLimits,
};
use crate::json::{Part, Seen};

/// When explaining, a schema costs that much more, as it may end in an error: which
/// has the way to the value and the ways to the schema in it, as text.
const ERROR: u64 = 4;

/// The same inside an alternative: every error there is kept, with a copy of what it
/// is about, and moved up through all alternatives around it.
const ALTERNATIVE: u64 = 32 * ERROR;

/// Bytes of `/$ref` in the way to a schema.
const REFERENCE: u64 = 5;

/// Bytes of an index in the way to a value.
const INDEX: u64 = 7;

/// Steps that may still be spent.
pub(super) struct Budget<'a> {
    graph: &'a Graph,
    left: u64,
    /// Whether what goes wrong is written down, which copies the parts of the
    /// value that an alternative refused.
    explaining: bool,
}

impl<'a> Budget<'a> {
    /// For finding out whether a value matches.
    pub(super) fn for_checking(graph: &'a Graph, limits: &SchemaLimits) -> Self {
        Self {
            graph,
            left: limits.steps,
            explaining: false,
        }
    }

    /// For finding out why it does not.
    pub(super) fn for_explaining(graph: &'a Graph, limits: &SchemaLimits) -> Self {
        let left = limits.explain_steps.saturating_mul(ALTERNATIVE);
        Self {
            graph,
            left,
            explaining: true,
        }
    }

    /// Whether the budget suffices for a value, which is spent then. Recurses as deep
    /// as the validator does, with smaller frames: check
    /// [`Cost::levels`](super::cost::Cost::levels) first.
    pub(super) fn covers(&mut self, value: Part<'_>) -> bool {
        self.covers_at(0, value)
    }

    /// The same for a schema other than the root.
    pub(super) fn covers_at(&mut self, schema: NodeId, value: Part<'_>) -> bool {
        self.spend(schema, value, Place::default()).is_some()
    }

    fn spend(&mut self, id: NodeId, value: Part<'_>, place: Place) -> Option<()> {
        let node = &self.graph.nodes[id];
        self.apply(node, value, place)?;
        for &same in node.always.iter().chain(&node.sometimes) {
            self.spend(same, value, self.below(node, same, place))?;
        }
        for group in &node.groups {
            self.spend_on_group(node, group, value, place)?;
        }
        self.spend_on_value(node, value, place)?;
        if node.marks {
            self.mark(id, value, place)?;
        }
        Some(())
    }

    /// What a schema costs by itself.
    fn apply(&mut self, node: &Node, value: Part<'_>, place: Place) -> Option<()> {
        let steps = node.weight.steps();
        if !self.explaining {
            return self.pay(steps);
        }
        let ways = (place.way + node.pointer.len() as u64) / BYTES_PER_STEP;
        let error = steps.saturating_add(node.weight.shown).saturating_add(ways);
        if place.in_group {
            self.pay(error.saturating_mul(ALTERNATIVE))?;
            self.copy(value)
        } else {
            self.pay(error.saturating_mul(ERROR))
        }
    }

    fn spend_on_group(
        &mut self,
        node: &Node,
        group: &[NodeId],
        value: Part<'_>,
        place: Place,
    ) -> Option<()> {
        let graph = self.graph;
        let accepts = |branch: &NodeId| {
            let plain = graph.nodes[*branch].plain.as_ref();
            plain.is_some_and(|plain| plain.accepts(value))
        };
        // Nothing is kept of alternatives of which one matches.
        let explaining = self.explaining && !group.iter().any(accepts);
        let before = std::mem::replace(&mut self.explaining, explaining);
        let spent = group.iter().try_for_each(|&branch| {
            let place = Place {
                in_group: true,
                ..self.below(node, branch, place)
            };
            self.spend(branch, value, place)
        });
        self.explaining = before;
        spent
    }

    /// The steps of finding out which parts a schema has spoken for.
    fn mark(&mut self, id: NodeId, value: Part<'_>, place: Place) -> Option<()> {
        let node = &self.graph.nodes[id];
        self.pay(node.weight.steps())?;
        match value.see() {
            Seen::Object(members) => {
                for (name, _) in members.iter() {
                    self.look_up(name)?;
                }
            }
            Seen::Array(items) => {
                self.pay(items.len() as u64)?;
                if self.explaining && node.weight.shows_items {
                    self.copy(value)?;
                }
            }
            _ => {}
        }
        for same in node.in_place() {
            let place = self.below(node, same, place);
            self.spend(same, value, place)?;
            self.mark(same, value, place)?;
        }
        self.spend_on_value(node, value, place)
    }

    /// The place of a schema for the same value.
    fn below(&self, node: &Node, child: NodeId, place: Place) -> Place {
        let pointer = self.graph.nodes[child].pointer.len();
        let further = pointer.saturating_sub(node.pointer.len()) as u64;
        Place {
            way: place.way + further + REFERENCE,
            ..place
        }
    }

    /// What the keywords cost that look into the value.
    fn spend_on_value(&mut self, node: &Node, value: Part<'_>, place: Place) -> Option<()> {
        match value.see() {
            Seen::String(text) => {
                if node.weight.reads_text {
                    self.read_text(text)?;
                }
                self.match_text(text, node.value_pattern)
            }
            Seen::Number(_) => self.pay(node.weight.division),
            Seen::Object(members) if node.reads_members() => {
                for (name, member) in members.iter() {
                    self.spend_on_member(node, name, member, place)?;
                }
                Some(())
            }
            Seen::Array(items) => {
                if node.weight.reads_items {
                    self.hash(value)?;
                }
                let described = if node.items.is_none() && node.members.is_empty() {
                    node.prefix.len()
                } else {
                    items.len()
                };
                self.pay(described as u64)?;
                for (index, item) in items.take(described).enumerate() {
                    let schema = node.prefix.get(index).copied().or(node.items);
                    self.spend_on_part(schema, node, item, place.at(INDEX))?;
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn spend_on_member(
        &mut self,
        node: &Node,
        name: &str,
        member: Part<'_>,
        place: Place,
    ) -> Option<()> {
        self.look_up(name)?;
        self.match_text(name, node.name_patterns)?;
        let place = place.at(2 * name.len() as u64);
        if let Some(names) = node.names {
            self.spend(names, Part::Name(name), self.below(node, names, place))?;
        }
        if let Some(&property) = node.by_name.get(name) {
            self.spend(property, member, self.below(node, property, place))?;
        }
        self.spend_on_part(node.rest, node, member, place)
    }

    fn spend_on_part(
        &mut self,
        schema: Option<NodeId>,
        node: &Node,
        part: Part<'_>,
        place: Place,
    ) -> Option<()> {
        for &id in node.members.iter().chain(&schema) {
            self.spend(id, part, self.below(node, id, place))?;
        }
        Some(())
    }

    /// The steps of matching a text with regular expressions of that size.
    fn match_text(&mut self, text: &str, pattern: u64) -> Option<()> {
        self.pay(pattern.saturating_mul(text.len() as u64))
    }

    /// The steps of looking up the name of a member.
    fn look_up(&mut self, name: &str) -> Option<()> {
        self.pay(LOOKUP_STEPS + text_steps(name))
    }

    /// The steps of going over a text.
    fn read_text(&mut self, text: &str) -> Option<()> {
        self.pay(1 + text_steps(text))
    }

    /// The steps of hashing a value and all that is in it.
    fn hash(&mut self, value: Part<'_>) -> Option<()> {
        let text = |text: &str| HASH_STEPS * (1 + text_steps(text));
        match value.see() {
            Seen::String(string) => self.pay(text(string)),
            Seen::Array(mut items) => {
                self.pay(HASH_STEPS)?;
                items.try_for_each(|item| self.hash(item))
            }
            Seen::Object(members) => {
                self.pay(HASH_STEPS)?;
                members.iter().try_for_each(|(name, member)| {
                    self.pay(text(name))?;
                    self.hash(member)
                })
            }
            _ => self.pay(HASH_STEPS),
        }
    }

    /// The steps of copying a value into an error.
    fn copy(&mut self, value: Part<'_>) -> Option<()> {
        let steps = match value.see() {
            Seen::String(text) => text_steps(text),
            Seen::Array(mut items) => {
                let len = items.len();
                items.try_for_each(|item| self.copy(item))?;
                len as u64
            }
            Seen::Object(members) => {
                members
                    .iter()
                    .try_for_each(|(_, member)| self.copy(member))?;
                members.len() as u64
            }
            _ => 0,
        };
        self.pay(steps.saturating_mul(ALTERNATIVE))
    }

    fn pay(&mut self, steps: u64) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }
}

/// Where a schema is applied.
#[derive(Clone, Copy, Default)]
struct Place {
    in_group: bool,
    /// Bytes of the way to the value, and of that to the schema through all references.
    way: u64,
}

impl Place {
    /// The place of a part of the value.
    fn at(self, step: u64) -> Self {
        Self {
            way: self.way + step + 1,
            ..self
        }
    }
}
