//! The type a schema describes, in a few words: `integer 1 to 10`, `list of
//! strings`, `"asc" | "desc"`.

use serde_json::{Map, Value};

/// Schemas in schemas that are followed.
const MAX_DEPTH: usize = 4;

/// The schema that references start from.
pub(super) struct Root<'a>(pub(super) &'a Value);

impl<'a> Root<'a> {
    /// The object schema that a parameter has, or that the items of its list
    /// have, which is marked by `[]`.
    pub(super) fn object_in(&self, schema: &'a Value) -> Option<(&'a Value, &'static str)> {
        let schema = self.without_null(self.follow(schema));
        if schema.get("properties").is_some() {
            return Some((schema, ""));
        }
        let items = self.without_null(self.follow(schema.get("items")?));
        items.get("properties").is_some().then_some((items, "[]"))
    }

    /// The schema behind a local `$ref`, or `schema` itself.
    fn follow(&self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..MAX_DEPTH {
            let target = schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| reference.strip_prefix('#'))
                .and_then(|pointer| self.0.pointer(pointer));
            match target {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    /// The one alternative of `anyOf` or `oneOf` that is not `null`, which is
    /// how an optional value is written.
    fn without_null(&self, schema: &'a Value) -> &'a Value {
        let Some(alternatives) = alternatives(schema) else {
            return schema;
        };
        let mut others = alternatives.iter().filter(|other| !is_null(other));
        match (others.next(), others.next()) {
            (Some(only), None) => self.follow(only),
            _ => schema,
        }
    }
}

/// The type of `schema`.
pub(super) fn of(root: &Root<'_>, schema: &Value) -> String {
    words(root, schema, 0).one
}

/// A type, for one value and for several.
struct Words {
    one: String,
    many: String,
}

impl Words {
    fn new(one: impl Into<String>) -> Self {
        let one = one.into();
        Self {
            many: format!("{one}s"),
            one,
        }
    }

    fn same(one: impl Into<String>) -> Self {
        let one = one.into();
        Self {
            many: one.clone(),
            one,
        }
    }
}

fn words(root: &Root<'_>, schema: &Value, depth: usize) -> Words {
    let schema = root.follow(schema);
    let Some(fields) = schema.as_object().filter(|_| depth < MAX_DEPTH) else {
        return Words {
            one: "anything".into(),
            many: "anything".into(),
        };
    };
    if let Some(value) = fields.get("const") {
        return Words::same(value.to_string());
    }
    if let Some(values) = fields.get("enum").and_then(Value::as_array) {
        let shown: Vec<String> = values
            .iter()
            .filter(|value| !value.is_null())
            .map(Value::to_string)
            .collect();
        return Words::same(shown.join(" | "));
    }
    if let Some(alternatives) = alternatives(schema) {
        return any_of(root, alternatives, depth);
    }
    match fields.get("type") {
        Some(Value::String(name)) => named(root, name, fields, depth),
        Some(Value::Array(names)) => {
            let names = names
                .iter()
                .filter_map(Value::as_str)
                .filter(|name| *name != "null");
            joined(names.map(|name| named(root, name, fields, depth).one))
        }
        _ => Words::same("anything"),
    }
}

fn any_of(root: &Root<'_>, alternatives: &[Value], depth: usize) -> Words {
    let others = alternatives.iter().filter(|other| !is_null(other));
    joined(others.map(|other| words(root, other, depth + 1).one))
}

fn joined(parts: impl Iterator<Item = String>) -> Words {
    let mut different: Vec<String> = Vec::new();
    for part in parts {
        if !different.contains(&part) {
            different.push(part);
        }
    }
    let is_values = different.iter().all(|part| part.starts_with('"'));
    match different.as_slice() {
        [] => Words::same("null"),
        [only] => Words::new(only),
        _ => Words::same(different.join(if is_values { " | " } else { " or " })),
    }
}

fn named(root: &Root<'_>, name: &str, fields: &Map<String, Value>, depth: usize) -> Words {
    match name {
        "array" => match fields.get("items") {
            Some(items) if items.is_object() => {
                let items = words(root, items, depth + 1).many;
                Words {
                    one: format!("list of {items}"),
                    many: format!("lists of {items}"),
                }
            }
            _ => Words::new("list"),
        },
        "integer" | "number" => match range(fields) {
            Some(range) => Words::same(format!("{name} {range}")),
            None => Words::new(name),
        },
        _ => Words::new(name),
    }
}

fn range(fields: &Map<String, Value>) -> Option<String> {
    let least = fields.get("minimum");
    // That is no bound, only the end of what an integer can be.
    let is_bound = |most: &&Value| most.as_u64().is_none_or(|most| most < u64::from(u32::MAX));
    let most = fields.get("maximum").filter(is_bound);
    match (least, most) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}")),
        // Every unsigned integer has this; it says little.
        (Some(least), None) if least == 0 => None,
        (Some(least), None) => Some(format!("from {least}")),
        (None, Some(most)) => Some(format!("up to {most}")),
        (None, None) => None,
    }
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema
        .get("anyOf")
        .or_else(|| schema.get("oneOf"))?
        .as_array()
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "null")
        || schema.get("const").is_some_and(Value::is_null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(schema: &Value) -> String {
        of(&Root(schema), schema)
    }

    #[test]
    fn types_are_told_in_a_few_words() {
        for (schema, expected) in [
            (json!({"type": "string"}), "string"),
            (
                json!({"type": "integer", "minimum": 1, "maximum": 10}),
                "integer 1 to 10",
            ),
            (json!({"type": "integer", "minimum": 0}), "integer"),
            (
                json!({"type": "array", "items": {"type": "string"}}),
                "list of strings",
            ),
            (
                json!({"type": "integer", "minimum": 1, "maximum": u64::MAX}),
                "integer from 1",
            ),
            (json!({"type": "array"}), "list"),
            (json!({"type": ["string", "null"]}), "string"),
            (json!({"type": ["string", "number"]}), "string or number"),
            (json!({"enum": ["asc", "desc", null]}), r#""asc" | "desc""#),
            (
                json!({"oneOf": [{"const": "a"}, {"const": "b"}]}),
                r#""a" | "b""#,
            ),
            (
                json!({"anyOf": [{"type": "object"}, {"type": "null"}]}),
                "object",
            ),
            (json!({}), "anything"),
            (json!(true), "anything"),
        ] {
            assert_eq!(shown(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn lists_of_lists_end_somewhere() {
        let mut schema = json!({"type": "string"});
        for _ in 0..50 {
            schema = json!({"type": "array", "items": schema});
        }
        assert!(shown(&schema).ends_with("anything"));
        assert_eq!(shown(&json!({"$ref": "#"})), "anything");
    }
}
