//! What a model writes, and what the tool gets or the model is told.

mod coercions;
mod defaults;
mod messages;
mod text;

use serde_json::{Value, json};

use super::Issue;
use crate::schema::{SchemaLimits, ToolSchema};

fn schema(schema: Value) -> ToolSchema {
    ToolSchema::compile_value(schema, &SchemaLimits::default()).unwrap()
}

/// The schema of arguments with one required property `a`.
fn with_property(property: &Value) -> ToolSchema {
    schema(json!({"type": "object", "required": ["a"], "properties": {"a": property}}))
}

/// What the tool gets for `a`.
fn given(property: &Value, a: Value) -> Value {
    let arguments = Value::Object([("a".to_owned(), a)].into_iter().collect());
    with_property(property).check(arguments).unwrap()["a"].take()
}

/// What the model is told, as `path: message`.
fn told(schema: &ToolSchema, arguments: Value) -> Vec<String> {
    let issues = schema.check(arguments).unwrap_err();
    issues
        .into_iter()
        .map(|Issue { path, message }| format!("{path}: {message}"))
        .collect()
}

#[test]
fn arguments_a_hundred_thousand_levels_deep_are_answered_at_once() {
    let deep = (0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));

    let schema = schema(json!({"type": "object"}));
    assert_eq!(
        told(&schema, deep),
        [": arrays and objects are nested more than 127 deep"]
    );
}

#[test]
fn arguments_without_anything_to_do_are_handed_on_as_they_are() {
    let schema = with_property(&json!({"type": "string"}));
    let text = "x".repeat(1000);
    let before = text.as_ptr();

    let given = schema
        .check(Value::Object(
            [("a".to_owned(), Value::String(text))]
                .into_iter()
                .collect(),
        ))
        .unwrap();
    assert_eq!(given["a"].as_str().unwrap().as_ptr(), before);
}
