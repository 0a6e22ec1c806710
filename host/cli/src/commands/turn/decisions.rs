//! The decisions that flags spell out, each about a call that waits.

use std::collections::BTreeMap;

use serde_json::Value;
use toolhost::{Decision, Pending, Reply, SuspendedTurn, SuspensionKind, TurnError};

use super::args::DecisionFlags;
use crate::exit::ExitCode;
use crate::failure::Failure;

/// What `flags` decide about `turn`.
///
/// # Errors
///
/// When an id is not one that is waited for, or a value is missing.
pub(crate) fn read(turn: &SuspendedTurn, flags: &DecisionFlags) -> Result<Vec<Decision>, Failure> {
    let mut decisions = Vec::new();
    let mut edits = edits(&flags.edit)?;
    for typed in &flags.approve {
        let (id, note) = split(typed);
        decisions.push(waiting(turn, id)?.decide(Reply::Approve {
            note: note.map(str::to_owned),
            by: flags.by.clone(),
            arguments: edits.remove(id),
        }));
    }
    for (id, arguments) in edits {
        decisions.push(waiting(turn, id)?.decide(Reply::Approve {
            note: None,
            by: flags.by.clone(),
            arguments: Some(arguments),
        }));
    }
    for typed in &flags.reject {
        let (id, note) = split(typed);
        decisions.push(waiting(turn, id)?.decide(Reply::Reject {
            note: note.map(str::to_owned),
            by: flags.by.clone(),
        }));
    }
    for typed in &flags.answer {
        let (id, value) = with_value("--answer", typed)?;
        let value = json_or_text(value);
        decisions.push(waiting(turn, id)?.decide(Reply::Answer { value }));
    }
    for typed in &flags.result {
        let (id, value) = with_value("--result", typed)?;
        let value = json_or_text(value);
        let (pending, id) = client(turn, id)?;
        decisions.push(pending.decide(Reply::Result { id, value }));
    }
    Ok(decisions)
}

/// Arguments by the ids of their calls.
fn edits(flags: &[String]) -> Result<BTreeMap<&str, Value>, Failure> {
    let mut edits = BTreeMap::new();
    for typed in flags {
        let (id, arguments) = with_value("--edit", typed)?;
        let arguments = serde_json::from_str(arguments).map_err(|error| {
            let message = format!("the arguments for `{id}` are no JSON");
            Failure::new(ExitCode::Arguments, message).because(&error)
        })?;
        if edits.insert(id, arguments).is_some() {
            return Err(Failure::usage(format!(
                "there are two edits of the call `{id}`"
            )));
        }
    }
    Ok(edits)
}

fn split(typed: &str) -> (&str, Option<&str>) {
    match typed.split_once('=') {
        Some((id, value)) => (id, Some(value)),
        None => (typed, None),
    }
}

fn with_value<'a>(flag: &str, typed: &'a str) -> Result<(&'a str, &'a str), Failure> {
    typed.split_once('=').ok_or_else(|| {
        Failure::usage(format!("`{flag} {typed}` has no value"))
            .hint(format!("write `{flag} {typed}=JSON`"))
    })
}

/// A shell takes the quotes off `"Vienna"`.
fn json_or_text(typed: &str) -> Value {
    serde_json::from_str(typed).unwrap_or_else(|_| Value::String(typed.to_owned()))
}

fn waiting<'a>(turn: &'a SuspendedTurn, id: &str) -> Result<&'a Pending, Failure> {
    turn.pending()
        .find(|pending| pending.tool_call_id == id)
        .ok_or_else(|| unknown(turn, id))
}

/// The call that waits for the result `id`, which is its own id, or one that it
/// gave to a client call: alone, or as `CALL/ID` where several calls use it.
fn client<'a>(turn: &'a SuspendedTurn, id: &str) -> Result<(&'a Pending, Option<String>), Failure> {
    let asks = |pending: &&Pending, id: &str| match &pending.suspension.kind {
        SuspensionKind::ClientTools { calls } => calls.iter().any(|call| call.tool_call_id == id),
        _ => false,
    };
    let mut of_client = turn.pending().filter(|pending| asks(pending, id));
    if let Some(pending) = of_client.next() {
        if of_client.next().is_some() {
            let call = &pending.tool_call_id;
            return Err(
                Failure::usage(format!("several calls wait for the result `{id}`")).hint(format!(
                    "name the call too, as in `--result {call}/{id}=JSON`"
                )),
            );
        }
        return Ok((pending, Some(id.to_owned())));
    }
    if let Some(pending) = turn.pending().find(|pending| pending.tool_call_id == id) {
        return Ok((pending, None));
    }
    let named = turn.pending().find_map(|pending| {
        let client = id.strip_prefix(&pending.tool_call_id)?.strip_prefix('/')?;
        Some((pending, Some(client.to_owned())))
    });
    named.ok_or_else(|| unknown(turn, id))
}

fn unknown(turn: &SuspendedTurn, id: &str) -> Failure {
    let waiting = turn
        .pending()
        .map(|pending| pending.tool_call_id.clone())
        .collect();
    let id = id.to_owned();
    let is_done = turn.results().any(|result| result.tool_call_id == id);
    failure(&if is_done {
        TurnError::NotWaiting { id, waiting }
    } else {
        TurnError::UnknownCall { id, waiting }
    })
}

/// Why a turn is not run, or does not go on.
pub(crate) fn failure(error: &TurnError) -> Failure {
    let code = match error {
        TurnError::Invalid { .. } => ExitCode::Arguments,
        _ => ExitCode::Usage,
    };
    let mut failure = Failure::new(code, error.to_string());
    failure.hints.extend(error.hint());
    failure
}
