//! What strict mode takes, and what rules it out.

use serde_json::{Value, json};

use super::*;

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_rules_strict_mode_out_is_named() {
    use Provider::{Anthropic, OpenAiChat};
    let nested = |schema| with(json!({"type": "array", "items": schema}));
    let optional = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let tree = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}}, "required": ["a"],
        "$defs": {"t": {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}}, "required": ["a"]}}});
    for (schema, openai, anthropic) in [
        (json!({"type": "object"}), "ok", "ok"),
        (json!({"type": "object", "properties": {}}), "ok", "ok"),
        (
            json!({"type": "object", "additionalProperties": false}),
            "ok",
            "ok",
        ),
        (
            json!({"type": "object", "additionalProperties": true}),
            ": additionalProperties",
            ": additionalProperties",
        ),
        (optional.clone(), "a: required", "ok"),
        (nested(optional), "a[].a: required", "ok"),
        (
            with(json!({"type": "object"})),
            "a: properties",
            "a: properties",
        ),
        (
            with(json!({"type": "object", "additionalProperties": {"type": "string"}})),
            "a: additionalProperties",
            "a: additionalProperties",
        ),
        (
            with(json!({"type": "integer", "minimum": 1})),
            "ok",
            "a: minimum",
        ),
        (
            with(json!({"type": "integer", "maximum": 1})),
            "ok",
            "a: maximum",
        ),
        (
            with(json!({"type": "integer", "exclusiveMinimum": 1})),
            "ok",
            "a: exclusiveMinimum",
        ),
        (
            with(json!({"type": "integer", "exclusiveMaximum": 1})),
            "ok",
            "a: exclusiveMaximum",
        ),
        (
            with(json!({"type": "integer", "multipleOf": 2})),
            "ok",
            "a: multipleOf",
        ),
        (
            nested(json!({"type": "integer", "multipleOf": 2})),
            "ok",
            "a[]: multipleOf",
        ),
        (
            with(json!({"type": "array", "items": {"type": "string"}, "maxItems": 2})),
            "ok",
            "a: maxItems",
        ),
        (
            with(json!({"type": "array", "items": {"type": "string"}, "minItems": 1})),
            "ok",
            "ok",
        ),
        (
            with(json!({"type": "array", "items": {"type": "string"}, "minItems": 2})),
            "ok",
            "a: minItems",
        ),
        (with(json!({"type": "array"})), "a[]: type", "a[]: type"),
        (with(json!({})), "a: type", "a: type"),
        (with(json!(true)), "a: type", "a: type"),
        (
            with(json!({"type": "string", "maxLength": 5})),
            "a: maxLength",
            "a: maxLength",
        ),
        (with(json!({"type": "string", "pattern": "^a"})), "ok", "ok"),
        (
            with(json!({"type": "string", "pattern": "\\ba"})),
            "ok",
            "a: pattern",
        ),
        (
            with(json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
            "ok",
            "ok",
        ),
        (
            with(json!({"oneOf": [{"type": "string"}, {"type": "null"}]})),
            "a: oneOf",
            "a: oneOf",
        ),
        (
            with(json!({"allOf": [{"type": "string"}]})),
            "a: allOf",
            "ok",
        ),
        (with(json!({"enum": [{"x": 1}]})), "ok", "a: enum"),
        (tree, "ok", "a: $ref"),
        (
            json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}),
            "ok",
            "a: $ref",
        ),
        (
            json!({"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]}),
            ": anyOf",
            ": anyOf",
        ),
        (json!({"type": "array"}), ": type", ": type"),
        (json!("no schema"), ": type", ": type"),
    ] {
        assert_eq!(support(&schema, OpenAiChat), openai, "OpenAI {schema}");
        assert_eq!(
            support(&schema, Provider::OpenAiResponses),
            openai,
            "OpenAI {schema}"
        );
        assert_eq!(support(&schema, Anthropic), anthropic, "Anthropic {schema}");
    }
}

#[test]
fn the_reason_says_what_to_do() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let problem = exported(schema, Provider::OpenAiChat, Strict::Require).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "strict mode is ruled out by `required` of `a`: every property must be required: list it \
         there, and let it be `null` if it may be missing"
    );
}

