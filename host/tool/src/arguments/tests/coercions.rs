//! Which strings become numbers and booleans, and which stay strings.

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
        "", " 3", "3 ", "+3", "03", "0x10", "1e3", "1_000", "1,000", "abc", "3a", "٣", "-", ".5",
        "5.", "--3", "1.2.3", "NaN", "Infinity", "null", "true",
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
