//! What a model writes, and what the tool gets or the model is told.

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

mod defaults {
    use super::*;

    #[test]
    fn are_filled_in_where_an_object_lacks_them() {
        let search = schema(json!({
            "type": "object",
            "required": ["query"],
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": "integer", "default": 10},
                "options": {"$ref": "#/$defs/options"},
                "filters": {"type": "array", "items": {"$ref": "#/$defs/filter"}},
            },
            "$defs": {
                "options": {"type": "object", "properties": {"case": {"type": "boolean", "default": false}}},
                "filter": {"allOf": [{"type": "object", "properties": {"op": {"default": "eq"}}}]},
            },
        }));

        assert_eq!(
            search
                .check(json!({"query": "x", "options": {}, "filters": [{}, {"op": "lt"}]}))
                .unwrap(),
            json!({"query": "x", "options": {"case": false}, "filters": [{"op": "eq"}, {"op": "lt"}], "limit": 10})
        );
        // No object is made only to hold defaults.
        assert_eq!(
            search.check(json!({"query": "x"})).unwrap(),
            json!({"query": "x", "limit": 10})
        );
        // What is there stays, even if it is null.
        assert_eq!(
            told(&search, json!({"query": "x", "limit": null})),
            ["/limit: expected integer, found null"]
        );
    }

    #[test]
    fn satisfy_what_is_required() {
        let schema = schema(
            json!({"type": "object", "required": ["a"], "properties": {"a": {"default": 1}}}),
        );

        assert_eq!(schema.check(json!({})).unwrap(), json!({"a": 1}));
    }

    #[test]
    fn are_filled_in_inside_other_defaults() {
        let schema = schema(json!({"type": "object", "properties": {"o": {
            "type": "object", "default": {}, "required": ["x"],
            "properties": {"x": {"type": "object", "default": {"z": 0}, "properties": {"y": {"default": 2}}}},
        }}}));

        assert_eq!(schema.warnings(), [""; 0]);
        assert_eq!(
            schema.check(json!({})).unwrap(),
            json!({"o": {"x": {"z": 0, "y": 2}}})
        );
    }

    #[test]
    fn beside_a_reference_win_over_those_behind_it() {
        let schema = schema(json!({
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/n", "default": 1}, "b": {"$ref": "#/$defs/n"}},
            "$defs": {"n": {"type": "integer", "default": 2}},
        }));

        assert_eq!(schema.check(json!({})).unwrap(), json!({"a": 1, "b": 2}));
    }

    #[test]
    fn reach_an_optional_model_and_maps_of_models_and_tuples() {
        let schema = schema(json!({
            "type": "object",
            "properties": {
                "maybe": {"anyOf": [{"$ref": "#/$defs/m"}, {"type": "null"}], "default": null},
                "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/m"}},
                "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/m"}]},
            },
            "$defs": {"m": {"type": "object", "properties": {"n": {"default": 1}}}},
        }));

        assert_eq!(schema.check(json!({})).unwrap(), json!({"maybe": null}));
        assert_eq!(
            schema
                .check(json!({"maybe": {}, "map": {"k": {}}, "pair": [0, {}]}))
                .unwrap(),
            json!({"maybe": {"n": 1}, "map": {"k": {"n": 1}}, "pair": [0, {"n": 1}]})
        );
    }

    #[test]
    fn of_one_of_several_alternatives_are_left_to_the_plugin() {
        let schema = with_property(&json!({"anyOf": [
            {"type": "object", "required": ["x"], "properties": {"n": {"default": 1}}},
            {"type": "object", "required": ["y"], "properties": {"n": {"default": 2}}},
        ]}));

        assert_eq!(
            schema.check(json!({"a": {"y": 0}})).unwrap(),
            json!({"a": {"y": 0}})
        );
    }

    #[test]
    fn that_would_break_good_arguments_stay_out() {
        let schema = schema(json!({
            "type": "object",
            "properties": {"a": {"type": "object", "properties": {"x": {"default": 1}, "y": {}}, "maxProperties": 1}},
        }));

        assert_eq!(
            schema.check(json!({"a": {"y": 1}})).unwrap(),
            json!({"a": {"y": 1}})
        );
        assert_eq!(
            schema.check(json!({"a": {}})).unwrap(),
            json!({"a": {"x": 1}})
        );
    }

    #[test]
    fn that_do_not_match_their_own_schema_are_a_warning() {
        let schema = schema(json!({"type": "object", "properties": {
            "a b/c": {"type": "string", "default": null}, "d": {"type": "integer", "default": 1},
        }}));

        assert_eq!(
            schema.warnings(),
            [
                "the default at `/properties/a b~1c` does not match its own schema and is not filled in"
            ]
        );
        assert_eq!(schema.check(json!({})).unwrap(), json!({"d": 1}));
    }

    #[test]
    fn that_lead_back_to_themselves_are_cut() {
        let tree = schema(json!({
            "type": "object",
            "properties": {"child": {"type": "object", "$ref": "#", "default": {}}},
        }));

        let filled = tree.check(json!({"child": {}})).unwrap();
        assert!(crate::json::depth_of(&filled) < 6, "{filled}");
    }

    #[test]
    fn cannot_blow_up() {
        let double = |next: &str| json!({"type": "object", "default": {}, "properties": {"x": {"$ref": next}, "y": {"$ref": next}}});
        let mut defs = serde_json::Map::new();
        for level in 0..25 {
            defs.insert(
                format!("a{level}"),
                double(&format!("#/$defs/a{}", level + 1)),
            );
        }
        defs.insert("a25".into(), json!({"default": 1}));
        let bomb =
            json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": defs});
        let error = ToolSchema::compile_value(bomb, &SchemaLimits::default()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the defaults of the schema fill each other in"),
            "{error}"
        );

        let large = vec![1; 5000];
        let many = with_property(&json!({"items": {"properties": {"x": {"default": large}}}}));
        assert_eq!(
            told(&many, json!({"a": vec![json!({}); 1000]})),
            [": filling in the defaults would make the value too large"]
        );
    }
}

