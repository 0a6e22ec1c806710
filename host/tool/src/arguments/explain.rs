//! From the validator's errors to issues that a model can act on: what was
//! expected, what was found, and the name that was probably meant.

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::{Map, Value};

use super::{
    Issue, alternatives,
    issues::Issues,
    show::{Words, found, shorten, show},
};
use crate::{schema::ToolSchema, suggest::suggest};

/// Characters of a name or a pattern that a message repeats.
const NAME_SHOWN: usize = 100;

/// Names in a value that are looked at for one that was meant; it may have a million.
const NAMES_COMPARED: usize = 1_000;

/// The issues of a value that does not match.
pub(super) fn issues(schema: &ToolSchema, errors: &[ValidationError<'_>]) -> Vec<Issue> {
    let mut issues = Issues::default();
    for error in errors {
        explain(schema, error, &mut issues);
    }
    issues.into_list()
}

/// Adds the issues of one error.
pub(super) fn explain(schema: &ToolSchema, error: &ValidationError<'_>, issues: &mut Issues) {
    let at = |message| Issue {
        path: error.instance_path().to_string(),
        message,
    };
    match error.kind() {
        _ if issues.is_full() => issues.leave_out(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            alternatives::explain(schema, error, context, issues);
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = known_properties(schema, error);
            for name in unexpected {
                issues.add(|| at(unknown_property(name, known)));
            }
        }
        // `additionalProperties` without `properties` beside it.
        Kind::FalseSchema
            if error
                .schema_path()
                .as_str()
                .ends_with("/additionalProperties") =>
        {
            issues.add(|| at("no property is allowed here: leave all of them out".into()));
        }
        Kind::Required { property } => issues.add(|| at(missing(schema, error, property))),
        _ => issues.add(|| at(message(error))),
    }
}

fn message(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    let expected = |what: String| format!("expected {what}, found {}", found(value));
    match error.kind() {
        Kind::Type { kind } => {
            expected(Words::of(types(kind).into_iter(), |kind| kind).to_string())
        }
        Kind::Enum { options } => expected(allowed(options, value)),
        Kind::Constant { expected_value } => expected(show(expected_value)),
        Kind::Minimum { limit } => expected(format!("at least {}", show(limit))),
        Kind::Maximum { limit } => expected(format!("at most {}", show(limit))),
        Kind::ExclusiveMinimum { limit } => expected(format!("more than {}", show(limit))),
        Kind::ExclusiveMaximum { limit } => expected(format!("less than {}", show(limit))),
        Kind::MultipleOf { multiple_of } => expected(format!("a multiple of {multiple_of}")),
        Kind::MinLength { limit } => expected(format!("at least {limit} characters")),
        Kind::MaxLength { limit } => expected(format!("at most {limit} characters")),
        Kind::Pattern { pattern } => expected(format!(
            "text that matches `{}`",
            shorten(pattern, NAME_SHOWN)
        )),
        Kind::PropertyNames { error } => {
            let name = error.instance().as_str().unwrap_or_default();
            format!(
                "the property name `{}` is not allowed: {}",
                shorten(name, NAME_SHOWN),
                message(error)
            )
        }
        _ => count_message(error).unwrap_or_else(|| shorten(&error.to_string(), 300)),
    }
}

/// Messages about how much there is of something, which would not gain from
/// showing it.
fn count_message(error: &ValidationError<'_>) -> Option<String> {
    let parts = match &**error.instance() {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    Some(match error.kind() {
        Kind::MinItems { limit } => format!("expected at least {limit} items, found {parts}"),
        Kind::MaxItems { limit } => format!("expected at most {limit} items, found {parts}"),
        Kind::AdditionalItems { limit } => format!("expected at most {limit} items, found {parts}"),
        Kind::MinProperties { limit } => {
            format!("expected at least {limit} properties, found {parts}")
        }
        Kind::MaxProperties { limit } => {
            format!("expected at most {limit} properties, found {parts}")
        }
        Kind::UniqueItems => "two items are equal, each must be different".into(),
        Kind::Contains => "no item is of the kind that the array must contain".into(),
        Kind::FalseSchema => "nothing is allowed here: leave it out".into(),
        Kind::Not { schema } => format!("the value is what `not` excludes: {}", show(schema)),
        Kind::OneOfMultipleValid { .. } => {
            "the value matches several alternatives, it must match exactly one".into()
        }
        _ => return None,
    })
}

/// The names of the types that were asked for.
pub(super) fn types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(single) => vec![single.to_string()],
        TypeKind::Multiple(several) => several.iter().map(|kind| kind.to_string()).collect(),
    }
}

/// The values of an `enum`, and the one that was probably meant.
fn allowed(options: &Value, value: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = options.iter().filter_map(Value::as_str);
    let meant = value.as_str().and_then(|text| suggest(text, texts));
    let meant = meant.map(|text| format!(" (did you mean {}?)", show(&text.into())));
    let list = Words::of(options.iter(), show);
    format!("{list}{}", meant.unwrap_or_default())
}

fn unknown_property(name: &str, known: Option<&Map<String, Value>>) -> String {
    let shown = shorten(name, NAME_SHOWN);
    let Some(known) = known.filter(|known| !known.is_empty()) else {
        return format!("there is no property `{shown}`: leave it out");
    };
    if let Some(meant) = suggest(name, known.keys().map(String::as_str)) {
        return format!(
            "there is no property `{shown}`: did you mean `{}`?",
            shorten(meant, NAME_SHOWN)
        );
    }
    let quoted = Words::of(known.keys(), |name| {
        format!("`{}`", shorten(name, NAME_SHOWN))
    });
    format!("there is no property `{shown}`: expected {quoted}")
}

fn missing(schema: &ToolSchema, error: &ValidationError<'_>, property: &Value) -> String {
    let name = property.as_str().unwrap_or_default();
    let known = known_properties(schema, error);
    let is_known = |name: &str| known.is_some_and(|known| known.contains_key(name));
    let given = error.instance().as_object().into_iter().flat_map(Map::keys);
    let unknown = given
        .take(NAMES_COMPARED)
        .map(String::as_str)
        .filter(|given| !is_known(given));
    let slip = suggest(name, unknown);
    let slip = slip.map(|given| format!(": is `{}` meant to be it?", shorten(given, NAME_SHOWN)));
    let name = shorten(name, NAME_SHOWN);
    format!(
        "the required property `{name}` is missing{}",
        slip.unwrap_or_default()
    )
}

/// The `properties` beside the keyword that failed.
fn known_properties<'a>(
    schema: &'a ToolSchema,
    error: &ValidationError<'_>,
) -> Option<&'a Map<String, Value>> {
    let keyword = error.schema_path().as_str();
    let object = keyword.rsplit_once('/').map_or("", |(object, _)| object);
    let schema = schema.as_value().pointer(object)?;
    schema.get("properties")?.as_object()
}
