//! The keywords of Gemini's schema, and small questions about a schema.

use serde_json::{Map, Value, json};

/// Keywords that are copied, with the types they speak about; none is all.
pub(super) const COPIED: [(&str, &[&str]); 13] = [
    ("title", &[]),
    ("description", &[]),
    ("nullable", &[]),
    ("default", &[]),
    ("minimum", &["INTEGER", "NUMBER"]),
    ("maximum", &["INTEGER", "NUMBER"]),
    ("minLength", &["STRING"]),
    ("maxLength", &["STRING"]),
    ("pattern", &["STRING"]),
    ("minItems", &["ARRAY"]),
    ("maxItems", &["ARRAY"]),
    ("minProperties", &["OBJECT"]),
    ("maxProperties", &["OBJECT"]),
];

/// Keywords that are dealt with one by one.
pub(super) const HANDLED: [&str; 10] = [
    "type",
    "enum",
    "format",
    "items",
    "prefixItems",
    "properties",
    "required",
    "additionalProperties",
    "exclusiveMinimum",
    "exclusiveMaximum",
];

/// What is said of a keyword without a place.
pub(super) const LEFT_OUT: &str = "has no place and is left out; the host still checks it";

/// Formats that are known, by type.
pub(super) const FORMATS: [(&str, &str); 6] = [
    ("STRING", "date-time"),
    ("STRING", "enum"),
    ("INTEGER", "int32"),
    ("INTEGER", "int64"),
    ("NUMBER", "float"),
    ("NUMBER", "double"),
];

/// The type that a schema without `type` is meant for.
pub(super) fn implied(flat: &Map<String, Value>) -> Option<&'static str> {
    if flat.contains_key("properties") {
        return Some("object");
    }
    if flat.contains_key("items") || flat.contains_key("prefixItems") {
        return Some("array");
    }
    if flat.contains_key("anyOf") || flat.contains_key("oneOf") {
        return None;
    }
    let values = flat.get("enum")?.as_array()?;
    if values.iter().all(Value::is_string) {
        Some("string")
    } else if values.iter().all(Value::is_number) {
        Some("number")
    } else if values.iter().all(Value::is_boolean) {
        Some("boolean")
    } else {
        None
    }
}

/// Whether a keyword says nothing about values.
pub(super) fn is_annotation(keyword: &str) -> bool {
    const ANNOTATIONS: [&str; 14] = [
        "title",
        "description",
        "nullable",
        "default",
        "$defs",
        "definitions",
        "$schema",
        "$id",
        "$anchor",
        "$comment",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
    ];
    ANNOTATIONS.contains(&keyword)
}

/// Whether a value is of a type.
pub(super) fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "STRING" => value.is_string(),
        "INTEGER" | "NUMBER" => value.is_number(),
        "BOOLEAN" => value.is_boolean(),
        "ARRAY" => value.is_array(),
        "OBJECT" => value.is_object(),
        _ => value.is_null(),
    }
}

/// Copies what is for the model alone.
pub(super) fn annotate(made: &mut Map<String, Value>, flat: &Map<String, Value>) {
    for keyword in ["title", "description", "nullable", "default"] {
        if let Some(value) = flat.get(keyword) {
            made.insert(keyword.into(), value.clone());
        }
    }
}

/// Says the values of an enum in the description.
pub(super) fn describe(made: &mut Map<String, Value>, values: &[&Value]) {
    /// Values that a description names.
    const NAMED: usize = 50;
    let words = values.iter().take(NAMED).map(ToString::to_string);
    let mut list = words.collect::<Vec<_>>().join(", ");
    if values.len() > NAMED {
        list.push_str(", …");
    }
    let text = made.get("description").and_then(Value::as_str);
    let text = match text {
        Some(text) => format!("{text} (one of {list})"),
        None => format!("One of {list}"),
    };
    made.insert("description".into(), json!(text));
}
