//! One schema out of a schema and what it refers to, since Gemini has neither
//! references nor `allOf`.

use serde_json::{Map, Value};

use super::convert::Converter;
use super::merge::merge;
use crate::provider::error::Problem;

/// How often a reference may be inside itself. A definition can be used inside a
/// use of itself without recursion, once beside the `$ref` and once behind it; what
/// comes round a third time never ends.
const ROUNDS: usize = 2;

impl Converter<'_> {
    /// Writes out `$ref`, `allOf`, and an `anyOf` of one alternative and `null`.
    /// The references stay open until the caller is done with what is inside.
    pub(super) fn flatten(
        &mut self,
        schema: &Map<String, Value>,
        place: &str,
    ) -> Result<Map<String, Value>, Problem> {
        self.count()?;
        let mut flat = schema.clone();
        if let Some(Value::String(reference)) = flat.shift_remove("$ref") {
            let target = self.open(&reference, place)?;
            let behind = self.flatten(&target, place)?;
            self.join(&mut flat, behind, place);
        }
        if let Some(Value::Array(parts)) = flat.shift_remove("allOf") {
            for part in parts {
                if let Value::Object(part) = part {
                    let part = self.flatten(&part, place)?;
                    self.join(&mut flat, part, place);
                }
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = flat.get(keyword) else {
                continue;
            };
            let others: Vec<&Value> = branches.iter().filter(|branch| !is_null(branch)).collect();
            let nullable = others.len() < branches.len();
            if let [Value::Object(only)] = others[..] {
                let only = only.clone();
                flat.shift_remove(keyword);
                let only = self.flatten(&only, place)?;
                self.join(&mut flat, only, place);
                if nullable {
                    flat.insert("nullable".into(), true.into());
                }
            }
        }
        Ok(flat)
    }

    fn join(&mut self, flat: &mut Map<String, Value>, other: Map<String, Value>, place: &str) {
        for keyword in merge(flat, other) {
            self.note(
                place,
                &keyword,
                "has two values that cannot be joined; the first is kept",
            );
        }
    }

    /// The schema that a reference leads to.
    fn open(&mut self, reference: &str, place: &str) -> Result<Map<String, Value>, Problem> {
        let rounds = self.open.iter().filter(|open| *open == reference).count();
        let property = match place {
            "" => "the arguments".to_owned(),
            place => place.to_owned(),
        };
        if rounds >= ROUNDS || self.open.len() > crate::json::MAX_DEPTH {
            return Err(Problem::Recursive {
                property,
                reference: reference.to_owned(),
            });
        }
        let pointer = reference.strip_prefix('#');
        let target = pointer.and_then(|pointer| self.root.pointer(pointer));
        self.open.push(reference.to_owned());
        match target {
            Some(Value::Object(target)) => Ok(target.clone()),
            Some(Value::Bool(true)) => Ok(Map::new()),
            _ => Err(Problem::Reference {
                property,
                reference: reference.to_owned(),
            }),
        }
    }
}

/// Whether a schema is for `null` alone.
fn is_null(schema: &Value) -> bool {
    schema["type"] == "null" || schema.get("const") == Some(&Value::Null)
}
