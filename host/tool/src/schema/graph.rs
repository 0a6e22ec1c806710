//! What a schema's parts are and how they lead to each other, seen as a graph.
//!
//! The validator itself follows references as it meets them and cannot be told to
//! stop. So everything that has to be known beforehand is worked out here: that no
//! reference leads out of the document, how much work the schema can cause
//! ([`cost`](super::cost)), and where defaults apply ([`defaults`](super::defaults)).
//! The graph may show more than the validator does, never less.

mod build;
mod plain;
mod reference;
mod weight;

use std::collections::HashMap;

use serde_json::Value;

pub(super) use build::build;
use plain::Plain;
pub(super) use weight::{BYTES_PER_STEP, HASH_STEPS, LOOKUP_STEPS, Weight, text_steps};

/// Index of a node; the root is 0.
pub(super) type NodeId = usize;

/// All schemas of a document that can be reached from its root.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) patterns: Vec<Pattern>,
}

/// A regular expression in a schema.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) text: String,
    /// JSON Pointer to it.
    pub(super) pointer: String,
    /// The schema it stands in.
    pub(super) node: NodeId,
    /// Whether it is matched with the names of members (`patternProperties`) and
    /// not with the value (`pattern`).
    pub(super) on_names: bool,
}

/// One schema.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// JSON Pointer to it.
    pub(super) pointer: String,
    /// What its own keywords read.
    pub(super) weight: Weight,
    /// Set where it asks for a type and nothing else.
    pub(super) plain: Option<Plain>,
    /// Whether its own keywords let an object or an array pass.
    pub(super) container: bool,
    /// The value of `default`.
    pub(super) default: Option<Value>,
    /// Schemas that apply to the same value, whatever it is: `$ref`, `allOf`.
    pub(super) always: Vec<NodeId>,
    /// Alternatives for the same value: `anyOf`, `oneOf`.
    pub(super) groups: Vec<Vec<NodeId>>,
    /// Schemas that apply to the same value on some condition: `if`, `not` …
    pub(super) sometimes: Vec<NodeId>,
    /// Schemas of named members, in the order of `properties`.
    pub(super) properties: Vec<(String, NodeId)>,
    /// The same by name.
    pub(super) by_name: HashMap<String, NodeId>,
    /// The schema of all other members: `additionalProperties`.
    pub(super) rest: Option<NodeId>,
    /// Whether `patternProperties` stands beside it, so that `rest` is not for all
    /// other members.
    pub(super) has_patterns: bool,
    /// Schemas of the first items.
    pub(super) prefix: Vec<NodeId>,
    /// The schema of all other items.
    pub(super) items: Option<NodeId>,
    /// Schemas that may apply to any member or item: `contains`,
    /// `patternProperties` …
    pub(super) members: Vec<NodeId>,
    /// The schema of the names of members: `propertyNames`.
    pub(super) names: Option<NodeId>,
    /// Steps of matching a byte of a string with the regular expression.
    pub(super) value_pattern: u64,
    /// The same of those that the names of members are matched with.
    pub(super) name_patterns: u64,
    /// Whether an `unevaluated…` keyword makes the validator find out which parts of
    /// the value the other schemas have spoken for.
    pub(super) marks: bool,
}

impl Node {
    /// Schemas that apply to the same value as this one.
    pub(super) fn in_place(&self) -> impl Iterator<Item = NodeId> {
        let groups = self.groups.iter().flatten();
        self.always
            .iter()
            .chain(groups)
            .chain(&self.sometimes)
            .copied()
    }

    /// Whether its keywords go over the members of an object.
    pub(super) fn reads_members(&self) -> bool {
        let one = self.rest.or(self.names).is_some();
        one || !self.properties.is_empty() || !self.members.is_empty()
    }

    /// Schemas that apply to a part of the value.
    pub(super) fn inward(&self) -> impl Iterator<Item = NodeId> {
        let named = self.properties.iter().map(|(_, node)| node);
        let several = self.prefix.iter().chain(&self.members);
        named
            .chain(several)
            .chain(&self.rest)
            .chain(&self.items)
            .chain(&self.names)
            .copied()
    }
}
