//! The name of a secret, which also stands in placeholders.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

use super::SecretError;

/// Longest name of a secret.
const MAX_NAME_BYTES: usize = 64;

/// The name of a secret: 1 to 64 letters, digits, `-`, `_` or `.`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretName(String);

impl SecretName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a secret can have this name.
    pub(super) fn fits(name: &[u8]) -> bool {
        let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=MAX_NAME_BYTES).contains(&name.len()) && name.iter().all(fits)
    }
}

impl FromStr for SecretName {
    type Err = SecretError;

    fn from_str(name: &str) -> Result<Self, SecretError> {
        if Self::fits(name.as_bytes()) {
            return Ok(Self(name.to_owned()));
        }
        let name = toolhost_tool::truncate_chars(name.to_owned(), MAX_NAME_BYTES);
        Err(SecretError::BadName { name })
    }
}

impl Borrow<str> for SecretName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SecretName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SecretName {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_str(NameReader)
    }
}

struct NameReader;

impl de::Visitor<'_> for NameReader {
    type Value = SecretName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a secret")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<SecretName, E> {
        text.parse().map_err(E::custom)
    }
}
