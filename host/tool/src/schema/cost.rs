//! How much work a schema can cause. The validator has no budget of its own, and
//! a schema of thirty lines can double the work with every line, so the work is
//! bounded before it starts: once for the schema, and, where the schema alone does
//! not settle it, once for each value.

use super::{
    error::SchemaError,
    graph::{Graph, Node, NodeId},
    limits::SchemaLimits,
};
use crate::json::{Measure, Members, Part, Seen};

/// Bytes of text that count as one step when an error copies them.
const BYTES_PER_STEP: usize = 64;

/// When explaining, a step inside an alternative costs that much more than one
/// outside: every error there is kept, with a copy of what it is about, and moved
/// up through all alternatives around it.
const ALTERNATIVE: u64 = 32;

/// What the schema alone tells about the work it causes.
#[derive(Debug)]
pub(super) struct Cost {
    /// Schemas in the document once every reference is replaced by what it means;
    /// `u64::MAX` when that never ends.
    expansion: u64,
    /// Sizes of all regular expressions, in the same way.
    matching: u64,
    /// Schemas inside each other on the longest way through the document;
    /// `u64::MAX` when there is no longest.
    levels: u64,
    /// The longest chain of schemas for one and the same value.
    chain: u64,
}

impl Cost {
    /// Works out the cost of a schema.
    ///
    /// # Errors
    /// When the schema alone shows that checking would not end, or cost too much.
    pub(super) fn of(graph: &Graph, limits: &SchemaLimits) -> Result<Self, SchemaError> {
        let at = |node: NodeId| graph.nodes[node].pointer.clone();
        let order = leaves_first(graph, |node| node.in_place().collect())
            .map_err(|node| SchemaError::EndlessReference { at: at(node) })?;
        let mut applied = vec![1_u64; graph.nodes.len()];
        let mut chain = vec![1_u64; graph.nodes.len()];
        for id in order {
            let node = &graph.nodes[id];
            let sum = node
                .in_place()
                .fold(0_u64, |sum, child| sum.saturating_add(applied[child]));
            applied[id] = sum.saturating_mul(node.visits()).saturating_add(1);
            chain[id] = node
                .in_place()
                .map(|child| chain[child] + 1)
                .max()
                .unwrap_or(1);
            if applied[id] > limits.applied {
                return Err(SchemaError::TooManyApplied {
                    at: at(id),
                    limit: limits.applied,
                });
            }
            if chain[id] > limits.chain as u64 {
                return Err(SchemaError::ChainTooLong {
                    at: at(id),
                    limit: limits.chain,
                });
            }
        }
        let chain = chain.into_iter().max().unwrap_or(1);
        Ok(
            match leaves_first(graph, |node| node.in_place().chain(node.inward()).collect()) {
                Ok(order) => Self {
                    expansion: expand(graph, &order, |node| node.own),
                    matching: expand(graph, &order, |node| {
                        node.value_pattern + node.name_patterns
                    }),
                    levels: longest(graph, &order),
                    chain,
                },
                Err(_) => Self {
                    expansion: u64::MAX,
                    matching: u64::MAX,
                    levels: u64::MAX,
                    chain,
                },
            },
        )
    }

    /// Whether checking any value of that size is within `steps`, whatever is in it.
    pub(super) fn is_bounded(&self, value: &Measure, steps: u64) -> bool {
        let visits = self.expansion.saturating_mul(value.values as u64);
        visits.saturating_add(self.matching.saturating_mul(value.bytes as u64)) <= steps
    }

    /// How many schemas can be inside each other while a value of that depth is
    /// checked, which is what the validator's stack grows with.
    pub(super) fn levels(&self, depth: usize) -> u64 {
        self.chain.saturating_mul(depth as u64 + 1).min(self.levels)
    }
}

impl Node {
    /// How often the validator goes over the schemas of the same value.
    fn visits(&self) -> u64 {
        if self.twice { 2 } else { 1 }
    }
}

/// The sum of something over the root and all below, once every reference is
/// replaced by what it means.
fn expand(graph: &Graph, leaves_first: &[NodeId], of: impl Fn(&Node) -> u64) -> u64 {
    let mut sums = vec![0_u64; graph.nodes.len()];
    for &id in leaves_first {
        let node = &graph.nodes[id];
        let below = node.in_place().chain(node.inward());
        let once = below.fold(0_u64, |sum, child| sum.saturating_add(sums[child]));
        sums[id] = once.saturating_mul(node.visits()).saturating_add(of(node));
    }
    sums.first().copied().unwrap_or_default()
}

/// The longest way down from the root.
fn longest(graph: &Graph, leaves_first: &[NodeId]) -> u64 {
    let mut levels = vec![1_u64; graph.nodes.len()];
    for &id in leaves_first {
        let node = &graph.nodes[id];
        let below = node.in_place().chain(node.inward());
        levels[id] = below.map(|child| levels[child] + 1).max().unwrap_or(1);
    }
    levels.first().copied().unwrap_or(1)
}

