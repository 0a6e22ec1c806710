//! How a turn ended, as it is printed.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolhost::{
    CallResult, FinishedTurn, Outcome, Pending, SuspendedTurn, SuspensionKind, ToolResult,
    write_results,
};

use super::plan::Origin;
use super::state::StateFile;
use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::printer::Printer;

/// Where and how the end of a turn is shown.
pub(crate) struct Show<'a> {
    pub(crate) origin: &'a Origin,
    pub(crate) state: Option<&'a StateFile>,
    pub(crate) stream: bool,
    pub(crate) json: bool,
    pub(crate) printer: &'a Printer,
}

impl Show<'_> {
    /// Prints the messages with the results.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn done(&self, turn: &FinishedTurn) -> Result<ExitCode, Stop> {
        let results: Vec<ToolResult<'_>> = turn
            .results
            .iter()
            .map(|result| self.told(result))
            .collect();
        let messages = write_results(self.origin.format, &results);
        let shown = if self.stream || self.json {
            let mut object = json!({ "event": "turn.done", "messages": messages });
            object["results"] = turn.results.iter().map(CallResult::to_json).collect();
            for (key, id) in [
                ("finalAnswer", &turn.final_answer),
                ("endedBy", &turn.ended_by),
            ] {
                if let Some(id) = id {
                    object[key] = json!(id);
                }
            }
            object
        } else {
            messages
        };
        self.printer.result(&shown.to_string())?;
        if let Some(state) = self.state {
            state.remove()?;
        }
        if let Some(id) = &turn.ended_by {
            self.printer.note(&format!("the call `{id}` ended the run"));
            return Ok(ExitCode::ToolFailed);
        }
        Ok(ExitCode::Success)
    }

    /// Keeps the turn, and says what it waits for.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn suspended(&self, mut turn: SuspendedTurn) -> Result<ExitCode, Stop> {
        turn.custom_data = self.origin.to_json();
        if let Some(state) = self.state {
            state.write(&turn)?;
        }
        if self.stream || self.json {
            let pending: Vec<Value> = turn.pending().map(|pending| json!(pending)).collect();
            let mut object = json!({ "event": "turn.suspended", "pending": pending });
            if self.state.is_none() {
                object["state"] = serde_json::from_str(&turn.to_json()).unwrap_or_default();
            }
            self.printer.result(&object.to_string())?;
        } else if self.state.is_none() {
            self.printer.result(&turn.to_json())?;
        }
        self.printer.note("the turn is suspended");
        for pending in turn.pending() {
            self.printer.note(&asked(pending));
        }
        let file = self
            .state
            .map_or("FILE".into(), |state| state.path().display().to_string());
        if let Some(pending) = turn.pending().next() {
            let flags = flags(pending);
            self.printer
                .hint(&format!("to go on: `host turn --state {file} {flags}`"));
        }
        Ok(ExitCode::Suspended)
    }

    /// The result as its message tells it, under the name the model used.
    fn told<'a>(&'a self, result: &'a CallResult) -> ToolResult<'a> {
        let id = &result.tool_call_id;
        let (content, structured, error) = match &result.outcome {
            Ok(Outcome::Done(output)) => match &output.model_view {
                Some(view) => (view.clone(), None, None),
                None => (output.content.clone(), output.structured.as_ref(), None),
            },
            Ok(Outcome::Suspended(_)) => (Vec::new(), None, None),
            Err(error) => (Vec::new(), None, Some(error)),
        };
        ToolResult {
            tool_call_id: id,
            tool_name: self.origin.names.get(id).unwrap_or(&result.tool_name),
            is_error: result.is_error(),
            content,
            structured,
            error,
        }
    }
}

/// `call-1 (delete) waits for an approval: it costs money`.
fn asked(pending: &Pending) -> String {
    let Pending {
        tool_call_id,
        tool_name,
        ..
    } = pending;
    let mut said = format!(
        "`{tool_call_id}` ({tool_name}) waits for {}",
        pending.waits_for()
    );
    let why = match &pending.suspension.kind {
        SuspensionKind::Approval { reason } => reason.clone(),
        SuspensionKind::Question { prompt, .. } => Some(prompt.clone()),
        SuspensionKind::SignIn { url, .. } => Some(url.clone()),
        SuspensionKind::Other { name, .. } => Some(name.clone()),
        SuspensionKind::ClientTools { calls } => {
            let waiting = calls
                .iter()
                .filter(|call| !pending.results.contains_key(&call.tool_call_id));
            let ids: Vec<&str> = waiting.map(|call| call.tool_call_id.as_str()).collect();
            Some(ids.join(", "))
        }
    };
    if let Some(why) = why {
        let _ = write!(said, ": {why}");
    }
    if let Some(why) = &pending.asked_again {
        let _ = write!(said, " (asked anew: {why})");
    }
    if let (true, Some(arguments)) = (
        matches!(pending.suspension.kind, SuspensionKind::Approval { .. }),
        &pending.arguments,
    ) {
        let _ = write!(said, "\narguments: {arguments}");
    }
    said
}

/// The flag that answers.
fn flags(pending: &Pending) -> String {
    let id = &pending.tool_call_id;
    match &pending.suspension.kind {
        SuspensionKind::Approval { .. } => format!("--approve {id}` or `--reject {id}=WHY"),
        SuspensionKind::ClientTools { calls } => {
            let first = calls
                .iter()
                .find(|call| !pending.results.contains_key(&call.tool_call_id));
            let id = first.map_or(id, |call| &call.tool_call_id);
            format!("--result {id}=JSON")
        }
        SuspensionKind::Question { .. }
        | SuspensionKind::SignIn { .. }
        | SuspensionKind::Other { .. } => format!("--answer {id}=JSON"),
    }
}
