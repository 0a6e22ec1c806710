//! What a guest returns: counted against the output limit first, parsed then.

use toolhost_policy::Limits;
use toolhost_tool::{
    CallError, ClientCall, ContentBlock, ErrorKind, Issue, LimitHit, Media, MediaSource, Outcome,
    Output, Suspension, SuspensionKind, truncate_chars,
};

use super::{parse, parse_option};
use crate::bindings::{hooks, types};
use crate::failure::{Failure, LimitKind};
use crate::invoke::ApprovalDecision;

/// Longest name of an error, code or kind that a plugin may make up.
const MAX_LABEL_CHARS: usize = 100;

/// Most issues one `validate` hook may report.
const MAX_ISSUES: usize = 100;

/// Checks and parses how a call ended. A tool that returns nothing has its last
/// partial result as its result, or `null`.
pub(crate) fn outcome(
    outcome: types::Outcome,
    last_partial: Option<String>,
    limits: &Limits,
) -> Result<Outcome, Failure> {
    match outcome {
        types::Outcome::Done(mut output) => {
            if output.content.is_empty() && output.structured.is_none() {
                output.structured = Some(last_partial.unwrap_or_else(|| "null".into()));
            }
            done(output, limits).map(Outcome::Done)
        }
        types::Outcome::Suspended(suspension) => {
            check_size(suspension_size(&suspension), limits)?;
            suspended(suspension)
                .map(Outcome::Suspended)
                .map_err(Failure::InvalidOutput)
        }
        types::Outcome::Other(name) => Err(Failure::InvalidOutput(format!(
            "the plugin ended the call in a way this host does not know: {:?}",
            label(name)
        ))),
    }
}

fn done(output: types::Output, limits: &Limits) -> Result<Output, Failure> {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let size = content_size(&output.content)
        + output.model_view.as_deref().map_or(0, content_size)
        + text(&output.structured)
        + text(&output.custom_data);
    check_size(size, limits)?;
    let parsed = || -> Result<Output, String> {
        Ok(Output {
            structured: parse_option(output.structured.as_ref(), "the structured result")?,
            custom_data: parse_option(output.custom_data.as_ref(), "the custom data")?,
            model_view: output.model_view.map(blocks).transpose()?,
            content: blocks(output.content)?,
        })
    };
    parsed().map_err(Failure::InvalidOutput)
}

/// Checks and parses content blocks that a hook wrote.
pub(crate) fn content(
    content: Vec<types::ContentBlock>,
    limits: &Limits,
) -> Result<Vec<ContentBlock>, Failure> {
    check_size(content_size(&content), limits)?;
    blocks(content).map_err(Failure::InvalidOutput)
}

fn check_size(used: usize, limits: &Limits) -> Result<(), Failure> {
    let (used, allowed) = (used as u64, limits.output);
    if used <= allowed {
        return Ok(());
    }
    Err(Failure::Limit(
        LimitKind::Output,
        LimitHit {
            name: "output".into(),
            allowed,
            used,
        },
    ))
}

/// Bytes of content; a block costs at least [`BLOCK_BYTES`], so that a million
/// empty ones are not free.
fn content_size(content: &[types::ContentBlock]) -> usize {
    const BLOCK_BYTES: usize = 64;
    let media = |media: &types::Media| {
        let source = match &media.source {
            types::MediaSource::Bytes(bytes) => bytes.len(),
            types::MediaSource::Uri(text) | types::MediaSource::Other(text) => text.len(),
        };
        media.mime_type.len() + source
    };
    let block = |block: &types::ContentBlock| match block {
        types::ContentBlock::Text(text) => text.len(),
        types::ContentBlock::Image(inner) | types::ContentBlock::Audio(inner) => media(inner),
        types::ContentBlock::File(file) => {
            file.name.as_ref().map_or(0, String::len) + media(&file.media)
        }
        types::ContentBlock::Other(other) => other.kind.len() + other.data.len(),
    };
    content.iter().map(|inner| block(inner) + BLOCK_BYTES).sum()
}

fn blocks(content: Vec<types::ContentBlock>) -> Result<Vec<ContentBlock>, String> {
    content
        .into_iter()
        .map(|block| {
            Ok(match block {
                types::ContentBlock::Text(text) => ContentBlock::Text { text },
                types::ContentBlock::Image(inner) => ContentBlock::Image(media(inner)),
                types::ContentBlock::Audio(inner) => ContentBlock::Audio(media(inner)),
                types::ContentBlock::File(file) => ContentBlock::File {
                    name: file.name,
                    media: media(file.media),
                },
                types::ContentBlock::Other(other) => ContentBlock::Other {
                    kind: other.kind,
                    data: parse(&other.data, "a content block")?,
                },
            })
        })
        .collect()
}

fn media(media: types::Media) -> Media {
    Media {
        mime_type: media.mime_type,
        source: match media.source {
            types::MediaSource::Bytes(data) => MediaSource::Bytes { data },
            types::MediaSource::Uri(uri) => MediaSource::Uri { uri },
            types::MediaSource::Other(source) => MediaSource::Other { source },
        },
    }
}

