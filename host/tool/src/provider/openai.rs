//! OpenAI: the chat completions and the responses API, which differ in where the
//! fields stand.

use serde_json::{Map, Value, json};

use super::error::Problem;
use super::strict::{self, FORMATS, Found, StrictSupport};
use super::walk::{self, Place};
use super::{Exported, Note, Provider, Strict, prepare};
use crate::ToolDefinition;

/// Characters of a description that every model takes.
const DESCRIPTION: usize = 1_024;

/// Keywords that the schema of a function must not have at the top.
const NOT_AT_TOP: [&str; 5] = ["allOf", "anyOf", "oneOf", "enum", "not"];

/// Keywords that strict mode refuses anywhere.
const REFUSED: [&str; 23] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "minProperties",
    "maxProperties",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "prefixItems",
    "minLength",
    "maxLength",
    "$dynamicRef",
];

/// Annotations that strict mode does not know.
const ANNOTATIONS: [&str; 8] = [
    "default",
    "examples",
    "$schema",
    "$id",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Limits of one strict schema.
const PROPERTIES: usize = 5_000;
const LEVELS: usize = 10;
const ENUM_VALUES: usize = 1_000;
const NAME_CHARS: usize = 120_000;
/// An enum of more values than this may have [`LARGE_ENUM_CHARS`] in all.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARS: usize = 15_000;

pub(super) fn export(
    tool: &ToolDefinition,
    provider: Provider,
    strict: Strict,
) -> Result<Exported, Problem> {
    let mut schema = prepare::tool(tool)?;
    let mut notes = Vec::new();
    let length = tool.description.chars().count();
    if length > DESCRIPTION {
        let message = format!(
            "the description has {length} characters; Azure and older models take {DESCRIPTION}"
        );
        notes.push(Note::new("", "", message));
    }
    let mut chosen = schema.clone();
    prepare::choices(&mut chosen);
    let strict = strict::decide(strict, || strict_support(&chosen), &mut notes)?;
    if strict {
        schema = chosen;
        close(&mut schema, &mut notes);
    } else {
        prepare::drop_at_top(&mut schema, &NOT_AT_TOP, &mut notes)?;
    }
    let mut function = json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": schema,
    });
    let definition = if provider == Provider::OpenAiResponses {
        // Left out, the flag is taken as set there.
        function["strict"] = json!(strict);
        let mut entry = json!({"type": "function"});
        if let (Value::Object(entry), Value::Object(function)) = (&mut entry, function) {
            entry.extend(function);
        }
        entry
    } else {
        if strict {
            function["strict"] = json!(true);
        }
        json!({"type": "function", "function": function})
    };
    Ok(Exported {
        definition,
        strict,
        notes,
    })
}

fn close(schema: &mut Value, notes: &mut Vec<Note>) {
    strict::close(schema, &ANNOTATIONS, &FORMATS, notes);
    walk::change(schema, &Place::default(), &mut |schema, place| {
        // A reference must stand alone.
        if schema.contains_key("$ref") {
            for keyword in ["description", "title"] {
                if schema.shift_remove(keyword).is_some() {
                    let message = "is left out: it cannot stand beside `$ref` in strict mode";
                    notes.push(Note::new(&*place.property, keyword, message));
                }
            }
        }
    });
}

pub(super) fn strict_support(schema: &Value) -> StrictSupport {
    let mut totals = Totals::default();
    let found = strict::check_top(schema, &NOT_AT_TOP).and_then(|()| {
        walk::visit(schema, &Place::default(), &mut |schema, place| {
            check(schema, place)?;
            totals.add(schema, place)
        })
    });
    found.err().unwrap_or(StrictSupport::Ok)
}

fn check(schema: &Value, place: &Place) -> Found {
    let Value::Object(keywords) = schema else {
        return strict::check_says_something(schema, place);
    };
    strict::check_keywords(keywords, place, &REFUSED)?;
    strict::check_says_something(schema, place)?;
    if keywords.contains_key("$ref") {
        check_alone(keywords, place)?;
    }
    if walk::is_object(keywords) {
        strict::check_closed(keywords, place)?;
        check_required(keywords, place)?;
    }
    Ok(())
}

/// Refuses keywords beside `$ref`, other than those that [`close`] removes.
fn check_alone(keywords: &Map<String, Value>, place: &Place) -> Found {
    let removed = |keyword: &str| {
        ANNOTATIONS.contains(&keyword)
            || matches!(
                keyword,
                "$ref" | "title" | "description" | "$defs" | "definitions"
            )
    };
    match keywords.keys().find(|keyword| !removed(keyword)) {
        Some(keyword) => Err(StrictSupport::no(
            &*place.property,
            &**keyword,
            "nothing may stand beside `$ref`",
        )),
        None => Ok(()),
    }
}

/// Refuses optional properties.
fn check_required(keywords: &Map<String, Value>, place: &Place) -> Found {
    let Some(Value::Object(properties)) = keywords.get("properties") else {
        return Ok(());
    };
    let required = keywords.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
    match properties.keys().find(|name| !is_required(name)) {
        Some(name) => Err(StrictSupport::no(
            place.property(name),
            "required",
            "every property must be required: list it there, and let it be `null` if it may be missing",
        )),
        None => Ok(()),
    }
}

/// What is counted over the whole schema.
#[derive(Default)]
struct Totals {
    properties: usize,
    enum_values: usize,
    chars: usize,
}

impl Totals {
    fn add(&mut self, schema: &Value, place: &Place) -> Found {
        let no =
            |keyword: &str, what: String| Err(StrictSupport::no(&*place.property, keyword, what));
        if place.level > LEVELS {
            return no(
                "properties",
                format!("more than {LEVELS} objects are inside each other"),
            );
        }
        for keyword in ["properties", "$defs", "definitions"] {
            let names = schema[keyword].as_object().into_iter().flat_map(Map::keys);
            self.chars += names.map(|name| name.chars().count()).sum::<usize>();
        }
        self.properties += schema["properties"].as_object().map_or(0, Map::len);
        if let Some(values) = schema["enum"].as_array() {
            let texts = values.iter().filter_map(Value::as_str);
            let chars: usize = texts.map(|text| text.chars().count()).sum();
            if values.len() > LARGE_ENUM && chars > LARGE_ENUM_CHARS {
                let what = format!(
                    "an enum of more than {LARGE_ENUM} values may have {LARGE_ENUM_CHARS} characters in all"
                );
                return no("enum", what);
            }
            self.enum_values += values.len();
            self.chars += chars;
        }
        self.chars += schema["const"]
            .as_str()
            .map_or(0, |text| text.chars().count());
        if self.properties > PROPERTIES {
            return no(
                "properties",
                format!("there are more than {PROPERTIES} properties in all"),
            );
        }
        if self.enum_values > ENUM_VALUES {
            return no(
                "enum",
                format!("there are more than {ENUM_VALUES} enum values in all"),
            );
        }
        if self.chars > NAME_CHARS {
            let what =
                format!("names and enum values have more than {NAME_CHARS} characters in all");
            return no("properties", what);
        }
        Ok(())
    }
}
