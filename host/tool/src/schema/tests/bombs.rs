//! Schemas made to cost time, memory or stack, and what bounds them.

use super::*;

/// Fewer steps than the default, because the walk that counts them is slow
/// without optimisation.
fn compile(schema: &Value) -> Result<ToolSchema, SchemaError> {
    let limits = SchemaLimits {
        steps: 800_000,
        ..SchemaLimits::default()
    };
    ToolSchema::compile(&schema.to_string(), &limits)
}

/// `a0` … `a{levels}`, each made of the next by `step`.
fn chain(levels: usize, step: impl Fn(Value) -> Value) -> Value {
    let mut defs = Map::new();
    for level in 0..levels {
        let next = json!({"$ref": format!("#/$defs/a{}", level + 1)});
        defs.insert(format!("a{level}"), step(next));
    }
    defs.insert(format!("a{levels}"), json!({}));
    json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": defs})
}

/// `{"x": {"x": …}}`.
fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!({"x": inner}))
}

#[test]
fn schemas_that_double_for_one_value_are_refused() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let bomb = chain(30, |next| json!({keyword: [next, next]}));
        assert!(
            refused(&bomb).contains("comes to more than 10000 schemas for one value"),
            "{keyword}"
        );
    }
    let conditions = chain(30, |next| json!({"if": next, "then": next, "else": next}));
    assert!(refused(&conditions).contains("comes to more than 10000 schemas"));
    let unevaluated = chain(
        30,
        |next| json!({"allOf": [next], "unevaluatedProperties": false}),
    );
    assert!(refused(&unevaluated).contains("comes to more than 10000 schemas"));
}

#[test]
fn schemas_that_double_with_every_level_of_the_value_refuse_deep_values() {
    let step =
        |next: Value| json!({"allOf": [{"properties": {"x": next}}, {"properties": {"x": next}}]});
    let bomb = compile(&chain(40, step)).unwrap();

    assert!(accepts(&bomb, &nested(8)));
    let issues = bomb.validate(&nested(40)).unwrap_err();
    assert!(
        issues[0]
            .message
            .starts_with("checking the value would take too long")
    );
}

