//! The top of a schema: which dialect it is in, and that it is one for arguments.

use std::borrow::Cow;

use serde_json::Value;

use super::error::SchemaError;
use crate::arguments::{kind_of, shorten};

/// The dialects that are understood. Draft-07 is what many generators still write;
/// it differs from 2020-12 in nothing that matters for arguments.
const DIALECTS: [&str; 4] = [
    "https://json-schema.org/draft/2020-12/schema",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft/2020-12/schema",
];

/// Checks the top of a schema and gives the document to compile: without `$id`,
/// which would make the schema's own references look as if they led elsewhere.
pub(super) fn read(schema: &Value, for_arguments: bool) -> Result<Cow<'_, Value>, SchemaError> {
    let Value::Object(keywords) = schema else {
        return Err(SchemaError::NotAnObject {
            found: kind_of(schema),
        });
    };
    if let Some(dialect) = keywords.get("$schema") {
        let name = dialect.as_str().unwrap_or_default();
        if !DIALECTS.contains(&name.trim_end_matches('#')) {
            return Err(SchemaError::Dialect {
                dialect: shorten(&dialect.to_string(), 100),
            });
        }
    }
    if for_arguments && !asks_for_object(keywords.get("type")) {
        return Err(SchemaError::NotForArguments { hint: hint(schema) });
    }
    if !keywords.contains_key("$id") {
        return Ok(Cow::Borrowed(schema));
    }
    let mut document = keywords.clone();
    document.shift_remove("$id");
    Ok(Cow::Owned(Value::Object(document)))
}

fn asks_for_object(kind: Option<&Value>) -> bool {
    match kind {
        Some(Value::Array(kinds)) => {
            matches!(&kinds[..], [Value::String(only)] if only == "object")
        }
        Some(kind) => kind == "object",
        None => false,
    }
}

fn hint(schema: &Value) -> String {
    match &schema["type"] {
        Value::Null if !schema["properties"].is_null() => ", beside its `properties`".into(),
        Value::Null => String::new(),
        Value::String(kind) => {
            format!(
                ", not `{}`: make the value a property of an object",
                shorten(kind, 40)
            )
        }
        _ => ", and nothing else: arguments are always an object".into(),
    }
}
