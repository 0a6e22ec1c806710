//! Counting the steps of checking one value before it is checked, where the schema
//! alone does not tell that they are few. Goes the ways of the validator, and stops
//! as soon as too many are counted; every turn of a loop here is paid for.

use super::{
    graph::{BYTES_PER_STEP, DIVISION_STEPS, Graph, LOOKUP_STEPS, Node, NodeId},
    limits::SchemaLimits,
};
use crate::json::{Part, Seen};

/// When explaining, a step inside an alternative costs that much more than one
/// outside: every error there is kept, with a copy of what it is about, and moved
/// up through all alternatives around it.
const ALTERNATIVE: u64 = 32;

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
        self.spend(schema, value, false).is_some()
    }

    fn spend(&mut self, id: NodeId, value: Part<'_>, in_group: bool) -> Option<()> {
        let node = &self.graph.nodes[id];
        if in_group && self.explaining {
            self.pay(node.weight.steps().saturating_mul(ALTERNATIVE))?;
            self.copy(value)?;
        } else {
            self.pay(node.weight.steps())?;
        }
        for &same in node.always.iter().chain(&node.sometimes) {
            self.spend(same, value, in_group)?;
        }
        for &branch in node.groups.iter().flatten() {
            self.spend(branch, value, true)?;
        }
        self.spend_on_value(node, value, in_group)?;
        if node.marks {
            self.mark(id, value, in_group)?;
        }
        Some(())
    }

    /// The steps of finding out which parts a schema has spoken for.
    fn mark(&mut self, id: NodeId, value: Part<'_>, in_group: bool) -> Option<()> {
        let node = &self.graph.nodes[id];
        self.pay(node.weight.steps())?;
        match value.see() {
            Seen::Object(members) => {
                for (name, _) in members.iter() {
                    self.look_up(name)?;
                }
            }
            Seen::Array(items) => self.pay(items.len() as u64)?,
            _ => {}
        }
        for same in node.in_place() {
            self.spend(same, value, in_group)?;
            self.mark(same, value, in_group)?;
        }
        self.spend_on_value(node, value, in_group)
    }

    /// What the keywords cost that look into the value.
    fn spend_on_value(&mut self, node: &Node, value: Part<'_>, in_group: bool) -> Option<()> {
        match value.see() {
            Seen::String(text) => {
                if node.weight.reads_text {
                    self.read_text(text)?;
                }
                self.match_text(text, node.value_pattern)
            }
            Seen::Number(_) if node.weight.divides => self.pay(DIVISION_STEPS),
            Seen::Object(members) if node.reads_members() => {
                for (name, member) in members.iter() {
                    self.spend_on_member(node, name, member, in_group)?;
                }
                Some(())
            }
            Seen::Array(items) => {
                if node.weight.reads_items {
                    self.read(value)?;
                }
                let described = if node.items.is_none() && node.members.is_empty() {
                    node.prefix.len()
                } else {
                    items.len()
                };
                self.pay(described as u64)?;
                for (index, item) in items.take(described).enumerate() {
                    let schema = node.prefix.get(index).copied().or(node.items);
                    self.spend_on_part(schema, node, item, in_group)?;
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
        in_group: bool,
    ) -> Option<()> {
        self.look_up(name)?;
        self.match_text(name, node.name_patterns)?;
        if let Some(names) = node.names {
            self.spend(names, Part::Name(name), in_group)?;
        }
        if let Some(&property) = node.by_name.get(name) {
            self.spend(property, member, in_group)?;
        }
        self.spend_on_part(node.rest, node, member, in_group)
    }

    fn spend_on_part(
        &mut self,
        schema: Option<NodeId>,
        node: &Node,
        part: Part<'_>,
        in_group: bool,
    ) -> Option<()> {
        for &id in node.members.iter().chain(&schema) {
            self.spend(id, part, in_group)?;
        }
        Some(())
    }

    /// The steps of matching a text with regular expressions of that size.
    fn match_text(&mut self, text: &str, pattern: u64) -> Option<()> {
        self.pay(pattern.saturating_mul(text.len() as u64))
    }

    /// The steps of looking up the name of a member.
    fn look_up(&mut self, name: &str) -> Option<()> {
        self.pay(LOOKUP_STEPS + name.len() as u64 / BYTES_PER_STEP)
    }

    /// The steps of going over a text.
    fn read_text(&mut self, text: &str) -> Option<()> {
        self.pay(1 + text.len() as u64 / BYTES_PER_STEP)
    }

    /// The steps of going over a value and all that is in it.
    fn read(&mut self, value: Part<'_>) -> Option<()> {
        match value.see() {
            Seen::String(text) => self.read_text(text),
            Seen::Array(mut items) => {
                self.pay(1)?;
                items.try_for_each(|item| self.read(item))
            }
            Seen::Object(members) => {
                self.pay(1)?;
                members.iter().try_for_each(|(name, member)| {
                    self.read_text(name)?;
                    self.read(member)
                })
            }
            _ => self.pay(1),
        }
    }

    /// The steps of copying a value into an error.
    fn copy(&mut self, value: Part<'_>) -> Option<()> {
        let steps = match value.see() {
            Seen::String(text) => text.len() as u64 / BYTES_PER_STEP,
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
