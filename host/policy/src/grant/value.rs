//! Names and values: what a variable, a key or a secret can be.

use toolhost_tool::{permission::Glob, truncate_chars};

use super::GrantError;
use crate::SecretName;

/// Most bytes of one value of the configuration: it is held in memory for every call.
const MAX_CONFIG_VALUE: usize = 64 << 10;

/// Most bytes of a key of the configuration.
const MAX_CONFIG_KEY: usize = 256;

/// Longest text that a message repeats, in characters.
const MAX_SHOWN: usize = 80;

/// Reads `NAME=VALUE`.
///
/// # Errors
/// When there is no `=`, or no variable can have such a name or value.
pub fn parse_env(text: &str) -> Result<(String, String), GrantError> {
    let (name, value) = match text.split_once('=') {
        Some(pair) => pair,
        // It has no name either, which is the first thing to say.
        None if text.is_empty() => ("", ""),
        None => return Err(GrantError::NoValue { text: text.into() }),
    };
    check_variable(name, value)?;
    Ok((name.into(), value.into()))
}

/// Reads `KEY=VALUE`, a value of the configuration.
///
/// # Errors
/// When there is no `=`, or no key or value can be such.
pub fn parse_config_value(text: &str) -> Result<(String, String), GrantError> {
    let Some((key, value)) = text.split_once('=') else {
        return Err(GrantError::NoConfigValue { text: text.into() });
    };
    check_config(key, value)?;
    Ok((key.into(), value.into()))
}

pub(crate) fn check_variable(name: &str, value: &str) -> Result<(), GrantError> {
    let problem = if name.is_empty() {
        "it has no name"
    } else if name.contains(['=', '\0']) {
        "its name holds `=` or a zero byte"
    } else if value.contains('\0') {
        "its value holds a zero byte"
    } else {
        return Ok(());
    };
    Err(GrantError::BadVariable {
        name: name.into(),
        problem,
    })
}

pub(crate) fn check_config(key: &str, value: &str) -> Result<(), GrantError> {
    let problem = if key.is_empty() {
        "it has no key"
    } else if key.len() > MAX_CONFIG_KEY {
        "its key has more than 256 bytes"
    } else if key.contains('\0') || value.contains('\0') {
        "it holds a zero byte"
    } else if value.len() > MAX_CONFIG_VALUE {
        "its value has more than 64 KiB"
    } else {
        return Ok(());
    };
    Err(GrantError::BadConfig {
        key: truncate_chars(key.to_owned(), MAX_SHOWN),
        problem,
    })
}

/// A pattern that can match no name of a tool is a slip: it would be kept and never
/// used.
pub(crate) fn check_tool(pattern: &Glob) -> Result<(), GrantError> {
    if pattern.as_str().chars().all(is_part_of_pattern) {
        return Ok(());
    }
    Err(GrantError::BadTool {
        pattern: truncate_chars(pattern.to_string(), MAX_SHOWN),
    })
}

fn is_part_of_pattern(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '*' | '?')
}

pub(crate) fn check_secret(name: &str) -> Result<(), GrantError> {
    name.parse::<SecretName>()
        .map(|_| ())
        .map_err(GrantError::BadSecret)
}
