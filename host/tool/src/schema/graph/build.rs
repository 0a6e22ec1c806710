//! From a schema document to its graph. Works through a queue instead of
//! recursing, and takes keywords of the wrong shape as absent: the validator's own
//! check against the meta-schema names those.

use std::collections::{HashMap, VecDeque, hash_map::Entry};

use serde_json::{Map, Value};

use super::{
    Graph, Node, NodeId, Pattern, Plain, Weight,
    reference::{self, Reference, escape},
};
use crate::{schema::error::SchemaError, suggest::suggest};

/// Builds the graph of a document.
///
/// # Errors
/// When a reference leads out of the document or nowhere, an anchor is defined
/// twice, or a schema below the root starts a document of its own.
pub(in crate::schema) fn build(root: &Value) -> Result<Graph, SchemaError> {
    let mut builder = Builder::new(root);
    builder.node(root, String::new());
    loop {
        while let Some((id, schema)) = builder.queue.pop_front() {
            builder.read_schema(id, schema)?;
        }
        // Only now are all anchors known; targets that are new go into the queue.
        let references = std::mem::take(&mut builder.references);
        if references.is_empty() {
            break;
        }
        for (from, reference) in references {
            builder.connect(from, reference)?;
        }
    }
    Ok(Graph {
        nodes: builder.nodes,
        patterns: builder.patterns,
    })
}

struct Builder<'a> {
    root: &'a Value,
    /// Nodes by the address of their schema: one schema is one node, however many
    /// ways lead to it.
    ids: HashMap<*const Value, NodeId>,
    nodes: Vec<Node>,
    queue: VecDeque<(NodeId, &'a Value)>,
    anchors: HashMap<&'a str, (&'a Value, String)>,
    references: Vec<(NodeId, &'a str)>,
    patterns: Vec<Pattern>,
}

impl<'a> Builder<'a> {
    fn new(root: &'a Value) -> Self {
        Self {
            root,
            ids: HashMap::new(),
            nodes: Vec::new(),
            queue: VecDeque::new(),
            anchors: HashMap::new(),
            references: Vec::new(),
            patterns: Vec::new(),
        }
    }

