//! Why `host` does not do what it was asked, as data: what happened, why, and
//! what the user can do. Only the printer turns it into text.

use std::error::Error;

use serde_json::{Value, json};
use toolhost::{CacheError, LimitHit, SetupError};

use crate::exit::ExitCode;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// How `host` ends.
    pub(crate) code: ExitCode,
    /// What happened; lower-case, no full stop.
    pub(crate) message: String,
    /// What belongs to the message, a line each.
    pub(crate) details: Vec<String>,
    /// Why, from the outside in.
    pub(crate) causes: Vec<String>,
    /// What would help.
    pub(crate) hints: Vec<String>,
    /// What programs are told of it beside the words.
    pub(crate) kind: Option<Kind>,
}

/// What a failure is, where it is one of those that have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Its name, as in the results of calls.
    name: &'static str,
    /// The limit that was hit.
    limit: Option<LimitHit>,
}

/// Why a command does not come to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something went wrong.
    Failed(Box<Failure>),
    /// Nobody reads stdout any more, as in `host … | head -1`. Not an error.
    PipeClosed,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Failure {
    /// A failure without details, causes and hints.
    pub(crate) fn new(code: ExitCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Vec::new(),
            causes: Vec::new(),
            hints: Vec::new(),
            kind: None,
        }
    }

    /// What was typed, or a file that it names, cannot be used.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ExitCode::Usage, message)
    }

    /// Adds `error` and what is behind it as causes.
    pub(crate) fn because(mut self, error: &dyn Error) -> Self {
        self.causes.push(error.to_string());
        let mut source = error.source();
        while let Some(cause) = source {
            self.causes.push(cause.to_string());
            source = cause.source();
        }
        self
    }

    /// Adds a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The failure for programs, where there is no result of a call to show:
    /// `{"isError": true, "error": {message, details?, causes?, hints?, name?, limit?}}`.
    /// A plugin that cannot be loaded has the name `PluginLoadError`, and the limit that
    /// it is over, as `{name, allowed, used}`.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({ "message": self.message });
        for (key, lines) in [
            ("details", &self.details),
            ("causes", &self.causes),
            ("hints", &self.hints),
        ] {
            if !lines.is_empty() {
                error[key] = json!(lines);
            }
        }
        if let Some(Kind { name, limit }) = &self.kind {
            error["name"] = json!(name);
            if let Some(limit) = limit {
                error["limit"] = json!(limit);
            }
        }
        json!({ "isError": true, "error": error })
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

impl From<toolhost::Error> for Failure {
    fn from(error: toolhost::Error) -> Self {
        let mut failure = Self::usage(error.to_string());
        if let Some(source) = error.source() {
            failure = failure.because(source);
        }
        failure.hints.extend(error.hint());
        if let toolhost::Error::Setup(SetupError::Cache(cache)) = &error {
            failure.hints.push(cache_hint(cache));
        }
        if let toolhost::Error::Load { source, .. } = &error {
            failure.kind = Some(Kind {
                name: "PluginLoadError",
                limit: source.limit(),
            });
        }
        failure
    }
}

/// What helps against a cache folder that cannot be used.
pub(crate) fn cache_hint(error: &CacheError) -> String {
    match error {
        CacheError::Mode { path, .. } => {
            format!(
                "`chmod go-w {}` closes it, or use `--no-cache`",
                path.display()
            )
        }
        _ => "name another folder with `--cache-dir`, or use `--no-cache`".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_errors_is_told_from_the_outside_in() {
        let inner = std::io::Error::other("disk on fire");
        let cache = CacheError::Io {
            path: "/cache".into(),
            source: inner,
        };
        let error = toolhost::Error::Setup(SetupError::Cache(cache));
        let failure = Failure::from(error);
        assert_eq!(failure.code, ExitCode::Usage);
        assert_eq!(failure.message, "cannot build the host");
        assert_eq!(
            failure.causes,
            [
                "cannot use the compile cache",
                "cannot open the cache folder `/cache`",
                "disk on fire"
            ]
        );
        assert!(failure.hints[0].contains("--no-cache"));
    }

    #[test]
    fn programs_read_it_as_one_object() {
        let failure = Failure::usage("no such file").hint("try another");
        assert_eq!(
            failure.to_json(),
            json!({"isError": true, "error": {"message": "no such file", "hints": ["try another"]}})
        );
    }
}
