//! From the validator's errors to issues that a model can act on: what was
//! expected, what was found, and the name that was probably meant.

use std::collections::HashSet;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

use super::{
    Issue, alternatives,
    show::{either, found, shorten, show},
};
use crate::{schema::ToolSchema, suggest::suggest};

/// Issues that are listed; the rest is counted.
const MAX_ISSUES: usize = 32;

/// Characters of a message, whatever it is made of.
const MESSAGE_SHOWN: usize = 500;

/// Characters of a name or a pattern that a message repeats.
const NAME_SHOWN: usize = 100;

/// The issues of a value that does not match.
pub(super) fn issues(schema: &ToolSchema, errors: &[ValidationError<'_>]) -> Vec<Issue> {
    let mut issues = Vec::new();
    for error in errors {
        explain(schema, error, &mut issues);
    }
    for issue in &mut issues {
        issue.message = shorten(&issue.message, MESSAGE_SHOWN);
    }
    let mut met = HashSet::new();
    issues.retain(|issue| met.insert((issue.path.clone(), issue.message.clone())));
    if issues.is_empty() {
        issues.push(Issue::whole("the value does not match its schema"));
    }
    if issues.len() > MAX_ISSUES {
        let more = issues.len() - MAX_ISSUES;
        issues.truncate(MAX_ISSUES);
        issues.push(Issue::whole(format!("… and {more} more")));
    }
    issues
}

/// Adds the issues of one error.
pub(super) fn explain(schema: &ToolSchema, error: &ValidationError<'_>, issues: &mut Vec<Issue>) {
    let at = |message| Issue {
        path: error.instance_path().to_string(),
        message,
    };
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            alternatives::explain(schema, error, context, issues);
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = known_names(schema, error);
            issues.extend(
                unexpected
                    .iter()
                    .map(|name| at(unknown_property(name, &known))),
            );
        }
        // `additionalProperties` without `properties` beside it.
        Kind::FalseSchema
            if error
                .schema_path()
                .as_str()
                .ends_with("/additionalProperties") =>
        {
            issues.push(at(
                "no property is allowed here: leave all of them out".into()
            ));
        }
        Kind::Required { property } => issues.push(at(missing(schema, error, property))),
        _ => issues.push(at(message(error))),
    }
}

fn message(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    let expected = |what: String| format!("expected {what}, found {}", found(value));
    match error.kind() {
        Kind::Type { kind } => expected(either(&types(kind))),
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
    let list: Vec<String> = options.iter().map(show).collect();
    format!("{}{}", either(&list), meant.unwrap_or_default())
}

fn unknown_property(name: &str, known: &[&str]) -> String {
    let shown = shorten(name, NAME_SHOWN);
    if let Some(meant) = suggest(name, known.iter().copied()) {
        return format!(
            "there is no property `{shown}`: did you mean `{}`?",
            shorten(meant, NAME_SHOWN)
        );
    }
    if known.is_empty() {
        return format!("there is no property `{shown}`: leave it out");
    }
    let quoted: Vec<String> = known
        .iter()
        .map(|name| format!("`{}`", shorten(name, NAME_SHOWN)))
        .collect();
    format!(
        "there is no property `{shown}`: expected {}",
        either(&quoted)
    )
}

fn missing(schema: &ToolSchema, error: &ValidationError<'_>, property: &Value) -> String {
    let name = property.as_str().unwrap_or_default();
    let known = known_names(schema, error);
    let given = error.instance().as_object();
    let unknown = given
        .into_iter()
        .flat_map(|members| members.keys())
        .map(String::as_str);
    let slip = suggest(name, unknown.filter(|given| !known.contains(given)));
    let slip = slip.map(|given| format!(": is `{}` meant to be it?", shorten(given, NAME_SHOWN)));
    let name = shorten(name, NAME_SHOWN);
    format!(
        "the required property `{name}` is missing{}",
        slip.unwrap_or_default()
    )
}

/// The names in the `properties` beside the keyword that failed.
fn known_names<'a>(schema: &'a ToolSchema, error: &ValidationError<'_>) -> Vec<&'a str> {
    let keyword = error.schema_path().as_str();
    let object = keyword.rsplit_once('/').map_or("", |(object, _)| object);
    let properties = schema
        .as_value()
        .pointer(object)
        .and_then(|schema| schema.get("properties"));
    let names = properties
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|names| names.keys());
    names.map(String::as_str).collect()
}
