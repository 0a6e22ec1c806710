//! What a plugin wants, and why: `[package.metadata.toolhost.wants]`.
//!
//! The host has the last word on each of them; here is checked what can be
//! checked without it, so that an author reads of a mistake while compiling.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::json::Object;
use super::{Problem, unknown};

/// A kind of want.
struct Kind {
    name: &'static str,
    /// The fields beside `why`. The first tells one want from another; without
    /// any there is only one want of the kind.
    fields: &'static [&'static str],
    example: &'static str,
}

const KINDS: [Kind; 8] = [
    Kind {
        name: "http",
        fields: &["allow"],
        example: r#"[{ allow = "GET https://api.example.com/", why = "…" }]"#,
    },
    Kind {
        name: "dirs",
        fields: &["guest", "access"],
        example: r#"[{ guest = "/work", access = "rw", why = "…" }]"#,
    },
    Kind {
        name: "env",
        fields: &["name"],
        example: r#"[{ name = "TZ", why = "…" }]"#,
    },
    Kind {
        name: "secrets",
        fields: &["name"],
        example: r#"[{ name = "github-token", why = "…" }]"#,
    },
    Kind {
        name: "config",
        fields: &["key"],
        example: r#"[{ key = "units", why = "…" }]"#,
    },
    Kind {
        name: "tools",
        fields: &["name"],
        example: r#"[{ name = "csv_*", why = "…" }]"#,
    },
    Kind {
        name: "storage",
        fields: &[],
        example: r#"{ why = "…" }"#,
    },
    Kind {
        name: "messages",
        fields: &[],
        example: r#"{ why = "…" }"#,
    },
];

/// The most wants of one kind: nobody reads more before agreeing.
const MAX_WANTS: usize = 64;

/// The longest `why`, in characters.
const MAX_WHY: usize = 500;

/// The longest other text, in bytes.
const MAX_TEXT: usize = 1024;

/// All wants as JSON, by kind and in the order they were written.
#[derive(Default)]
pub(super) struct Wants(Vec<(&'static str, String)>);

impl Wants {
    /// Reads the table. What is wrong with it is added to `problems`.
    pub(super) fn read(table: &DeTable<'_>, problems: &mut Vec<Problem>) -> Self {
        let mut wants = Vec::new();
        for (key, value) in table {
            let word = key.get_ref().as_ref();
            let Some(kind) = KINDS.iter().find(|kind| kind.name == word) else {
                let known = KINDS.map(|kind| kind.name);
                problems.push(Problem::new(key.span().start, unknown(word, &known)));
                continue;
            };
            match kind.read(value) {
                Ok(json) => wants.push((kind.name, json)),
                Err(problem) => problems.push(problem),
            }
        }
        Self(wants)
    }

    /// One object.
    pub(super) fn to_json(&self) -> String {
        let mut object = Object::default();
        for (kind, json) in &self.0 {
            object.raw(kind, json);
        }
        object.finish()
    }
}

impl Kind {
    fn read(&self, value: &Spanned<DeValue<'_>>) -> Result<String, Problem> {
        match value.get_ref() {
            DeValue::Table(want) if self.fields.is_empty() => {
                Ok(self.one(value.span().start, want)?.1)
            }
            DeValue::Array(wants) if wants.len() > MAX_WANTS => {
                let message = format!("`{}` has at most {MAX_WANTS} wants", self.name);
                Err(Problem::new(value.span().start, message))
            }
            DeValue::Array(wants) if !self.fields.is_empty() => {
                let mut seen = Vec::new();
                let mut all = Vec::new();
                for want in wants {
                    let at = want.span().start;
                    let DeValue::Table(table) = want.get_ref() else {
                        return Err(self.shape(at));
                    };
                    let (first, json) = self.one(at, table)?;
                    if seen.contains(&first) {
                        let message = format!("`{}` has `{first}` twice; keep one", self.name);
                        return Err(Problem::new(at, message));
                    }
                    seen.push(first);
                    all.push(json);
                }
                Ok(format!("[{}]", all.join(",")))
            }
            _ => Err(self.shape(value.span().start)),
        }
    }

    /// What tells the want from others, and the want as JSON.
    fn one(&self, at: usize, want: &DeTable<'_>) -> Result<(String, String), Problem> {
        let mut known = self.fields.to_vec();
        known.push("why");
        for key in want.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let message = unknown(key.get_ref(), &known);
                return Err(Problem::new(key.span().start, message));
            }
        }
        let mut first = String::new();
        let mut json = Object::default();
        for field in known {
            let found = want.iter().find(|(key, _)| key.get_ref() == field);
            let text = match found.map(|(_, value)| (value.span().start, value.get_ref())) {
                Some((at, DeValue::String(text))) => {
                    check(self.name, field, text).map_err(|error| Problem::new(at, error))?;
                    text.as_ref()
                }
                None if field == "access" => "ro",
                None => {
                    let message = format!("this want has no `{field}`: {}", self.usage());
                    return Err(Problem::new(at, message));
                }
                Some((at, _)) => {
                    let message = format!("`{field}` is a text: {}", self.usage());
                    return Err(Problem::new(at, message));
                }
            };
            if first.is_empty() {
                text.clone_into(&mut first);
            }
            json.text(field, text);
        }
        Ok((first, json.finish()))
    }

    fn usage(&self) -> String {
        format!("`{} = {}`", self.name, self.example)
    }

    fn shape(&self, at: usize) -> Problem {
        Problem::new(at, format!("write {}", self.usage()))
    }
}

