//! A call that failed, as people read it.

use toolhost::{CallError, Denial, ErrorKind, LimitHit};

use super::call::Called;
use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::text;

/// Issues, tools and denials that are listed; `--json` has all.
const MAX_LISTED: usize = 20;

/// Longest value of a tool's own details that is shown, in characters.
const MAX_DETAILS_CHARS: usize = 500;

/// Said when the plugin broke down and nothing the user typed did it.
const FAULT: &str =
    "this is a fault of the plugin, for its author to mend; `--verbose` shows what it logged";

/// Who decides what is denied.
const RULES: &str =
    "`[permissions]` in the file of `--config` says what may run, or the tool itself refused";

/// What helps against a directory that cannot be granted.
const FOLDER: &str = "a directory to grant has to be there; `HOST` of `--dir HOST::GUEST` counts from the current folder, and `~` is not expanded";

/// What to say about `error`.
pub(crate) fn failure(error: &CallError, called: &Called) -> Failure {
    let mut failure = Failure::new(ExitCode::of(&called.result), error.to_string());
    match error.kind {
        ErrorKind::Validation => validation(error, &mut failure),
        ErrorKind::NotFound => not_found(error, called, &mut failure),
        ErrorKind::Denied => failure.hints.push(RULES.into()),
        _ if error.name == "GrantError" => failure.hints.push(FOLDER.into()),
        _ => {}
    }
    if let Some(code) = &error.code {
        failure.details.push(format!("code: {}", text::line(code)));
    }
    if let Some(details) = &error.details {
        let shown = details.to_string();
        failure
            .details
            .push(format!("details: {}", text::cut(&shown, MAX_DETAILS_CHARS)));
    }
    if let Some(note) = &error.note {
        failure.details.push(format!("note: {note}"));
    }
    if let Some(hit) = &error.limit {
        failure.hints.push(raise(hit));
    }
    for denial in called.result.report.denials.iter().take(MAX_LISTED) {
        failure.hints.push(refused(denial));
    }
    if failure.code == ExitCode::Trap && failure.hints.is_empty() {
        failure.hints.push(FAULT.into());
    }
    if error.retryable {
        failure.hints.push("the same call may work later".into());
    }
    failure
}

/// What was refused, and the flag that would have allowed it.
pub(crate) fn refused(denial: &Denial) -> String {
    let Denial {
        capability,
        target,
        allow_with,
    } = denial;
    // Both are the plugin's words.
    let (capability, target) = (text::line(capability), text::line(target));
    let asked = if target.is_empty() {
        format!("the plugin was refused `{capability}`")
    } else {
        format!("the plugin was refused `{target}` ({capability})")
    };
    match allow_with {
        Some(flag) => format!("{asked}; `{flag}` would allow it"),
        None => format!("{asked}; nothing can allow it"),
    }
}

fn validation(error: &CallError, failure: &mut Failure) {
    if error.issues.is_empty() {
        return;
    }
    failure.message = format!(
        "{}: the arguments of `{}` are not valid",
        error.name, error.tool_name
    );
    for issue in error.issues.iter().take(MAX_LISTED) {
        let at = if issue.path.is_empty() {
            String::new()
        } else {
            format!("{}: ", issue.path)
        };
        failure.details.push(format!("{at}{}", issue.message));
    }
    if let Some(more @ 1..) = error.issues.len().checked_sub(MAX_LISTED) {
        failure
            .details
            .push(format!("and {more} more; `--json` shows all"));
    }
    failure
        .hints
        .push("`host inspect FILE` shows what the tool takes".into());
}

fn not_found(error: &CallError, called: &Called, failure: &mut Failure) {
    failure.hints.push(match called.tools.as_slice() {
        [] => "the plugin has no tools; `host inspect FILE` tells why".into(),
        tools => format!("the plugin has the tools {}", listed(tools)),
    });
    // The tool that was asked for may be one that was left out.
    let quoted = [
        format!("\"{}\"", error.tool_name),
        format!("`{}`", error.tool_name),
    ];
    let about = |warning: &&String| quoted.iter().any(|name| warning.contains(name));
    failure
        .causes
        .extend(called.warnings.iter().find(about).cloned());
}

