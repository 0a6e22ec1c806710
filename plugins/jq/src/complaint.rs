//! What is said about a mistake in a filter: the parser's expectation turned
//! into what to write.

use jaq_core::compile::Undefined;
use jaq_core::load::{self, lex};

use crate::functions;
use crate::position::Spot;

pub(crate) fn lex_spot(code: &str, expected: &lex::Expect<&str>, found: &str) -> Spot {
    let open = if let lex::Expect::Delim(open) = expected {
        Some(*open)
    } else {
        None
    };
    let first = found.chars().next();
    let message = match (open, first) {
        (Some("\""), _) => "the string that begins here is never closed: add `\"`".to_owned(),
        (Some(open), None) => format!("`{open}` is never closed: add `{}`", closing(open)),
        (Some(open), Some(c)) => format!("expected `{}` before `{c}`", closing(open)),
        (None, None) => format!("expected {} at the end", expected.as_str()),
        (None, Some('\'')) => "`'` quotes nothing in jq: strings stand in `\"`".to_owned(),
        (None, Some('&')) => "`&` is no operator in jq: write `and`".to_owned(),
        (None, Some(c)) if matches!(expected, lex::Expect::Token) => {
            format!("`{c}` cannot stand here")
        }
        (None, Some(c)) => format!("expected {}, found `{c}`", expected.as_str()),
    };
    let start = match open {
        Some(open) if first.is_none() => unclosed(code, open).unwrap_or(code.len()),
        _ => load::span(code, found).start,
    };
    let length = code[start..].chars().next().map_or(0, char::len_utf8);
    Spot {
        start,
        length,
        message,
        suggestions: vec![],
    }
}

/// Where the innermost bracket or quote `open` without its partner stands.
/// Reads the code roughly, as strings with `\(…)` inside nest.
fn unclosed(code: &str, open: &str) -> Option<usize> {
    if open == "\"" {
        return code.rfind('"');
    }
    let close = closing(open);
    let mut pending = Vec::new();
    for (at, c) in code.char_indices() {
        if open.starts_with(c) {
            pending.push(at);
        } else if close.starts_with(c) {
            pending.pop();
        }
    }
    pending.pop()
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        _ => "\"",
    }
}

pub(crate) fn parse_spot(code: &str, expected: &str, found: &str) -> Spot {
    let expected = match expected {
        "nothing" => "the end of the filter or an operator such as `|`".to_owned(),
        "term" => "a value or filter such as `.a`".to_owned(),
        "key" => "a field name or `[`".to_owned(),
        other if other.chars().all(char::is_alphanumeric) && other.len() <= 4 => {
            format!("`{other}`")
        }
        other if other.len() == 1 => format!("`{other}`"),
        other => other.to_owned(),
    };
    let message = match found {
        "" => format!("expected {expected}, but the filter ends"),
        "==" | "!=" | "=" | "<" | ">" | "|" | "," | ";" => {
            format!("expected {expected} before `{found}`")
        }
        "&&" => "`&&` is no operator in jq: write `and`".to_owned(),
        "||" => "`||` is no operator in jq: write `or`".to_owned(),
        "!" => "`!` is no operator in jq: write `… | not`".to_owned(),
        found => format!(
            "expected {expected}, found `{}`",
            crate::failure::excerpt(&found)
        ),
    };
    Spot::new(code, found, message)
}

pub(crate) fn undefined_spot(
    code: &str,
    name: &str,
    what: &Undefined,
    variables: &[String],
) -> Spot {
    let (message, suggestions) = match what {
        Undefined::Filter(arity) => {
            let (advice, suggestions) = functions::advice(name, *arity);
            let plural = if *arity == 1 { "" } else { "s" };
            (
                format!("no function `{name}` with {arity} argument{plural}: {advice}"),
                suggestions,
            )
        }
        Undefined::Var if name == "$ENV" => (
            "no variable `$ENV`: this tool has no environment, pass values in `args`".into(),
            vec![],
        ),
        Undefined::Var => undefined_variable(name, variables),
        other => (
            format!(
                "no {} `{name}`: define it before it is used",
                other.as_str()
            ),
            vec![],
        ),
    };
    Spot {
        suggestions,
        ..Spot::new(code, name, message)
    }
}

/// `name` is not bound; `variables` are.
fn undefined_variable(name: &str, variables: &[String]) -> (String, Vec<String>) {
    if let Some(near) = functions::similar(name, variables.iter().map(String::as_str)) {
        return (
            format!("no variable `{name}`: did you mean `{near}`?"),
            vec![near.to_owned()],
        );
    }
    let bare = name.trim_start_matches('$');
    let advice = format!("bind it with `… as {name} | …` or give `{bare}` in `args`");
    (format!("no variable `{name}`: {advice}"), vec![])
}