mod coercions {
    use super::*;

    #[test]
    fn happen_when_the_text_is_exactly_the_value_asked_for() {
        let cases = [
            ("integer", "3", json!(3)),
            ("integer", "-12", json!(-12)),
            ("integer", "0", json!(0)),
            (
                "integer",
                "9007199254740993",
                json!(9_007_199_254_740_993_u64),
            ),
            ("integer", "18446744073709551615", json!(u64::MAX)),
            ("number", "3", json!(3)),
            ("number", "3.5", json!(3.5)),
            ("number", "-0.25", json!(-0.25)),
            ("boolean", "true", json!(true)),
            ("boolean", "false", json!(false)),
        ];
        for (kind, text, value) in cases {
            assert_eq!(
                given(&json!({"type": kind}), json!(text)),
                value,
                "{text} as {kind}"
            );
        }
    }

    #[test]
    fn never_happen_when_it_is_anything_else() {
        let numbers = [
            "", " 3", "3 ", "+3", "03", "0x10", "1e3", "1_000", "1,000", "abc", "3a", "٣", "-",
            ".5", "5.", "--3", "1.2.3", "NaN", "Infinity", "null", "true",
        ];
        for text in numbers {
            for kind in ["integer", "number"] {
                assert!(
                    with_property(&json!({"type": kind}))
                        .check(json!({"a": text}))
                        .is_err(),
                    "{text} as {kind}"
                );
            }
        }
        for text in ["3.0", "3.5", "18446744073709551616", "-9223372036854775809"] {
            assert!(
                with_property(&json!({"type": "integer"}))
                    .check(json!({"a": text}))
                    .is_err(),
                "{text}"
            );
        }
        for text in ["True", "TRUE", "yes", "1", "0", "on", ""] {
            assert!(
                with_property(&json!({"type": "boolean"}))
                    .check(json!({"a": text}))
                    .is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn never_go_another_way() {
        for (kind, value) in [
            ("string", json!(3)),
            ("string", json!(null)),
            ("string", json!(true)),
            ("boolean", json!(1)),
            ("boolean", json!(0)),
            ("integer", json!(true)),
            ("integer", json!(null)),
            ("integer", json!(3.5)),
            ("array", json!("a")),
            ("array", json!(3)),
            ("object", json!("{}")),
            ("null", json!("null")),
            ("null", json!("")),
        ] {
            assert!(
                with_property(&json!({"type": kind}))
                    .check(json!({"a": value}))
                    .is_err(),
                "{value} as {kind}"
            );
        }
    }

    #[test]
    fn leave_a_string_alone_where_one_is_allowed() {
        for property in [
            json!({}),
            json!({"type": "string"}),
            json!({"type": ["integer", "string"]}),
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        ] {
            assert_eq!(given(&property, json!("3")), json!("3"));
        }
    }

    #[test]
    fn work_for_optional_values_and_alternatives() {
        assert_eq!(
            given(&json!({"type": ["integer", "null"]}), json!("3")),
            json!(3)
        );
        assert_eq!(
            given(&json!({"type": ["boolean", "integer"]}), json!("true")),
            json!(true)
        );
        for keyword in ["anyOf", "oneOf"] {
            let optional = json!({keyword: [{"type": "null"}, {"type": "integer"}]});
            assert_eq!(given(&optional, json!("3")), json!(3));
            assert_eq!(given(&optional, json!(null)), json!(null));
        }
        let circle = json!({"type": "object", "required": ["kind", "r"], "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}});
        let square = json!({"type": "object", "required": ["kind", "w"], "properties": {"kind": {"const": "square"}, "w": {"type": "integer"}}});
        let shapes = json!({"type": "array", "items": {"oneOf": [circle, square]}});
        assert_eq!(
            given(
                &shapes,
                json!([{"kind": "square", "w": "2"}, {"kind": "circle", "r": "0.5"}])
            ),
            json!([{"kind": "square", "w": 2}, {"kind": "circle", "r": 0.5}])
        );
    }

    #[test]
    fn go_through_references_and_several_places_at_once() {
        let schema = schema(json!({
            "type": "object",
            "properties": {"n": {"$ref": "#/$defs/n"}, "list": {"items": {"$ref": "#/$defs/n"}}},
            "$defs": {"n": {"type": "integer", "enum": [1, 2]}},
        }));

        assert_eq!(
            schema.check(json!({"n": "1", "list": ["2", 1]})).unwrap(),
            json!({"n": 1, "list": [2, 1]})
        );
    }

    #[test]
    fn do_not_help_a_value_that_is_wrong_all_the_same() {
        let page = with_property(&json!({"type": "integer", "minimum": 1}));

        assert_eq!(
            told(&page, json!({"a": "0"})),
            ["/a: expected at least 1, found integer 0"]
        );
    }

    #[test]
    fn whole_floats_become_the_integers_they_equal() {
        assert_eq!(
            given(&json!({"type": "integer"}), json!(3.0)).to_string(),
            "3"
        );
        assert_eq!(
            given(&json!({"type": "integer"}), json!(-0.0)).to_string(),
            "0"
        );
        assert_eq!(given(&json!({}), json!([1.5, 2.0])).to_string(), "[1.5,2]");
        assert_eq!(
            given(&json!({"type": "number"}), json!(1e300)),
            json!(1e300)
        );
    }

    #[test]
    fn never_touch_a_result() {
        let schema =
            ToolSchema::compile_output_value(json!({"type": "integer"}), &SchemaLimits::default())
                .unwrap();

        assert!(schema.validate(&json!("3")).is_err());
    }
}

mod messages {
    use super::*;

    #[test]
    fn all_issues_come_at_once() {
        let schema = schema(json!({
            "type": "object",
            "required": ["city", "unit"],
            "additionalProperties": false,
            "properties": {
                "city": {"type": "string"},
                "unit": {"enum": ["celsius", "fahrenheit"]},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
                "when": {"type": "object", "properties": {"date/time": {"type": "string", "pattern": "^\\d+$"}}},
            },
        }));

        let mut told = told(
            &schema,
            json!({
                "citty": "Rome", "unit": "celcius", "days": 30, "when": {"date/time": "soon"},
            }),
        );
        told.sort();
        assert_eq!(
            told,
            [
                "/days: expected at most 14, found integer 30",
                "/unit: expected \"celsius\" or \"fahrenheit\" (did you mean \"celsius\"?), found string \"celcius\"",
                "/when/date~1time: expected text that matches `^\\d+$`, found string \"soon\"",
                ": the required property `city` is missing: is `citty` meant to be it?",
                ": there is no property `citty`: did you mean `city`?",
            ]
        );
    }

    #[test]
    fn each_keyword_says_what_was_expected_and_what_was_found() {
        let cases = [
            (
                json!({"type": "string"}),
                json!(1),
                "/a: expected string, found integer 1",
            ),
            (
                json!({"type": ["string", "null"]}),
                json!(1),
                "/a: expected null or string, found integer 1",
            ),
            (
                json!({"const": "x"}),
                json!("y"),
                "/a: expected \"x\", found string \"y\"",
            ),
            (
                json!({"exclusiveMinimum": 0}),
                json!(0),
                "/a: expected more than 0, found integer 0",
            ),
            (
                json!({"exclusiveMaximum": 1.5}),
                json!(2),
                "/a: expected less than 1.5, found integer 2",
            ),
            (
                json!({"multipleOf": 5}),
                json!(7),
                "/a: expected a multiple of 5, found integer 7",
            ),
            (
                json!({"minLength": 2}),
                json!("a"),
                "/a: expected at least 2 characters, found string \"a\"",
            ),
            (
                json!({"maxLength": 2}),
                json!("abc"),
                "/a: expected at most 2 characters, found string \"abc\"",
            ),
            (
                json!({"minItems": 1}),
                json!([]),
                "/a: expected at least 1 items, found 0",
            ),
            (
                json!({"maxItems": 1}),
                json!([1, 2]),
                "/a: expected at most 1 items, found 2",
            ),
            (
                json!({"uniqueItems": true}),
                json!([1, 1]),
                "/a: two items are equal, each must be different",
            ),
            (
                json!({"contains": {"type": "null"}}),
                json!([1]),
                "/a: no item is of the kind that the array must contain",
            ),
            (
                json!({"minProperties": 1}),
                json!({}),
                "/a: expected at least 1 properties, found 0",
            ),
            (
                json!({"not": {"type": "null"}}),
                json!(null),
                "/a: the value is what `not` excludes: {\"type\":\"null\"}",
            ),
            (
                json!(false),
                json!(1),
                "/a: nothing is allowed here: leave it out",
            ),
            (
                json!({"additionalProperties": false}),
                json!({"b": 1}),
                "/a: no property is allowed here: leave all of them out",
            ),
            (
                json!({"propertyNames": {"maxLength": 1}}),
                json!({"bb": 1}),
                "/a: the property name `bb` is not allowed: expected at most 1 characters, found string \"bb\"",
            ),
            (
                json!({"properties": {"one": {}, "two": {}}, "unevaluatedProperties": false}),
                json!({"x": 1}),
                "/a: there is no property `x`: expected `one` or `two`",
            ),
            (
                json!({"oneOf": [{"type": "integer"}, {"minimum": 0}]}),
                json!(1),
                "/a: the value matches several alternatives, it must match exactly one",
            ),
        ];
        for (property, value, message) in cases {
            assert_eq!(
                told(&with_property(&property), json!({"a": value})),
                [message],
                "{property}"
            );
        }
    }

    #[test]
    fn of_alternatives_are_about_the_one_that_was_meant() {
        let shapes = with_property(&json!({"oneOf": [
            {"type": "object", "required": ["kind", "r"], "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}},
            {"type": "object", "required": ["kind", "w"], "properties": {"kind": {"const": "square"}, "w": {"type": "number"}}},
            {"type": "null"},
        ]}));

        assert_eq!(
            told(&shapes, json!({"a": {"kind": "circle"}})),
            ["/a: the required property `r` is missing"]
        );
        assert_eq!(
            told(&shapes, json!({"a": {"kind": "square", "w": "wide"}})),
            ["/a/w: expected number, found string \"wide\""]
        );
        assert_eq!(
            told(&shapes, json!({"a": {"kind": "triangle"}})),
            ["/a/kind: expected \"circle\" or \"square\", found string \"triangle\""]
        );
        assert_eq!(
            told(&shapes, json!({"a": 3})),
            ["/a: expected object or null, found integer 3"]
        );
    }

    #[test]
    fn of_alternatives_that_are_equally_near_give_an_overview() {
        let either = with_property(&json!({"anyOf": [
            {"type": "object", "required": ["path"]}, {"type": "object", "required": ["url"]},
        ]}));

        assert_eq!(
            told(&either, json!({"a": {}})),
            [
                "/a: the value matches none of the 2 alternatives: the required property `path` is missing; \
              or the required property `url` is missing"
            ]
        );
    }

    #[test]
    fn do_not_repeat_a_megabyte() {
        let schema = with_property(&json!({"type": "integer", "additionalProperties": false}));

        for value in [
            json!("x".repeat(1 << 20)),
            json!(vec![1; 100_000]),
            json!({"k".repeat(1 << 20): 1}),
        ] {
            for issue in schema.check(json!({"a": value})).unwrap_err() {
                assert!(
                    issue.message.chars().count() < 300,
                    "{}",
                    issue.message.len()
                );
            }
        }
    }

    #[test]
    fn list_some_of_many_values() {
        let options: Vec<u32> = (0..3000).collect();
        let constants: Vec<Value> = options
            .iter()
            .map(|option| json!({"const": option}))
            .collect();
        let message = "/a: expected 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 2988 others, found string \"x\"";

        assert_eq!(
            told(&with_property(&json!({"enum": options})), json!({"a": "x"})),
            [message]
        );
        assert_eq!(
            told(
                &with_property(&json!({"anyOf": constants})),
                json!({"a": "x"})
            ),
            [message]
        );
    }

    #[test]
    fn are_at_most_thirty_two_and_a_count() {
        let schema = with_property(&json!({"items": {"type": "string"}}));

        let issues = schema.check(json!({"a": vec![1; 100]})).unwrap_err();
        assert_eq!(issues.len(), 33);
        assert_eq!(issues[0].path, "/a/0");
        assert_eq!(issues[32].message, "… and 68 more");
    }

    #[test]
    fn arguments_that_are_no_object_are_told_so() {
        let schema = schema(json!({"type": "object"}));

        assert_eq!(
            told(&schema, json!([1])),
            [": expected object, found array [1]"]
        );
        assert_eq!(
            told(&schema, json!(null)),
            [": expected object, found null"]
        );
        assert_eq!(schema.check(json!({})).unwrap(), json!({}));
    }

    #[test]
    fn cross_the_boundary_as_they_are() {
        let issue = Issue {
            path: "/a".into(),
            message: "wrong".into(),
        };

        let text = serde_json::to_string(&issue).unwrap();
        assert_eq!(text, r#"{"path":"/a","message":"wrong"}"#);
        assert_eq!(serde_json::from_str::<Issue>(&text).unwrap(), issue);
    }
}

mod size {
    use super::*;

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
}