#[test]
fn recursive_schemas_that_double_refuse_deep_values() {
    let schema = compile(&json!({
        "type": "object",
        "allOf": [{"properties": {"x": {"$ref": "#/$defs/t"}}}],
        "$defs": {"t": {"anyOf": [
            {"type": "integer"},
            {"type": "object", "required": ["x", "k"], "properties": {"x": {"$ref": "#/$defs/t"}}},
            {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#/$defs/t"}}},
        ]}},
    }))
    .unwrap();

    assert!(accepts(&schema, &nested(12)));
    assert!(schema.validate(&nested(100)).is_err());
    let wrong = (0..13).fold(json!("a"), |inner, _| json!({"x": inner}));
    let issues = schema.validate(&wrong).unwrap_err();
    assert!(
        issues[0].message.contains("too many nested alternatives"),
        "{issues:?}"
    );
}

#[test]
fn long_chains_of_references_are_refused() {
    assert!(
        refused(&chain(100, |next| json!({"allOf": [next]})))
            .contains("starts a chain of more than 64")
    );
    assert!(refused(&chain(3000, |next| next)).contains("starts a chain of more than 64"));
}

#[test]
fn a_schema_nested_a_hundred_thousand_deep_is_answered_at_once() {
    let text = "{\"not\":".repeat(100_000);
    assert!(ToolSchema::compile(&text, &SchemaLimits::default()).is_err());

    let value = (0..100_000).fold(Value::Null, |inner, _| {
        Value::Object(Map::from_iter([("not".into(), inner)]))
    });
    assert!(ToolSchema::compile_value(value, &SchemaLimits::default()).is_err());
}

#[test]
fn many_alternatives_over_many_items_are_refused() {
    let branches: Vec<Value> = (0..3000).map(|i| json!({"const": i})).collect();
    let schema = compile(&with_property(&json!({"items": {"anyOf": branches}}))).unwrap();

    let few: Vec<u32> = (0..50).collect();
    assert!(accepts(&schema, &json!({"a": few})));
    let many: Vec<u32> = vec![2999; 10_000];
    assert!(
        schema.validate(&json!({"a": many})).unwrap_err()[0]
            .message
            .contains("too long")
    );
}

#[test]
fn long_lists_over_many_items_are_refused_unless_they_are_looked_up() {
    let strings: Vec<String> = (0..3000).map(|number| number.to_string()).collect();
    let schema = compile(&with_property(&json!({"items": {"enum": strings}}))).unwrap();
    assert!(accepts(&schema, &json!({"a": vec!["2999"; 10_000]})));

    let arrays: Vec<Value> = (0..3000).map(|number| json!([number])).collect();
    let schema = compile(&with_property(&json!({"items": {"enum": arrays}}))).unwrap();
    assert!(accepts(&schema, &json!({"a": [[2999]]})));
    assert!(!accepts(&schema, &json!({"a": vec![[2999]; 10_000]})));
}

#[test]
fn copies_of_a_large_value_in_explanations_are_bounded() {
    let branches: Vec<Value> = (0..1000)
        .map(|i| json!({"type": "object", "required": [i.to_string()]}))
        .collect();
    let schema = compile(&json!({"type": "object", "anyOf": branches})).unwrap();

    let issues = schema
        .validate(&json!({"text": "x".repeat(1 << 20)}))
        .unwrap_err();
    assert!(
        issues[0].message.contains("it is too large"),
        "{}",
        issues[0].message
    );
}

/// Test threads have 2 MiB of stack, as worker threads do.
#[test]
fn the_deepest_value_that_is_let_in_does_not_overflow_the_stack() {
    for chain in [1, 2, 8, 30, 60] {
        let inner =
            json!({"properties": {"x": {"$ref": "#/$defs/t"}}, "type": ["object", "string"]});
        let t = (0..chain).fold(inner, |inner, _| json!({"anyOf": [inner]}));
        let schema = json!({"type": "object", "$ref": "#/$defs/t", "$defs": {"t": t}});
        let limits = SchemaLimits {
            depth: 127,
            ..SchemaLimits::default()
        };
        let schema = ToolSchema::compile(&schema.to_string(), &limits).unwrap();
        let too_deep = |issues: &Vec<Issue>| {
            issues[0]
                .message
                .starts_with("the value is nested too deeply")
        };
        let nested =
            |depth: usize, leaf: Value| (0..depth).fold(leaf, |inner, _| json!({"x": inner}));
        let deepest = (1..127)
            .rev()
            .find(|depth| {
                !schema
                    .validate(&nested(*depth, json!("a")))
                    .as_ref()
                    .is_err_and(too_deep)
            })
            .unwrap();

        assert!(accepts(&schema, &nested(deepest, json!("a"))));
        let issues = schema.validate(&nested(deepest, json!(1))).unwrap_err();
        assert!(!too_deep(&issues), "{issues:?}");
    }
}

/// `{"a": value}` under a schema in which one schema applies to `a` three thousand
/// times, which is refused, while once is fine.
#[track_caller]
fn is_refused_when_repeated(schema: &Value, value: &Value) {
    let reference = json!({"$ref": "#/$defs/s"});
    let repeated = |times: usize| {
        let mut document = with_property(&json!({"allOf": vec![&reference; times]}));
        document["$defs"] = json!({"s": schema});
        compile(&document).unwrap()
    };
    let value = json!({"a": value});

    assert!(accepts(&repeated(1), &value), "{schema}");
    let issues = repeated(3000).validate(&value).unwrap_err();
    assert!(issues[0].message.contains("too long"), "{issues:?}");
}

#[test]
fn keywords_that_read_a_whole_value_cost_what_they_read() {
    let numbers: Vec<u32> = (0..2_000).collect();
    let text = "é".repeat(10_000);
    is_refused_when_repeated(&json!({"const": numbers}), &json!(numbers));
    is_refused_when_repeated(&json!({"const": text}), &json!(text));
    is_refused_when_repeated(&json!({"enum": [[1], numbers]}), &json!(numbers));
    is_refused_when_repeated(&json!({"uniqueItems": true}), &json!(numbers));
    is_refused_when_repeated(&json!({"uniqueItems": true}), &json!([text]));
    is_refused_when_repeated(&json!({"minLength": 9_000}), &json!(text));
    is_refused_when_repeated(&json!({"maxLength": 19_000}), &json!(text));
    is_refused_when_repeated(&json!({"enum": [text, "b"]}), &json!(text));
    is_refused_when_repeated(&json!({"multipleOf": 1e-300}), &json!(1e300));
}

#[test]
fn names_cost_what_they_are_long() {
    let name = "x".repeat(20_000);
    let large = json!({ name.as_str(): 1 });
    is_refused_when_repeated(&json!({"required": [name]}), &large);
    is_refused_when_repeated(&json!({"properties": {name.as_str(): {}}}), &large);
    is_refused_when_repeated(&json!({"dependentRequired": {"y": [name]}}), &large);
    is_refused_when_repeated(&json!({"additionalProperties": {}}), &large);
}

#[test]
fn a_multiple_of_a_cent_costs_next_to_nothing() {
    let schema = compile(&with_property(&json!({"items": {"multipleOf": 0.01}}))).unwrap();
    let amounts: Vec<f64> = (0..1_000).map(|n| f64::from(n) * 1.25).collect();

    assert!(accepts(&schema, &json!({"a": amounts})));
    assert!(!accepts(&schema, &json!({"a": [0.005]})));
}

/// Each `unevaluatedProperties` asks all below what they have seen, which ask again.
#[test]
fn what_has_been_evaluated_is_not_asked_for_without_end() {
    let question = |next| json!({"anyOf": [next], "unevaluatedProperties": {}});
    assert!(refused(&chain(11, question)).contains("comes to more than 10000 schemas"));
    assert!(compile(&chain(4, question)).is_ok());
}

#[test]
fn schemas_that_say_nothing_do_not_walk_large_values_for_free() {
    let empty = json!({"allOf": vec![json!({}); 9_000]});
    let schema = compile(&with_property(&json!({"items": empty}))).unwrap();
    let items = vec![json!([]); 10_000];
    let issues = schema.validate(&json!({"a": items})).unwrap_err();
    assert!(issues[0].message.contains("too long"), "{issues:?}");

    let one = json!({"allOf": vec![json!({}); 9_000]});
    let schema = compile(&with_property(&one)).unwrap();
    assert!(accepts(&schema, &json!({"a": vec![0; 10_000]})));
}

/// Hundreds of defaults of which each takes thousands of steps to check.
#[test]
fn checking_the_defaults_of_a_schema_has_one_budget() {
    let mut properties = Map::new();
    for number in 0..200 {
        let costly = json!({"$ref": "#/$defs/costly", "default": [number, number]});
        properties.insert(number.to_string(), costly);
    }
    let schema = compile(&json!({
        "type": "object",
        "properties": properties,
        "$defs": {"costly": {"items": {"not": {"anyOf": vec![json!({"type": "null"}); 4_000]}}}},
    }))
    .unwrap();

    assert!(!schema.warnings().is_empty());
}

#[test]
fn content_is_a_hint_in_both_dialects() {
    for dialect in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let mut schema = with_property(
            &json!({"contentEncoding": "base64", "contentMediaType": "application/json"}),
        );
        schema["$schema"] = dialect.into();
        assert!(accepts(
            &compile(&schema).unwrap(),
            &json!({"a": "neither"})
        ));
    }
}