/// All nodes, every one after those it leads to; or a node on a cycle.
fn leaves_first(
    graph: &Graph,
    children: impl Fn(&Node) -> Vec<NodeId>,
) -> Result<Vec<NodeId>, NodeId> {
    let mut parents = vec![Vec::new(); graph.nodes.len()];
    let mut waiting = Vec::with_capacity(graph.nodes.len());
    for (id, node) in graph.nodes.iter().enumerate() {
        let below = children(node);
        waiting.push(below.len());
        for child in below {
            parents[child].push(id);
        }
    }
    let mut order: Vec<NodeId> = (0..waiting.len()).filter(|id| waiting[*id] == 0).collect();
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        for &parent in &parents[id] {
            waiting[parent] -= 1;
            if waiting[parent] == 0 {
                order.push(parent);
            }
        }
    }
    match waiting.iter().position(|count| *count > 0) {
        None => Ok(order),
        Some(id) => Err(on_cycle(graph, &children, &waiting, id)),
    }
}

/// Walks from a node that cannot be ordered until it meets a node again.
fn on_cycle(
    graph: &Graph,
    children: &impl Fn(&Node) -> Vec<NodeId>,
    waiting: &[usize],
    start: NodeId,
) -> NodeId {
    let mut met = vec![false; waiting.len()];
    let mut at = start;
    while !met[at] {
        met[at] = true;
        let below = children(&graph.nodes[at]);
        at = below
            .into_iter()
            .find(|child| waiting[*child] > 0)
            .unwrap_or(at);
    }
    at
}

/// Steps that may still be spent on one value.
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

    /// Whether the budget suffices for a value. Recurses as deep as the validator
    /// does, with smaller frames: check [`Cost::levels`] first.
    pub(super) fn covers(self, value: Part<'_>) -> bool {
        self.covers_at(0, value)
    }

    /// The same for a schema other than the root.
    pub(super) fn covers_at(mut self, schema: NodeId, value: Part<'_>) -> bool {
        self.spend(schema, value, false).is_some()
    }

    fn spend(&mut self, id: NodeId, value: Part<'_>, in_group: bool) -> Option<()> {
        let graph = self.graph;
        let node = &graph.nodes[id];
        if in_group && self.explaining {
            self.pay(node.own.saturating_mul(ALTERNATIVE))?;
            self.copy(value)?;
        } else {
            self.pay(node.own)?;
        }
        for _ in 0..node.visits() {
            for &same in node.always.iter().chain(&node.sometimes) {
                self.spend(same, value, in_group)?;
            }
            for &branch in node.groups.iter().flatten() {
                self.spend(branch, value, true)?;
            }
            self.spend_parts(node, value, in_group)?;
        }
        Some(())
    }

    fn spend_parts(&mut self, node: &Node, value: Part<'_>, in_group: bool) -> Option<()> {
        match value.see() {
            Seen::String(text) => self.match_text(text, node.value_pattern)?,
            Seen::Object(members) => {
                for (name, _) in members.iter() {
                    self.match_text(name, node.name_patterns)?;
                    if let Some(names) = node.names {
                        self.spend(names, Part::Name(name), in_group)?;
                    }
                }
                self.spend_properties(node, &members, in_group)?;
                for (_, member) in members.iter() {
                    self.spend_any(node.rest, node, member, in_group)?;
                }
            }
            Seen::Array(items) => {
                for (index, item) in items.enumerate() {
                    let schema = node.prefix.get(index).copied().or(node.items);
                    self.spend_any(schema, node, item, in_group)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Goes over the members or over the properties, whichever are fewer.
    fn spend_properties(
        &mut self,
        node: &Node,
        members: &Members<'_>,
        in_group: bool,
    ) -> Option<()> {
        if members.len() < node.properties.len() {
            for (name, member) in members.iter() {
                if let Some(id) = node.by_name.get(name) {
                    self.spend(*id, member, in_group)?;
                }
            }
        } else {
            for (name, id) in &node.properties {
                if let Some(member) = members.get(name) {
                    self.spend(*id, member, in_group)?;
                }
            }
        }
        Some(())
    }

    fn spend_any(
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

    fn pay(&mut self, steps: u64) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// The steps of copying a value.
    fn copy(&mut self, value: Part<'_>) -> Option<()> {
        let steps = match value.see() {
            Seen::String(text) => text.len() / BYTES_PER_STEP,
            Seen::Array(mut items) => {
                let len = items.len();
                items.try_for_each(|item| self.copy(item))?;
                len
            }
            Seen::Object(members) => {
                members
                    .iter()
                    .try_for_each(|(_, member)| self.copy(member))?;
                members.len()
            }
            _ => 0,
        };
        self.pay((steps as u64).saturating_mul(ALTERNATIVE))
    }
}
