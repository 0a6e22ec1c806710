//! Whether an answer is one to the question. A host that keeps the question checks
//! that too; one that goes on with what a caller gives it (`host run --context`)
//! knows no question.
//!
//! What a person fills in is looked at, and that is most of what is asked for:
//! `type`, `enum`, `const`, `anyOf`, `required`, `properties`, `items`,
//! `additionalProperties: false`, the limits of lengths and numbers, `uniqueItems`.
//! Other words of JSON Schema are not.

use toolhost_sdk::serde_json::{Map, Value};

/// How much of an answer is repeated, in characters.
const MAX_SHOWN: usize = 100;

/// Checks an answer against the schema it was asked for with.
///
/// # Errors
/// Says what does not fit, and where.
pub fn check(schema: &Value, answer: &Value) -> Result<(), String> {
    at("the answer", schema, answer)
}

fn at(place: &str, schema: &Value, answer: &Value) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        // `true` takes anything, `false` nothing.
        return match schema {
            Value::Bool(false) => Err(format!("{place} is not wanted")),
            _ => Ok(()),
        };
    };
    check_choice(place, schema, answer)?;
    check_type(place, schema, answer)?;
    check_size(place, schema, answer)?;
    match answer {
        Value::Object(fields) => check_fields(place, schema, fields),
        Value::Array(items) => check_items(place, schema, items),
        _ => Ok(()),
    }
}

fn check_choice(place: &str, schema: &Map<String, Value>, answer: &Value) -> Result<(), String> {
    let among = |options: &Vec<Value>| options.iter().any(|option| same(option, answer));
    if let Some(Value::Array(options)) = schema.get("enum")
        && !among(options)
    {
        let options: Vec<_> = options.iter().map(written).collect();
        let (shown, options) = (shown(answer), options.join("`, `"));
        return Err(format!(
            "{place} {shown} is none of the options: `{options}`"
        ));
    }
    if let Some(only) = schema.get("const")
        && !same(only, answer)
    {
        return Err(format!("{place} {} has to be {only}", shown(answer)));
    }
    if let Some(Value::Array(ways)) = schema.get("anyOf")
        && !ways.iter().any(|way| at(place, way, answer).is_ok())
    {
        return Err(format!(
            "{place} {} is in none of the forms that were asked for",
            shown(answer)
        ));
    }
    Ok(())
}

fn check_type(place: &str, schema: &Map<String, Value>, answer: &Value) -> Result<(), String> {
    let types: Vec<&str> = match schema.get("type") {
        None => return Ok(()),
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(one) => one.as_str().into_iter().collect(),
    };
    let fits = |name: &&str| match *name {
        "string" => answer.is_string(),
        "boolean" => answer.is_boolean(),
        "number" => answer.is_number(),
        // 3.0 is one as well.
        "integer" => answer.as_f64().is_some_and(|number| number.fract() == 0.0),
        "object" => answer.is_object(),
        "array" => answer.is_array(),
        "null" => answer.is_null(),
        _ => true,
    };
    if types.iter().any(fits) {
        return Ok(());
    }
    let types = types.join("` or `");
    Err(format!(
        "{place} {} has to be of the type `{types}`",
        shown(answer)
    ))
}

fn check_size(place: &str, schema: &Map<String, Value>, answer: &Value) -> Result<(), String> {
    let (size, unit, least, most) = match answer {
        Value::String(text) => {
            let characters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            (
                f64::from(characters),
                "characters",
                "minLength",
                "maxLength",
            )
        }
        Value::Array(items) => {
            let items = u32::try_from(items.len()).unwrap_or(u32::MAX);
            (f64::from(items), "entries", "minItems", "maxItems")
        }
        Value::Number(number) => {
            let Some(number) = number.as_f64() else {
                return Ok(());
            };
            (number, "", "minimum", "maximum")
        }
        _ => return Ok(()),
    };
    let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(least) = limit(least).filter(|least| size < *least) {
        let text = format!("{place} needs {least} {unit} at least");
        return Err(text.replace("  ", " "));
    }
    if let Some(most) = limit(most).filter(|most| size > *most) {
        let text = format!("{place} may have {most} {unit} at most");
        return Err(text.replace("  ", " "));
    }
    Ok(())
}