/// What can be said about one text without the host.
fn check(kind: &str, field: &str, text: &str) -> Result<(), String> {
    if text.trim() != text || text.is_empty() {
        return Err(format!("`{field}` is empty or has blanks around it"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("`{field}` has to be one line"));
    }
    match field {
        "why" if text.chars().count() > MAX_WHY => {
            Err(format!("`why` has at most {MAX_WHY} characters"))
        }
        "why" => Ok(()),
        _ if text.len() > MAX_TEXT => Err(format!("`{field}` has at most {MAX_TEXT} bytes")),
        "access" if !matches!(text, "ro" | "rw") => {
            Err(format!("`access` is `ro` or `rw`, not `{text}`"))
        }
        "guest" => check_guest(text),
        "allow" => check_request(text),
        "name" if kind == "env" && text.contains('=') => {
            Err("`name` is the name of a variable, without `=`".into())
        }
        _ => Ok(()),
    }
}

/// `/` is any directory; another path stands for itself and what is below it.
fn check_guest(path: &str) -> Result<(), String> {
    let odd = |part: &str| matches!(part, "" | "." | "..");
    let is_plain = path.strip_prefix('/').map(|rest| {
        let mut parts = rest.split('/');
        rest.is_empty() || !parts.any(odd)
    });
    if is_plain == Some(true) {
        return Ok(());
    }
    Err(format!(
        "`guest` is an absolute path without `.`, `..` and a slash at its end, such as `/work`, \
         not `{path}`"
    ))
}

/// `[METHODS ]SCHEME://HOST[:PORT][/PATH-PREFIX]`. The host reads it closely;
/// this finds what is no such text at all.
fn check_request(text: &str) -> Result<(), String> {
    let (methods, url) = text.rsplit_once(' ').unwrap_or(("*", text));
    let is_method = |method: &str| {
        method == "*"
            || (!method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    if !methods.split(',').all(is_method) {
        return Err(format!(
            "`allow` begins with methods in capitals and commas between, such as `GET,POST`, not \
             `{methods}`"
        ));
    }
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    if !matches!(scheme, "https" | "http") {
        return Err(format!("`allow` is for `https` or `http`, not `{scheme}`"));
    }
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    if host.is_empty() && !rest.starts_with('[') || rest.contains(['@', '?', '#']) {
        return Err(format!(
            "`allow` is `METHODS https://HOST/PATH`, without user, query and fragment, not `{text}`"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
