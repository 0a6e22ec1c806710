//! Arguments that are still text come out as the tree of them would.

use super::*;
use crate::json::{JsonLimits, parse};

/// Schemas with every keyword that looks into a value in a way of its own.
fn schemas() -> Vec<Value> {
    vec![
        json!({"type": "object"}),
        json!({"type": "object", "required": ["a"], "additionalProperties": false,
               "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"type": "string", "maxLength": 4}}}),
        json!({"type": "object", "properties": {"a": {"enum": ["x", 3, null, [1], {"k": 1.0}]}, "b": {"const": {"k": [1]}}}}),
        json!({"type": "object", "properties": {"a": {"type": "array", "uniqueItems": true, "contains": {"type": "integer"}, "maxItems": 3}}}),
        json!({"type": "object", "propertyNames": {"pattern": "^[a-c]$"}, "minProperties": 1, "maxProperties": 2}),
        json!({"type": "object", "patternProperties": {"^a": {"type": "boolean"}}, "unevaluatedProperties": {"type": "string"}}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "number"}, {"type": "array", "items": {"$ref": "#/properties/a"}}]}}}),
        json!({"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"not": {"required": ["b"]}}}),
        json!({"type": "object", "dependentRequired": {"a": ["b"]}, "properties": {"b": {"multipleOf": 0.5}}}),
        json!({"type": "object", "properties": {"a": {"default": 7, "type": "integer"}, "b": {"default": {"k": 2.0}}},
               "additionalProperties": {"$ref": "#"}, "maxProperties": 3}),
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "required": ["n"],
               "properties": {"n": {"default": "\u{1}\"é"}, "m": {"default": [[]]}}}}}}),
    ]
}

const TEXTS: [&str; 24] = [
    "{}",
    r#" { "a" : 1 , "b" : "x" } "#,
    r#"{"a": 3.0, "b": 1.5}"#,
    r#"{"a": "3", "b": 2}"#,
    r#"{"a": 0, "b": "longer"}"#,
    r#"{"a": "x", "b": {"k": [1.0]}}"#,
    r#"{"a": {"k": 1}, "c": {}}"#,
    r#"{"a": [1], "b": null}"#,
    r#"{"a": [1, 2, 1.0]}"#,
    r#"{"a": [[1], [], ["1"]], "b": 0.75}"#,
    r#"{"a": [{}, {"n": 1}, {"m": 2, "o": 3}]}"#,
    r#"{"a": true, "d": "\u00e9\n"}"#,
    r#"{"b": "\ud83d\ude00\ud83d\ude00"}"#,
    r#"{"c": {"c": {"a": -0.0, "x": {}}}}"#,
    r#"{"a": 1e300}"#,
    r#"{"a": 18446744073709551615}"#,
    r#"{"a": 18446744073709551616}"#,
    r#"{"a": 1, "a": 1}"#,
    r#"{"a": 1, "b": 2, "c": {}, "d": {}}"#,
    r#"{"a": [,]}"#,
    "[1]",
    "null",
    "",
    "{\"a\":",
];

#[test]
fn a_text_is_checked_as_its_tree_is() {
    let limits = JsonLimits::default();
    for source in schemas() {
        let schema = schema(source.clone());
        for text in TEXTS {
            let expected = parse(text, &limits)
                .map_err(|error| vec![error.into()])
                .and_then(|tree| schema.check(tree))
                .map(|checked| checked.to_string());
            assert_eq!(
                schema.check_text(text, &limits),
                expected,
                "{source} {text}"
            );
        }
    }
}

#[test]
fn an_object_that_lacks_very_many_members_gets_them_all() {
    let properties: serde_json::Map<_, _> = (0..500)
        .map(|n| (format!("p{n}"), json!({"default": n})))
        .collect();
    let schema = schema(json!({"type": "object", "properties": properties}));

    let checked = schema.check_text("{}", &JsonLimits::default()).unwrap();
    assert_eq!(
        checked,
        schema.check(json!({})).unwrap().to_string(),
        "in the same order"
    );
}

#[test]
fn defaults_that_would_make_a_text_too_large_are_refused() {
    let limits = SchemaLimits {
        defaults: 10,
        ..SchemaLimits::default()
    };
    let items = json!({"type": "object", "properties": {"x": {"default": [1, 2, 3]}}});
    let schema = ToolSchema::compile_value(
        json!({"type": "object", "properties": {"a": {"items": items}}}),
        &limits,
    )
    .unwrap();

    let told = |text: &str| schema.check_text(text, &JsonLimits::default());
    assert_eq!(
        told(r#"{"a": [{}, {}]}"#).unwrap(),
        r#"{"a":[{"x":[1,2,3]},{"x":[1,2,3]}]}"#
    );
    assert_eq!(
        told(r#"{"a": [{}, {}, {}]}"#).unwrap_err()[0].message,
        "filling in the defaults would make the value too large"
    );
}
