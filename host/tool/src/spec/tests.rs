//! People write specs by hand, so what they get wrong matters as much as what they
//! get right.

use serde_json::{Value, json};

use super::parse_parameters;
use crate::{SchemaLimits, ToolSchema};

/// The schema of one parameter `a`.
fn one(text: &str) -> Value {
    let schema = parse_parameters(&format!("a: {text}")).unwrap_or_else(|e| panic!("{text}: {e}"));
    schema["properties"]["a"].clone()
}

#[test]
fn a_tool_is_declared_in_four_lines() {
    let schema = parse_parameters(
        r#"
        city: string             # the city, in English
        unit?: enum("C", "F"),   # unit of the temperature
        days?: integer = 3 (1..14), tags?: string[] (..5)
        place?: {lat: number, lon: number} "where to measure"
        "#,
    )
    .unwrap();
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "the city, in English"},
                "unit": {"type": "string", "enum": ["C", "F"], "description": "unit of the temperature"},
                "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
                "place": {
                    "type": "object",
                    "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
                    "required": ["lat", "lon"],
                    "additionalProperties": false,
                    "description": "where to measure",
                },
            },
            "required": ["city"],
            "additionalProperties": false,
        })
    );
    ToolSchema::compile_value(schema, &SchemaLimits::default()).unwrap();
}