#[test]
fn strict_if_possible_falls_back_and_says_why() {
    let schema = with(json!({"type": "integer", "minimum": 1}));
    let strict = exported(schema.clone(), Provider::OpenAiChat, Strict::Prefer).unwrap();
    assert!(strict.strict && strict.notes.is_empty());
    let loose = exported(schema.clone(), Provider::Anthropic, Strict::Prefer).unwrap();
    assert!(!loose.strict);
    assert_eq!(loose.definition["input_schema"], schema);
    assert_eq!(
        loose.notes[0].to_string(),
        "`a`: `minimum` rules strict mode out: the keyword is not supported: leave it to the host \
         or the tool to check"
    );
}

/// What a Rust struct gives through schemars: no `additionalProperties`, formats of
/// integers, references with a description beside them.
#[test]
fn strict_mode_closes_objects_and_drops_what_it_does_not_know() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Args",
        "type": "object", "required": ["days", "unit"],
        "properties": {
            "days": {"type": "integer", "format": "uint32", "minimum": 0, "default": 3},
            "unit": {"$ref": "#/$defs/Unit", "description": "The unit."},
        },
        "$defs": {"Unit": {"type": "string", "enum": ["C", "F"]}},
    });
    let strict = exported(schema, Provider::OpenAiChat, Strict::Require).unwrap();
    assert_eq!(
        strict.definition["function"]["parameters"],
        json!({
            "title": "Args", "type": "object", "required": ["days", "unit"],
            "properties": {
                "days": {"type": "integer", "minimum": 0},
                "unit": {"$ref": "#/$defs/Unit"},
            },
            "$defs": {"Unit": {"type": "string", "enum": ["C", "F"]}},
            "additionalProperties": false,
        })
    );
    let notes: Vec<&str> = strict.notes.iter().map(|note| &*note.keyword).collect();
    assert_eq!(notes, ["default", "format", "description"]);
}

#[test]
fn the_size_of_a_strict_schema_is_limited() {
    let mut deep = json!({"type": "object", "properties": {}});
    for _ in 0..11 {
        deep = with(deep);
    }
    assert!(support(&deep, Provider::OpenAiChat).ends_with(": properties"));
    assert_eq!(support(&deep, Provider::Anthropic), "ok");

    let values: Vec<String> = (0..1_001).map(|number| number.to_string()).collect();
    let large = with(json!({"type": "string", "enum": values}));
    assert_eq!(support(&large, Provider::OpenAiChat), "a: enum");

    let many: serde_json::Map<String, Value> = (0..25)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let many = json!({"type": "object", "properties": many});
    assert_eq!(support(&many, Provider::Anthropic), ": required");
}

/// A documented Rust enum through schemars.
#[test]
fn a_choice_between_constants_becomes_an_enum() {
    let choice = json!({"description": "The chart.", "oneOf": [
        {"type": "string", "const": "line", "description": "Joined points."},
        {"type": "string", "const": "bar"},
    ]});
    let expected = json!({
        "type": "string", "enum": ["line", "bar"],
        "description": "The chart.\n- \"line\": Joined points.",
    });
    for (provider, at) in [
        (Provider::OpenAiResponses, "/parameters"),
        (Provider::Anthropic, "/input_schema"),
    ] {
        let strict = exported(with(choice.clone()), provider, Strict::Require).unwrap();
        let place = format!("{at}/properties/a");
        assert_eq!(strict.definition.pointer(&place), Some(&expected));
        let loose = exported(with(choice.clone()), provider, Strict::Off).unwrap();
        assert_eq!(loose.definition.pointer(&place), Some(&choice));
    }
    let (parameters, notes) = super::gemini::gemini(with(choice));
    assert_eq!(
        parameters["properties"]["a"]["enum"],
        json!(["line", "bar"])
    );
    assert!(notes.is_empty());
    for other in [
        json!({"oneOf": [{"const": 1}, {"const": 1}]}),
        json!({"oneOf": [{"const": 1, "type": "string"}, {"const": 2}]}),
        json!({"oneOf": [{"const": 1, "minimum": 5}, {"const": 2}]}),
    ] {
        assert_eq!(support(&with(other), Provider::OpenAiChat), "a: oneOf");
    }
}
