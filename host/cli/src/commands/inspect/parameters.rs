//! The parameters of a tool, from its schema to lines that people read.
//!
//! Schemas are the plugin's: they may be deep, refer to themselves, and have
//! thousands of properties, so everything here is cut.

use serde_json::{Map, Value};

use super::schema_type::{self, Root};
use crate::text;

/// Lines shown for one tool.
const MAX_ROWS: usize = 60;

/// Levels of objects in objects that are shown.
const MAX_DEPTH: usize = 3;

/// Longest name or default, in characters.
const MAX_CELL_CHARS: usize = 60;

/// Longest type, in characters: lists of allowed values are worth reading.
const MAX_TYPE_CHARS: usize = 160;

/// Longest description of a parameter, in characters.
const MAX_DOC_CHARS: usize = 600;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Its name; parts of an object follow after a point: `filter[].column`.
    pub(super) name: String,
    /// Its type, and whether it is required or what it is by default.
    pub(super) shape: String,
    /// What it is for.
    pub(super) doc: String,
}

/// The parameters that `schema` describes, in its order.
pub(super) fn of(schema: &Value) -> Vec<Parameter> {
    let mut rows = Vec::new();
    add(&Root(schema), schema, "", 1, &mut rows);
    if rows.len() > MAX_ROWS {
        rows.truncate(MAX_ROWS);
        rows.push(Parameter {
            name: "…".into(),
            shape: String::new(),
            doc: "and more; `--json` shows all".into(),
        });
    }
    rows
}

/// What a tool returns, as a line.
pub(super) fn returned(schema: &Value) -> Parameter {
    Parameter {
        name: "returns".into(),
        shape: shape(&Root(schema), schema, false),
        doc: doc(schema),
    }
}

fn add(root: &Root<'_>, schema: &Value, prefix: &str, depth: usize, rows: &mut Vec<Parameter>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let required = schema.get("required").and_then(Value::as_array);
    for (name, property) in properties {
        if rows.len() > MAX_ROWS {
            return;
        }
        let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
        let full = format!("{prefix}{}", cell(name));
        rows.push(Parameter {
            name: full.clone(),
            shape: shape(root, property, is_required),
            doc: doc(property),
        });
        if depth < MAX_DEPTH
            && let Some((inner, mark)) = root.object_in(property)
        {
            add(root, inner, &format!("{full}{mark}."), depth + 1, rows);
        }
    }
}

fn shape(root: &Root<'_>, property: &Value, is_required: bool) -> String {
    let of = text::cut(&schema_type::of(root, property), MAX_TYPE_CHARS).into_owned();
    let of = text::line(&of);
    match property.get("default") {
        _ if is_required => format!("{of}, required"),
        // An empty list is what leaving it out means anyway.
        Some(default) if default.as_array().is_some_and(Vec::is_empty) => of.into_owned(),
        Some(Value::Null) | None => of.into_owned(),
        Some(default) => format!("{of} [default: {}]", cell(&default.to_string())),
    }
}

fn doc(schema: &Value) -> String {
    let said = schema.as_object().and_then(|fields: &Map<String, Value>| {
        fields
            .get("description")
            .or_else(|| fields.get("title"))?
            .as_str()
    });
    text::block(&text::cut(said.unwrap_or_default().trim(), MAX_DOC_CHARS)).into_owned()
}

fn cell(value: &str) -> String {
    text::line(&text::cut(value, MAX_CELL_CHARS)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rows(schema: &Value) -> Vec<(String, String)> {
        of(schema)
            .into_iter()
            .map(|row| (row.name, row.shape))
            .collect()
    }

    fn row(name: &str, shape: &str) -> (String, String) {
        (name.into(), shape.into())
    }

    #[test]
    fn objects_in_lists_are_opened() {
        let schema = json!({
            "properties": {
                "filter": {"type": "array", "items": {"$ref": "#/$defs/Condition"}},
                "limit": {"type": ["integer", "null"], "default": null},
            },
            "required": ["filter"],
            "$defs": {"Condition": {
                "type": "object",
                "properties": {"column": {"type": "string"}, "is": {"enum": ["<", ">"]}},
                "required": ["column"],
            }},
        });
        assert_eq!(
            rows(&schema),
            [
                row("filter", "list of objects, required"),
                row("filter[].column", "string, required"),
                row("filter[].is", "\"<\" | \">\""),
                row("limit", "integer"),
            ]
        );
    }

    #[test]
    fn a_schema_in_itself_ends() {
        let schema = json!({
            "properties": {"tree": {"$ref": "#/$defs/Tree"}},
            "$defs": {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}},
        });
        let names: Vec<String> = of(&schema).into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["tree", "tree.left", "tree.left.left"]);
    }

    #[test]
    fn an_enormous_schema_is_cut() {
        let many: Map<String, Value> = (0..10_000)
            .map(|number| (format!("p{number}"), json!({})))
            .collect();
        let rows = of(&json!({ "properties": many }));
        assert_eq!(rows.len(), MAX_ROWS + 1);
        assert_eq!(rows.last().unwrap().name, "…");
    }

    #[test]
    fn hostile_names_and_texts_are_harmless() {
        let schema = json!({"properties": {"a\u{1b}[1m\n": {"description": "x\u{7}"}}});
        let row = &of(&schema)[0];
        assert_eq!(
            (row.name.as_str(), row.doc.as_str()),
            ("a\\u001b[1m\\n", "x\\u0007")
        );
    }
}
