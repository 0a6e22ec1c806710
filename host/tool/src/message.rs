//! Assistant messages with tool calls, as the model APIs write them, and tool
//! results in the shape the same API reads back. It lets an agent in any language
//! hand over what it got from its model and hand back what it gets from us.
//!
//! | [`Format`] | a call | results |
//! |---|---|---|
//! | `mcp` | `{id?, name, arguments}`, alone, in a list, or as a `tools/call` request | list of `{toolCallId, toolName, content, structuredContent?, isError}` |
//! | `openai-chat` | `tool_calls[]` of a message | list of `tool` messages, and a `user` message with the media |
//! | `openai-responses` | `function_call` items | list of `function_call_output` items |
//! | `anthropic` | `tool_use` blocks | one `user` message with `tool_result` blocks |
//! | `gemini` | `functionCall` parts | one `user` content with `functionResponse` parts |
//! | `vercel` | `tool-call` parts, and older ones | one `tool` message with `tool-result` parts |
//!
//! Read is a message, a list of messages whose last assistant message counts, a
//! bare list of calls, or the whole response of the API (its first choice). Each
//! format's module says which documentation its shape is from, as of November 2026.
//!
//! # What is decided here
//! - Arguments that come as text stay text, so that the one parser of the host
//!   judges them. A blank text is absent; absent is not `null`.
//! - Of a list of messages, calls that were answered already are never handed out
//!   again.
//! - Only bytes become media. A file that is given by its URI is named to the
//!   model, never passed on as an address for the API to fetch: a plugin without
//!   network access could otherwise send what it knows to a server of its choice.
//! - What an API cannot take becomes a short text that names type and size.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `node`, `find` | a place in the document, and the calls in it |
//! | `shown` | what a model is shown of a result |
//! | `mcp` … `vercel` | one format each: its calls and its results |
//! | `error` | why a message was refused |

mod anthropic;
mod error;
mod find;
mod gemini;
mod mcp;
mod node;
mod openai_chat;
mod openai_responses;
mod shown;
mod vercel;

use std::{fmt, str::FromStr};

use serde_json::Value;

pub use error::MessageError;

use crate::{
    Call, CallError, ContentBlock,
    json::{self, JsonLimits},
    suggest, truncate_chars,
};

/// The most calls that one message may hold; more are refused. It protects the
/// memory of the host, as every call has a result and a report.
pub const MAX_CALLS: usize = 1_000;

/// Whose messages they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Calls as in the Model Context Protocol, and as this crate writes them.
    Mcp,
    /// Chat completions of `OpenAI`, and of everybody who speaks them.
    OpenAiChat,
    /// The responses API of `OpenAI`.
    OpenAiResponses,
    /// Messages of Anthropic.
    Anthropic,
    /// Contents of Gemini.
    Gemini,
    /// Model and UI messages of the Vercel AI SDK.
    Vercel,
}

impl Format {
    /// All formats, in the order of their names.
    pub const ALL: [Self; 6] = [
        Self::Anthropic,
        Self::Gemini,
        Self::Mcp,
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Vercel,
    ];

    /// The name that [`FromStr`] reads, such as `openai-chat`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Vercel => "vercel",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = MessageError;

    fn from_str(name: &str) -> Result<Self, MessageError> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| MessageError::UnknownFormat {
            name: truncate_chars(name.to_owned(), 40),
            suggestion: suggest(name, Self::ALL.map(Self::name)),
        })
    }
}

/// Reads the calls of an assistant message, in their order.
///
/// Without a `format` it is found out; the answer says which it is.
///
/// ```
/// use toolhost_tool::{Format, read_calls};
///
/// let message = r#"{"role": "assistant", "content": [
///     {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}}]}"#;
/// let (format, calls) = read_calls(message, None).unwrap();
/// assert_eq!(format, Format::Anthropic);
/// assert_eq!(calls[0].tool_name, "weather");
/// ```
///
/// # Errors
/// When the text is no JSON, no call is in it, the calls are of several formats,
/// more than [`MAX_CALLS`], answered already, or one of them breaks its format or
/// has the id of another. A message is refused as a whole.
pub fn read_calls(text: &str, format: Option<Format>) -> Result<(Format, Vec<Call>), MessageError> {
    let document = json::parse(text, &limits()).map_err(MessageError::Json)?;
    find::read(&document, format)
}

