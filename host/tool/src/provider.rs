//! Definitions in the form each provider takes, and what each refuses.
//!
//! A tool is declared once; [`export`] writes it for one provider and checks it
//! against that provider's rules, so that a definition fails here, with the remedy,
//! and not as a refused request in the middle of a conversation. [`export_all`]
//! does it for the list of a request, which has rules of its own.
//!
//! The host checks the arguments of every call against the tool's own schema. So
//! when a provider has no place for a keyword, it is left out and a [`Note`] says
//! so: the model is told less, the tool is not less protected. An [`ExportError`]
//! is for what cannot be said at all.
//!
//! # What is checked
//!
//! | | MCP | OpenAI | Anthropic | Gemini |
//! |---|---|---|---|---|
//! | tool name | `[a-zA-Z0-9_-]{1,64}` | the same | the same | starts with a letter or `_` |
//! | description | any | above 1,024 characters: note | any | empty: note |
//! | schema | type `object` | no `oneOf`, `anyOf`, `allOf`, `enum`, `not` at the top | no `oneOf`, `anyOf`, `allOf` at the top; names `[a-zA-Z0-9_.-]{1,64}` | a subset of OpenAPI 3.0; no recursion |
//! | tools of a request | any | 128 | any | above 64: note |
//! | strict | none | see below | 20 tools, 24 optional parameters, 16 unions | every keyword must have a place |
//!
//! Everywhere: an array has `items`, and two tools of a list differ in name.
//!
//! # Strict mode
//!
//! The provider then only samples arguments that match the schema.
//! [`strict_support`] says whether a schema can be used, or what rules it out:
//!
//! | | OpenAI | Anthropic |
//! |---|---|---|
//! | optional properties | no | at most 24 in a request |
//! | open objects: `additionalProperties: true`, a schema there, or an object inside that names no properties | no | no |
//! | `minimum`, `maximum`, `exclusive…`, `multipleOf`, `maxItems` | yes | no |
//! | `minItems` | yes | 0 or 1 |
//! | `minLength`, `maxLength`, `uniqueItems` | no | no |
//! | `anyOf` | yes, not at the top | yes, not at the top; at most 16 unions in a request |
//! | `allOf` | no | yes, not at the top, without `$ref` |
//! | `oneOf` of constants | written as `enum` | written as `enum` |
//! | another `oneOf`, `not`, `if`, `prefixItems`, `patternProperties`, `contains` … | no | no |
//! | recursion | yes | no |
//! | a tool without arguments | yes | yes |
//!
//! A missing `additionalProperties` is not an open object: strict export closes the
//! object, and whatever the model then writes also matches the tool's own schema.
//! MCP has no strict mode, so every schema suits it. Gemini has none for a single
//! tool; there the answer is whether its schema says all that the tool's does.
//!
//! # Sources
//!
//! OpenAI: the guides "Function calling" and "Structured outputs, supported schemas"
//! (platform.openai.com/docs), and the API's messages ("array schema missing items",
//! "string too long. Expected a string with maximum length 1024": Azure and older
//! models; newer ones take more). Anthropic: "Structured outputs, JSON Schema
//! limitations" and "Strict tool use" (platform.claude.com/docs). Gemini: `Schema`
//! and `FunctionDeclaration` of the API reference (ai.google.dev/api), and of Vertex
//! AI, where 64 functions are documented and newer models take more. MCP: revision 2025-06-18. As of November 2026.

#![expect(
    clippy::doc_markdown,
    reason = "`OpenAI` and `OpenAPI` are names, not code"
)]

mod anthropic;
mod error;
mod gemini;
mod list;
mod mcp;
mod openai;
mod prepare;
mod strict;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;

use serde_json::Value;

use crate::ToolDefinition;
pub use error::{ExportError, Problem};
pub use list::{ExportedList, ListEntry, export_all};
pub use mcp::mcp;
pub use strict::StrictSupport;

/// Who a definition is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// `tools/list` of the Model Context Protocol.
    Mcp,
    /// The chat completions API of OpenAI, and the many that copy it.
    OpenAiChat,
    /// The responses API of OpenAI.
    OpenAiResponses,
    /// The messages API of Anthropic.
    Anthropic,
    /// The Gemini API and Vertex AI of Google.
    Gemini,
}