fn listed(names: &[String]) -> String {
    let mut listed = names[..names.len().min(MAX_LISTED)].join(", ");
    if names.len() > MAX_LISTED {
        listed.push_str(", …");
    }
    listed
}

/// The flag that raises a limit.
fn raise(hit: &LimitHit) -> String {
    match hit.name.as_str() {
        "fuel" => "`--fuel N` raises the limit".into(),
        "memory" => "`--memory SIZE` raises the limit".into(),
        "wall-clock" => "`--timeout TIME` raises the limit".into(),
        "stack" => "a stack has the same size in every sandbox; nothing raises it".into(),
        name => format!("`{name}` under `[limits]` in a file for `--config` raises the limit"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolhost::{CallResult, Issue, Report};

    fn called(error: CallError) -> Called {
        let result = CallResult {
            tool_call_id: "call-1".into(),
            tool_name: error.tool_name.clone(),
            outcome: Err(error),
            report: Report::default(),
        };
        Called {
            result,
            tools: vec!["sort".into(), "sum".into()],
            warnings: Vec::new(),
        }
    }

    fn explain(called: &Called) -> Failure {
        failure(called.result.outcome.as_ref().unwrap_err(), called)
    }

    #[test]
    fn issues_have_a_line_each() {
        let issues = vec![
            Issue {
                path: "/a".into(),
                message: "is missing".into(),
            },
            Issue {
                path: String::new(),
                message: "has to be an object".into(),
            },
        ];
        let failure = explain(&called(CallError::validation("sum", issues)));
        assert_eq!(failure.code, ExitCode::Arguments);
        assert_eq!(
            failure.message,
            "ToolArgumentsValidationError: the arguments of `sum` are not valid"
        );
        assert_eq!(failure.details, ["/a: is missing", "has to be an object"]);
    }

    #[test]
    fn an_unknown_tool_is_answered_with_the_known_ones() {
        let mut called = called(CallError::not_found("median", Vec::new()));
        called.warnings = vec!["tool `median` is left out: its name is taken".into()];
        let failure = explain(&called);
        assert_eq!(failure.code, ExitCode::Usage);
        assert_eq!(failure.hints, ["the plugin has the tools sort, sum"]);
        assert_eq!(
            failure.causes,
            ["tool `median` is left out: its name is taken"]
        );
    }

    #[test]
    fn a_limit_names_the_flag_that_raises_it() {
        let mut error = CallError::new(ErrorKind::Sandbox, "FuelExhaustedError", "sum", "stopped");
        error.limit = Some(LimitHit {
            name: "fuel".into(),
            allowed: 10,
            used: 10,
        });
        let failure = explain(&called(error));
        assert_eq!(failure.code, ExitCode::Limit);
        assert_eq!(failure.message, "FuelExhaustedError: stopped");
        assert_eq!(failure.hints, ["`--fuel N` raises the limit"]);
    }

    #[test]
    fn a_trap_is_told_to_be_no_fault_of_the_user() {
        let error = CallError::new(ErrorKind::Sandbox, "GuestTrapError", "sum", "it panicked");
        let failure = explain(&called(error));
        assert_eq!(failure.code, ExitCode::Trap);
        assert!(failure.hints[0].contains("author"), "{failure:?}");
    }

    #[test]
    fn a_refusal_names_the_flag_that_grants_it() {
        let error = CallError::new(ErrorKind::Execution, "CannotRead", "sum", "no messages");
        let mut called = called(error);
        called.result.report.denials = vec![Denial {
            capability: "messages".into(),
            target: "0..2".into(),
            allow_with: Some("--allow-messages".into()),
        }];
        assert_eq!(
            explain(&called).hints,
            ["the plugin was refused `0..2` (messages); `--allow-messages` would allow it"]
        );
    }
}
