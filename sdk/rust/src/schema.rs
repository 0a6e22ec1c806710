//! JSON Schemas from Rust types, in the shape that models read best: inline,
//! without noise, and with every array saying what is in it.

use schemars::generate::{Contract, SchemaSettings};
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

/// The schema of what is parsed into `T`.
#[doc(hidden)]
#[must_use]
pub fn input_schema<T: JsonSchema>() -> Value {
    let mut schema = schema_of::<T>(Contract::Deserialize);
    if let Value::Object(object) = &mut schema
        && object.get("type").and_then(Value::as_str) == Some("object")
    {
        // Some readers refuse an object that does not list its properties.
        object.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

/// The schema of what `T` is written as; `None` when that is not always an
/// object.
pub(crate) fn output_schema<T: JsonSchema>() -> Option<Value> {
    let schema = schema_of::<T>(Contract::Serialize);
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    is_object.then_some(schema)
}

fn schema_of<T: JsonSchema>(contract: Contract) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    settings.contract = contract;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let is_generated = schema.get("title").and_then(Value::as_str) == Some(&T::schema_name());
    if is_generated {
        schema.remove("title");
    }
    RecursiveTransform(tidy).transform(&mut schema);
    schema.to_value()
}

/// Takes away what says nothing and adds what some models insist on.
fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    // Formats of Rust's own. Where one is narrower than JSON's numbers, its
    // bounds say so in a way that everybody understands.
    let bounds = match object.get("format").and_then(Value::as_str) {
        Some("uint32") => Some((0, i64::from(u32::MAX))),
        Some("int32") => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        Some(
            "int8" | "int16" | "int64" | "int" | "uint8" | "uint16" | "uint64" | "uint" | "float"
            | "double" | "int128" | "uint128",
        ) => None,
        _ => return tidy_members(object),
    };
    object.shift_remove("format");
    if let Some((minimum, maximum)) = bounds {
        object.entry("minimum").or_insert_with(|| minimum.into());
        object.entry("maximum").or_insert_with(|| maximum.into());
    }
    tidy_members(object);
}

fn tidy_members(object: &mut serde_json::Map<String, Value>) {
    let is_array = match object.get("type") {
        Some(Value::String(one)) => one == "array",
        Some(Value::Array(several)) => several.iter().any(|one| one == "array"),
        _ => false,
    };
    if is_array {
        let items = object.entry("items").or_insert_with(|| json!({}));
        any_as_object(items);
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(any_as_object);
    }
}

/// `true` and `{}` mean the same; some readers only know the second.
fn any_as_object(schema: &mut Value) {
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Everything {
        /// How many.
        count: u32,
        ratio: f64,
        tiny: Option<u8>,
        any: Value,
        list: Vec<Value>,
        pair: (String, bool),
    }

    #[test]
    fn a_schema_has_no_noise() {
        assert_eq!(
            input_schema::<Everything>(),
            json!({
                "type": "object",
                "properties": {
                    "count": {
                        "description": "How many.",
                        "type": "integer",
                        "minimum": 0,
                        "maximum": 4_294_967_295_u32,
                    },
                    "ratio": { "type": "number" },
                    "tiny": { "type": ["integer", "null"], "minimum": 0, "maximum": 255 },
                    "any": {},
                    "list": { "type": "array", "items": {} },
                    "pair": {
                        "type": "array",
                        "prefixItems": [{ "type": "string" }, { "type": "boolean" }],
                        "minItems": 2,
                        "maxItems": 2,
                        "items": {},
                    },
                },
                "required": ["count", "ratio", "any", "list", "pair"],
            })
        );
    }

    #[test]
    fn only_objects_become_output_schemas() {
        assert!(output_schema::<Everything>().is_some());
        assert_eq!(output_schema::<Vec<u8>>(), None);
        assert_eq!(output_schema::<Value>(), None);
        assert_eq!(output_schema::<Option<Everything>>(), None);
    }
}
