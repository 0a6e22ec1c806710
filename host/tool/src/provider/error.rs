//! Why a tool cannot be offered to a provider.

use super::Provider;
use crate::NameError;

/// A tool that cannot be offered to a provider; the source says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tool `{tool}` cannot be offered to {provider}")]
pub struct ExportError {
    /// The tool.
    pub tool: String,
    /// The provider.
    pub provider: Provider,
    /// Why.
    #[source]
    pub problem: Problem,
}

impl ExportError {
    pub(super) fn new(tool: &str, provider: Provider, problem: Problem) -> Self {
        Self {
            tool: tool.to_owned(),
            provider,
            problem,
        }
    }
}

/// What is wrong with a definition, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No provider takes the name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The name starts with a character that Gemini does not take there.
    #[error(
        "the name starts with `{0}`, and Gemini wants a letter or `_` there: give the tool a prefix or rename it"
    )]
    NameStart(char),
    /// Two entries of a list have one name.
    #[error("another tool of the list has the same name: give one a prefix or rename it")]
    SameName,
    /// The arguments are not an object.
    #[error("its input schema is not of type `object`: write `\"type\": \"object\"` at the top")]
    NotAnObject,
    /// The schema is nested too deeply to be walked.
    #[error("its input schema has more than {limit} levels: nest it less")]
    TooDeep {
        /// Levels allowed.
        limit: usize,
    },
    /// All that the schema says is under a keyword that is not taken at the top.
    #[error(
        "its input schema has no `properties` at the top, only `{keyword}`, which is not taken there: write the properties at the top"
    )]
    TopKeyword {
        /// The keyword.
        keyword: &'static str,
    },
    /// A property's name is not taken.
    #[error(
        "the property name `{name}` is not taken: use 1 to 64 letters, digits, `_`, `-` and `.`"
    )]
    PropertyName {
        /// The name, cut when it is long.
        name: String,
    },
    /// A schema contains itself, and the provider has no references.
    #[error(
        "`{property}` refers to a schema it is part of (`{reference}`), and references have to be written out here: limit the depth, or take the inner part as JSON text"
    )]
    Recursive {
        /// The property.
        property: String,
        /// The reference.
        reference: String,
    },
    /// A reference that leads nowhere that is understood.
    #[error("`{property}` has the reference `{reference}`, which is not `#` or `#/…`")]
    Reference {
        /// The property.
        property: String,
        /// The reference.
        reference: String,
    },
    /// The schema with its references written out is too large.
    #[error("its input schema has more than {limit} parts once its references are written out")]
    TooLarge {
        /// Parts allowed.
        limit: usize,
    },
    /// Strict mode is required, and the schema rules it out.
    #[error(
        "strict mode is ruled out by `{keyword}` of {}: {reason}",
        whose(property)
    )]
    NotStrict {
        /// The property; empty for the arguments as a whole.
        property: String,
        /// The keyword.
        keyword: String,
        /// Why.
        reason: String,
    },
    /// The request's list is too long.
    #[error("a request takes at most {limit} tools: offer fewer, or defer loading some")]
    TooManyTools {
        /// Tools allowed.
        limit: usize,
    },
    /// All strict tools of the request together are too much.
    #[error(
        "with it, the strict tools of the request have {given} {what}, and at most {limit} are taken: make fewer tools strict"
    )]
    StrictBudget {
        /// What is counted.
        what: &'static str,
        /// How many allowed.
        limit: usize,
        /// How many there are.
        given: usize,
    },
}

fn whose(property: &str) -> String {
    match property {
        "" => "the arguments".into(),
        name => format!("`{name}`"),
    }
}
