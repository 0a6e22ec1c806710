//! Why a schema was refused. The reader is the author of a plugin, so every
//! message says what to write instead.

use crate::json::JsonError;

/// A schema that cannot be used. Places are JSON Pointers into the schema, empty
/// for the schema as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// It is no JSON, or too much of it.
    #[error("the schema cannot be read: {0}")]
    Json(JsonError),
    /// It is not a JSON object.
    #[error("the schema is {found}, a JSON object was expected")]
    NotAnObject {
        /// What it is.
        found: &'static str,
    },
    /// The schema of arguments does not ask for an object.
    #[error("the schema of arguments must say `\"type\": \"object\"` at its top{hint}")]
    NotForArguments {
        /// What is there instead, and what to do.
        hint: String,
    },
    /// `$schema` names a dialect other than 2020-12 and draft-07.
    #[error(
        "the dialect `{dialect}` is not known: write JSON Schema 2020-12 and leave `$schema` out"
    )]
    Dialect {
        /// The value of `$schema`.
        dialect: String,
    },
    /// `$id` or `$schema` below the top, which starts a document in the document.
    #[error(
        "`{keyword}` at `{at}` starts a schema of its own, which is not supported: move it into `$defs` without `{keyword}`"
    )]
    Embedded {
        /// `$id` or `$schema`.
        keyword: &'static str,
        /// Where.
        at: String,
    },
    /// A reference leads out of the schema. Such references are never fetched.
    #[error(
        "`{reference}` at `{at}` leads out of the schema, and nothing is ever fetched: copy what it means into `$defs` and write `#/$defs/NAME`"
    )]
    RemoteReference {
        /// The reference as written.
        reference: String,
        /// Where.
        at: String,
    },
    /// A reference leads to nothing.
    #[error("`{reference}` at `{at}` leads to nothing in the schema{suggestion}")]
    MissingReference {
        /// The reference as written.
        reference: String,
        /// Where.
        at: String,
        /// A close name, as a whole sentence part, or nothing.
        suggestion: String,
    },
    /// An anchor has two places.
    #[error("the anchor `{anchor}` is defined twice")]
    DuplicateAnchor {
        /// The anchor.
        anchor: String,
    },
    /// Following references leads back to the same schema without going into the
    /// value.
    #[error(
        "following the references from `{at}` leads back there without going into the value, so checking it would never end"
    )]
    EndlessReference {
        /// Where.
        at: String,
    },
    /// References and combinations multiply beyond the limit.
    #[error(
        "`{at}` comes to more than {limit} schemas for one value once its references are followed: nest fewer `allOf`, `anyOf` and `oneOf`"
    )]
    TooManyApplied {
        /// Where.
        at: String,
        /// Schemas allowed.
        limit: u64,
    },
    /// A chain of references and combinations is longer than the limit.
    #[error("`{at}` starts a chain of more than {limit} references and combinations: shorten it")]
    ChainTooLong {
        /// Where.
        at: String,
        /// Links allowed.
        limit: usize,
    },
    /// There are more regular expressions than the limit.
    #[error("the schema has more than {limit} regular expressions")]
    TooManyPatterns {
        /// Expressions allowed.
        limit: usize,
    },
    /// A regular expression that cannot be used.
    #[error("the regular expression `{pattern}` at `{at}` {problem}")]
    Pattern {
        /// The expression, cut when it is long.
        pattern: String,
        /// Where.
        at: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Filling the defaults into each other does not end in bounds.
    #[error(
        "the defaults of the schema fill each other in to more than {limit} values: give fewer of the nested ones"
    )]
    DefaultsTooLarge {
        /// Values allowed.
        limit: usize,
    },
    /// A keyword has a value that it cannot have.
    #[error("the schema is not valid at `{at}`: {message}")]
    Invalid {
        /// Where.
        at: String,
        /// What is wrong.
        message: String,
    },
}
