//! The schema of a tool's arguments or of its result, compiled once per tool.
//!
//! A schema is JSON Schema 2020-12 (draft-07 is understood as well), checked by the
//! `jsonschema` crate. Around it stands what an untrusted schema needs: local
//! references only, regular expressions in linear time, and a bound on the work
//! that checking can cost. What the plugin's author may not expect:
//!
//! | keyword | what it does here |
//! |---|---|
//! | `format`, `content…`, unknown keywords | nothing; they are for the model |
//! | `default` | is filled in, see [`ToolSchema::check`] |
//! | `$ref`, `$dynamicRef` | only `#`, `#/…` and `#anchor`; others are refused, never fetched |
//! | `$id`, `$schema` | only at the top |
//! | `pattern`, `patternProperties` | no look-around, no back-references |

mod budget;
mod cost;
mod defaults;
mod dialect;
mod engine;
mod equal;
mod error;
mod graph;
mod limits;
mod patterns;
mod view;

use std::{fmt, sync::Arc};

use jsonschema::Validator;
use serde_json::Value;

use crate::json::{self, Measure, Part};
use budget::Budget;
use cost::Cost;
pub(crate) use defaults::Plan;
pub use error::SchemaError;
use graph::Graph;
pub use limits::SchemaLimits;
pub(crate) use view::Parts;

/// A compiled schema. Cheap to clone and to share between threads.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::{SchemaLimits, ToolSchema};
///
/// let schema = ToolSchema::compile(
///     r#"{"type": "object", "required": ["city"], "properties": {
///         "city": {"type": "string"},
///         "days": {"type": "integer", "default": 1}}}"#,
///     &SchemaLimits::default(),
/// )?;
///
/// assert_eq!(schema.check(json!({"city": "Rome"})).unwrap(), json!({"city": "Rome", "days": 1}));
/// let issues = schema.check(json!({"days": "3"})).unwrap_err();
/// assert_eq!(issues[0].message, "the required property `city` is missing");
/// # Ok::<(), toolhost_tool::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct ToolSchema {
    inner: Arc<Inner>,
}

struct Inner {
    source: Value,
    validator: Validator<Parts>,
    graph: Graph,
    cost: Cost,
    plan: Option<Plan>,
    warnings: Vec<String>,
    limits: SchemaLimits,
}

impl ToolSchema {
    /// Compiles the schema of a tool's arguments. Its `type` must be `object`.
    ///
    /// # Errors
    /// When the text is no schema, or one that cannot be used safely; the
    /// [error](SchemaError) says what to write instead.
    pub fn compile(text: &str, limits: &SchemaLimits) -> Result<Self, SchemaError> {
        let schema = json::parse(text, &limits.text()).map_err(SchemaError::Json)?;
        Self::compile_checked(schema, limits, true)
    }

    /// The same for a schema that is a value already.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn compile_value(schema: Value, limits: &SchemaLimits) -> Result<Self, SchemaError> {
        let schema = within_limits(schema, limits)?;
        Self::compile_checked(schema, limits, true)
    }

    /// Compiles the schema of a tool's structured result, which may be of any type.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn compile_output(text: &str, limits: &SchemaLimits) -> Result<Self, SchemaError> {
        let schema = json::parse(text, &limits.text()).map_err(SchemaError::Json)?;
        Self::compile_checked(schema, limits, false)
    }

    /// The same for a schema that is a value already.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn compile_output_value(schema: Value, limits: &SchemaLimits) -> Result<Self, SchemaError> {
        let schema = within_limits(schema, limits)?;
        Self::compile_checked(schema, limits, false)
    }

    fn compile_checked(
        source: Value,
        limits: &SchemaLimits,
        for_arguments: bool,
    ) -> Result<Self, SchemaError> {
        let document = dialect::read(&source, for_arguments)?;
        let mut graph = graph::build(&document)?;
        patterns::check(&mut graph, limits)?;
        let cost = Cost::of(&graph, limits)?;
        let validator = engine::build(&document, limits)?;
        let (plan, warnings) = Plan::of(&document, &graph, limits)?;
        drop(document);
        let inner = Inner {
            source,
            validator,
            graph,
            cost,
            plan,
            warnings,
            limits: *limits,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The schema as it was given.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.inner.source
    }

    /// What is odd about the schema but does not keep it from being used, such as a
    /// default that does not match its own schema.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.inner.warnings
    }

    pub(crate) fn validator(&self) -> &Validator<Parts> {
        &self.inner.validator
    }

    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.inner.plan.as_ref()
    }

    pub(crate) fn limits(&self) -> &SchemaLimits {
        &self.inner.limits
    }

    /// How many schemas can be inside each other for a value of that depth.
    pub(crate) fn levels(&self, depth: usize) -> u64 {
        self.inner.cost.levels(depth)
    }

    /// Whether a value is checked within the limit of steps.
    pub(crate) fn can_check(&self, value: Part<'_>, measure: &Measure) -> bool {
        let Inner {
            cost,
            graph,
            limits,
            ..
        } = &*self.inner;
        cost.is_bounded(measure, limits.steps) || Budget::for_checking(graph, limits).covers(value)
    }

    /// Whether working out what is wrong with a value is within the limit of steps.
    pub(crate) fn can_explain(&self, value: &Value) -> bool {
        Budget::for_explaining(&self.inner.graph, &self.inner.limits).covers(value.into())
    }
}

/// A value may be deeper than anything that walks it can bear, its own `Drop`
/// included.
fn within_limits(schema: Value, limits: &SchemaLimits) -> Result<Value, SchemaError> {
    match json::check(&schema, &limits.text()) {
        Ok(()) => Ok(schema),
        Err(error) => {
            json::discard(schema);
            Err(SchemaError::Json(error))
        }
    }
}

impl fmt::Debug for ToolSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSchema")
            .field("source", &self.inner.source)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
