//! Schemas made to cost time, memory or stack, and what bounds them.

use super::*;

/// Fewer steps than the default, because the walk that counts them is slow
/// without optimisation.
fn compile(schema: &Value) -> Result<ToolSchema, SchemaError> {
    let limits = SchemaLimits {
        steps: 200_000,
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
