//! Finding the calls of a document: which format it is, which message counts,
//! and what must hold for its calls together.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{
    Format, MADE_UP, MAX_CALLS, MessageError, Shape,
    node::{Node, is},
    shape,
};
use crate::{Arguments, Call};

/// A call as its format gives it.
pub(super) struct Found {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: Arguments,
}

/// The formats whose calls are marked as such. MCP's are not, any object with a
/// `name` may be one, so it is asked when no other format knows the document.
const MARKED: [Format; 5] = [
    Format::OpenAiChat,
    Format::OpenAiResponses,
    Format::Anthropic,
    Format::Gemini,
    Format::Vercel,
];

pub(super) fn read(
    document: &Value,
    format: Option<Format>,
) -> Result<(Format, Vec<Call>), MessageError> {
    let document = Node::root(document);
    let (format, nodes) = match format {
        Some(format) => (format, calls_of(format, &document)?),
        None => detect(&document)?,
    };
    if nodes.len() > MAX_CALLS {
        return Err(MessageError::TooManyCalls);
    }
    let read = shape(format).call;
    let found = nodes
        .iter()
        .map(|node| Ok((node.path.as_str(), read(node)?)));
    Ok((format, with_ids(found.collect::<Result<_, _>>()?)?))
}

/// The calls of the format that was asked for. A message of another format is not
/// a message without calls: its calls would be lost without a word.
fn calls_of<'a>(format: Format, document: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    let calls = locate(shape(format), document)?;
    if !calls.is_empty() {
        return Ok(calls);
    }
    Err(match detect(document) {
        Ok((found, _)) => MessageError::OtherFormat {
            asked: format,
            found,
        },
        Err(_) => MessageError::NoCalls {
            format: Some(format),
        },
    })
}

fn detect<'a>(document: &Node<'a>) -> Result<(Format, Vec<Node<'a>>), MessageError> {
    let mut found = Vec::new();
    let mut refused = None;
    for format in MARKED {
        match locate(shape(format), document) {
            Ok(calls) if calls.is_empty() => {}
            Ok(calls) => found.push((format, calls)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    if found.len() > 1 {
        let formats = found.into_iter().map(|(format, _)| format).collect();
        return Err(MessageError::Ambiguous { formats });
    }
    if let Some(only) = found.pop() {
        return Ok(only);
    }
    if let Some(error) = refused {
        return Err(error);
    }
    match locate(shape(Format::Mcp), document)? {
        calls if calls.is_empty() => Err(MessageError::NoCalls { format: None }),
        calls => Ok((Format::Mcp, calls)),
    }
}

/// The calls that wait for an answer in the message that counts.
fn locate<'a>(shape: &Shape, document: &Node<'a>) -> Result<Vec<Node<'a>>, MessageError> {
    if let Some(message) = shape.message.iter().find_map(|at| document.walk(at)) {
        return (shape.calls)(&message);
    }
    let Some((role, list)) = shape.role.zip(messages(shape, document)) else {
        return (shape.calls)(document);
    };
    let items = list.value.as_array().map_or(&[][..], Vec::as_slice);
    let of_model = items.iter().rposition(|item| is(item, "role", role));
    let Some((index, message)) = of_model.and_then(|index| Some((index, list.item(index)?))) else {
        return Ok(Vec::new());
    };
    let calls = (shape.calls)(&message)?;
    let after = items.iter().enumerate().skip(index + 1);
    let answers: Vec<_> = after
        .flat_map(|(index, item)| answers(index, item))
        .collect();
    unanswered(shape, calls, &answers).map_err(|index| MessageError::Answered {
        path: format!("{}/{index}", list.path),
    })
}

/// The calls that have no answer yet, or the index of the message that holds the
/// last answer when nothing is left to run. An answer without an id, as Gemini
/// allows, may be that of any call.
fn unanswered<'a>(
    shape: &Shape,
    mut calls: Vec<Node<'a>>,
    answers: &[(usize, Option<&str>)],
) -> Result<Vec<Node<'a>>, usize> {
    let Some((last, _)) = answers.last().filter(|_| !calls.is_empty()) else {
        return Ok(calls);
    };
    let ids: HashSet<Option<&str>> = answers.iter().map(|(_, id)| *id).collect();
    calls.retain(|call| match (shape.call)(call) {
        Ok(call) => !ids.contains(&None) && !ids.contains(&call.id.as_deref()),
        // Reported when the calls are read.
        Err(_) => true,
    });
    if calls.is_empty() {
        Err(*last)
    } else {
        Ok(calls)
    }
}

/// The list of messages in a document: one that it names, or the document itself
/// when its items have roles.
fn messages<'a>(shape: &Shape, document: &Node<'a>) -> Option<Node<'a>> {
    let named = shape.messages.iter().find_map(|at| document.walk(at));
    named.filter(|list| list.value.is_array()).or_else(|| {
        let items = document.value.as_array()?;
        let roles = items.iter().any(|item| item.get("role").is_some());
        roles.then(|| document.clone())
    })
}

/// The ids of the results in a message of any format, each with the `index` of the
/// message.
fn answers(index: usize, message: &Value) -> Vec<(usize, Option<&str>)> {
    if let Some(id) = message.get("tool_call_id") {
        return vec![(index, id.as_str())];
    }
    let lists = ["content", "parts"].into_iter();
    let parts = lists.filter_map(|key| message.get(key)?.as_array());
    let ids = parts.flatten().filter_map(answered_id);
    ids.map(|id| (index, id.as_str())).collect()
}

/// The id in a part that is a result, `null` when it has none.
fn answered_id(part: &Value) -> Option<&Value> {
    let (result, key) = if is(part, "type", "tool_result") {
        (part, "tool_use_id")
    } else if is(part, "type", "tool-result") {
        (part, "toolCallId")
    } else {
        let mut keys = ["functionResponse", "function_response"].into_iter();
        (keys.find_map(|key| part.get(key))?, "id")
    };
    Some(result.get(key).unwrap_or(&Value::Null))
}

/// Gives every call an id and makes sure that no two have the same: results are
/// told apart by nothing else. Made-up ids are the same for the same message.
fn with_ids(found: Vec<(&str, Found)>) -> Result<Vec<Call>, MessageError> {
    let mut given: HashMap<&str, &str> = HashMap::new();
    for (path, call) in &found {
        if let Some(id) = &call.id
            && let Some(first) = given.insert(id, path)
        {
            return Err(MessageError::RepeatedId {
                id: id.clone(),
                first: first.to_owned(),
                path: (*path).to_owned(),
            });
        }
    }
    let taken: HashSet<String> = given.into_keys().map(str::to_owned).collect();
    let mut free = (0_u32..)
        .map(|number| format!("{MADE_UP}{number}"))
        .filter(|id| !taken.contains(id));
    let calls = found.into_iter().map(|(_, call)| Call {
        tool_call_id: call.id.or_else(|| free.next()).unwrap_or_default(),
        tool_name: call.name,
        arguments: call.arguments,
    });
    Ok(calls.collect())
}
