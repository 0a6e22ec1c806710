//! What a plugin may reach: the flags that say so, and what is granted in all by the
//! configuration and by them.

use std::collections::BTreeMap;

use clap::Args;
use toolhost::permission::{Glob, GlobError};
use toolhost::policy::{
    HttpGrant, HttpGrantError, SecretFlag, SecretName, SecretSpec, StorageScope,
    parse_config_value, parse_env,
};
use toolhost::{DirGrant, Grants, suggest};

use crate::failure::Failure;

/// The flags for what the plugin may reach.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grants (nothing by default)")]
pub(crate) struct GrantFlags {
    #[command(flatten)]
    pub(crate) plain: PlainGrantFlags,
    /// Let the plugin see an environment variable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_env)]
    pub(crate) env: Vec<(String, String)>,
    /// Let the plugin keep keys and values: for itself, or apart for each principal or
    /// session
    #[arg(long, value_name = "plugin|principal|session")]
    pub(crate) storage: Option<StorageScope>,
    /// Let the plugin send a secret of the configuration, without seeing it
    ///
    /// `NAME=env:VARIABLE@HOST[,HOST]` says what the secret is and where it may go, as
    /// do `NAME=file:PATH@HOST` and `NAME=keyring:SERVICE/USER@HOST`.
    #[arg(long, value_name = "NAME", visible_alias = "allow-secret")]
    pub(crate) secret: Vec<SecretFlag>,
}

/// Those of the flags that mean nothing else in any command.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grants (nothing by default)")]
pub(crate) struct PlainGrantFlags {
    /// Let the plugin use the directory HOST as GUEST; read-only unless `:rw`
    #[arg(long, value_name = "HOST::GUEST[:ro|:rw]")]
    pub(crate) dir: Vec<DirGrant>,
    /// Let the plugin send requests: to a host, with methods if not only to read, and
    /// below a path if not everywhere, as in `GET,POST https://api.example.com/v1/`
    #[arg(long, value_name = "[METHODS ]URL")]
    pub(crate) allow_host: Vec<HttpGrant>,
    /// The same for a host whose address may be private, or this machine's
    #[arg(long, value_name = "[METHODS ]URL", value_parser = private_host)]
    pub(crate) allow_private_host: Vec<HttpGrant>,
    /// Let the plugin read the messages of the context
    #[arg(long)]
    pub(crate) allow_messages: bool,
    /// Let the plugin call the tools of this name, or pattern such as `csv_*`
    ///
    /// Tools that do not let programs call them stay closed.
    #[arg(long, value_name = "NAME", value_parser = tool_pattern)]
    pub(crate) allow_tool: Vec<Glob>,
    /// Give the plugin a value of its configuration
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_config_value)]
    pub(crate) config_value: Vec<(String, String)>,
}

fn private_host(text: &str) -> Result<HttpGrant, HttpGrantError> {
    text.parse::<HttpGrant>()?.allow_private()
}

fn tool_pattern(text: &str) -> Result<Glob, GlobError> {
    Glob::new(text)
}

impl GrantFlags {
    /// What is typed, each grant remembered with its flag.
    fn grants(self) -> Grants {
        let Self {
            plain,
            env,
            storage,
            secret,
        } = self;
        let PlainGrantFlags {
            dir,
            allow_host,
            allow_private_host,
            allow_messages,
            allow_tool,
            config_value,
        } = plain;
        Grants {
            http: allow_host.into_iter().chain(allow_private_host).collect(),
            dirs: dir,
            env: env.into_iter().collect(),
            messages: allow_messages,
            tools: allow_tool,
            storage,
            config: config_value.into_iter().collect(),
            secrets: secret.iter().map(|flag| flag.name.to_string()).collect(),
            ..Grants::default()
        }
        .typed()
    }

    /// The secrets that there are: those of the configuration, and those that a flag
    /// says all of. A flag wins.
    ///
    /// # Errors
    ///
    /// When a flag names one that there is not.
    pub(crate) fn secrets(
        &self,
        mut configured: BTreeMap<SecretName, SecretSpec>,
    ) -> Result<BTreeMap<SecretName, SecretSpec>, Failure> {
        for SecretFlag { name, spec } in &self.secret {
            if let Some(spec) = spec {
                configured.insert(name.clone(), spec.clone());
            } else if !configured.contains_key(name) {
                let known = configured.keys().map(SecretName::as_str);
                let help = match suggest(name.as_str(), known) {
                    Some(meant) => format!("did you mean `--secret {meant}`?"),
                    None => format!(
                        "say what it is with `--secret {name}=env:VARIABLE@HOST`, or under \
                         `[secrets.{name}]` in the file of `--config`"
                    ),
                };
                return Err(Failure::usage(format!("there is no secret `{name}`")).hint(help));
            }
        }
        Ok(configured)
    }
}

/// What is granted to all plugins, to this one and by flags, together. A
/// directory that is typed takes the place of a configured one of the same name
/// in the sandbox.
///
/// # Errors
///
/// When the grants contradict each other, or one cannot be used.
pub(crate) fn together(all: Grants, plugin: Grants, flags: GrantFlags) -> Result<Grants, Failure> {
    let typed = flags.grants();
    let unusable = |error| Failure::usage("a grant cannot be used").because(&error);
    let mut configured: Grants = all.merge(plugin).map_err(unusable)?;
    configured
        .dirs
        .retain(|dir| typed.dirs.iter().all(|other| other.guest != dir.guest));
    configured.merge(typed).map_err(unusable)
}