#[test]
fn of_many_errors_the_first_are_put_into_words_and_the_rest_is_counted() {
    let options: Vec<String> = (0..5_000)
        .map(|number| format!("option {number}"))
        .collect();
    let schema = compile(&with_property(&json!({"items": {"enum": options}}))).unwrap();

    let issues = schema
        .validate(&json!({"a": vec!["option x"; 10_000]}))
        .unwrap_err();

    assert_eq!(issues.len(), 33);
    assert!(
        issues[0].message.contains("did you mean \"option 0\""),
        "{issues:?}"
    );
    assert!(
        issues[0].message.contains("or one of 4988 others"),
        "{issues:?}"
    );
    assert_eq!(issues[32].message, "… and 9968 more");
}

/// The validator passes over `additionalItems` beside a schema for all items, and over
/// `prefixItems` in draft-07: neither hides the other keyword from what is counted.
#[test]
fn keywords_of_another_dialect_hide_nothing() {
    let reference = |level| json!({"$ref": format!("#/definitions/a{level}")});
    let costly = |level| json!({"allOf": [reference(level), reference(level)]});
    let bomb = |dialect: &str, step: &dyn Fn(Value) -> Value| {
        let mut defs = Map::new();
        for level in 0..30 {
            defs.insert(format!("a{level}"), step(costly(level + 1)));
        }
        defs.insert("a30".into(), json!({}));
        let mut schema = with_property(&reference(0));
        schema["$schema"] = dialect.into();
        schema["definitions"] = defs.into();
        compile(&schema).unwrap()
    };
    let new = "https://json-schema.org/draft/2020-12/schema";
    let old = "http://json-schema.org/draft-07/schema#";
    let nested = (0..30).fold(json!(1), |inner, _| json!([inner]));
    for schema in [
        bomb(new, &|next| json!({"items": next, "additionalItems": true})),
        bomb(new, &|next| json!({"additionalItems": true, "items": next})),
        bomb(old, &|next| json!({"items": next, "additionalItems": true})),
        bomb(old, &|next| json!({"items": [next], "prefixItems": []})),
    ] {
        let issues = schema.validate(&json!({"a": nested})).unwrap_err();
        assert!(issues[0].message.contains("too long"), "{issues:?}");
    }
}

