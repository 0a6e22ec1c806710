//! The configuration file, `host.toml`.
//!
//! ```toml
//! [limits]                      # for every plugin; flags of a call come first
//! wall-clock = "10s"
//! memory = "128MiB"
//!
//! [grants]                      # for every plugin
//! dirs = ["./data::/data"]      # read-only unless it ends with `:rw`
//! env = { LANG = "C" }
//! allow-messages = true
//!
//! http = ["GET,POST https://api.example.com/v1/"]
//! tools = ["csv_*"]             # tools that a plugin may call itself
//! storage = "plugin"            # or principal, session: whose keys and values it sees
//! config = { units = "metric" }
//! secrets = ["github-token"]    # named under [secrets]
//!
//! [secrets.github-token]
//! env = "GITHUB_TOKEN"          # or file, or keyring = "service/user"
//! hosts = ["api.github.com"]    # where the value may go
//!
//! [storage]
//! file = "state.db"             # the user's data folder by default
//!
//! [audit]                       # a line for each call and each refusal; none by default
//! file = "audit.jsonl"
//! arguments = "digest"          # or full
//!
//! [network]
//! ca-file = "corp-ca.pem"       # certificates that requests trust beside the system's
//!
//! [cache]
//! dir = "/var/cache/toolhost"   # compiled plugins; the user's cache folder by default
//!
//! [permissions]                 # which calls run, are asked about, are refused
//! mode = "default"              # or plan, accept-edits, unattended
//! rules = [
//!   { action = "deny", tool = "delete_*", arguments = { "/path" = "/etc/*" } },
//! ]
//!
//! [plugins.search]              # `--plugin search` means this one
//! path = "plugins/search.wasm"
//! sha256 = "9f86d081…"          # only the file of this digest is loaded
//! limits = { fuel = 1_000_000_000 }
//! fast-compile = true           # while developing a plugin you trust; see PluginConfig
//! grants = { dirs = ["./src::/src"] }
//! ```
//!
//! Relative paths count from the folder of the file. A name that is not known is an
//! error with its place, and with the name that was probably meant.

mod error;
mod file;
mod grants;
mod lines;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toolhost_tool::permission::Permissions;

use crate::{Digest, Grants, LimitsPatch, SecretName, SecretSpec};
pub use error::ConfigError;

/// What a configuration file says. The default is what an empty file says: the
/// default limits and no grants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Limits for every plugin.
    pub limits: LimitsPatch,
    /// Grants for every plugin.
    pub grants: Grants,
    /// Where compiled plugins are kept, when not in the user's cache folder.
    pub cache_dir: Option<PathBuf>,
    /// Secrets by name: where their values are, and where those may go.
    pub secrets: BTreeMap<SecretName, SecretSpec>,
    /// The file of `wasi:keyvalue`, when not in the user's data folder.
    pub storage_file: Option<PathBuf>,
    /// Where calls and refusals are written down; nowhere when absent.
    pub audit: Option<AuditConfig>,
    /// A file of certificates that requests trust beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// Rules and mode for the calls of all tools.
    pub permissions: Permissions,
    /// Plugins by the names they can be called by.
    pub plugins: BTreeMap<String, PluginConfig>,
}

/// What a configuration file says of one plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginConfig {
    /// Its file.
    pub path: PathBuf,
    /// The only digest that the file may have.
    pub sha256: Option<Digest>,
    /// Limits that come before those for every plugin.
    pub limits: LimitsPatch,
    /// Grants beside those for every plugin.
    pub grants: Grants,
    /// Whether it is compiled by Winch, which is many times as fast as Cranelift and
    /// makes code that is half as fast. Winch has had errors that let code out of its
    /// sandbox, so this is for plugins that one trusts. Default: false.
    pub fast_compile: bool,
}

/// Where calls and refusals are written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditConfig {
    /// The file, JSON lines.
    pub file: PathBuf,
    /// What is kept of the arguments of a call.
    pub arguments: AuditArguments,
}

/// What is kept of the arguments of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuditArguments {
    /// Their digest. The default.
    #[default]
    Digest,
    /// All of them, secrets redacted.
    Full,
}

impl Config {
    /// Reads the text of a configuration file. `file` is its path: it is named in
    /// errors, and relative paths count from its folder. Nothing is opened.
    ///
    /// ```
    /// use std::path::Path;
    /// use toolhost_policy::Config;
    ///
    /// let file = Path::new("/etc/toolhost/host.toml");
    /// let config = Config::parse("[plugins.jq]\npath = 'jq.wasm'", file)?;
    /// assert_eq!(config.plugins["jq"].path, Path::new("/etc/toolhost/jq.wasm"));
    ///
    /// let error = Config::parse("[limits]\nful = 1", file).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "/etc/toolhost/host.toml:2:1: the key `ful` is not known: did you mean `fuel`?"
    /// );
    /// # Ok::<(), toolhost_policy::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no TOML, or says something that cannot be meant.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigError> {
        file::read(text, file)
    }
}

#[cfg(test)]
mod tests;
