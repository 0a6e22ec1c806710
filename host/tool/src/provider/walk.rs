//! Every schema inside a schema, with the property it is about.

use serde_json::{Map, Value};

/// Keywords with a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords with schemas by name.
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];

/// Keywords with one schema.
const SINGLES: [&str; 11] = [
    "items",
    "additionalProperties",
    "additionalItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Where a schema stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The property it is about: `place.lat`, `tags[]`, `$defs.Place`; empty at the
    /// top.
    pub(super) property: String,
    /// Objects around it.
    pub(super) level: usize,
}

impl Place {
    /// Whether it is the schema of the arguments themselves.
    pub(super) fn is_top(&self) -> bool {
        self.level == 0 && self.property.is_empty()
    }

    /// A property of the object that stands here.
    pub(super) fn property(&self, name: &str) -> String {
        match &*self.property {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    fn inside(&self, keyword: &str, name: &str) -> Self {
        let (property, deeper) = match keyword {
            "properties" => (self.property(name), 1),
            "patternProperties" | "additionalProperties" => (self.property("*"), 1),
            "$defs" | "definitions" => (format!("{keyword}.{name}"), 0),
            "items" | "prefixItems" => (format!("{}[]", self.property), 0),
            _ => (self.property.clone(), 0),
        };
        Self {
            property,
            level: self.level + deeper,
        }
    }
}

/// Looks at a schema and every schema inside it, outer ones first, until the first
/// error. The depth is bounded before ([`prepare`](super::prepare)), so recursion is
/// safe.
pub(super) fn visit<'a, E>(
    schema: &'a Value,
    place: &Place,
    look: &mut impl FnMut(&'a Value, &Place) -> Result<(), E>,
) -> Result<(), E> {
    look(schema, place)?;
    let Value::Object(keywords) = schema else {
        return Ok(());
    };
    for (keyword, value) in keywords {
        match value {
            Value::Object(schemas) if MAPS.contains(&&**keyword) => {
                for (name, schema) in schemas {
                    visit(schema, &place.inside(keyword, name), look)?;
                }
            }
            Value::Array(schemas) if LISTS.contains(&&**keyword) => {
                for schema in schemas {
                    visit(schema, &place.inside(keyword, ""), look)?;
                }
            }
            Value::Object(_) if SINGLES.contains(&&**keyword) => {
                visit(value, &place.inside(keyword, ""), look)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The same, changing each as it goes.
pub(super) fn change(
    schema: &mut Value,
    place: &Place,
    alter: &mut impl FnMut(&mut Map<String, Value>, &Place),
) {
    let Value::Object(keywords) = schema else {
        return;
    };
    alter(keywords, place);
    for (keyword, value) in keywords {
        match value {
            Value::Object(schemas) if MAPS.contains(&&**keyword) => {
                for (name, schema) in schemas {
                    change(schema, &place.inside(keyword, name), alter);
                }
            }
            Value::Array(schemas) if LISTS.contains(&&**keyword) => {
                for schema in schemas {
                    change(schema, &place.inside(keyword, ""), alter);
                }
            }
            _ if SINGLES.contains(&&**keyword) => {
                change(value, &place.inside(keyword, ""), alter);
            }
            _ => {}
        }
    }
}

/// Whether a schema is for values of a type, perhaps among others.
pub(super) fn has_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(word)) => word == name,
        Some(Value::Array(words)) => words.iter().any(|word| word == name),
        _ => false,
    }
}

/// Whether a schema is for objects.
pub(super) fn is_object(schema: &Map<String, Value>) -> bool {
    has_type(schema, "object") || schema.contains_key("properties")
}
