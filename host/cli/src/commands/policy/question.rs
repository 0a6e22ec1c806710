//! What is asked, from the flags that ask.

use serde_json::{Value, json};
use toolhost::policy::Question;

use super::args::{AskFlags, ExplainArgs};
use crate::failure::Failure;

/// What is asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Request {
        method: String,
        url: String,
    },
    Path {
        path: String,
        write: bool,
    },
    Env(String),
    Tool(String),
    ConfigKey(String),
    Secret {
        name: String,
        request: Option<(String, String)>,
    },
    Storage,
    Messages,
}

impl Asked {
    /// What is asked, if anything is.
    ///
    /// # Errors
    ///
    /// When more than one thing is.
    pub(super) fn of(mut args: ExplainArgs) -> Result<(ExplainArgs, Option<Self>), Failure> {
        let asked_env = questions(&mut args.ask.env);
        let mut secrets = questions(&mut args.ask.secret);
        let AskFlags {
            url,
            method,
            path,
            write,
            secret: _,
            principal: _,
            env: _,
            tool,
            config_key,
            storage,
            messages,
        } = args.ask.clone();
        let method = method.unwrap_or_else(|| "GET".into());
        let mut asked = Vec::new();
        if secrets.len() > 1 {
            return Err(two_at_once());
        }
        match (secrets.pop(), url) {
            (None, None) => {}
            (None, Some(url)) => asked.push(Self::Request { method, url }),
            (Some(name), url) => asked.push(Self::Secret {
                name,
                request: url.map(|url| (method, url)),
            }),
        }
        asked.extend(path.map(|path| Self::Path { path, write }));
        asked.extend(asked_env.into_iter().map(Self::Env));
        asked.extend(tool.map(Self::Tool));
        asked.extend(config_key.map(Self::ConfigKey));
        asked.extend((storage == Some(None)).then_some(Self::Storage));
        asked.extend(messages.then_some(Self::Messages));
        if asked.len() > 1 {
            return Err(two_at_once());
        }
        Ok((args, asked.pop()))
    }

    /// The question for the policy.
    pub(super) fn question(&self) -> Question<'_> {
        match self {
            Self::Request { method, url } => Question::Request { method, url },
            Self::Path { path, write } => Question::Path {
                path,
                write: *write,
            },
            Self::Env(name) => Question::Env(name),
            Self::Tool(name) => Question::Tool(name),
            Self::ConfigKey(key) => Question::ConfigKey(key),
            Self::Secret { name, request } => Question::Secret {
                name,
                request: request.as_ref().map(|(method, url)| (&**method, &**url)),
            },
            Self::Storage => Question::Storage,
            Self::Messages => Question::Messages,
        }
    }

    /// The question in a few words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Request { method, url } => format!("{method} {url}"),
            Self::Path { path, write: true } => format!("writing to {path}"),
            Self::Path { path, write: false } => format!("reading {path}"),
            Self::Env(name) => format!("the variable {name}"),
            Self::Tool(name) => format!("calling {name}"),
            Self::ConfigKey(key) => format!("the configuration value {key}"),
            Self::Secret {
                name,
                request: None,
            } => format!("the secret {name}"),
            Self::Secret {
                name,
                request: Some((method, url)),
            } => format!("the secret {name} in {method} {url}"),
            Self::Storage => "storage".into(),
            Self::Messages => "the messages of the context".into(),
        }
    }

    /// The question for programs, by the flags that ask it.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Request { method, url } => json!({ "url": url, "method": method }),
            Self::Path { path, write } => json!({ "path": path, "write": write }),
            Self::Env(name) => json!({ "env": name }),
            Self::Tool(name) => json!({ "tool": name }),
            Self::ConfigKey(key) => json!({ "configKey": key }),
            Self::Secret { name, request } => match request {
                None => json!({ "secret": name }),
                Some((method, url)) => json!({ "secret": name, "url": url, "method": method }),
            },
            Self::Storage => json!({ "storage": true }),
            Self::Messages => json!({ "messages": true }),
        }
    }
}

/// Takes those without a value, which ask, and leaves the others, which grant.
fn questions(typed: &mut Vec<String>) -> Vec<String> {
    let (asked, given) = std::mem::take(typed)
        .into_iter()
        .partition(|typed| !typed.contains('='));
    *typed = given;
    asked
}

fn two_at_once() -> Failure {
    Failure::usage("two things are asked at once").hint(
        "ask one after the other; only `--secret` goes together with `--url`, and \
         `--allow-secret NAME` grants a secret",
    )
}
