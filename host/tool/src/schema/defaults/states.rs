//! The states of a plan: which schemas certainly speak for a part of a value.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use super::{DefaultValue, State, StateId};
use crate::schema::{
    error::SchemaError,
    graph::{Graph, NodeId},
};

/// States, and names in them, that a plan may have: there are exponentially many
/// sets of schemas.
const MAX_STATES: u64 = 50_000;

/// Steps of finding the schemas for names.
const MAX_STEPS: usize = 1_000_000;

/// Makes the states of a schema; the defaults of `left_out` are ignored.
pub(super) fn make(graph: &Graph, left_out: &HashSet<NodeId>) -> Result<Vec<State>, SchemaError> {
    let mut maker = Maker {
        graph,
        left_out,
        holders: holders(graph),
        ids: HashMap::new(),
        states: Vec::new(),
        queue: VecDeque::new(),
        room: MAX_STATES,
        steps: MAX_STEPS,
    };
    maker.state(BTreeSet::from([0]))?;
    while let Some((id, schemas)) = maker.queue.pop_front() {
        maker.states[id] = maker.make(&schemas)?;
    }
    Ok(maker.states)
}

struct Maker<'a> {
    graph: &'a Graph,
    left_out: &'a HashSet<NodeId>,
    /// For every schema, whether it lets an object or an array pass.
    holders: Vec<bool>,
    ids: HashMap<BTreeSet<NodeId>, StateId>,
    states: Vec<State>,
    queue: VecDeque<(StateId, BTreeSet<NodeId>)>,
    /// States and names there is still room for.
    room: u64,
    steps: usize,
}

impl Maker<'_> {
    /// The state for a set of schemas, new if the set has not been met.
    fn state(&mut self, schemas: BTreeSet<NodeId>) -> Result<StateId, SchemaError> {
        let schemas = self.close(schemas);
        self.spend(1 + schemas.len())?;
        if let Some(id) = self.ids.get(&schemas) {
            return Ok(*id);
        }
        let id = self.states.len();
        self.states.push(State::default());
        self.ids.insert(schemas.clone(), id);
        self.queue.push_back((id, schemas));
        Ok(id)
    }

    fn spend(&mut self, steps: usize) -> Result<(), SchemaError> {
        self.room = self.room.checked_sub(steps as u64).ok_or_else(too_many)?;
        Ok(())
    }

    /// Adds every schema that certainly applies with those of the set.
    fn close(&self, schemas: BTreeSet<NodeId>) -> BTreeSet<NodeId> {
        let mut closed = BTreeSet::new();
        let mut open: Vec<NodeId> = schemas.into_iter().collect();
        while let Some(id) = open.pop() {
            if closed.insert(id) {
                let node = &self.graph.nodes[id];
                open.extend(&node.always);
                open.extend(
                    node.groups
                        .iter()
                        .filter_map(|group| self.only_branch(group)),
                );
            }
        }
        closed
    }

    /// The one branch that can hold an object or an array.
    fn only_branch(&self, group: &[NodeId]) -> Option<NodeId> {
        let mut holders = group.iter().copied().filter(|branch| self.holders[*branch]);
        let first = holders.next()?;
        holders.next().is_none().then_some(first)
    }

    fn make(&mut self, schemas: &BTreeSet<NodeId>) -> Result<State, SchemaError> {
        let mut state = State::default();
        let graph = self.graph;
        let nodes = || schemas.iter().map(|id| &graph.nodes[*id]);
        for (name, _) in nodes().flat_map(|node| &node.properties) {
            self.spend(1)?;
            self.steps = self.steps.checked_sub(schemas.len()).ok_or_else(too_many)?;
            if state.named.contains_key(name) {
                continue;
            }
            let speaking = self.for_member(schemas, name);
            let default = self.default_of(&speaking);
            let inside = self.state(speaking)?;
            state.named.insert(name.clone(), inside);
            if let Some(schema) = default
                && let Some(value) = graph.nodes[schema].default.clone()
            {
                let default = DefaultValue {
                    name: name.clone(),
                    value,
                    parts: 0,
                    measure: None,
                    schema,
                    inside,
                };
                state.defaults.push(default);
            }
        }
        let rest = nodes()
            .filter(|node| !node.has_patterns)
            .filter_map(|node| node.rest)
            .collect();
        state.rest = Some(self.state(rest)?);
        let longest = nodes().map(|node| node.prefix.len()).max().unwrap_or(0);
        for index in 0..longest {
            let item = nodes().filter_map(|node| node.prefix.get(index).copied().or(node.items));
            state.prefix.push(self.state(item.collect())?);
        }
        state.items = Some(self.state(nodes().filter_map(|node| node.items).collect())?);
        Ok(state)
    }

    /// The schemas that speak for the member of a name.
    fn for_member(&self, schemas: &BTreeSet<NodeId>, name: &str) -> BTreeSet<NodeId> {
        let speaking = schemas.iter().filter_map(|id| {
            let node = &self.graph.nodes[*id];
            let rest = node.rest.filter(|_| !node.has_patterns);
            node.by_name.get(name).copied().or(rest)
        });
        speaking.collect()
    }

    /// The schema whose default a member gets: one beside a `$ref` comes before one
    /// behind it.
    fn default_of(&self, schemas: &BTreeSet<NodeId>) -> Option<NodeId> {
        let mut open: VecDeque<NodeId> = schemas.iter().copied().collect();
        let mut met = BTreeSet::new();
        while let Some(id) = open.pop_front() {
            let node = &self.graph.nodes[id];
            if node.default.is_some() && !self.left_out.contains(&id) {
                return Some(id);
            }
            if met.insert(id) {
                open.extend(&node.always);
            }
        }
        None
    }
}

fn too_many() -> SchemaError {
    SchemaError::TooManyApplied {
        at: String::new(),
        limit: MAX_STATES,
    }
}

fn holders(graph: &Graph) -> Vec<bool> {
    let mut known = vec![None; graph.nodes.len()];
    (0..known.len())
        .map(|id| may_hold_parts(graph, id, &mut known))
        .collect()
}

/// Recursion ends: schemas for one value form no cycle and no long chain.
fn may_hold_parts(graph: &Graph, id: NodeId, known: &mut [Option<bool>]) -> bool {
    if let Some(answer) = known[id] {
        return answer;
    }
    let node = &graph.nodes[id];
    let answer = node.container
        && node
            .always
            .iter()
            .all(|same| may_hold_parts(graph, *same, known));
    known[id] = Some(answer);
    answer
}
