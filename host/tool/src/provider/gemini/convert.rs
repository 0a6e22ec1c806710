//! JSON Schema as the schema of a Gemini function.
//!
//! | in JSON Schema | here |
//! |---|---|
//! | `$ref`, `allOf` | written out, joined |
//! | `type: ["string", "null"]`, `anyOf` with `null` | `nullable` |
//! | several types | `anyOf` |
//! | a choice between constants | `enum` |
//! | `oneOf` | `anyOf` |
//! | `const` | an `enum` of one |
//! | an `enum` of strings | the same |
//! | an `enum` of anything else | said in the description, with a note |
//! | `exclusiveMinimum` of an integer | `minimum`, one more |
//! | a list of unsaid items, a value of any type | strings; text, number or boolean, with a note |
//! | any other keyword that restricts values | left out, with a note |

use serde_json::{Map, Value, json};

use super::keywords::{
    COPIED, FORMATS, HANDLED, LEFT_OUT, annotate, describe, implied, is_a, is_annotation,
};
use crate::provider::Note;
use crate::provider::error::Problem;
use crate::provider::walk::Place;

/// Schemas that writing out references may come to; protects against definitions
/// that use each other twice, each doubling the last.
const PARTS: usize = 5_000;

/// The parameters of a function, and what could not be said.
pub(super) fn arguments(schema: &Value) -> Result<(Value, Vec<Note>), Problem> {
    let mut converter = Converter {
        root: schema,
        open: Vec::new(),
        parts: 0,
        notes: Vec::new(),
    };
    let parameters = converter.schema(schema, &Place::default())?;
    Ok((Value::Object(parameters), converter.notes))
}

pub(super) struct Converter<'a> {
    pub(super) root: &'a Value,
    /// The references that are being written out.
    pub(super) open: Vec<String>,
    parts: usize,
    notes: Vec<Note>,
}

