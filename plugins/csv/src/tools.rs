//! The tools as the model sees them. Both take a table the same way.

pub mod profile;
pub mod query;

use toolhost_sdk::{Context, ToolError};

use crate::failure::Failure;
use crate::watch::Watch;

/// The caller behind a context.
struct Caller<'a>(&'a Context);

impl Watch for Caller<'_> {
    fn is_aborted(&self) -> bool {
        self.0.is_aborted()
    }

    fn show(&self, snapshot: serde_json::Value) -> bool {
        !self.0.emit(&snapshot).is_stop()
    }
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        let error = Self::new(failure.kind.name(), failure.message);
        if failure.suggestions.is_empty() {
            return error;
        }
        error.details(serde_json::json!({ "suggestions": failure.suggestions }))
    }
}

/// The delimiter argument: absent and `auto` are the same.
fn delimiter(given: Option<String>) -> Option<String> {
    given.filter(|given| given != "auto")
}

#[cfg(test)]
mod tests;
