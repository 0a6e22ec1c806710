//! What a plugin asks for, and why.

use serde::{Deserialize, Serialize};
use toolhost_tool::permission::Glob;

use crate::{Access, Capability, HttpGrant, grant::shell_word};

/// The most that a plugin may be granted, by capability. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wants {
    /// Requests over HTTP.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<HttpWant>,
    /// Directories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dirs: Vec<DirWant>,
    /// Environment variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<NamedWant>,
    /// Secrets that the host puts into its requests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<NamedWant>,
    /// Values of the configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<ConfigWant>,
    /// Tools that it calls itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolWant>,
    /// Keys and values that stay, of whatever scope is granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage: Option<Reason>,
    /// The transcript before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Reason>,
}

/// Requests that a plugin wants to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpWant {
    /// Which. Whether addresses may be private is not for a plugin to say.
    pub allow: HttpGrant,
    /// What for; 1 to 500 characters.
    pub why: String,
}

/// A directory that a plugin wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirWant {
    /// Its name in the sandbox. Directories below it are asked for with it: `/` is any
    /// directory under any name.
    pub guest: String,
    /// What is to be done in it. Default: reading.
    #[serde(default)]
    pub access: Access,
    /// What for; 1 to 500 characters.
    pub why: String,
}

/// A variable or a secret that a plugin wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedWant {
    /// Its name; of a secret also `*`, for any that is granted: the plugin sends what a
    /// model asks for, and the secret's own hosts bound where it goes.
    pub name: String,
    /// What for; 1 to 500 characters.
    pub why: String,
}

/// Tools that a plugin wants to call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolWant {
    /// A name, or a pattern with `*` and `?`.
    pub name: Glob,
    /// What for; 1 to 500 characters.
    pub why: String,
}

/// A value of the configuration that a plugin wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigWant {
    /// Its key.
    pub key: String,
    /// What for; 1 to 500 characters.
    pub why: String,
}

/// What a plugin wants something for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// 1 to 500 characters.
    pub why: String,
}

/// One thing that a plugin asks for, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// What kind of thing.
    pub capability: Capability,
    /// Which; empty for storage and messages.
    pub what: String,
    /// What for, in the plugin's words.
    pub why: String,
    /// The flag that grants it; what the operator has to choose is in capitals.
    pub flag: String,
}

/// The name that is asked for where any will do.
pub(crate) const ANY: &str = "*";

impl NamedWant {
    /// Whether this asks for what has the name.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        self.name == name || self.name == ANY
    }
}

impl Wants {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Each thing that is asked for by itself, in the order of the fields.
    #[must_use]
    pub fn items(&self) -> Vec<Want> {
        let Self {
            http,
            dirs,
            env,
            secrets,
            config,
            tools,
            storage,
            messages,
        } = self;
        let mut items: Vec<Want> = Vec::new();
        let mut add = |capability, what: String, why: &str, flag: String| {
            items.push(Want {
                capability,
                what,
                why: why.to_owned(),
                flag,
            });
        };
        for HttpWant { allow, why } in http {
            add(Capability::Http, allow.to_string(), why, allow.flag());
        }
        for DirWant { guest, access, why } in dirs {
            let flag = format!("--dir {}", shell_word(&format!("HOST::{guest}:{access}")));
            add(Capability::Dirs, format!("{guest}:{access}"), why, flag);
        }
        for NamedWant { name, why } in env {
            let flag = format!("--env {}", shell_word(&format!("{name}=VALUE")));
            add(Capability::Env, name.clone(), why, flag);
        }
        for NamedWant { name, why } in secrets {
            let one = if name == ANY { "NAME" } else { name };
            let flag = format!("--secret {one}");
            add(Capability::Secrets, name.clone(), why, flag);
        }
        for ConfigWant { key, why } in config {
            let flag = format!("--config-value {}", shell_word(&format!("{key}=VALUE")));
            add(Capability::Config, key.clone(), why, flag);
        }
        for ToolWant { name, why } in tools {
            let flag = format!("--allow-tool {}", shell_word(name.as_str()));
            add(Capability::Tools, name.to_string(), why, flag);
        }
        if let Some(Reason { why }) = storage {
            let flag = "--storage SCOPE".to_owned();
            add(Capability::Storage, String::new(), why, flag);
        }
        if let Some(Reason { why }) = messages {
            let flag = "--allow-messages".to_owned();
            add(Capability::Messages, String::new(), why, flag);
        }
        items
    }
}
