//! Filling defaults into a value.

use serde_json::Value;

use super::{DefaultValue, Plan, StateId};
use crate::schema::graph::escape;

/// What was filled into a value: enough to take it out again.
#[derive(Debug, Default)]
pub(crate) struct Filled {
    /// The objects that got a member, by JSON Pointer, and the member's name.
    members: Vec<(String, String)>,
    parts: usize,
}

impl Filled {
    /// Whether nothing was filled in.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl Plan {
    /// Fills absent members in. `None`, with the value partly filled, when that
    /// would add more than `limit` parts: a few bytes of `[{},{},…]` can ask for
    /// many copies of a large default.
    pub(crate) fn fill(&self, value: &mut Value, limit: usize) -> Option<Filled> {
        let mut filled = Filled::default();
        let complete = self.walk(0, value, None, &mut |path, default| {
            filled.parts += default.parts;
            filled.members.push((pointer(path), default.name.clone()));
            (filled.parts <= limit)
                .then(|| default.value.clone())
                .ok_or(())
        });
        complete.is_ok().then_some(filled)
    }

    /// Goes to every place where a default applies and lets `give` say what to put
    /// there. Recurses as deep as the value.
    pub(super) fn walk<E>(
        &self,
        id: StateId,
        value: &mut Value,
        path: Option<&Path<'_>>,
        give: &mut impl FnMut(Option<&Path<'_>>, &DefaultValue) -> Result<Value, E>,
    ) -> Result<(), E> {
        let state = &self.states[id];
        match value {
            Value::Object(members) => {
                if !state.named.is_empty() || state.rest.is_some() {
                    for (name, member) in members.iter_mut() {
                        if let Some(way) = state.named.get(name).copied().or(state.rest) {
                            let path = Path {
                                parent: path,
                                step: Step::Name(name),
                            };
                            self.walk(way, member, Some(&path), give)?;
                        }
                    }
                }
                for default in &state.defaults {
                    if !members.contains_key(&default.name) {
                        members.insert(default.name.clone(), give(path, default)?);
                    }
                }
            }
            Value::Array(items) if state.items.is_some() => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(way) = state.prefix.get(index).copied().or(state.items) {
                        let path = Path {
                            parent: path,
                            step: Step::Index(index),
                        };
                        self.walk(way, item, Some(&path), give)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Takes out what was filled in.
pub(crate) fn remove(filled: &Filled, value: &mut Value) {
    for (object, name) in filled.members.iter().rev() {
        if let Some(Value::Object(members)) = value.pointer_mut(object) {
            members.shift_remove(name);
        }
    }
}

/// The way to a part of a value, kept on the stack until someone asks.
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

fn pointer(path: Option<&Path<'_>>) -> String {
    let mut steps = Vec::new();
    let mut at = path;
    while let Some(Path { parent, step }) = at {
        steps.push(match step {
            Step::Name(name) => format!("/{}", escape(name)),
            Step::Index(index) => format!("/{index}"),
        });
        at = *parent;
    }
    steps.reverse();
    steps.concat()
}
