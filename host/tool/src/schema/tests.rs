//! Schemas as plugins may give them: honest ones, careless ones, and ones made to
//! hurt. Each hostile one is answered in well under a second.

mod bombs;

use serde_json::{Map, Value, json};

use super::{SchemaError, SchemaLimits, ToolSchema};
use crate::arguments::Issue;

fn compile(schema: &Value) -> Result<ToolSchema, SchemaError> {
    ToolSchema::compile(&schema.to_string(), &SchemaLimits::default())
}

fn refused(schema: &Value) -> String {
    compile(schema).unwrap_err().to_string()
}

/// An object schema with one property.
fn with_property(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

fn accepts(schema: &ToolSchema, value: &Value) -> bool {
    schema.validate(value).is_ok()
}

mod what_is_accepted {
    use super::*;

    #[test]
    fn local_references_work_in_every_spelling() {
        for reference in ["#/$defs/a%20b~1c", "#/%24defs/a%20b~1c", "#named"] {
            let schema = compile(&json!({
                "type": "object",
                "properties": {"x": {"$ref": reference}},
                "$defs": {"a b/c": {"$anchor": "named", "type": "integer"}},
            }))
            .unwrap();

            assert!(accepts(&schema, &json!({"x": 1})), "{reference}");
            assert!(!accepts(&schema, &json!({"x": "a"})), "{reference}");
        }
    }

    #[test]
    fn a_recursive_schema_describes_a_tree() {
        let tree = compile(&json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#"}},
            },
        }))
        .unwrap();

        assert!(accepts(
            &tree,
            &json!({"name": "a", "children": [{"name": "b", "children": []}]})
        ));
        let issues = tree
            .validate(&json!({"name": "a", "children": [{"children": []}]}))
            .unwrap_err();
        assert_eq!(issues[0].path, "/children/0");
    }

    #[test]
    fn what_looks_like_a_reference_in_data_is_data() {
        let schema = compile(&with_property(&json!({
            "default": {"$ref": "http://example.com/"},
            "examples": [{"$id": "x", "$ref": "other.json"}],
            "type": "object",
        })));
        assert!(schema.is_ok(), "{schema:?}");

        let named =
            json!({"type": "object", "properties": {"$ref": {"type": "string"}, "$id": {}}});
        assert!(compile(&named).is_ok());
    }

    #[test]
    fn unknown_keywords_and_formats_are_only_hints() {
        let schema = compile(&with_property(
            &json!({"format": "date-time", "x-unit": "m", "type": "string"}),
        ));

        assert!(accepts(&schema.unwrap(), &json!({"a": "soon"})));
    }

    #[test]
    fn draft_07_and_a_name_of_its_own_are_understood() {
        let schema = compile(&json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": "https://example.com/tool.json",
            "type": "object",
            "definitions": {"pair": {"items": [{"type": "integer"}, {"type": "string"}]}},
            "properties": {"p": {"$ref": "#/definitions/pair"}},
        }))
        .unwrap();

        assert!(accepts(&schema, &json!({"p": [1, "a"]})));
        assert!(!accepts(&schema, &json!({"p": ["a", 1]})));
        assert!(schema.as_value()["$id"].is_string());
    }

    #[test]
    fn the_schema_of_a_result_may_be_of_any_type() {
        let limits = SchemaLimits::default();
        let schema = ToolSchema::compile_output(r#"{"type": "integer"}"#, &limits).unwrap();

        assert!(accepts(&schema, &json!(3)));
        assert!(ToolSchema::compile_output_value(json!("integer"), &limits).is_err());
    }

    #[test]
    fn a_schema_is_shared_between_threads() {
        fn is_shareable<T: Send + Sync + Clone + 'static>() {}
        is_shareable::<ToolSchema>();
    }
}

mod what_is_refused {
    use super::*;

    #[test]
    fn arguments_are_an_object() {
        let message = "the schema of arguments must say `\"type\": \"object\"` at its top";
        assert_eq!(refused(&json!({})), message);
        assert_eq!(
            refused(&json!({"properties": {"a": {}}})),
            format!("{message}, beside its `properties`")
        );
        assert_eq!(
            refused(&json!({"type": "string"})),
            format!("{message}, not `string`: make the value a property of an object")
        );
        assert_eq!(
            refused(&json!({"type": ["object", "null"]})),
            format!("{message}, and nothing else: arguments are always an object")
        );
        assert_eq!(
            refused(&json!(true)),
            "the schema is boolean, a JSON object was expected"
        );
    }

    #[test]
    fn no_reference_leads_out() {
        for reference in [
            "http://example.com/a.json",
            "https://example.com/a.json#/b",
            "file:///etc/passwd",
            "urn:example:a",
            "other.json",
            "/etc/passwd",
            "//example.com/x",
            "?a",
            "",
        ] {
            assert_eq!(
                refused(&with_property(&json!({"$ref": reference}))),
                format!(
                    "`{reference}` at `/properties/a` leads out of the schema, and nothing is ever \
                     fetched: copy what it means into `$defs` and write `#/$defs/NAME`"
                )
            );
        }
        let hidden = json!({"type": "object", "x-hidden": {"$ref": "http://example.com/"}, "$ref": "#/x-hidden"});
        assert!(refused(&hidden).contains("leads out"));
    }

