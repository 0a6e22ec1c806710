//! Filling defaults into defaults, once, when the schema is compiled. A default
//! that leads back to itself (`child: {}` in a tree) is cut where it does.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{DefaultValue, Plan, State, fill::Visitor};
use crate::json::{JsonLimits, measure};
use crate::schema::{error::SchemaError, graph::NodeId, limits::SchemaLimits};

/// Defaults inside each other.
const MAX_DEPTH: usize = 32;

pub(super) fn expand(plan: &mut Plan, limits: &SchemaLimits) -> Result<(), SchemaError> {
    let mut expander = Expander {
        plan,
        done: HashMap::new(),
        open: Vec::new(),
        room: limits.defaults,
        limit: limits.defaults,
    };
    let values: Result<Vec<Value>, _> = plan
        .defaults()
        .map(|default| expander.expand(default))
        .collect();
    let mut values = values?.into_iter();
    for default in plan.states.iter_mut().flat_map(|state| &mut state.defaults) {
        if let Some(value) = values.next() {
            default.parts = parts(&value);
            default.measure = measure(&value, &JsonLimits::default()).ok();
            default.value = value;
        }
    }
    Ok(())
}

struct Expander<'a> {
    plan: &'a Plan,
    /// Expanded defaults, by their schema and the state of their value.
    done: HashMap<(NodeId, usize), Value>,
    /// Defaults being expanded.
    open: Vec<(NodeId, usize)>,
    room: usize,
    limit: usize,
}

impl Expander<'_> {
    fn expand(&mut self, default: &DefaultValue) -> Result<Value, SchemaError> {
        let too_large = SchemaError::DefaultsTooLarge { limit: self.limit };
        let key = (default.schema, default.inside);
        let value = if let Some(value) = self.done.get(&key) {
            value.clone()
        } else if self.open.contains(&key) {
            default.value.clone()
        } else if self.open.len() == MAX_DEPTH {
            return Err(too_large);
        } else {
            self.open.push(key);
            let mut value = default.value.clone();
            let plan = self.plan;
            plan.walk(default.inside, &mut value, self)?;
            self.open.pop();
            self.done.insert(key, value.clone());
            value
        };
        self.room = self.room.checked_sub(parts(&value)).ok_or(too_large)?;
        Ok(value)
    }
}

impl Visitor for Expander<'_> {
    type Stop = SchemaError;

    fn leave(
        &mut self,
        members: &mut Map<String, Value>,
        state: &State,
    ) -> Result<(), SchemaError> {
        for default in &state.defaults {
            if !members.contains_key(&default.name) {
                members.insert(default.name.clone(), self.expand(default)?);
            }
        }
        Ok(())
    }
}

/// Values in a value. Recurses: the depth of a default is limited with the schema.
fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(parts).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(parts).sum::<usize>(),
        _ => 1,
    }
}