fn suspension_size(suspension: &types::Suspension) -> usize {
    let option = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let kind = match &suspension.kind {
        types::SuspensionKind::Approval(request) => option(&request.reason),
        types::SuspensionKind::ClientTools(calls) => calls
            .iter()
            .map(|call| call.tool_call_id.len() + call.tool_name.len() + call.arguments.len() + 64)
            .sum(),
        types::SuspensionKind::Question(question) => {
            question.prompt.len() + option(&question.schema)
        }
        types::SuspensionKind::SignIn(sign_in) => sign_in.url.len() + option(&sign_in.prompt),
        types::SuspensionKind::Other(other) => other.kind.len() + other.data.len(),
    };
    suspension.state.len() + kind
}

fn suspended(suspension: types::Suspension) -> Result<Suspension, String> {
    let kind = match suspension.kind {
        types::SuspensionKind::Approval(request) => SuspensionKind::Approval {
            reason: request.reason,
        },
        types::SuspensionKind::ClientTools(calls) => {
            let calls = calls
                .into_iter()
                .map(client_call)
                .collect::<Result<_, _>>()?;
            SuspensionKind::ClientTools { calls }
        }
        types::SuspensionKind::Question(question) => SuspensionKind::Question {
            prompt: question.prompt,
            schema: parse_option(question.schema.as_ref(), "the schema of the answer")?,
        },
        types::SuspensionKind::SignIn(sign_in) => SuspensionKind::SignIn {
            url: sign_in.url,
            prompt: sign_in.prompt,
        },
        types::SuspensionKind::Other(other) => SuspensionKind::Other {
            name: label(other.kind),
            data: parse(&other.data, "the data of the suspension")?,
        },
    };
    Ok(Suspension {
        kind,
        state: suspension.state,
    })
}

fn client_call(call: types::ClientCall) -> Result<ClientCall, String> {
    Ok(ClientCall {
        arguments: parse(&call.arguments, "the arguments of a client call")?,
        tool_call_id: call.tool_call_id,
        tool_name: call.tool_name,
    })
}

/// The error of a tool, cut to what a model should read. Details that are too
/// large or no JSON are dropped: the error itself matters more.
pub(crate) fn tool_error(error: types::ToolError, limits: &Limits) -> Failure {
    let name = label(error.name);
    let name = if name.is_empty() {
        "ToolError".to_owned()
    } else {
        name
    };
    let mut call_error = CallError::new(ErrorKind::Execution, name, "", error.message);
    call_error.code = error.code.map(label);
    call_error.retryable = error.retryable;
    call_error.propagate = error.propagate;
    call_error.details = error
        .details
        .filter(|details| details.len() as u64 <= limits.output)
        .and_then(|details| parse(&details, "the details").ok());
    Failure::Tool(Box::new(call_error))
}

/// A short text that ends up in messages and on terminals.
fn label(text: String) -> String {
    truncate_chars(text, MAX_LABEL_CHARS)
        .chars()
        .filter(|c| !c.is_control())
        .collect()
}

/// What the `validate` hook found, cut to a bounded list.
pub(crate) fn issues(issues: Vec<types::ArgumentIssue>) -> Vec<Issue> {
    issues
        .into_iter()
        .take(MAX_ISSUES)
        .map(|issue| Issue {
            path: truncate_chars(issue.path, 500),
            message: truncate_chars(issue.message, 500),
        })
        .collect()
}

/// What the `needs-approval` hook decided. An unknown decision asks: that is
/// the side on which nothing happens unseen.
pub(crate) fn approval_decision(decision: hooks::ApprovalDecision) -> ApprovalDecision {
    let short = |text| truncate_chars(text, 2_000);
    match decision {
        hooks::ApprovalDecision::NotNeeded => ApprovalDecision::NotNeeded,
        hooks::ApprovalDecision::Ask(reason) => ApprovalDecision::Ask(reason.map(short)),
        hooks::ApprovalDecision::Deny(reason) => ApprovalDecision::Deny(short(reason)),
        hooks::ApprovalDecision::Other(reason) => ApprovalDecision::Ask(Some(short(reason))),
    }
}

/// A result as a plugin's `model-output` hook reads it.
pub(crate) fn output_to_wit(output: &Output) -> types::Output {
    types::Output {
        content: output.content.iter().map(block_to_wit).collect(),
        structured: output.structured.as_ref().map(ToString::to_string),
        model_view: output
            .model_view
            .as_ref()
            .map(|blocks| blocks.iter().map(block_to_wit).collect()),
        custom_data: output.custom_data.as_ref().map(ToString::to_string),
    }
}

fn block_to_wit(block: &ContentBlock) -> types::ContentBlock {
    match block {
        ContentBlock::Text { text } => types::ContentBlock::Text(text.clone()),
        ContentBlock::Image(media) => types::ContentBlock::Image(media_to_wit(media)),
        ContentBlock::Audio(media) => types::ContentBlock::Audio(media_to_wit(media)),
        ContentBlock::File { name, media } => types::ContentBlock::File(types::File {
            name: name.clone(),
            media: media_to_wit(media),
        }),
        ContentBlock::Other { kind, data } => types::ContentBlock::Other(types::OtherContent {
            kind: kind.clone(),
            data: data.to_string(),
        }),
    }
}

fn media_to_wit(media: &Media) -> types::Media {
    types::Media {
        mime_type: media.mime_type.clone(),
        source: match &media.source {
            MediaSource::Bytes { data } => types::MediaSource::Bytes(data.clone()),
            MediaSource::Uri { uri } => types::MediaSource::Uri(uri.clone()),
            MediaSource::Other { source } => types::MediaSource::Other(source.clone()),
        },
    }
}
