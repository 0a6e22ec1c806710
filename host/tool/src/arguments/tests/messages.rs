//! What a model is told of arguments that do not match.

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

/// Each property, given the value, leads to that one issue.
fn each_says(cases: &[(Value, Value, &str)]) {
    for (property, value, message) in cases {
        let schema = with_property(property);
        assert_eq!(told(&schema, json!({"a": value})), [*message], "{property}");
    }
}

#[test]
fn each_keyword_of_a_scalar_says_what_was_expected_and_found() {
    each_says(&[
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
    ]);
}

#[test]
fn each_keyword_of_what_has_parts_says_what_was_expected_and_found() {
    each_says(&[
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
    ]);
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
