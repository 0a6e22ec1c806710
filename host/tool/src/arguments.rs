//! Checking a value against a [`ToolSchema`]: a model's arguments, with defaults
//! and coercions, and a plugin's result, as it is.
//!
//! Arguments that match cost one walk to measure them and one to check them, and
//! are handed on without a copy; as text they are not even made a tree of. Everything
//! slower starts only after they failed.

mod alternatives;
mod coerce;
mod explain;
mod issues;
mod show;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    json::{self, Document, JsonError, JsonLimits, Measure, Part},
    schema::ToolSchema,
};
pub(crate) use show::{kind_of, shorten, show};

/// Schemas inside each other that the validator may go through: each takes about
/// 1 KiB of stack at worst, and a worker thread has 2 MiB.
const MAX_LEVELS: u64 = 600;

/// How often coercions are tried: each round can bring out strings that an
/// alternative had hidden.
const MAX_ROUNDS: usize = 4;

/// One thing that is wrong with a value, in words for the model that wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON Pointer to the part that is wrong; empty for the value as a whole.
    pub path: String,
    /// What was expected and what was found.
    pub message: String,
}

impl Issue {
    /// An issue with the value as a whole.
    fn whole(message: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            message: message.into(),
        }
    }
}

impl From<JsonError> for Issue {
    fn from(error: JsonError) -> Self {
        Self {
            path: error.path().unwrap_or_default().to_owned(),
            message: error.to_string(),
        }
    }
}

impl ToolSchema {
    /// Checks arguments and gives them back ready for the tool. For a call without
    /// arguments pass `{}`.
    ///
    /// - **Defaults** are filled in for absent members of objects that are there:
    ///   through `properties`, `additionalProperties` and `items`, behind `$ref` and
    ///   `allOf`, and behind an `anyOf` or `oneOf` of which one branch alone can be
    ///   an object. If arguments match only without the defaults, none is filled in.
    /// - **Coercions** happen where arguments fail as they are: a string becomes the
    ///   integer, number or boolean that the schema asks for when its text is exactly
    ///   that (`"3"`, `"-3.5"`, `"true"`), and a string is not allowed there. Nothing
    ///   else is coerced: no `"1e3"`, `" 3"`, `"0x10"` or `""`, no number to a string,
    ///   no `"null"`, no single value to an array.
    /// - A float without a fraction becomes the integer it equals, `3.0` → `3` and
    ///   `-0.0` → `0`: to a schema they are the same number, to a plugin's integer
    ///   types they are not.
    ///
    /// # Errors
    /// All issues at once, at most 32 and one that counts the rest; never none.
    pub fn check(&self, arguments: Value) -> Result<Value, Vec<Issue>> {
        self.check_value(arguments, false)
    }

    /// The same for arguments of which it may be known that, with the defaults, they do
    /// not match.
    fn check_value(&self, arguments: Value, differs: bool) -> Result<Value, Vec<Issue>> {
        let measure = match self.admit(&arguments) {
            Ok(measure) => measure,
            Err(issue) => {
                json::discard(arguments);
                return Err(vec![issue]);
            }
        };
        let mut value = arguments;
        if measure.whole_float {
            coerce::whole_floats(&mut value);
        }
        let Some(plan) = self.plan() else {
            return self.check_filled(value, differs);
        };
        let Some(filled) = plan.fill(&mut value, self.limits().defaults) else {
            return Err(vec![Issue::whole(
                "filling in the defaults would make the value too large",
            )]);
        };
        if filled.is_empty() {
            return self.check_filled(value, differs);
        }
        self.admit(&value).map_err(|issue| vec![issue])?;
        if !differs && self.validator().is_valid((&value).into()) {
            return Ok(value);
        }
        let mut bare = value.clone();
        plan.remove(&filled, &mut bare);
        if self.validator().is_valid((&bare).into()) {
            return Ok(bare);
        }
        self.coerce(value)
    }

