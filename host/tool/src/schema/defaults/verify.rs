//! Finding the defaults that do not match their own schema, such as `null` for a
//! string. Such a schema is common and harmless, so it is no error; but filling the
//! default in would turn good arguments into bad ones.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::Plan;
use crate::schema::{
    budget::Budget,
    engine,
    error::SchemaError,
    graph::{Graph, NodeId},
    limits::SchemaLimits,
};

/// The name under which the schema is known to the one made here.
const BASE: &str = "toolhost:schema";

/// The schemas whose defaults do not match them.
pub(super) fn unfit(
    plan: &Plan,
    schema: &Value,
    graph: &Graph,
    limits: &SchemaLimits,
) -> Result<HashSet<NodeId>, SchemaError> {
    // With its state, a schema has one default, whatever is filled into that.
    let mut met = HashSet::new();
    let used = plan.defaults();
    let used: Vec<_> = used
        .filter(|default| met.insert((default.schema, default.inside)))
        .map(|default| (default.schema, &default.value))
        .collect();
    // One schema with a property for every place, so that it is compiled once.
    let places = used.iter().enumerate().map(|(index, (id, _))| {
        let reference = format!("{BASE}#{}", encode(&graph.nodes[*id].pointer));
        (index.to_string(), json!({ "$ref": reference }))
    });
    let mut embedded = schema.clone();
    let mut outer = json!({ "properties": places.collect::<Map<_, _>>() });
    if let Value::Object(members) = &mut embedded {
        members.insert("$id".into(), BASE.into());
        if let Some(dialect) = members.get("$schema") {
            outer["$schema"] = dialect.clone();
        }
    }
    outer["definitions"] = json!({ "schema": embedded });
    let validator = engine::build(&outer, limits)?;
    // One for all: a schema can have thousands of defaults.
    let mut budget = Budget::for_checking(graph, limits);
    let unfit = used.iter().enumerate().filter(|(index, (id, value))| {
        let affordable = budget.covers_at(*id, (*value).into());
        let place = json!({ index.to_string(): value });
        !affordable || !validator.is_valid((&place).into())
    });
    Ok(unfit.map(|(_, (id, _))| *id).collect())
}

/// Writes a JSON Pointer as the fragment of a URI.
fn encode(pointer: &str) -> String {
    let mut fragment = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            fragment.extend(["%".to_owned(), format!("{byte:02X}")]);
        }
    }
    fragment
}