#[test]
fn control_characters_in_a_pattern_are_few() {
    let pattern = |times| with_property(&json!({"pattern": r"\cA".repeat(times)}));
    assert!(compile(&pattern(16)).is_ok());
    assert!(refused(&pattern(17)).contains(r"write them as `\x01`"));
}

/// An error has the way to its value and a copy of what it shows of the schema.
#[test]
fn errors_that_copy_much_are_not_made_by_the_thousand() {
    let is_inexplicable = |schema: Value, value: Value| {
        let issues = compile(&schema).unwrap().validate(&value).unwrap_err();
        assert!(issues[0].message.contains("it is too large"), "{issues:?}");
    };
    let name = "n".repeat(100_000);
    let strings = json!({"type": "object", "additionalProperties": {"items": {"type": "string"}}});
    is_inexplicable(strings.clone(), json!({ name.as_str(): vec![1; 5_000] }));
    is_inexplicable(
        with_property(&json!({"items": {"not": {"title": name}}})),
        json!({"a": vec![1; 5_000]}),
    );
    is_inexplicable(
        with_property(&json!({"items": {"pattern": "(?:)".repeat(10_000) + "x"}})),
        json!({"a": vec!["1"; 5_000]}),
    );
    is_inexplicable(
        with_property(&json!({"allOf": vec![json!({"unevaluatedItems": false}); 1_000]})),
        json!({"a": ["x".repeat(100_000)]}),
    );

    let issues = compile(&strings)
        .unwrap()
        .validate(&json!({"n": vec![1; 5_000]}));
    assert_eq!(issues.unwrap_err()[0].path, "/n/0");
}

/// As generators write optional columns and enumerations.
#[test]
fn tables_of_optional_values_are_checked_and_explained() {
    let options: Vec<Value> = (0..300).map(|n| json!(n.to_string())).collect();
    let nullable: Vec<Value> = options.iter().cloned().chain([Value::Null]).collect();
    let schema = compile(&with_property(&json!({"items": {"properties": {
        "kind": {"enum": nullable},
        "size": {"anyOf": [{"type": "integer", "title": "Size"}, {"type": "null"}]},
        "name": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
    }}})))
    .unwrap();
    let mut rows = vec![json!({"kind": "299", "size": 3, "name": null}); 3_000];
    assert!(accepts(&schema, &json!({"a": rows})));

    rows[2_000]["size"] = json!("x");
    let issues = schema.validate(&json!({"a": rows})).unwrap_err();
    assert_eq!(issues[0].path, "/a/2000/size");
    assert_eq!(issues.len(), 1);
}
