//! Anthropic: the messages API.

use serde_json::{Map, Value, json};

use super::error::Problem;
use super::strict::{self, FORMATS, Found, StrictSupport};
use super::walk::{self, Place};
use super::{Exported, Strict, prepare};
use crate::ToolDefinition;
use crate::arguments::shorten;
use crate::json::MAX_DEPTH;

/// Bytes of a property's name at the top.
const PROPERTY_NAME: usize = 64;

/// Keywords that the schema must not have at the top.
const NOT_AT_TOP: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Keywords that strict mode refuses anywhere.
const REFUSED: [&str; 28] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "$dynamicRef",
];

/// What a request may have in its strict tools.
pub(super) const STRICT_TOOLS: usize = 20;
pub(super) const OPTIONAL: usize = 24;
pub(super) const UNIONS: usize = 16;

pub(super) fn export(tool: &ToolDefinition, strict: Strict) -> Result<Exported, Problem> {
    let mut schema = prepare::tool(tool)?;
    check_names(&schema)?;
    let mut notes = Vec::new();
    let mut chosen = schema.clone();
    prepare::choices(&mut chosen);
    let strict = strict::decide(strict, || strict_support(&chosen), &mut notes)?;
    if strict {
        schema = chosen;
        let formats: Vec<&str> = FORMATS.iter().copied().chain(["uri"]).collect();
        strict::close(
            &mut schema,
            &["$schema", "$id", "examples"],
            &formats,
            &mut notes,
        );
    } else {
        prepare::drop_at_top(&mut schema, &NOT_AT_TOP, &mut notes)?;
    }
    let mut definition = json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": schema,
    });
    if strict {
        definition["strict"] = json!(true);
    }
    Ok(Exported {
        definition,
        strict,
        notes,
    })
}

fn check_names(schema: &Value) -> Result<(), Problem> {
    let taken = |name: &str| {
        (1..=PROPERTY_NAME).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
    };
    let mut names = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys);
    match names.find(|name| !taken(name)) {
        Some(name) => Err(Problem::PropertyName {
            name: shorten(name, 100),
        }),
        None => Ok(()),
    }
}

pub(super) fn strict_support(schema: &Value) -> StrictSupport {
    let found = strict::check_top(schema, &NOT_AT_TOP).and_then(|()| {
        walk::visit(schema, &Place::default(), &mut check)?;
        check_recursion(schema)
    });
    if let Err(no) = found {
        return no;
    }
    let Weight { optional, unions } = Weight::of(schema);
    if optional > OPTIONAL {
        let reason = format!(
            "{optional} parameters are optional, and at most {OPTIONAL} may be: require more of them"
        );
        return StrictSupport::no("", "required", reason);
    }
    if unions > UNIONS {
        let reason = format!("{unions} parameters take several types, and at most {UNIONS} may");
        return StrictSupport::no("", "anyOf", reason);
    }
    StrictSupport::Ok
}

fn check(schema: &Value, place: &Place) -> Found {
    let Value::Object(keywords) = schema else {
        return strict::check_says_something(schema, place);
    };
    let no =
        |keyword: &str, reason: &str| Err(StrictSupport::no(&*place.property, keyword, reason));
    strict::check_keywords(keywords, place, &REFUSED)?;
    strict::check_says_something(schema, place)?;
    if walk::is_object(keywords) {
        strict::check_closed(keywords, place)?;
    }
    match keywords.get("minItems").map(Value::as_u64) {
        None | Some(Some(0 | 1)) => {}
        Some(_) => return no("minItems", "only 0 and 1 are supported"),
    }
    let all = keywords.get("allOf").and_then(Value::as_array);
    if all.is_some_and(|all| all.iter().any(|part| part.get("$ref").is_some())) {
        return no("allOf", "it must not contain `$ref`: write the parts out");
    }
    let values = keywords.get("enum").and_then(Value::as_array);
    if values.is_some_and(|values| {
        values
            .iter()
            .any(|value| value.is_object() || value.is_array())
    }) {
        return no(
            "enum",
            "its values must be strings, numbers, booleans or null",
        );
    }
    let pattern = keywords.get("pattern").and_then(Value::as_str);
    if pattern.is_some_and(|pattern| pattern.contains("\\b") || pattern.contains("\\B")) {
        return no("pattern", "word boundaries are not supported");
    }
    Ok(())
}

/// Refuses schemas that contain themselves. Local references are the only ones
/// there are, and each definition is entered once.
fn check_recursion(schema: &Value) -> Found {
    let mut done = Vec::new();
    follow(schema, schema, &mut Vec::new(), &mut done)
}

fn follow<'a>(
    part: &'a Value,
    root: &'a Value,
    open: &mut Vec<&'a str>,
    done: &mut Vec<&'a str>,
) -> Found {
    for (property, reference) in references(part) {
        if open.contains(&reference) || reference == "#" || open.len() > MAX_DEPTH {
            let reason = "a schema must not contain itself: limit the depth";
            return Err(StrictSupport::no(property, "$ref", reason));
        }
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer));
        let Some(target) = target else {
            let reason = "only references to `#/…` are supported";
            return Err(StrictSupport::no(property, "$ref", reason));
        };
        if !done.contains(&reference) {
            open.push(reference);
            follow(target, root, open, done)?;
            open.pop();
            done.push(reference);
        }
    }
    Ok(())
}

/// The references of a part. Those in definitions count where they are used, not
/// where they are written.
fn references(part: &Value) -> Vec<(String, &str)> {
    let mut references = Vec::new();
    let _: Result<(), ()> = walk::visit(part, &Place::default(), &mut |schema, place| {
        let defined = ["$defs.", "definitions."]
            .iter()
            .any(|start| place.property.starts_with(start));
        if let (false, Some(reference)) = (defined, schema["$ref"].as_str()) {
            references.push((place.property.clone(), reference));
        }
        Ok(())
    });
    references
}

/// What a strict schema adds to the totals of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    /// Parameters that may be left out.
    pub(super) optional: usize,
    /// Parameters that take several types.
    pub(super) unions: usize,
}

impl Weight {
    pub(super) fn of(schema: &Value) -> Self {
        let mut weight = Self::default();
        let _: Result<(), ()> = walk::visit(schema, &Place::default(), &mut |schema, _| {
            let properties = schema["properties"].as_object();
            let required = schema["required"].as_array();
            let optional = properties.into_iter().flat_map(Map::keys).filter(|name| {
                !required.is_some_and(|names| names.iter().any(|other| other == *name))
            });
            weight.optional += optional.count();
            if schema["anyOf"].is_array() || schema["type"].is_array() {
                weight.unions += 1;
            }
            Ok(())
        });
        weight
    }
}