fn check_fields(
    place: &str,
    schema: &Map<String, Value>,
    fields: &Map<String, Value>,
) -> Result<(), String> {
    let required = schema.get("required").and_then(Value::as_array);
    let missing = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|name| !fields.contains_key(*name));
    if let Some(missing) = missing {
        return Err(format!("{place} lacks `{}`", missing.escape_debug()));
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in fields {
        let name_shown = cut(name);
        match properties.and_then(|properties| properties.get(name)) {
            Some(wanted) => at(&format!("`{name_shown}` of {place}"), wanted, value)?,
            None if is_closed => {
                return Err(format!(
                    "{place} has `{name_shown}`, which was not asked for"
                ));
            }
            None => {}
        }
    }
    Ok(())
}

fn check_items(place: &str, schema: &Map<String, Value>, items: &[Value]) -> Result<(), String> {
    if let Some(wanted) = schema.get("items") {
        for (index, item) in items.iter().enumerate() {
            at(&format!("entry {} of {place}", index + 1), wanted, item)?;
        }
    }
    let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
    let repeated = items
        .iter()
        .enumerate()
        .find(|(index, item)| is_unique && items[..*index].contains(item));
    match repeated {
        Some((_, item)) => Err(format!("{place} has {} twice", shown(item))),
        None => Ok(()),
    }
}

/// Numbers are the same however they are written.
fn same(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left.total_cmp(&right).is_eq(),
        _ => left == right,
    }
}

fn written(option: &Value) -> String {
    option
        .as_str()
        .map_or_else(|| option.to_string(), str::to_owned)
}

fn shown(answer: &Value) -> String {
    cut(&answer.to_string())
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(MAX_SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::serde_json::json;

    use super::*;

    #[test]
    fn what_fits_passes() {
        for (schema, answer) in [
            (json!({}), json!(null)),
            (json!(true), json!(1)),
            (json!({ "type": "integer" }), json!(3.0)),
            (json!({ "type": ["string", "null"] }), json!(null)),
            (json!({ "enum": [1, "b"] }), json!(1.0)),
            (json!({ "const": { "a": 1 } }), json!({ "a": 1 })),
            (
                json!({ "type": "number", "minimum": 1, "maximum": 2 }),
                json!(1.5),
            ),
            (json!({ "type": "string", "maxLength": 3 }), json!("äöü")),
            (
                json!({ "properties": { "a": { "type": "string" } } }),
                json!({ "b": 1 }),
            ),
        ] {
            assert_eq!(check(&schema, &answer), Ok(()), "{schema} {answer}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let people = json!({
            "type": "object", "required": ["people"], "additionalProperties": false,
            "properties": {
                "people": { "type": "integer", "minimum": 1 },
                "names": { "type": "array", "items": { "type": "string", "minLength": 1 }, "maxItems": 2 },
            },
        });
        for (schema, answer, said) in [
            (json!(false), json!(1), "the answer is not wanted"),
            (
                json!({ "type": "string" }),
                json!(7),
                "the answer 7 has to be of the type `string`",
            ),
            (
                json!({ "type": "integer" }),
                json!(1.5),
                "of the type `integer`",
            ),
            (json!({ "const": "yes" }), json!("no"), "has to be \"yes\""),
            (
                json!({ "anyOf": [{ "enum": ["a"] }, { "type": "number" }] }),
                json!("b"),
                "in none of the forms",
            ),
            (people.clone(), json!("four"), "of the type `object`"),
            (people.clone(), json!({}), "the answer lacks `people`"),
            (
                people.clone(),
                json!({ "people": 0 }),
                "`people` of the answer needs 1 at least",
            ),
            (
                people.clone(),
                json!({ "people": 1, "x": 1 }),
                "has `x`, which was not asked for",
            ),
            (
                people.clone(),
                json!({ "people": 1, "names": ["a", ""] }),
                "entry 2 of `names` of the answer needs 1 characters at least",
            ),
            (
                people,
                json!({ "people": 1, "names": ["a", "b", "c"] }),
                "may have 2 entries at most",
            ),
            (
                json!({ "uniqueItems": true }),
                json!([1, 2, 1]),
                "the answer has 1 twice",
            ),
        ] {
            let told = check(&schema, &answer).unwrap_err();
            assert!(told.contains(said), "{told}");
        }
        let long = check(&json!({ "type": "null" }), &json!("x".repeat(10_000))).unwrap_err();
        assert!(long.len() < 300);
    }
}
