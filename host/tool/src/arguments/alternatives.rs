//! What to say when none of several alternatives matches. Telling a model all that
//! is wrong with all of them buries what it has to change; so the alternative that
//! was meant is worked out first, where that can be done.

use std::{cmp::Ordering, collections::HashSet};

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

use super::{
    Issue,
    explain::{explain as explain_error, types},
    issues::Issues,
    show::{Words, found, show},
};
use crate::schema::ToolSchema;

/// Alternatives of which a message says what is wrong.
const MAX_SHOWN: usize = 4;

type Branch = Vec<ValidationError<'static>>;

/// How far an alternative is from matching; the order is that of the variants.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Distance {
    /// The kind of value fits, and so do its fixed members.
    Details,
    /// A member with a fixed value, such as the tag of a variant, has another one.
    Tag,
    /// The value is of another type altogether.
    Type,
}

/// Adds the issues of an `anyOf` or `oneOf` that no branch of matches.
pub(super) fn explain(
    schema: &ToolSchema,
    error: &ValidationError<'_>,
    branches: &[Branch],
    issues: &mut Issues,
) {
    let at = error.instance_path().as_str();
    let distances: Vec<Distance> = branches.iter().map(|branch| distance(branch, at)).collect();
    let least = distances.iter().min().copied().unwrap_or(Distance::Type);
    let all = branches.iter().zip(&distances);
    let nearest: Vec<&Branch> = all
        .filter(|(_, distance)| **distance == least)
        .map(|(branch, _)| branch)
        .collect();
    let issue = |message| Issue {
        path: at.to_owned(),
        message,
    };
    match least {
        Distance::Type => {
            issues.add(|| {
                let wanted = wanted(&nearest, at);
                issue(format!(
                    "expected {wanted}, found {}",
                    found(error.instance())
                ))
            });
        }
        Distance::Tag if let Some(tag) = common_tag(&nearest) => issues.add(|| tag),
        _ => match meant(&nearest) {
            Some(branch) => branch
                .iter()
                .for_each(|error| explain_error(schema, error, issues)),
            None => issues.add(|| issue(overview(schema, &nearest))),
        },
    }
}

fn distance(branch: &Branch, at: &str) -> Distance {
    let of_error = |error: &ValidationError<'_>| {
        let path = error.instance_path().as_str();
        let member = path
            .strip_prefix(at)
            .is_some_and(|rest| rest.matches('/').count() <= 1);
        match error.kind() {
            Kind::Type { .. } if path == at => Distance::Type,
            Kind::Enum { .. } | Kind::Constant { .. } if path == at => {
                match error.instance().as_ref() {
                    Value::Object(_) | Value::Array(_) => Distance::Type,
                    _ => Distance::Tag,
                }
            }
            Kind::Constant { .. } | Kind::Enum { .. } if member => Distance::Tag,
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } if path == at => context
                .iter()
                .map(|branch| distance(branch, at))
                .min()
                .unwrap_or(Distance::Type),
            _ => Distance::Details,
        }
    };
    branch
        .iter()
        .map(of_error)
        .max()
        .unwrap_or(Distance::Details)
}

/// The types that the alternatives ask for.
fn wanted(branches: &[&Branch], at: &str) -> Words {
    let mut words: Vec<String> = Vec::new();
    let mut open: Vec<&ValidationError<'_>> = branches
        .iter()
        .flat_map(|branch| branch.iter())
        .rev()
        .collect();
    while let Some(error) = open.pop() {
        match error.kind() {
            _ if error.instance_path().as_str() != at => {}
            Kind::Type { kind } => words.extend(types(kind)),
            Kind::Constant { expected_value } => words.push(show(expected_value)),
            Kind::Enum { options } => words.push(format!("one of {}", show(options))),
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                open.extend(context.iter().flatten().rev());
            }
            _ => {}
        }
    }
    let mut met = HashSet::new();
    words.retain(|word| met.insert(word.clone()));
    Words::of(words.into_iter(), |word| word)
}

/// The one issue, when all alternatives fail by the value of the same member.
fn common_tag(branches: &[&Branch]) -> Option<Issue> {
    let mut tags = branches.iter().map(|branch| {
        branch
            .iter()
            .find(|error| matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. }))
    });
    let first = tags.clone().next()??;
    let mut words = Words::default();
    for tag in tags.by_ref() {
        let tag = tag.filter(|tag| tag.instance_path() == first.instance_path())?;
        match tag.kind() {
            Kind::Constant { expected_value } => {
                words.extend(std::iter::once(&**expected_value), show);
            }
            Kind::Enum { options } => words.extend(options.as_array()?.iter(), show),
            _ => return None,
        }
    }
    let message = format!("expected {words}, found {}", found(first.instance()));
    Some(Issue {
        path: first.instance_path().to_string(),
        message,
    })
}

/// The alternative with the least that is wrong, when there is just one.
fn meant<'a>(branches: &[&'a Branch]) -> Option<&'a Branch> {
    let fewest = branches.iter().min_by_key(|branch| branch.len())?;
    let ties = branches
        .iter()
        .filter(|branch| branch.len().cmp(&fewest.len()) == Ordering::Equal);
    (ties.count() == 1).then_some(*fewest)
}

/// What is wrong with each alternative, in one line.
fn overview(schema: &ToolSchema, branches: &[&Branch]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for branch in branches.iter().take(MAX_SHOWN) {
        let mut issues = Issues::default();
        branch
            .iter()
            .take(1)
            .for_each(|error| explain_error(schema, error, &mut issues));
        parts.extend(issues.into_first());
    }
    parts.dedup();
    let more = if branches.len() > MAX_SHOWN {
        "; …"
    } else {
        ""
    };
    format!(
        "the value matches none of the {} alternatives: {}{more}",
        branches.len(),
        parts.join("; or ")
    )
}