    /// The node of a schema, new if the schema has not been met.
    fn node(&mut self, schema: &'a Value, pointer: String) -> NodeId {
        match self.ids.entry(std::ptr::from_ref(schema)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let id = self.nodes.len();
                place.insert(id);
                let node = Node {
                    pointer,
                    container: true,
                    ..Node::default()
                };
                self.nodes.push(node);
                self.queue.push_back((id, schema));
                id
            }
        }
    }

    fn read_schema(&mut self, id: NodeId, schema: &'a Value) -> Result<(), SchemaError> {
        let Value::Object(keywords) = schema else {
            return Ok(());
        };
        self.nodes[id].container = may_hold_parts(keywords);
        self.nodes[id].weight = Weight::of(keywords);
        self.nodes[id].plain = Plain::of(keywords);
        for (keyword, value) in keywords {
            let at = format!("{}/{}", self.nodes[id].pointer, escape(keyword));
            match (keyword.as_str(), value) {
                ("$ref" | "$dynamicRef", Value::String(target)) => {
                    self.references.push((id, target));
                }
                ("$anchor" | "$dynamicAnchor", Value::String(name)) => {
                    self.anchor(name, schema, self.nodes[id].pointer.clone())?;
                }
                ("$id", _) if id != 0 => return Err(SchemaError::Embedded { keyword: "$id", at }),
                ("$schema", _) if id != 0 => {
                    return Err(SchemaError::Embedded {
                        keyword: "$schema",
                        at,
                    });
                }
                ("default", _) => self.nodes[id].default = Some(value.clone()),
                ("pattern", Value::String(text)) => {
                    let text = text.clone();
                    self.patterns.push(Pattern {
                        text,
                        pointer: at,
                        node: id,
                        on_names: false,
                    });
                }
                _ => self.read_subschemas(id, keyword, value, &at),
            }
        }
        Ok(())
    }

    fn read_subschemas(&mut self, id: NodeId, keyword: &str, value: &'a Value, at: &str) {
        match (keyword, value) {
            ("allOf", Value::Array(all)) => {
                let all = self.list(all, at);
                self.nodes[id].always.extend(all);
            }
            ("anyOf" | "oneOf", Value::Array(branches)) => {
                let group = self.list(branches, at);
                self.nodes[id].groups.push(group);
            }
            // In 2020-12 one, in draft-07 the other; the validator passes over the one
            // that its dialect does not have.
            ("prefixItems" | "items", Value::Array(items)) => {
                let found = self.list(items, at);
                let others = std::mem::replace(&mut self.nodes[id].prefix, found);
                self.nodes[id].members.extend(others);
            }
            ("properties", Value::Object(members)) => {
                let found = self.table(members, at);
                self.nodes[id].by_name = found.iter().cloned().collect();
                self.nodes[id].properties = found;
            }
            ("patternProperties", Value::Object(members)) => {
                let found = self.table(members, at);
                self.patterns.extend(found.iter().map(|(text, schema)| {
                    let pointer = self.nodes[*schema].pointer.clone();
                    Pattern {
                        text: text.clone(),
                        pointer,
                        node: id,
                        on_names: true,
                    }
                }));
                self.nodes[id].has_patterns = !found.is_empty();
                self.nodes[id]
                    .members
                    .extend(found.iter().map(|(_, node)| node));
            }
            // In draft-07 a value of `dependencies` may be a list of names, which
            // is no schema and has nothing in it.
            ("dependentSchemas" | "dependencies", Value::Object(members)) => {
                let found = self.table(members, at);
                self.nodes[id]
                    .sometimes
                    .extend(found.iter().map(|(_, node)| node));
            }
            ("$defs" | "definitions", Value::Object(members)) => {
                self.table(members, at);
            }
            _ => self.read_single(id, keyword, value, at),
        }
    }

    /// Keywords whose value is one schema.
    fn read_single(&mut self, id: NodeId, keyword: &str, value: &'a Value, at: &str) {
        let known = matches!(
            keyword,
            "not"
                | "if"
                | "then"
                | "else"
                | "contentSchema"
                | "additionalProperties"
                | "items"
                | "additionalItems"
                | "contains"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties"
        );
        if !known {
            return;
        }
        let child = self.node(value, at.to_owned());
        let node = &mut self.nodes[id];
        match keyword {
            "not" | "if" | "then" | "else" => node.sometimes.push(child),
            "additionalProperties" => node.rest = Some(child),
            "propertyNames" => node.names = Some(child),
            // Beside an `items` that is a schema, `additionalItems` means nothing.
            "items" | "additionalItems" => {
                let is_schema = keyword == "items";
                let (schema, other) = match node.items {
                    Some(known) if !is_schema => (known, Some(child)),
                    known => (child, known),
                };
                node.items = Some(schema);
                node.members.extend(other);
            }
            // Never applied, only held to the same rules.
            "contentSchema" => {}
            _ => {
                node.marks |= keyword.starts_with("unevaluated");
                node.members.push(child);
            }
        }
    }

    fn list(&mut self, schemas: &'a [Value], at: &str) -> Vec<NodeId> {
        let numbered = schemas.iter().enumerate();
        numbered
            .map(|(index, schema)| self.node(schema, format!("{at}/{index}")))
            .collect()
    }

    fn table(&mut self, schemas: &'a Map<String, Value>, at: &str) -> Vec<(String, NodeId)> {
        let named = schemas.iter();
        named
            .map(|(name, schema)| {
                (
                    name.clone(),
                    self.node(schema, format!("{at}/{}", escape(name))),
                )
            })
            .collect()
    }

    fn anchor(&mut self, name: &'a str, schema: &'a Value, at: String) -> Result<(), SchemaError> {
        match self.anchors.insert(name, (schema, at)) {
            Some((other, _)) if !std::ptr::eq(other, schema) => Err(SchemaError::DuplicateAnchor {
                anchor: name.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn connect(&mut self, from: NodeId, text: &'a str) -> Result<(), SchemaError> {
        let target = match reference::read(text) {
            None => {
                let at = self.nodes[from].pointer.clone();
                return Err(SchemaError::RemoteReference {
                    reference: text.to_owned(),
                    at,
                });
            }
            Some(Reference::Pointer(pointer)) => {
                reference::follow(self.root, &pointer).map(|schema| (schema, pointer.into_owned()))
            }
            Some(Reference::Anchor(name)) => self.anchors.get(name).cloned(),
        };
        let Some((schema, pointer)) = target else {
            return Err(self.missing(from, text));
        };
        let target = self.node(schema, pointer);
        self.nodes[from].always.push(target);
        Ok(())
    }

    fn missing(&self, from: NodeId, reference: &str) -> SchemaError {
        let defined = self.nodes.iter().filter(|node| {
            node.pointer.starts_with("/$defs/") || node.pointer.starts_with("/definitions/")
        });
        let close = suggest(
            reference.trim_start_matches('#'),
            defined.map(|node| node.pointer.as_str()),
        );
        SchemaError::MissingReference {
            reference: reference.to_owned(),
            at: self.nodes[from].pointer.clone(),
            suggestion: close
                .map(|name| format!(": did you mean `#{name}`?"))
                .unwrap_or_default(),
        }
    }
}

/// Whether the keywords of a schema let an object or an array pass.
fn may_hold_parts(keywords: &Map<String, Value>) -> bool {
    let container = |name: &Value| matches!(name.as_str(), Some("object" | "array"));
    let by_type = match keywords.get("type") {
        Some(Value::Array(names)) => names.iter().any(container),
        Some(name) => container(name),
        None => true,
    };
    let has_parts = |value: &Value| value.is_object() || value.is_array();
    let by_enum = match keywords.get("enum") {
        Some(Value::Array(values)) => values.iter().any(has_parts),
        _ => true,
    };
    by_type && by_enum && keywords.get("const").is_none_or(has_parts)
}
