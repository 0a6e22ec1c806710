//! What is typed after `host policy explain`.

use std::path::PathBuf;

use clap::Args;
use toolhost::Digest;
use toolhost::policy::{SecretFlag, StorageScope, parse_env};

use crate::failure::Failure;
use crate::grants::{GrantFlags, PlainGrantFlags};

/// Say whether a plugin may do something, and which line decides
///
/// Without a question, lists all that the plugin may do, what was granted and it never
/// asked for, and what it asks for and was not granted. Ends with 3 when what is asked
/// about is denied.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The plugin: a `.wasm` file, or the name of a plugin of the configuration
    #[arg(long, short, value_name = "FILE")]
    pub(crate) plugin: PathBuf,
    /// A configuration file; flags win over it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// A further plugin, whose tools `--tool` may ask about
    ///
    /// Those of the configuration are known anyway.
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// The digest that the plugin must have
    #[arg(long, value_name = "HEX")]
    pub(crate) sha256: Option<Digest>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) ask: AskFlags,
    #[command(flatten)]
    pub(crate) grants: PlainGrantFlags,
    /// Let the plugin use a secret of the configuration, or one that is said here, as
    /// `--secret` of `host run` does
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Grants (nothing by default)"
    )]
    pub(crate) allow_secret: Vec<SecretFlag>,
}

/// The flags that ask. Where one also grants in other commands, it grants here with a
/// value and asks without.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Questions")]
pub(crate) struct AskFlags {
    /// May it send a request to this URL?
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The method of the request [default: GET]
    #[arg(long, value_name = "METHOD", requires = "url")]
    pub(crate) method: Option<String>,
    /// May it read this file? PATH is the plugin's, such as `/data/report.csv`
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// May it write to it, too?
    #[arg(long, requires = "path")]
    pub(crate) write: bool,
    /// May it have this secret sent, with `--url` in a request to there? With a source
    /// and hosts: let it use that secret
    #[arg(long, value_name = "NAME[=SOURCE@HOST]")]
    pub(crate) secret: Vec<String>,
    /// For secrets that are bound: who the call is made for, by id
    #[arg(long, value_name = "ID")]
    pub(crate) principal: Option<String>,
    /// Does it see this variable? With a value: let it see the variable
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<String>,
    /// May it call this tool? Its plugin is loaded, as a call would load it
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// Does it get this value of the configuration?
    #[arg(long, value_name = "KEY")]
    pub(crate) config_key: Option<String>,
    /// May it keep keys and values? With a value: let it do so
    #[arg(long, value_name = "plugin|principal|session", num_args = 0..=1)]
    #[expect(
        clippy::option_option,
        reason = "a flag that is absent, alone or with a value"
    )]
    pub(crate) storage: Option<Option<StorageScope>>,
    /// May it read the messages of the context?
    #[arg(long)]
    pub(crate) messages: bool,
}

impl ExplainArgs {
    /// The flags that grant, as `host run` has them.
    ///
    /// # Errors
    ///
    /// When no variable can have such a name or value, or no secret is like that.
    pub(crate) fn grant_flags(self) -> Result<GrantFlags, Failure> {
        let given = self.ask.env.iter().filter(|typed| typed.contains('='));
        let env = given
            .map(|typed| parse_env(typed))
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::usage("a grant cannot be used").because(&error))?;
        let given = self.ask.secret.iter().filter(|typed| typed.contains('='));
        let secret = given
            .map(|typed| typed.parse::<SecretFlag>())
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Failure::usage("a grant cannot be used").because(&error))?;
        Ok(GrantFlags {
            plain: self.grants,
            env,
            storage: self.ask.storage.flatten(),
            secret: self.allow_secret.into_iter().chain(secret).collect(),
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  host policy explain --plugin github --config host.toml
  host policy explain --plugin github --config host.toml --url https://api.github.com/user
  host policy explain --plugin web.wasm --allow-host 'https://*.example.org' \\
    --url https://a.example.org/ --method POST
  host policy explain --plugin csv.wasm --dir ./data::/data --path /data/a.csv --write
  host policy explain --plugin github --config host.toml --secret github-token \\
    --url https://api.github.com/user
  host policy explain --plugin report.wasm --with csv.wasm --allow-tool 'csv_*' --tool csv_query";