/// Reads the calls of an assistant message that is JSON already; see
/// [`read_calls`].
///
/// # Errors
/// As [`read_calls`].
pub fn read_calls_value(
    document: &Value,
    format: Option<Format>,
) -> Result<(Format, Vec<Call>), MessageError> {
    json::check(document, &limits()).map_err(MessageError::Json)?;
    find::read(document, format)
}

/// A list of messages may hold images, so it may be larger than other documents:
/// as large as the largest request that these APIs take.
fn limits() -> JsonLimits {
    JsonLimits::default().with_bytes(32 << 20)
}

/// Whether [`read_calls`] made the id up because the message gave none (`call_0`,
/// `call_1` …). Such an id is unique in its message only: it tells two calls of
/// one turn apart, not two turns.
#[must_use]
pub fn is_made_up_id(id: &str) -> bool {
    id.strip_prefix(MADE_UP).is_some_and(|number| {
        (1..=MADE_UP_DIGITS).contains(&number.len())
            && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// What made-up ids start with; a number follows.
const MADE_UP: &str = "call_";

/// Enough for [`MAX_CALLS`] ids beside as many given ones.
const MADE_UP_DIGITS: usize = 4;

/// The result of a call that has settled, as its message tells it. A suspended
/// call has none: its turn is not over, and nothing is written in its place.
#[derive(Clone, Debug)]
pub struct ToolResult<'a> {
    /// The id of the call.
    pub tool_call_id: &'a str,
    /// The tool that was called.
    pub tool_name: &'a str,
    /// Whether the model is told that the call did not work.
    pub is_error: bool,
    /// What the model sees. When empty, `error` or else `structured` stands in.
    pub content: Vec<ContentBlock>,
    /// The result as one JSON document, for APIs that have a place for it. Leave
    /// it out when the tool has a view of its own for the model.
    pub structured: Option<&'a Value>,
    /// The error, when it is one of the host's.
    pub error: Option<&'a CallError>,
}

/// Writes the results of a turn as the messages that come after its assistant
/// message, in the order given: a list for `mcp`, `openai-chat` and
/// `openai-responses`, one message for the others.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::{ContentBlock, Format, ToolResult, write_results};
///
/// let result = ToolResult {
///     tool_call_id: "call_a",
///     tool_name: "weather",
///     is_error: false,
///     content: vec![ContentBlock::Text { text: "rain".into() }],
///     structured: None,
///     error: None,
/// };
/// assert_eq!(
///     write_results(Format::OpenAiChat, &[result]),
///     json!([{"role": "tool", "tool_call_id": "call_a", "content": "rain"}]),
/// );
/// ```
#[must_use]
pub fn write_results(format: Format, results: &[ToolResult<'_>]) -> Value {
    (shape(format).write)(results)
}

/// What the code that is the same for all formats needs to know of one.
struct Shape {
    /// Where a whole response keeps the message, as JSON Pointers.
    message: &'static [&'static str],
    /// Where a request or a response keeps a list of messages.
    messages: &'static [&'static str],
    /// The role of a model's message; `None` when a list of messages is not told
    /// apart by role and is looked at as a whole.
    role: Option<&'static str>,
    /// The calls of a message that wait for an answer.
    calls: for<'a> fn(&node::Node<'a>) -> Result<Vec<node::Node<'a>>, MessageError>,
    /// One of them. Its id is `None` where the API gives none.
    call: fn(&node::Node<'_>) -> Result<find::Found, MessageError>,
    /// The results of a turn.
    write: fn(&[ToolResult<'_>]) -> Value,
}

fn shape(format: Format) -> &'static Shape {
    match format {
        Format::Mcp => &mcp::SHAPE,
        Format::OpenAiChat => &openai_chat::SHAPE,
        Format::OpenAiResponses => &openai_responses::SHAPE,
        Format::Anthropic => &anthropic::SHAPE,
        Format::Gemini => &gemini::SHAPE,
        Format::Vercel => &vercel::SHAPE,
    }
}

#[cfg(test)]
mod tests;