    #[test]
    fn a_reference_to_nothing_gets_a_suggestion() {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/adress"}, "b": {"$ref": "#/$defs/address"}},
            "$defs": {"address": {}},
        });

        assert_eq!(
            refused(&schema),
            "`#/$defs/adress` at `/properties/a` leads to nothing in the schema: did you mean `#/$defs/address`?"
        );
        assert!(refused(&with_property(&json!({"$ref": "#nobody"}))).contains("leads to nothing"));
    }

    #[test]
    fn references_that_go_round_without_going_in() {
        let schema = json!({
            "type": "object", "$ref": "#/$defs/a",
            "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}},
        });

        assert!(refused(&schema).contains("leads back there without going into the value"));
        assert!(refused(&json!({"type": "object", "$ref": "#"})).contains("leads back there"));
    }

    #[test]
    fn documents_inside_the_document() {
        assert_eq!(
            refused(&with_property(&json!({"$id": "other"}))),
            "`$id` at `/properties/a/$id` starts a schema of its own, which is not supported: move \
             it into `$defs` without `$id`"
        );
        assert!(refused(&with_property(&json!({"$schema": "x"}))).starts_with("`$schema` at"));
        assert!(
            refused(&json!({"$schema": "https://example.com/mine", "type": "object"}))
                .starts_with("the dialect `\"https://example.com/mine\"` is not known")
        );
    }

    #[test]
    fn one_anchor_in_two_places() {
        let schema = json!({"type": "object", "$defs": {"a": {"$anchor": "x"}, "b": {"$dynamicAnchor": "x"}}});

        assert_eq!(refused(&schema), "the anchor `x` is defined twice");
    }

    #[test]
    fn keywords_with_values_they_cannot_have() {
        assert_eq!(
            refused(&with_property(&json!({"type": "strin"}))),
            "the schema is not valid at `/properties/a/type`: \"strin\" is not a value this keyword can have"
        );
        assert_eq!(
            refused(&with_property(&json!({"minimum": "1"}))),
            "the schema is not valid at `/properties/a/minimum`: \"1\" is not of type \"number\""
        );
        assert!(
            refused(&with_property(&json!(3)))
                .starts_with("the schema is not valid at `/properties/a`")
        );
    }

    #[test]
    fn text_that_is_no_schema() {
        let limits = SchemaLimits::default();
        let refused = |text: &str| ToolSchema::compile(text, &limits).unwrap_err().to_string();

        assert!(
            refused("{\"type\": \"object\",")
                .starts_with("the schema cannot be read: the text ends too early")
        );
        assert!(refused(r#"{"type": "object", "type": "string"}"#).contains("appears twice"));
        assert!(refused(&" ".repeat(300_000)).contains("300000 bytes, 262144 are allowed"));
        assert!(refused(&format!("[{}1]", "1,".repeat(30_000))).contains("more than 20000 values"));
    }
}

mod regular_expressions {
    use super::*;

    #[test]
    fn ordinary_ones_work() {
        let schema = compile(&with_property(&json!({"pattern": r"^\d{4}-\d{2}$"}))).unwrap();

        assert!(accepts(&schema, &json!({"a": "2024-05"})));
        assert!(!accepts(&schema, &json!({"a": "yesterday"})));
    }

    #[test]
    fn those_without_a_bound_are_refused_and_named() {
        for (pattern, problem) in [
            ("(?=a)b", "uses look-around"),
            ("(?<!a)b", "uses look-around"),
            (r"(a)\1", "uses a back-reference"),
            ("a{1000000}", "is not valid, or too large"),
            ("(((a{100}){100}){100})", "is not valid, or too large"),
            ("(unclosed", "is not valid, or too large"),
        ] {
            let by_value = refused(&with_property(&json!({"pattern": pattern})));
            let start =
                format!("the regular expression `{pattern}` at `/properties/a/pattern` {problem}");
            assert!(by_value.starts_with(&start), "{by_value}");

            let by_name = refused(&json!({"type": "object", "patternProperties": {pattern: {}}}));
            assert!(by_name.contains(problem), "{by_name}");
        }
    }

    #[test]
    fn there_cannot_be_hundreds() {
        let many: Map<String, Value> = (0..100).map(|i| (format!("^p{i}"), json!({}))).collect();

        let schema = json!({"type": "object", "patternProperties": many});
        assert_eq!(
            refused(&schema),
            "the schema has more than 64 regular expressions"
        );
    }

    #[test]
    fn one_that_backtracking_engines_choke_on_is_answered_at_once() {
        let schema = compile(&with_property(&json!({"pattern": "^(a+)+$"}))).unwrap();

        assert!(!accepts(
            &schema,
            &json!({"a": format!("{}!", "a".repeat(1 << 20))})
        ));
    }

    #[test]
    fn one_that_is_large_is_not_matched_with_a_large_text() {
        let schema = compile(&json!({"type": "object", "properties": {
            "a": {"pattern": "[ab]*a[ab]{400}c"}, "b": {"type": "string"},
        }}))
        .unwrap();

        let large = "ab".repeat(1 << 19);
        assert!(accepts(
            &schema,
            &json!({"a": format!("a{}c", "b".repeat(400)), "b": large})
        ));
        let issues = schema.validate(&json!({"a": large})).unwrap_err();
        assert!(
            issues[0]
                .message
                .starts_with("checking the value would take too long")
        );
    }
}
