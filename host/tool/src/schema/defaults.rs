//! Where the defaults of a schema apply.
//!
//! A default is filled in for a member that is absent from an object that is there;
//! no object is made only to hold defaults. Which schemas speak for an object must
//! be certain: `properties`, `additionalProperties`, `items` and `prefixItems` are
//! followed, through `$ref` and `allOf`, and through an `anyOf` or `oneOf` of which
//! just one branch can hold an object or an array (an optional model, say). A
//! default inside `if`, `not`, `patternProperties` or one of several branches is
//! left to the plugin.
//!
//! Several schemas can speak for one object. Were they followed one by one, a
//! recursive schema would visit the parts of a value exponentially often; so the
//! plan's states are *sets* of schemas ([`states`]) and every part is visited once
//! ([`fill`]). What a default has filled in inside itself is worked out beforehand
//! ([`expand`]), and one that does not match its own schema is left out ([`verify`]).

mod add;
mod expand;
mod fill;
mod states;
mod verify;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{
    error::SchemaError,
    graph::{Graph, NodeId},
    limits::SchemaLimits,
};
use crate::json::Measure;

/// Index of a state; the root is 0.
type StateId = usize;

/// Where defaults apply in a value.
#[derive(Debug)]
pub(crate) struct Plan {
    states: Vec<State>,
}

/// What applies to one part of a value.
#[derive(Debug, Default)]
struct State {
    /// Members to fill in when absent.
    defaults: Vec<DefaultValue>,
    /// Where to go on for members with these names.
    named: HashMap<String, StateId>,
    /// Where to go on for other members.
    rest: Option<StateId>,
    /// Where to go on for the first items.
    prefix: Vec<StateId>,
    /// Where to go on for other items.
    items: Option<StateId>,
}

/// A member that is filled in when it is absent.
#[derive(Debug)]
struct DefaultValue {
    name: String,
    /// Its value, with the defaults that apply inside it filled in already.
    value: Value,
    /// Parts of `value`.
    parts: usize,
    /// Its size; `None` when it is deeper than any value may be.
    measure: Option<Measure>,
    /// The schema that has it.
    schema: NodeId,
    /// The state of `value`.
    inside: StateId,
}

impl Plan {
    /// Makes the plan of a schema, `None` when no default applies, and says which
    /// defaults are left out.
    ///
    /// # Errors
    /// When the defaults, filled into each other, are more than the limit.
    pub(super) fn of(
        schema: &Value,
        graph: &Graph,
        limits: &SchemaLimits,
    ) -> Result<(Option<Self>, Vec<String>), SchemaError> {
        if graph.nodes.iter().all(|node| node.default.is_none()) {
            return Ok((None, Vec::new()));
        }
        let mut plan = Self::without(&HashSet::new(), graph, limits)?;
        let unfit = verify::unfit(&plan, schema, graph, limits)?;
        if !unfit.is_empty() {
            plan = Self::without(&unfit, graph, limits)?;
        }
        let mut places: Vec<&str> = unfit
            .iter()
            .map(|id| graph.nodes[*id].pointer.as_str())
            .collect();
        places.sort_unstable();
        let warnings = places.into_iter().map(|at| {
            format!("the default at `{at}` does not match its own schema and is not filled in")
        });
        Ok((
            (!plan.states[0].is_idle()).then_some(plan),
            warnings.collect(),
        ))
    }

    fn without(
        left_out: &HashSet<NodeId>,
        graph: &Graph,
        limits: &SchemaLimits,
    ) -> Result<Self, SchemaError> {
        let mut plan = Self {
            states: states::make(graph, left_out)?,
        };
        expand::expand(&mut plan, limits)?;
        plan.prune();
        Ok(plan)
    }

    fn defaults(&self) -> impl Iterator<Item = &DefaultValue> {
        self.states.iter().flat_map(|state| &state.defaults)
    }

    /// Empties the states from which no default can be reached, so that values
    /// with nothing to fill in are hardly walked.
    fn prune(&mut self) {
        let mut useful: Vec<bool> = self
            .states
            .iter()
            .map(|state| !state.defaults.is_empty())
            .collect();
        let mut parents = vec![Vec::new(); self.states.len()];
        for (id, state) in self.states.iter().enumerate() {
            state.ways().for_each(|way| parents[way].push(id));
        }
        let mut open: Vec<StateId> = (0..useful.len()).filter(|id| useful[*id]).collect();
        while let Some(id) = open.pop() {
            for &parent in &parents[id] {
                if !std::mem::replace(&mut useful[parent], true) {
                    open.push(parent);
                }
            }
        }
        for state in &mut self.states {
            if !state.ways().any(|way| useful[way]) {
                let defaults = std::mem::take(&mut state.defaults);
                *state = State {
                    defaults,
                    ..State::default()
                };
            }
        }
    }
}

impl State {
    fn is_idle(&self) -> bool {
        self.defaults.is_empty() && self.ways().next().is_none()
    }

    fn ways(&self) -> impl Iterator<Item = StateId> {
        let several = self.named.values().chain(&self.prefix);
        several.chain(&self.rest).chain(&self.items).copied()
    }
}
