//! The same tools, offered to each provider.

mod gemini;
mod list;
mod strict;

use serde_json::{Value, json};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "reads well with `json!`")]
fn tool(name: &str, schema: Value) -> ToolDefinition {
    serde_json::from_value(json!({"name": name, "description": "Does.", "inputSchema": schema}))
        .unwrap()
}

fn exported(schema: Value, provider: Provider, strict: Strict) -> Result<Exported, Problem> {
    export(&tool("do", schema), provider, Options { strict }).map_err(|error| error.problem)
}

/// An object with one required property `a`.
#[expect(clippy::needless_pass_by_value, reason = "reads well with `json!`")]
fn with(schema: Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": false})
}

/// `property: keyword`, or `ok`.
fn support(schema: &Value, provider: Provider) -> String {
    match strict_support(schema, provider) {
        StrictSupport::Ok => "ok".into(),
        StrictSupport::No {
            property, keyword, ..
        } => format!("{property}: {keyword}"),
    }
}

#[test]
fn one_tool_in_five_forms() {
    let schema = with(json!({"type": "string"}));
    let definition = |provider| {
        exported(schema.clone(), provider, Strict::Require)
            .unwrap()
            .definition
    };
    assert_eq!(
        definition(Provider::Mcp),
        json!({"name": "do", "description": "Does.", "inputSchema": schema})
    );
    assert_eq!(
        definition(Provider::OpenAiChat),
        json!({"type": "function", "function": {
            "name": "do", "description": "Does.", "parameters": schema, "strict": true}})
    );
    assert_eq!(
        definition(Provider::OpenAiResponses),
        json!({"type": "function", "name": "do", "description": "Does.", "parameters": schema, "strict": true})
    );
    assert_eq!(
        definition(Provider::Anthropic),
        json!({"name": "do", "description": "Does.", "input_schema": schema, "strict": true})
    );
    assert_eq!(
        definition(Provider::Gemini),
        json!({"name": "do", "description": "Does.", "parameters": {
            "type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}})
    );
}

#[test]
fn without_strict_mode_the_responses_api_is_told_so() {
    let open = json!({"type": "object"});
    let responses = exported(open.clone(), Provider::OpenAiResponses, Strict::Off).unwrap();
    assert_eq!(responses.definition["strict"], false);
    let chat = exported(open, Provider::OpenAiChat, Strict::Off).unwrap();
    assert!(chat.definition["function"].get("strict").is_none());
}

#[test]
fn mcp_lists_a_tool_as_the_protocol_names_things() {
    let mut tool = tool("add", json!({"type": "object"}));
    tool.display_name = Some("Add".into());
    tool.output_schema = Some(json!({"type": "number"}));
    tool.annotations.read_only = Some(true);
    tool.meta = Some(json!({"x/y": 1}));
    assert_eq!(
        mcp(&tool),
        json!({
            "name": "add", "title": "Add", "description": "Does.",
            "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true},
            "_meta": {"x/y": 1},
        })
    );
}

/// Every array, in whatever corner, with `items`.
fn check_items(schema: &Value) {
    match schema {
        Value::Object(members) => {
            let is_array = match &schema["type"] {
                Value::Array(kinds) => kinds.iter().any(|kind| kind == "array"),
                kind => kind == "array" || kind == "ARRAY",
            };
            assert!(!is_array || members.contains_key("items"), "{schema}");
            members.values().for_each(check_items);
        }
        Value::Array(values) => values.iter().for_each(check_items),
        _ => {}
    }
}

#[test]
fn every_array_has_items_for_every_provider() {
    let list = json!({"type": "array"});
    let schema = json!({"type": "object", "properties": {
        "plain": list, "any": {"type": "array", "items": true}, "null": {"type": ["array", "null"]},
        "deep": {"type": "array", "items": {"anyOf": [list, {"type": "string"}]}},
        "tuple": {"type": "array", "prefixItems": [{"type": "string"}, list]},
        "all": {"allOf": [list, {"minItems": 1}]},
        "map": {"type": "object", "additionalProperties": list},
        "ref": {"$ref": "#/$defs/list"},
    }, "$defs": {"list": list}});
    for provider in Provider::ALL {
        check_items(
            &exported(schema.clone(), provider, Strict::Off)
                .unwrap()
                .definition,
        );
    }
}

#[test]
fn what_no_provider_takes_is_refused_with_the_remedy() {
    let array = json!({"type": "array"});
    let mut deep = json!({"type": "string"});
    for _ in 0..130 {
        deep = Value::Object([("not".to_owned(), deep)].into_iter().collect());
    }
    for provider in Provider::ALL {
        let refused = |name: &str, schema: Value| {
            let error = export(&tool(name, schema), provider, Options::default()).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the tool `{name}` cannot be offered to {provider}")
            );
            error.problem
        };
        assert_eq!(refused("do", array.clone()), Problem::NotAnObject);
        assert!(matches!(
            refused("a b", json!({"type": "object"})),
            Problem::Name(_)
        ));
        assert!(matches!(
            refused("do", with(deep.clone())),
            Problem::TooDeep { .. }
        ));
    }
}

#[test]
fn each_provider_has_rules_of_its_own() {
    let spaced = json!({"type": "object", "properties": {"a b": {"type": "string"}}});
    let problem = exported(spaced.clone(), Provider::Anthropic, Strict::Off).unwrap_err();
    assert!(matches!(problem, Problem::PropertyName { .. }));
    assert!(exported(spaced, Provider::OpenAiChat, Strict::Off).is_ok());

    let digit = tool("3d", json!({"type": "object"}));
    let error = export(&digit, Provider::Gemini, Options::default()).unwrap_err();
    assert_eq!(error.problem, Problem::NameStart('3'));

    let mut wordy = tool("do", json!({"type": "object"}));
    wordy.description = "x".repeat(1_025);
    let exported = export(&wordy, Provider::OpenAiChat, Options::default()).unwrap();
    assert!(exported.notes[0].message.contains("1025 characters"));
}

#[test]
fn alternatives_at_the_top_are_left_out_unless_they_are_everything() {
    let either = json!({"type": "object", "properties": {"a": {}, "b": {}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let only = json!({"type": "object", "anyOf": [{"properties": {"a": {}}}]});
    for (provider, at) in [
        (Provider::OpenAiChat, "/function/parameters"),
        (Provider::OpenAiResponses, "/parameters"),
        (Provider::Anthropic, "/input_schema"),
    ] {
        let exported_either = exported(either.clone(), provider, Strict::Off).unwrap();
        let schema = exported_either.definition.pointer(at).unwrap();
        assert!(schema.get("anyOf").is_none() && schema.get("properties").is_some());
        assert_eq!(exported_either.notes[0].keyword, "anyOf");
        let problem = exported(only.clone(), provider, Strict::Off).unwrap_err();
        assert_eq!(problem, Problem::TopKeyword { keyword: "anyOf" });
    }
}

#[test]
fn a_tool_without_arguments_suits_everyone() {
    for schema in [
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}, "additionalProperties": false}),
        crate::spec::parse_parameters("").unwrap(),
    ] {
        for provider in Provider::ALL {
            let exported = exported(schema.clone(), provider, Strict::Require).unwrap();
            assert!(exported.notes.is_empty(), "{provider}");
            if provider == Provider::Gemini {
                assert!(exported.definition.get("parameters").is_none());
            }
        }
    }
}