    /// Does what [`check`](Self::check) does for arguments that are still text, and
    /// gives the text that the value would have: without spaces, the members in the
    /// order in which they were given. For most arguments no value is built.
    ///
    /// # Errors
    /// As [`check`](Self::check), and when the text is refused by
    /// [`parse`](json::parse).
    pub fn check_text(&self, text: &str, limits: &JsonLimits) -> Result<String, Vec<Issue>> {
        let mut document = Document::read(text, limits);
        let mut differs = false;
        if let Some(document) = &mut document
            && let Some(matches) = self.matches_read(document)
        {
            if let Some(checked) = matches.then(|| document.to_text()).flatten() {
                return Ok(checked);
            }
            differs = !matches;
        }
        let value = match document {
            Some(document) => document.into_value(),
            None => json::parse(text, limits).map_err(|error| vec![error.into()])?,
        };
        self.check_value(value, differs)
            .map(|value| value.to_string())
    }

    /// Whether a document matches with the defaults, which are added to it; `None` when
    /// it has to be checked as a value.
    fn matches_read<'t>(&'t self, document: &mut Document<'t>) -> Option<bool> {
        if let Some(plan) = self.plan() {
            plan.add(document, self.limits().defaults)?;
        }
        let part = Part::from(&*document);
        self.admit_part(part, document.measure()).ok()?;
        Some(self.validator().is_valid(part))
    }

    fn check_filled(&self, value: Value, differs: bool) -> Result<Value, Vec<Issue>> {
        if !differs && self.validator().is_valid((&value).into()) {
            Ok(value)
        } else {
            self.coerce(value)
        }
    }

    /// Checks a value as it is: no default is filled in, nothing is coerced.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn validate(&self, value: &Value) -> Result<(), Vec<Issue>> {
        self.admit(value).map_err(|issue| vec![issue])?;
        if self.validator().is_valid(value.into()) {
            return Ok(());
        }
        if !self.can_explain(value) {
            return Err(vec![inexplicable()]);
        }
        let errors: Vec<_> = self.validator().iter_errors(value.into()).collect();
        Err(explain::issues(self, &errors))
    }

    /// Lets a value in that can be checked in bounded time, memory and stack.
    fn admit(&self, value: &Value) -> Result<Measure, Issue> {
        let measure = json::measure(value, &self.limits().value)
            .map_err(|error| Issue::whole(error.to_string()))?;
        self.admit_part(value.into(), &measure)?;
        Ok(measure)
    }

    /// The same for a value that was measured.
    fn admit_part(&self, value: Part<'_>, measure: &Measure) -> Result<(), Issue> {
        measure
            .check(&self.limits().value)
            .map_err(|error| Issue::whole(error.to_string()))?;
        if self.levels(measure.depth) > MAX_LEVELS {
            return Err(Issue::whole(
                "the value is nested too deeply for its schema: nest it less",
            ));
        }
        if !self.can_check(value, measure) {
            return Err(Issue::whole(
                "checking the value would take too long with this schema: send less of it, or nest \
                 it less",
            ));
        }
        Ok(())
    }

    /// Coerces a value that fails as it is, and says what is wrong with it if that
    /// does not help.
    fn coerce(&self, mut value: Value) -> Result<Value, Vec<Issue>> {
        for _ in 0..MAX_ROUNDS {
            if !self.can_explain(&value) {
                return Err(vec![inexplicable()]);
            }
            let errors: Vec<_> = self.validator().iter_errors((&value).into()).collect();
            let coercions = coerce::coercions(&errors);
            if coercions.is_empty() {
                return Err(explain::issues(self, &errors));
            }
            drop(errors);
            for (path, coerced) in coercions {
                if let Some(part) = value.pointer_mut(&path) {
                    *part = coerced;
                }
            }
            if self.validator().is_valid((&value).into()) {
                return Ok(value);
            }
        }
        self.validate(&value).map(|()| value)
    }
}

fn inexplicable() -> Issue {
    Issue::whole(
        "the value does not match its schema; it is too large, or has too many nested \
         alternatives, to say where",
    )
}

#[cfg(test)]
mod tests;
