//! JSON Schemas from Rust types, in the shape that models read best: inline,
//! without noise, and with every array saying what is in it.

use schemars::generate::{Contract, SchemaSettings};
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

/// The schema of what is read into `T`.
pub(crate) fn input<T: JsonSchema>() -> Value {
    let mut schema = schema_of::<T>(Contract::Deserialize);
    if let Value::Object(object) = &mut schema
        && object.get("type").and_then(Value::as_str) == Some("object")
    {
        // Some readers refuse an object that does not list its properties.
        object.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

/// The schema of what `T` is written as.
pub(crate) fn output<T: JsonSchema>() -> Value {
    schema_of::<T>(Contract::Serialize)
}

/// The schema of a tool that takes no arguments.
pub(crate) fn no_arguments() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
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

/// Takes away the number formats of Rust's own, which no validator knows. Where
/// one is narrower than JSON's numbers, bounds say so.
fn tidy(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    let format = object.get("format").and_then(Value::as_str);
    let bounds = match format {
        Some("uint32") => Some((0, i64::from(u32::MAX))),
        Some("int32") => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        _ => None,
    };
    let is_number = format.is_some_and(|format| {
        format.starts_with("int")
            || format.starts_with("uint")
            || matches!(format, "float" | "double")
    });
    if is_number {
        object.shift_remove("format");
    }
    if let Some((minimum, maximum)) = bounds {
        object.entry("minimum").or_insert_with(|| minimum.into());
        object.entry("maximum").or_insert_with(|| maximum.into());
    }
    if is_array(object.get("type")) {
        let items = object.entry("items").or_insert_with(|| json!({}));
        any_as_object(items);
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(any_as_object);
    }
}

fn is_array(kind: Option<&Value>) -> bool {
    match kind {
        Some(Value::String(one)) => one == "array",
        Some(Value::Array(several)) => several.iter().any(|one| one == "array"),
        _ => false,
    }
}

/// `true` and `{}` mean the same; some readers only know the second.
fn any_as_object(schema: &mut Value) {
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
}
