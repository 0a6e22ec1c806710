//! How to go on with a call that is suspended.

use serde_json::{Value, json};
use toolhost::{Suspension, SuspensionKind};

/// Longest context that is shown whole; a longer one has the plugin's state in
/// it, which is on stdout anyway.
const MAX_CONTEXT_CHARS: usize = 400;

/// A sentence with the context that goes on.
pub(crate) fn hint(suspension: &Suspension) -> String {
    let mut context = context(suspension);
    let shown = context.to_string();
    if shown.chars().count() <= MAX_CONTEXT_CHARS {
        return format!(
            "to go on, {}: `--context '{shown}'`",
            first(&suspension.kind)
        );
    }
    context["resumption"]["state"] = json!("STATE");
    format!(
        "to go on, {}: `--context '{context}'`, where STATE is `state` of the object above",
        first(&suspension.kind)
    )
}

/// What has to happen before.
fn first(kind: &SuspensionKind) -> &'static str {
    match kind {
        SuspensionKind::Approval { .. } => "repeat the command with your approval",
        SuspensionKind::ClientTools { .. } => {
            "make the calls and repeat the command with their results"
        }
        SuspensionKind::Question { .. } => "repeat the command with the answer",
        SuspensionKind::SignIn { .. } => "sign in and repeat the command",
        SuspensionKind::Other { .. } => "repeat the command with what it waits for",
    }
}

fn context(suspension: &Suspension) -> Value {
    let mut context = json!({});
    let is_approval = matches!(suspension.kind, SuspensionKind::Approval { .. });
    if is_approval {
        context["approval"] = json!({ "by": "YOU" });
    }
    if !is_approval || !suspension.state.is_empty() {
        // The suspension writes its own state the way a resumption reads it.
        let state = json!(suspension)
            .get("state")
            .cloned()
            .unwrap_or_else(|| json!(""));
        context["resumption"] = json!({ "state": state });
        if !is_approval {
            context["resumption"]["answer"] = json!("ANSWER");
        }
    }
    context
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::run::context::parse;

    fn suspension(kind: SuspensionKind, state: &[u8]) -> Suspension {
        Suspension {
            kind,
            state: state.to_vec(),
        }
    }

    fn question() -> SuspensionKind {
        SuspensionKind::Question {
            prompt: "Which city?".into(),
            schema: None,
        }
    }

    #[test]
    fn an_approval_needs_no_state() {
        let asked = suspension(SuspensionKind::Approval { reason: None }, b"");
        assert_eq!(
            hint(&asked),
            r#"to go on, repeat the command with your approval: `--context '{"approval":{"by":"YOU"}}'`"#
        );
    }

    #[test]
    fn the_context_that_is_shown_can_be_used() {
        let context = context(&suspension(question(), b"page 2")).to_string();
        let (_, parsed) = parse(Some(&context)).unwrap();
        let resumption = parsed.resumption.unwrap();
        assert_eq!(resumption.state, b"page 2");
        assert_eq!(resumption.answer, Some(json!("ANSWER")));
    }

    #[test]
    fn a_long_state_is_left_where_it_is() {
        let hint = hint(&suspension(question(), &[7; 1_000]));
        assert!(
            hint.len() < 300 && hint.contains("where STATE is"),
            "{hint}"
        );
    }
}
