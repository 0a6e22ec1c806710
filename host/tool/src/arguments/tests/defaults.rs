//! Where defaults are filled in, and where not.

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
    let schema =
        schema(json!({"type": "object", "required": ["a"], "properties": {"a": {"default": 1}}}));

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
        ["the default at `/properties/a b~1c` does not match its own schema and is not filled in"]
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

/// What is taken out again is what was filled in, wherever that was: objects inside
/// others, in lists, and in defaults of their own.
#[test]
fn defaults_that_break_a_match_are_taken_out_everywhere() {
    let inner = json!({"properties": {"deep": {"default": {"x": 1}, "properties": {"x": {}}}}});
    let schema = ToolSchema::compile_value(
        json!({
            "type": "object",
            "properties": {
                "list": {"items": {"properties": {"id": {}, "z": {"default": 0}, "in": inner}}},
                "top": {"default": {"in": {}}, "properties": {"in": inner}},
                "n": {"default": 5},
            },
            "maxProperties": 1,
        }),
        &SchemaLimits::default(),
    )
    .unwrap();
    let given = json!({"list": [{"id": 1}, {"z": 2, "in": {"other": []}}, 3, {"in": {}}]});

    assert_eq!(schema.check(given.clone()).unwrap(), given);
}
