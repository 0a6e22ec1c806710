//! The methods a grant is for.

use std::{collections::BTreeSet, fmt, str::FromStr};

use super::HttpGrantError;

/// The longest method: no registered one has more than 17 letters.
const MAX_METHOD: usize = 32;

/// The most methods in a list: whoever needs more means `*`.
const MAX_METHODS: usize = 16;

/// The methods a grant is for.
///
/// As text a list with commas, or `*`. The default is `GET,HEAD`: reading. Methods are
/// compared as they are written; in HTTP `post` is another method than `POST`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Methods {
    /// Every method that can be granted.
    Any,
    /// These.
    Only(BTreeSet<String>),
}

impl Default for Methods {
    fn default() -> Self {
        Self::Only(["GET", "HEAD"].map(String::from).into())
    }
}

impl Methods {
    /// Whether a request may have this method.
    #[must_use]
    pub fn allow(&self, method: &str) -> bool {
        match self {
            Self::Any => problem(method).is_none(),
            Self::Only(methods) => methods.contains(method),
        }
    }

    /// The narrowest that people write for this method, which can be granted.
    pub(super) fn suggested(method: &str) -> Self {
        let default = Self::default();
        if default.allow(method) {
            default
        } else {
            Self::Only([method.to_owned()].into())
        }
    }
}

/// Why a method cannot be granted, if it cannot.
pub(super) fn problem(method: &str) -> Option<&'static str> {
    match method {
        "CONNECT" => Some("it opens a tunnel that no rule could look into"),
        "TRACE" | "TRACK" => Some("it sends back what was sent, secrets with it"),
        "" => Some("it is empty: write a method such as `GET`"),
        _ if method.len() > MAX_METHOD => Some("no method is that long"),
        _ if !method.starts_with(|c: char| c.is_ascii_uppercase())
            || !method
                .bytes()
                .all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_')) =>
        {
            Some("methods are capital letters, such as `GET`")
        }
        _ => None,
    }
}

impl FromStr for Methods {
    type Err = HttpGrantError;

    fn from_str(text: &str) -> Result<Self, HttpGrantError> {
        if text.trim() == "*" {
            return Ok(Self::Any);
        }
        if text.split(',').count() > MAX_METHODS {
            return Err(HttpGrantError::BadMethod {
                method: super::parse::shown(text),
                problem: "there are too many: write `*` for every method",
            });
        }
        let methods = text.split(',').map(str::trim).map(|method| {
            let problem = match method {
                "*" => Some("it already means every method: write it alone"),
                _ => problem(method),
            };
            match problem {
                None => Ok(method.to_owned()),
                Some(problem) => Err(HttpGrantError::BadMethod {
                    method: super::parse::shown(method),
                    problem,
                }),
            }
        });
        methods.collect::<Result<_, _>>().map(Self::Only)
    }
}

impl fmt::Display for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Only(methods) = self else {
            return f.write_str("*");
        };
        for (index, method) in methods.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            f.write_str(method)?;
        }
        Ok(())
    }
}
