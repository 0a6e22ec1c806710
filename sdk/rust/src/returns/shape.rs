//! What shape a result has: an output, content, nothing, or a structured value.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Probe, RawJson};
use crate::content::IntoContent;
use crate::error::ToolError;
use crate::output::Output;
use crate::schema::output_schema;

/// How a type becomes an output.
#[derive(Debug)]
pub struct Conversion<T> {
    /// Its output schema.
    pub schema: fn() -> Option<Value>,
    /// Converts a value.
    pub output: fn(T) -> Result<Output<RawJson>, ToolError>,
}

impl<T> Conversion<T> {
    /// Itself: all choices but the last answer with it.
    #[must_use]
    pub fn conversion(self) -> Self {
        self
    }
}

/// The choice for an [`Output`].
pub trait OutputStep<T> {
    /// Keeps what it has and writes its structured value.
    fn shape(&self) -> Conversion<Output<T>>;
}

impl<T: Serialize + JsonSchema> OutputStep<T> for &&&Probe<Output<T>> {
    fn shape(&self) -> Conversion<Output<T>> {
        Conversion {
            schema: output_schema::<T>,
            output: |mut output| {
                let structured = output.structured.take();
                let structured = structured.as_ref().map(write).transpose()?;
                Ok(output.with_structured(structured))
            },
        }
    }
}

/// The choice for text and content blocks.
pub trait ContentStep<T> {
    /// Takes the blocks; they have no schema.
    fn shape(&self) -> Conversion<T>;
}

impl<T: IntoContent> ContentStep<T> for &&Probe<T> {
    fn shape(&self) -> Conversion<T> {
        Conversion {
            schema: || None,
            output: |content| Ok(Output::new().content(content)),
        }
    }
}

/// The choice for `()`.
pub trait UnitStep {
    /// Says a word, since a model takes an empty result for a fault.
    fn shape(&self) -> Conversion<()>;
}

impl UnitStep for &Probe<()> {
    fn shape(&self) -> Conversion<()> {
        Conversion {
            schema: || None,
            output: |()| Ok(Output::new().content("done")),
        }
    }
}

/// The choice for everything else.
pub trait StructuredStep<T> {
    /// Writes it as JSON, if it can be.
    fn shape(&self) -> Structured<T>;
}

impl<T> StructuredStep<T> for Probe<T> {
    fn shape(&self) -> Structured<T> {
        Structured(PhantomData)
    }
}

/// A type of which nothing is known yet.
#[derive(Debug)]
pub struct Structured<T>(PhantomData<fn() -> T>);

impl<T> Structured<T> {
    /// Writes it as JSON. This is where a type ends that no tool may return.
    #[must_use]
    pub fn conversion(self) -> Conversion<T>
    where
        T: ToolReturn,
    {
        T::CONVERSION
    }
}

/// What becomes a structured value.
#[diagnostic::on_unimplemented(
    message = "#[tool] cannot make a result of `{Self}`",
    label = "neither text nor content nor a structured value",
    note = "a structured value has `#[derive(Serialize, JsonSchema)]`; the README lists all that a tool may return"
)]
pub trait ToolReturn: Sized {
    /// How.
    const CONVERSION: Conversion<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> ToolReturn for T {
    const CONVERSION: Conversion<Self> = Conversion {
        schema: output_schema::<T>,
        output: |value| Ok(Output::of(write(&value)?)),
    };
}

fn write<T: Serialize>(value: &T) -> Result<RawJson, ToolError> {
    serde_json::to_string(value).map(RawJson).map_err(|error| {
        let message = format!("the tool's result cannot be written as JSON: {error}");
        ToolError::new("ToolResultError", message)
    })
}