impl Converter<'_> {
    pub(super) fn count(&mut self) -> Result<(), Problem> {
        self.parts += 1;
        if self.parts > PARTS {
            return Err(Problem::TooLarge { limit: PARTS });
        }
        Ok(())
    }

    pub(super) fn note(&mut self, property: &str, keyword: &str, message: &str) {
        let note = Note::new(property, keyword, message);
        // A definition used in two places of one property says it once.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn schema(&mut self, schema: &Value, place: &Place) -> Result<Map<String, Value>, Problem> {
        let Value::Object(schema) = schema else {
            if *schema == Value::Bool(false) {
                self.note(&place.property, "", "takes no value, which cannot be said");
            }
            return Ok(self.anything(place));
        };
        let opened = self.open.len();
        let flat = self.flatten(schema, &place.property)?;
        let converted = self.flat(flat, place);
        self.open.truncate(opened);
        converted
    }

    /// A schema without references and `allOf`.
    fn flat(
        &mut self,
        mut flat: Map<String, Value>,
        place: &Place,
    ) -> Result<Map<String, Value>, Problem> {
        if let Some(value) = flat.shift_remove("const") {
            flat.insert("enum".into(), json!([value]));
        }
        let types = types(&mut flat);
        let [only] = &types[..] else {
            return self.several(flat, &types, place);
        };
        let mut made = json!({"type": only.to_ascii_uppercase()});
        let made = made.as_object_mut().map(std::mem::take).unwrap_or_default();
        self.one(flat, made, place)
    }

    /// A schema of several types, or of none: alternatives.
    fn several(
        &mut self,
        mut flat: Map<String, Value>,
        types: &[String],
        place: &Place,
    ) -> Result<Map<String, Value>, Problem> {
        let branches = match flat.shift_remove("anyOf").or(flat.shift_remove("oneOf")) {
            Some(Value::Array(branches)) if types.is_empty() => {
                let unsaid = flat.keys().filter(|keyword| !is_annotation(keyword));
                for keyword in unsaid {
                    self.note(&place.property, keyword, LEFT_OUT);
                }
                branches
            }
            _ if types.is_empty() => {
                let mut made = self.anything(place);
                annotate(&mut made, &flat);
                return Ok(made);
            }
            _ => {
                let branch = |word: &String| {
                    let mut branch = flat.clone();
                    for keyword in ["title", "description", "default", "nullable"] {
                        branch.shift_remove(keyword);
                    }
                    branch.insert("type".into(), json!(word));
                    Value::Object(branch)
                };
                types.iter().map(branch).collect()
            }
        };
        let mut made = Map::new();
        annotate(&mut made, &flat);
        let (nulls, others): (Vec<_>, Vec<_>) =
            branches.iter().partition(|branch| branch["type"] == "null");
        if !nulls.is_empty() {
            made.insert("nullable".into(), true.into());
        }
        let alternatives: Result<Vec<_>, Problem> = others
            .into_iter()
            .map(|branch| self.schema(branch, place))
            .collect();
        made.insert("anyOf".into(), json!(alternatives?));
        Ok(made)
    }

    /// A schema of one type.
    fn one(
        &mut self,
        mut flat: Map<String, Value>,
        mut made: Map<String, Value>,
        place: &Place,
    ) -> Result<Map<String, Value>, Problem> {
        let kind = made["type"].as_str().unwrap_or_default().to_owned();
        for (keyword, kinds) in COPIED {
            // A bound on another type says nothing about this one.
            let applies = kinds.is_empty() || kinds.contains(&&*kind);
            if let (Some(value), true) = (flat.shift_remove(keyword), applies) {
                made.insert(keyword.into(), value);
            }
        }
        self.values(&flat, &kind, &mut made, place);
        self.bounds(&flat, &kind, &mut made, place);
        match &*kind {
            "ARRAY" => self.array(&flat, &mut made, place)?,
            "OBJECT" => self.object(&flat, &mut made, place)?,
            _ => {}
        }
        for keyword in flat.keys() {
            if !HANDLED.contains(&&**keyword) && !is_annotation(keyword) {
                self.note(&place.property, keyword, LEFT_OUT);
            }
        }
        Ok(made)
    }

    /// `enum` and `format`.
    fn values(
        &mut self,
        flat: &Map<String, Value>,
        kind: &str,
        made: &mut Map<String, Value>,
        place: &Place,
    ) {
        if let Some(Value::Array(values)) = flat.get("enum") {
            let values: Vec<&Value> = values.iter().filter(|value| is_a(value, kind)).collect();
            let said = |value: &&Value| value.as_str().is_some_and(|text| !text.is_empty());
            if !values.is_empty() && values.iter().all(said) {
                made.insert("enum".into(), json!(values));
            } else if kind != "NULL" {
                describe(made, &values);
                let message = "has values other than text and is said in the description; the \
                               host still checks it";
                self.note(&place.property, "enum", message);
            }
        }
        if let Some(format) = flat.get("format").and_then(Value::as_str)
            && FORMATS.contains(&(kind, format))
        {
            made.insert("format".into(), json!(format));
        }
    }

    /// Bounds that do not belong to their range, which only integers can do without.
    fn bounds(
        &mut self,
        flat: &Map<String, Value>,
        kind: &str,
        made: &mut Map<String, Value>,
        place: &Place,
    ) {
        for (exclusive, inclusive, step) in [
            ("exclusiveMinimum", "minimum", 1),
            ("exclusiveMaximum", "maximum", -1),
        ] {
            let Some(bound) = flat.get(exclusive) else {
                continue;
            };
            let next = bound.as_i64().and_then(|bound| bound.checked_add(step));
            match next {
                Some(next) if kind == "INTEGER" => {
                    let tighter = |old: i64| if step > 0 { next > old } else { next < old };
                    if made
                        .get(inclusive)
                        .and_then(Value::as_i64)
                        .is_none_or(tighter)
                    {
                        made.insert(inclusive.into(), json!(next));
                    }
                }
                _ => self.note(&place.property, exclusive, LEFT_OUT),
            }
        }
    }

    fn array(
        &mut self,
        flat: &Map<String, Value>,
        made: &mut Map<String, Value>,
        place: &Place,
    ) -> Result<(), Problem> {
        let inside = Place {
            property: format!("{}[]", place.property),
            level: place.level,
        };
        let prefix = flat.get("prefixItems").and_then(Value::as_array);
        let items = flat
            .get("items")
            .filter(|items| items.as_object().is_some_and(|o| !o.is_empty()));
        let items = match (prefix, items) {
            (None, Some(items)) => self.schema(items, &inside)?,
            (None, None) => {
                self.note(
                    &inside.property,
                    "items",
                    "does not say its type and is given as text",
                );
                Map::from_iter([("type".into(), json!("STRING"))])
            }
            (Some(prefix), rest) => {
                self.note(
                    &place.property,
                    "prefixItems",
                    "is given without the order of its types",
                );
                let mut kinds: Vec<Map<String, Value>> = Vec::new();
                for schema in prefix.iter().chain(rest) {
                    let kind = self.schema(schema, &inside)?;
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                match (kinds.len(), kinds.pop()) {
                    (1, Some(only)) => only,
                    (_, last) => {
                        kinds.extend(last);
                        Map::from_iter([("anyOf".into(), json!(kinds))])
                    }
                }
            }
        };
        made.insert("items".into(), Value::Object(items));
        Ok(())
    }

    fn object(
        &mut self,
        flat: &Map<String, Value>,
        made: &mut Map<String, Value>,
        place: &Place,
    ) -> Result<(), Problem> {
        let mut properties = Map::new();
        if let Some(Value::Object(named)) = flat.get("properties") {
            for (name, schema) in named {
                let inside = Place {
                    property: place.property(name),
                    level: place.level + 1,
                };
                let schema = self.schema(schema, &inside)?;
                properties.insert(name.clone(), Value::Object(schema));
            }
        }
        // Only `false` and what is unsaid take nothing from the model.
        if let Some(Value::Object(_) | Value::Bool(true)) = flat.get("additionalProperties") {
            self.note(
                &place.property,
                "additionalProperties",
                "has no place: only the named properties are offered",
            );
        } else if properties.is_empty() && !place.is_top() {
            self.note(
                &place.property,
                "properties",
                "names none, so none are offered",
            );
        }
        if let Some(Value::Array(required)) = flat.get("required") {
            let known = |name: &&Value| {
                name.as_str()
                    .is_some_and(|name| properties.contains_key(name))
            };
            let known: Vec<&Value> = required.iter().filter(known).collect();
            if known.len() < required.len() {
                self.note(
                    &place.property,
                    "required",
                    "names properties that are not described; they are left out",
                );
            }
            if !known.is_empty() {
                made.insert("required".into(), json!(known));
            }
        }
        if !properties.is_empty() {
            made.insert("properties".into(), Value::Object(properties));
        }
        Ok(())
    }

    /// What stands for a value of any type.
    fn anything(&mut self, place: &Place) -> Map<String, Value> {
        self.note(
            &place.property,
            "type",
            "is not said: text, number or boolean is offered",
        );
        let kinds = ["STRING", "NUMBER", "BOOLEAN"].map(|kind| json!({"type": kind}));
        Map::from_iter([("anyOf".into(), json!(kinds))])
    }
}

/// The types of a schema, without `null`, which becomes `nullable`.
fn types(flat: &mut Map<String, Value>) -> Vec<String> {
    if let Some(Value::Array(values)) = flat.get_mut("enum")
        && values.len() > 1
        && values.contains(&Value::Null)
    {
        values.retain(|value| !value.is_null());
        flat.insert("nullable".into(), true.into());
    }
    let mut types: Vec<String> = match flat.get("type") {
        Some(Value::String(word)) => vec![word.clone()],
        Some(Value::Array(words)) => {
            let words = words.iter().filter_map(Value::as_str);
            words.map(str::to_owned).collect()
        }
        _ => implied(flat).into_iter().map(str::to_owned).collect(),
    };
    if types.len() > 1 && types.iter().any(|word| word == "null") {
        types.retain(|word| word != "null");
        flat.insert("nullable".into(), true.into());
    }
    types
}
