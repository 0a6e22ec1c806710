//! How much work a schema can cause. The validator has no budget of its own, and
//! a schema of thirty lines can double the work with every line, so the work is
//! bounded before it starts: once for the schema, and, where the schema alone does
//! not settle it, once for each value.

use super::{
    error::SchemaError,
    graph::{BYTES_PER_STEP, Graph, HASH_STEPS, LOOKUP_STEPS, Node, NodeId},
    limits::SchemaLimits,
};
use crate::json::Measure;

/// What the schema alone tells about the work it causes.
#[derive(Debug)]
pub(super) struct Cost {
    /// What the whole document comes to once every reference is replaced by what it
    /// means; `None` when that never ends.
    whole: Option<Expansion>,
    /// The longest chain of schemas for one and the same value.
    chain: u64,
}

/// Sums over all schemas of a document once every reference is replaced by what it
/// means.
#[derive(Debug)]
struct Expansion {
    /// Steps of the schemas' own keywords.
    own: u64,
    /// Schemas that look up the names of members.
    looking: u64,
    /// Steps of matching a byte with the regular expressions.
    matching: u64,
    /// Schemas that read all of a value, however deep it is.
    reading: u64,
    /// Steps of dividing a number.
    dividing: u64,
    /// Schemas inside each other on the longest way through the document.
    levels: u64,
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
        let mut applied = vec![Visits::default(); graph.nodes.len()];
        let mut chain = vec![1_u64; graph.nodes.len()];
        for id in order {
            let node = &graph.nodes[id];
            applied[id] = Visits::of(node, 1, &applied);
            chain[id] = node
                .in_place()
                .map(|child| chain[child] + 1)
                .max()
                .unwrap_or(1);
            if applied[id].all > limits.applied {
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
        let all_below = |node: &Node| node.in_place().chain(node.inward()).collect();
        let whole = leaves_first(graph, all_below).map(|order| {
            let sum = |of: &dyn Fn(&Node) -> u64| expand(graph, &order, of);
            Expansion {
                own: sum(&|node| node.weight.steps()),
                looking: sum(&|node| u64::from(node.reads_members())),
                matching: sum(&|node| node.value_pattern + node.name_patterns),
                reading: sum(&|node| u64::from(node.weight.reads_items)),
                dividing: sum(&|node| node.weight.division),
                levels: longest(graph, &order),
            }
        });
        Ok(Self {
            whole: whole.ok(),
            chain: chain.into_iter().max().unwrap_or(1),
        })
    }

    /// Whether checking any value of that size is within `steps`, whatever is in it.
    pub(super) fn is_bounded(&self, value: &Measure, steps: u64) -> bool {
        let Some(whole) = &self.whole else {
            return false;
        };
        let [values, bytes, levels] =
            [value.values, value.bytes, value.depth + 1].map(|size| size as u64);
        let text = bytes / BYTES_PER_STEP;
        [
            // A schema may go over a text, and over the names in an object.
            (whole.own, values + 2 * text),
            (whole.looking, LOOKUP_STEPS * values),
            (whole.matching, bytes),
            // A part is in as many others as there are levels around it.
            (whole.reading, HASH_STEPS * (values + text) * levels),
            (whole.dividing, values),
        ]
        .into_iter()
        .map(|(schemas, each)| schemas.saturating_mul(each))
        .fold(0, u64::saturating_add)
            <= steps
    }

    /// How many schemas can be inside each other while a value of that depth is
    /// checked, which is what the validator's stack grows with.
    pub(super) fn levels(&self, depth: usize) -> u64 {
        let by_depth = self.chain.saturating_mul(depth as u64 + 1);
        match &self.whole {
            Some(whole) => by_depth.min(whole.levels),
            None => by_depth,
        }
    }
}

/// What applying one schema to a value comes to.
#[derive(Clone, Copy, Default)]
struct Visits {
    /// Checking the value.
    all: u64,
    /// Finding out afterwards which parts of it a schema has spoken for, which an
    /// `unevaluated…` keyword around it asks: all schemas below are gone over again,
    /// and each is checked once more to know whether it counts.
    marking: u64,
}

impl Visits {
    /// The sum over a schema, whose own part is `own`, and those for the same value,
    /// which are in `known`.
    fn of(node: &Node, own: u64, known: &[Self]) -> Self {
        let below = node.in_place().map(|id| known[id]);
        let (checked, marked) = below.fold((own, 0_u64), |(checked, marked), below| {
            (
                checked.saturating_add(below.all),
                marked.saturating_add(below.marking),
            )
        });
        let marking = checked.saturating_add(marked);
        let again = if node.marks { marking } else { 0 };
        Self {
            all: checked.saturating_add(again),
            marking,
        }
    }
}

/// The sum of something over the root and all below.
fn expand(graph: &Graph, leaves_first: &[NodeId], of: &dyn Fn(&Node) -> u64) -> u64 {
    let mut sums = vec![Visits::default(); graph.nodes.len()];
    for &id in leaves_first {
        let node = &graph.nodes[id];
        let parts = node.inward().map(|part| sums[part].all);
        let own = parts.fold(of(node), u64::saturating_add);
        sums[id] = Visits::of(node, own, &sums);
    }
    sums.first().map_or(0, |visits| visits.all)
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
