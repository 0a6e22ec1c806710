//! Grants that cannot be used, and how to write them.

use crate::{Capability, SecretError};

/// A grant that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrantError {
    /// A directory has no name for the sandbox.
    #[error("`{text}` does not say what the plugin shall call the directory: write `{example}`")]
    NoGuest {
        /// What was typed.
        text: String,
        /// How it could be meant.
        example: String,
    },
    /// A directory has no place on the host.
    #[error("`{text}` does not say which directory of the host is meant: write `HOST::GUEST`")]
    NoHost {
        /// What was typed.
        text: String,
    },
    /// The name in the sandbox cannot be one.
    #[error("`{guest}` cannot be the name of a directory in the sandbox: {problem}")]
    BadGuest {
        /// The name.
        guest: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// What stands behind the last colon is no access.
    #[error(
        "the access `{access}` is not known: write `:ro` to read, which is the default, or `:rw` to write as well"
    )]
    BadAccess {
        /// What was typed.
        access: String,
    },
    /// Two directories have one name.
    #[error(
        "`{first}` and `{second}` both give the plugin the directory `{guest}`: give one of them another name"
    )]
    SameGuest {
        /// The name in the sandbox.
        guest: String,
        /// One grant.
        first: String,
        /// The other.
        second: String,
    },
    /// There are too many.
    #[error("there are {used} grants of `{capability}`; at most 1000 are allowed")]
    TooMany {
        /// Of what.
        capability: Capability,
        /// How many.
        used: usize,
    },
    /// A variable has no value.
    #[error(
        "`{text}` gives the variable no value: write `{text}=VALUE`; nothing is taken from the host's own environment"
    )]
    NoValue {
        /// What was typed.
        text: String,
    },
    /// A variable has a name or a value that it cannot have.
    #[error("the environment variable `{name}` cannot be set: {problem}")]
    BadVariable {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A value of the configuration has none.
    #[error("`{text}` gives the key no value: write `{text}=VALUE`")]
    NoConfigValue {
        /// What was typed.
        text: String,
    },
    /// A value of the configuration cannot be given.
    #[error("the configuration value `{key}` cannot be given: {problem}")]
    BadConfig {
        /// Its key.
        key: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A pattern matches no tool.
    #[error("`{pattern}` matches no tool: names of tools have only letters, digits, `_` and `-`")]
    BadTool {
        /// The pattern.
        pattern: String,
    },
    /// A secret cannot be called that.
    #[error(transparent)]
    BadSecret(#[from] SecretError),
    /// Keys and values cannot be kept so.
    #[error(
        "the scope `{scope}` is not known: storage is kept per `plugin`, per `principal` or per `session`"
    )]
    BadScope {
        /// What was typed.
        scope: String,
    },
}