/// What to do about strict mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strict {
    /// Not used. The default.
    #[default]
    Off,
    /// Used for each tool that allows it; a note says which do not, and why.
    Prefer,
    /// Used for every tool; one that does not allow it is an error.
    Require,
}

/// How definitions are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What to do about strict mode. Default: off.
    pub strict: Strict,
}

/// A definition as a provider takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// The entry of the request's list of tools. For Gemini, of a
    /// `functionDeclarations` list.
    pub definition: Value,
    /// Whether it is in strict mode.
    pub strict: bool,
    /// What the provider has no place for.
    pub notes: Vec<Note>,
}

/// Something the provider is not told, or should not have to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The property, as in `place.lat` or `tags[]`; empty for the arguments as a
    /// whole.
    pub property: String,
    /// The keyword; empty when it is not about one.
    pub keyword: String,
    /// What became of it.
    pub message: String,
}

/// Writes a tool for one provider.
///
/// # Errors
/// When the provider would refuse the definition and it cannot be changed into one
/// that it takes, or when strict mode is required and the schema does not allow it.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::provider::{Options, Provider, export};
/// # use toolhost_tool::ToolDefinition;
///
/// let tool: ToolDefinition = serde_json::from_value(json!({
///     "name": "add", "description": "Adds numbers.",
///     "inputSchema": {"type": "object", "properties": {"numbers": {"type": "array"}}},
/// }))?;
/// let exported = export(&tool, Provider::Anthropic, Options::default())?;
/// assert_eq!(exported.definition, json!({
///     "name": "add", "description": "Adds numbers.",
///     "input_schema": {
///         "type": "object",
///         "properties": {"numbers": {"type": "array", "items": {}}},
///     },
/// }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(
    tool: &ToolDefinition,
    provider: Provider,
    options: Options,
) -> Result<Exported, ExportError> {
    let exported = match provider {
        Provider::Mcp => mcp::export(tool),
        Provider::OpenAiChat | Provider::OpenAiResponses => {
            openai::export(tool, provider, options.strict)
        }
        Provider::Anthropic => anthropic::export(tool, options.strict),
        Provider::Gemini => gemini::export(tool, options.strict),
    };
    exported.map_err(|problem| ExportError::new(&tool.name, provider, problem))
}

/// Whether the schema of a tool's arguments can be used in the provider's strict
/// mode, or what rules it out. The limits over a whole request are
/// [`export_all`]'s.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::provider::{Provider, StrictSupport, strict_support};
///
/// let schema = json!({"type": "object", "properties": {"days": {"type": "integer", "maximum": 9}}});
/// let StrictSupport::No { property, keyword, .. } = strict_support(&schema, Provider::Anthropic) else {
///     panic!("`maximum` is not for strict mode")
/// };
/// assert_eq!((&*property, &*keyword), ("days", "maximum"));
/// ```
pub fn strict_support(schema: &Value, provider: Provider) -> StrictSupport {
    let mut schema = match prepare::schema(schema) {
        Ok(schema) => schema,
        Err(problem) => return StrictSupport::no("", "type", problem.to_string()),
    };
    prepare::choices(&mut schema);
    match provider {
        Provider::Mcp => StrictSupport::Ok,
        Provider::OpenAiChat | Provider::OpenAiResponses => openai::strict_support(&schema),
        Provider::Anthropic => anthropic::strict_support(&schema),
        Provider::Gemini => gemini::strict_support(&schema),
    }
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Mcp,
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
    ];
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mcp => "MCP",
            Self::OpenAiChat => "OpenAI chat",
            Self::OpenAiResponses => "OpenAI responses",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
        })
    }
}

impl Note {
    fn new(
        property: impl Into<String>,
        keyword: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            property: property.into(),
            keyword: keyword.into(),
            message: message.into(),
        }
    }
}

/// `days: maximum is left out …`, with the names in backticks.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.property.is_empty() {
            write!(f, "`{}`: ", self.property)?;
        }
        if !self.keyword.is_empty() {
            write!(f, "`{}` ", self.keyword)?;
        }
        f.write_str(&self.message)
    }
}
