//! The execution context from `--context`, where the id of the call may stand
//! beside the fields of the context.

use serde_json::{Map, Value};
use toolhost::{ExecutionContext, suggest};

use crate::failure::Failure;

/// The key of the call's id.
const ID_KEY: &str = "toolCallId";

/// The id of a call whose context has none.
const DEFAULT_ID: &str = "call-1";

/// Reads the id of the call and its context.
///
/// # Errors
///
/// When `text` is not a JSON object with the keys of a context.
pub(crate) fn parse(text: Option<&str>) -> Result<(String, ExecutionContext), Failure> {
    let Some(text) = text else {
        return Ok((DEFAULT_ID.into(), ExecutionContext::default()));
    };
    let unusable = || Failure::usage("the value of `--context` cannot be used");
    let mut fields: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        unusable()
            .because(&error)
            .hint("`--context` takes a JSON object, or `@` and a file with one")
    })?;
    let id = match fields.remove(ID_KEY) {
        None => DEFAULT_ID.into(),
        Some(Value::String(id)) if !id.is_empty() => id,
        Some(_) => {
            return Err(Failure::usage(format!(
                "`{ID_KEY}` of `--context` is not a text"
            )));
        }
    };
    let context = serde_json::from_value(Value::Object(fields)).map_err(|error| {
        let mut failure = unusable().because(&error);
        failure.hints.extend(meant(&error.to_string()));
        failure
    })?;
    Ok((id, context))
}

/// What a misspelt key was meant to be. serde names it first, and after it the
/// keys there are, all in backticks; another message yields nothing.
fn meant(message: &str) -> Option<String> {
    if !message.starts_with("unknown field") {
        return None;
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    suggest(unknown, names.chain([ID_KEY])).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_stands_beside_the_context() {
        let text = r#"{"toolCallId": "call-7", "sessionId": "s"}"#;
        let (id, context) = parse(Some(text)).unwrap();
        assert_eq!(id, "call-7");
        assert_eq!(context.session_id.as_deref(), Some("s"));
        assert_eq!(parse(None).unwrap().0, "call-1");
    }

    #[test]
    fn a_misspelt_key_is_answered_with_the_right_one() {
        let hints = |text| parse(Some(text)).unwrap_err().hints;
        assert_eq!(hints(r#"{"sesionId": "s"}"#), ["did you mean `sessionId`?"]);
        assert_eq!(
            hints(r#"{"toolCallID": "s"}"#),
            ["did you mean `toolCallId`?"]
        );
        assert_eq!(
            hints(r#"{"principal": {"id": "ada", "kind": "user", "claim": {}}}"#),
            ["did you mean `claims`?"]
        );
    }

    #[test]
    fn something_else_is_refused() {
        for text in ["", "7", "[]", "{", r#"{"toolCallId": 7}"#] {
            assert!(parse(Some(text)).is_err(), "{text}");
        }
    }
}