#[test]
fn each_type_becomes_its_schema() {
    for (text, expected) in [
        ("string", json!({"type": "string"})),
        ("any", json!({})),
        ("object", json!({"type": "object"})),
        ("any[]", json!({"type": "array", "items": {}})),
        ("string | null", json!({"type": ["string", "null"]})),
        (
            "string|integer|null",
            json!({"type": ["string", "integer", "null"]}),
        ),
        ("enum(1, 2)", json!({"type": "integer", "enum": [1, 2]})),
        ("enum(1, 2.5)", json!({"type": "number", "enum": [1, 2.5]})),
        ("enum(1, \"a\")", json!({"enum": [1, "a"]})),
        (
            "enum(\"a\") | null",
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            "number (-1.5..)",
            json!({"type": "number", "minimum": -1.5}),
        ),
        (
            "integer(3)",
            json!({"type": "integer", "minimum": 3, "maximum": 3}),
        ),
        (
            "string(1..20)[] (..5)",
            json!({
            "type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 20}, "maxItems": 5}),
        ),
        (
            "string[][]",
            json!({
            "type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
        ),
        (
            "string[] | null",
            json!({"type": ["array", "null"], "items": {"type": "string"}}),
        ),
        (
            "string[] | string",
            json!({
            "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}),
        ),
        (
            "integer=3(1..14)",
            json!({"type": "integer", "minimum": 1, "maximum": 14, "default": 3}),
        ),
        (
            "string = \"a, b\"",
            json!({"type": "string", "default": "a, b"}),
        ),
        (
            "string[] = [\"x\"] \"list\"",
            json!({
            "type": "array", "items": {"type": "string"}, "default": ["x"], "description": "list"}),
        ),
        (
            "boolean = false # off",
            json!({"type": "boolean", "default": false, "description": "off"}),
        ),
    ] {
        assert_eq!(one(text), expected, "{text}");
    }
}

#[test]
fn an_empty_spec_is_a_tool_without_arguments() {
    let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(parse_parameters(" \n ").unwrap(), none);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_slip_is_answered_with_the_place_and_the_remedy() {
    for (text, message) in [
        (
            "a: strng",
            "column 4: unknown type `strng`; did you mean `string`?",
        ),
        (
            "a: int",
            "column 4: unknown type `int`; did you mean `integer`?",
        ),
        (
            "a: list",
            "column 4: unknown type `list`; did you mean `string[]`?",
        ),
        (
            "a string",
            "column 3: expected `:` and a type behind `a`, found `string`",
        ),
        ("a:", "column 3: expected a type, found the end"),
        (
            "\"a\": string",
            "column 1: expected a parameter's name, found `\"`; names are written without quotes",
        ),
        (
            "größe: string",
            "column 1: the name `größe` has the character 'ö'; use letters, digits, `_`, `-` and `.`",
        ),
        (
            "a: string b: string",
            "column 11: expected `,` or the end of the line, found `b`",
        ),
        (
            "a: string,, b: string",
            "column 11: expected a parameter's name, found `,`",
        ),
        (
            "a: string, a: string",
            "column 12: the parameter `a` is there already",
        ),
        (
            "a: enum",
            "column 8: an enum lists its values: write `enum(\"a\", \"b\")`",
        ),
        (
            "a: enum(C, F)",
            "column 9: `C` is not a JSON value: write text as `\"C\"`",
        ),
        (
            "a: enum(\"C\" \"F\")",
            "column 13: expected `,` or `)` in the enum, found `\"`",
        ),
        (
            "a: enum(\"C\", \"C\")",
            "column 14: the enum has \"C\" already",
        ),
        (
            "a: enum(true)",
            "column 9: an enum has strings and numbers only",
        ),
        ("a: {b: string", "column 14: `}` is missing"),
        (
            "a: integer (5..1)",
            "column 12: the range is empty: `5` is more than `1`",
        ),
        (
            "a: integer (1.5..)",
            "column 12: the end of this range must be a whole number, not `1.5`",
        ),
        (
            "a: string (-1..)",
            "column 11: the end of this range must be a whole number, not less than 0, not `-1`",
        ),
        (
            "a: integer (..)",
            "column 12: the range has no end: write `(1..14)` or `(1..)`",
        ),
        (
            "a: integer (1..b)",
            "column 16: expected a number, found `b`",
        ),
        (
            "a: integer (1, 2)",
            "column 14: expected `)` behind the range, found `,`",
        ),
        (
            "a: boolean (1..2)",
            "column 12: `boolean` takes no range here",
        ),
        (
            "a: integer(1..2) = 1 (1..2)",
            "column 22: a type that has a range takes no range here",
        ),
        (
            "a: any | null",
            "column 4: `any` already includes the other alternatives",
        ),
        (
            "a: string | string",
            "column 4: two alternatives are the same",
        ),
        (
            "a: integer = \"3\"",
            "column 14: the default is written wrongly: write `3`",
        ),
        (
            "a: integer = 30 (1..14)",
            "column 14: the default does not match its type: expected at most 14, found integer 30",
        ),
        (
            "a: string = x",
            "column 13: `x` is not a JSON value: write text as `\"x\"`",
        ),
        (
            "a: string = \"x",
            "column 13: this JSON value is not complete or not valid",
        ),
        (
            "a: string \"one\" # two",
            "column 17: the parameter has a description already",
        ),
        (
            "# what\na: string",
            "line 1, column 1: a `#` description stands behind its parameter, on the same line",
        ),
        (
            "a: string\nb: {c: intger}",
            "line 2, column 8: unknown type `intger`; did you mean `integer`?",
        ),
    ] {
        let error = parse_parameters(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn the_place_can_be_pointed_at() {
    let error = parse_parameters("ok: string\n\tgrüße?: int").unwrap_err();
    assert_eq!(error.offset, 12);
    assert_eq!(error.excerpt(), " grüße?: int\n ^");
}

#[test]
fn what_is_too_large_is_refused() {
    let deep = format!("a: {}{}", "{b: ".repeat(17), "string");
    let lists = format!("a: string{}", "[]".repeat(17));
    let long = "a".repeat(65 << 10);
    let name = format!("{}: string", "a".repeat(65));
    for (text, expected) in [
        (deep, "more than 16 groups"),
        (lists, "more than 16 groups"),
        (long, "at most 65536"),
        (name, "at most 64 are allowed"),
    ] {
        let error = parse_parameters(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Every array has `items`, every group is closed.
fn check(schema: &Value) {
    if schema["type"] == "array" {
        assert!(schema.get("items").is_some(), "{schema}");
    }
    if let Some(properties) = schema["properties"].as_object() {
        assert_eq!(schema["additionalProperties"], false, "{schema}");
        properties.values().for_each(check);
    }
    if schema["items"].is_object() {
        check(&schema["items"]);
    }
}

/// Pieces of specs in any order: never a panic, an offset that is a place in the
/// text, and what is accepted is a schema that compiles.
#[test]
fn any_text_is_a_schema_or_an_error() {
    const PIECES: [&str; 36] = [
        "a",
        "b",
        "ö",
        "?",
        ":",
        " ",
        "\n",
        ",",
        "string",
        "integer",
        "number",
        "[]",
        "{",
        "}",
        "(",
        ")",
        "..",
        "1",
        "-3",
        "2.5",
        "=",
        "\"x\"",
        "\"",
        "#",
        "|",
        "null",
        "any",
        "enum(",
        "\"C\"",
        "\\",
        "e9",
        "😀",
        "\u{0}",
        "\r\n",
        "a: string",
        "b?: {c: integer}",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let mut accepted = 0;
    for _ in 0..40_000 {
        let count = next(14);
        let text: String = (0..count).map(|_| PIECES[next(PIECES.len())]).collect();
        match parse_parameters(&text) {
            Ok(schema) => {
                accepted += 1;
                check(&schema);
                if accepted % 20 == 0 {
                    ToolSchema::compile_value(schema, &SchemaLimits::default()).unwrap();
                }
            }
            Err(error) => {
                assert!(text.is_char_boundary(error.offset), "{text:?}: {error}");
                assert!(!error.excerpt().is_empty());
            }
        }
    }
    assert!(accepted > 1_000, "only {accepted} were accepted");
}
