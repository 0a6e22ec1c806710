//! What Gemini can be told, and what it cannot.

use serde_json::{Value, json};

use super::*;

pub(super) fn gemini(schema: Value) -> (Value, Vec<String>) {
    let exported = exported(schema, Provider::Gemini, Strict::Off).unwrap();
    let notes = exported.notes.iter().map(ToString::to_string).collect();
    (exported.definition["parameters"].clone(), notes)
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn gemini_gets_what_it_can_be_told() {
    for (schema, expected, notes) in [
        (
            json!({"type": "string", "title": "T", "minLength": 1, "pattern": "a", "examples": ["a"]}),
            json!({"type": "STRING", "title": "T", "minLength": 1, "pattern": "a"}),
            vec![],
        ),
        (
            json!({"type": ["string", "null"]}),
            json!({"type": "STRING", "nullable": true}),
            vec![],
        ),
        (
            json!({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "d"}),
            json!({"type": "INTEGER", "minimum": 1, "nullable": true, "description": "d"}),
            vec![],
        ),
        (
            json!({"const": "x"}),
            json!({"type": "STRING", "enum": ["x"]}),
            vec![],
        ),
        (
            json!({"enum": ["x", null]}),
            json!({"type": "STRING", "enum": ["x"], "nullable": true}),
            vec![],
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}], "nullable": true}),
            vec![],
        ),
        (
            json!({"type": ["string", "integer"], "maxLength": 3, "minimum": 2, "description": "d"}),
            json!({"anyOf": [{"type": "STRING", "maxLength": 3}, {"type": "INTEGER", "minimum": 2}], "description": "d"}),
            vec![],
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}),
            json!({"type": "INTEGER", "minimum": 1, "maximum": 9}),
            vec![],
        ),
        (
            json!({"allOf": [{"type": "integer", "minimum": 1}, {"minimum": 5, "maximum": 9}]}),
            json!({"type": "INTEGER", "minimum": 5, "maximum": 9}),
            vec![],
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            json!({"type": "STRING", "format": "date-time"}),
            vec![],
        ),
        (
            json!({"type": "string", "format": "email"}),
            json!({"type": "STRING"}),
            vec![],
        ),
        (
            json!({"type": "number", "exclusiveMinimum": 0}),
            json!({"type": "NUMBER"}),
            vec!["exclusiveMinimum"],
        ),
        (
            json!({"type": "integer", "multipleOf": 5}),
            json!({"type": "INTEGER"}),
            vec!["multipleOf"],
        ),
        (
            json!({"enum": [1, 2]}),
            json!({"type": "NUMBER", "description": "One of 1, 2"}),
            vec!["enum"],
        ),
        (
            json!({"type": "string", "enum": ["", "a"], "description": "d"}),
            json!({"type": "STRING", "description": "d (one of \"\", \"a\")"}),
            vec!["enum"],
        ),
        (
            json!({"type": "array", "uniqueItems": true, "items": {"type": "string"}}),
            json!({"type": "ARRAY", "items": {"type": "STRING"}}),
            vec!["uniqueItems"],
        ),
        (
            json!({"type": "array"}),
            json!({"type": "ARRAY", "items": {"type": "STRING"}}),
            vec!["items"],
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]}),
            json!({"type": "ARRAY", "items": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}]}}),
            vec!["prefixItems"],
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            json!({"type": "OBJECT"}),
            vec!["additionalProperties"],
        ),
        (
            json!({}),
            json!({"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}, {"type": "BOOLEAN"}]}),
            vec!["type"],
        ),
        (
            json!({"type": "object", "properties": {"x": {"type": "string"}}, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}),
            json!({"type": "OBJECT", "properties": {"x": {"type": "STRING"}}}),
            vec!["anyOf"],
        ),
    ] {
        let wrapped = with(schema.clone());
        let (parameters, _) = gemini(wrapped.clone());
        assert_eq!(parameters["properties"]["a"], expected, "{schema}");
        let exported = exported(wrapped.clone(), Provider::Gemini, Strict::Off).unwrap();
        let keywords: Vec<&str> = exported.notes.iter().map(|note| &*note.keyword).collect();
        assert_eq!(keywords, notes, "{schema}");
        assert_eq!(
            support(&wrapped, Provider::Gemini) == "ok",
            notes.is_empty(),
            "{schema}"
        );
    }
}

#[test]
fn gemini_gets_references_written_out() {
    let schema = json!({
        "type": "object", "required": ["from", "to"],
        "properties": {
            "from": {"$ref": "#/$defs/Place", "description": "start"},
            "to": {"allOf": [{"$ref": "#/$defs/Place"}, {"properties": {"zip": {"type": "string"}}}]},
        },
        "$defs": {"Place": {"type": "object", "description": "a place", "required": ["lat"],
            "properties": {"lat": {"$ref": "#/$defs/Angle"}}},
            "Angle": {"type": "number"}},
    });
    let (parameters, notes) = gemini(schema);
    assert_eq!(
        parameters,
        json!({"type": "OBJECT", "required": ["from", "to"], "properties": {
            "from": {"type": "OBJECT", "description": "start", "required": ["lat"],
                "properties": {"lat": {"type": "NUMBER"}}},
            "to": {"type": "OBJECT", "description": "a place", "required": ["lat"],
                "properties": {"zip": {"type": "STRING"}, "lat": {"type": "NUMBER"}}},
        }})
    );
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn gemini_refuses_what_has_no_end() {
    let tree = json!({"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"type": "object", "properties": {"child": {"$ref": "#/$defs/Node"}}}}});
    let problem = exported(tree, Provider::Gemini, Strict::Off).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "`root.child.child` refers to a schema it is part of (`#/$defs/Node`), and references \
         have to be written out here: limit the depth, or take the inner part as JSON text"
    );
    let mut definitions = json!({"d0": {"type": "string"}});
    for number in 1..30 {
        let inner = json!({"$ref": format!("#/$defs/d{}", number - 1)});
        definitions[format!("d{number}")] =
            json!({"type": "object", "properties": {"a": inner, "b": inner}});
    }
    let doubling = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d29"}}, "$defs": definitions});
    let problem = exported(doubling, Provider::Gemini, Strict::Off).unwrap_err();
    assert!(matches!(problem, Problem::TooLarge { .. }), "{problem}");
    let nowhere = with(json!({"$ref": "#/$defs/none"}));
    let problem = exported(nowhere, Provider::Gemini, Strict::Off).unwrap_err();
    assert!(matches!(problem, Problem::Reference { .. }), "{problem}");
}
