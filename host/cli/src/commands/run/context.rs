//! The execution context from `--context`, where the id of the call may stand
//! beside the fields of the context.

use serde_json::{Map, Value};
use toolhost::{ExecutionContext, json, reword, suggest};

use crate::failure::Failure;

/// The key of the call's id.
const ID_KEY: &str = "toolCallId";

/// Said where no better hint is known.
const KEYS: &str = "`host run --help` lists the keys of `--context`";

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
    let form = "`--context` takes a JSON object, or `@` and a file with one";
    // The strict reader: no key twice, nothing rounded, no depth that hurts.
    let read = json::parse(text, &json::JsonLimits::default())
        .map_err(|error| unusable().because(&error).hint(form))?;
    let Value::Object(mut fields) = read else {
        return Err(unusable().hint(form));
    };
    let id = match fields.remove(ID_KEY) {
        None => DEFAULT_ID.into(),
        Some(Value::String(id)) if !id.is_empty() => id,
        Some(_) => {
            return Err(Failure::usage(format!(
                "`{ID_KEY}` of `--context` has to be a text that is not empty"
            )));
        }
    };
    let context = serde_json::from_value(Value::Object(fields.clone())).map_err(|error| {
        let mut failure = unusable();
        failure.causes.push(culprit(fields, &error));
        let meant = meant(&error.to_string());
        failure.hints.push(meant.unwrap_or_else(|| KEYS.into()));
        failure
    })?;
    Ok((id, context))
}

/// What is wrong, with the field that it is wrong with: serde names none.
fn culprit(fields: Map<String, Value>, error: &serde_json::Error) -> String {
    let alone = |(key, value): (String, Value)| {
        let one = Map::from_iter([(key.clone(), value)]);
        let error = serde_json::from_value::<ExecutionContext>(Value::Object(one)).err()?;
        Some((key, error.to_string()))
    };
    match fields.into_iter().find_map(alone) {
        Some((key, said)) if !said.starts_with("unknown field") => {
            format!("`{key}`: {}", reword(&said))
        }
        _ => reword(&error.to_string()),
    }
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
    fn the_field_at_fault_is_named() {
        let causes = |text| parse(Some(text)).unwrap_err().causes;
        assert_eq!(
            causes(r#"{"sessionId": "s", "approval": 3}"#),
            ["`approval`: expected an object, found `3`"]
        );
        assert_eq!(
            causes(r#"{"attempt": -1}"#),
            ["`attempt`: expected a whole number from 0 to 4294967295, found `-1`"]
        );
    }

    #[test]
    fn a_key_that_stands_twice_is_refused() {
        let failure = parse(Some(r#"{"approval": {"by": "ada", "by": "eve"}}"#)).unwrap_err();
        assert!(
            failure.causes[0].starts_with("the key `by` appears twice"),
            "{failure:?}"
        );
    }

    #[test]
    fn something_else_is_refused() {
        for text in ["", "7", "[]", "{", r#"{"toolCallId": 7}"#] {
            assert!(parse(Some(text)).is_err(), "{text}");
        }
    }
}
