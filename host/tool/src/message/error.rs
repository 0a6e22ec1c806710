//! Why a message was refused. Nothing of a refused message has run.

use super::{Format, MAX_CALLS};
use crate::{json::JsonError, truncate_chars};

/// A message that was refused. It says where the problem is, as a JSON Pointer
/// into the document, and what would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageError {
    /// The text is no JSON, or more of it than is read.
    #[error("the message cannot be read: pass the assistant message as one JSON document")]
    Json(#[source] JsonError),
    /// No call was found. `format` is the one that was asked for, if any.
    #[error("{}", no_calls(*format))]
    NoCalls {
        /// The format that was asked for; `None` when all were tried.
        format: Option<Format>,
    },
    /// No call in the format asked for, but some in another.
    #[error("the message holds no `{asked}` calls but `{found}` ones: name that format instead")]
    OtherFormat {
        /// The format that was asked for.
        asked: Format,
        /// The format of the calls in the message.
        found: Format,
    },
    /// Calls of more than one format.
    #[error(
        "the message holds calls of more than one format ({}): name the one that counts",
        list(formats)
    )]
    Ambiguous {
        /// The formats.
        formats: Vec<Format>,
    },
    /// All calls have results already; running them again would do it twice.
    #[error(
        "all calls have been answered already, the last at `{path}`: pass the messages up to the \
         assistant message to run them again"
    )]
    Answered {
        /// Where the last answer is.
        path: String,
    },
    /// More calls than one turn may have.
    #[error("the message holds more than {MAX_CALLS} calls: split them over several messages")]
    TooManyCalls,
    /// A value of the wrong type.
    #[error("`{path}` must be {expected}, not {found}")]
    WrongType {
        /// Where.
        path: String,
        /// What the format has there, with its article.
        expected: &'static str,
        /// What was found, with its article.
        found: &'static str,
    },
    /// Something that every call has is missing, or an empty text.
    #[error("`{path}` is missing or empty: every call of this format has it")]
    Missing {
        /// Where it belongs.
        path: String,
    },
    /// Two calls with one id: their results could not be told apart.
    #[error(
        "the id `{}` is at `{first}` and again at `{path}`: give every call an id of its own",
        truncate_chars(id.clone(), ID_SHOWN)
    )]
    RepeatedId {
        /// The id.
        id: String,
        /// The first call that has it.
        first: String,
        /// The second one.
        path: String,
    },
    /// A call that cannot run as it is.
    #[error("the call at `{path}` cannot run: {reason}")]
    Unusable {
        /// Where.
        path: String,
        /// Why, and what to do.
        reason: String,
    },
    /// The name of a format that does not exist.
    #[error("there is no message format `{name}`{}: take one of {}", did_you_mean(*suggestion), list(&Format::ALL))]
    UnknownFormat {
        /// The name, cut when it is long.
        name: String,
        /// A name that is close.
        suggestion: Option<&'static str>,
    },
}

/// Characters of an id, chosen by a model, that a message repeats.
const ID_SHOWN: usize = 100;

fn no_calls(format: Option<Format>) -> String {
    match format {
        Some(format) => format!("the message holds no `{format}` tool call: nothing to run"),
        None => format!(
            "no tool call was found: pass an assistant message, or the response it came in, of {}",
            list(&Format::ALL)
        ),
    }
}

fn list(formats: &[Format]) -> String {
    let names: Vec<String> = formats.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}
