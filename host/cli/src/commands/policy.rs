//! `host policy`: what a plugin may do, and which line says so. Nothing of the plugin
//! is compiled or run, but for the question whether it may call a tool: what tools
//! there are is only known to those who load their plugins.

mod args;
mod beside;
mod page;
mod question;
mod secrets;

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use toolhost::permission::Permissions;
use toolhost::policy::{Effective, Policy, SecretName, SecretSpec, Setting, effective};
use toolhost::{Grants, LoadLimits, PluginOutline, PluginSource};

use crate::configured::{self, Chosen};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::grants;
use crate::printer::Printer;
use args::ExplainArgs;
use beside::Beside;
use question::Asked;

/// Say what a plugin may do, and which line decides
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_long_help = "Examples:
  host policy explain --plugin github --config host.toml
  host policy explain --plugin web.wasm --url https://example.org/")]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    Explain(Box<ExplainArgs>),
}

/// A plugin with everything that has a say in what it may do.
struct Subject {
    name: String,
    /// Whether it goes by no name of the configuration.
    unnamed: bool,
    outline: PluginOutline,
    granted: Grants,
    secrets: BTreeMap<SecretName, SecretSpec>,
    permissions: Permissions,
    principal: Option<String>,
    beside: Beside,
}

/// Explains.
///
/// # Errors
///
/// When the configuration or the plugin cannot be used, or two things are asked.
pub(crate) fn run(args: PolicyArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let PolicyCommand::Explain(args) = args.command;
    let json = args.json;
    printer.ended(json, explain(*args, printer))
}

fn explain(args: ExplainArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json;
    let (args, asked) = Asked::of(args)?;
    let subject = Subject::of(args)?;
    let effective = effective(subject.outline.manifest.as_ref(), &subject.granted);
    let unreadable = secrets::unreadable(&subject.secrets);
    let policy = subject.policy(&effective, &unreadable);
    let Some(asked) = asked else {
        printer.result(&if json {
            page::list_json(&policy, &subject.outline).to_string()
        } else {
            page::list(&policy, &subject.outline)
        })?;
        return Ok(ExitCode::Success);
    };
    let mut answer = policy.explain(&asked.question());
    if answer.allowed
        && let Asked::Tool(name) = &asked
    {
        // Only now, because plugins are compiled for it.
        let beside = subject.beside.look_up(printer)?;
        let policy = Policy {
            setting: Setting {
                tools: Some(&beside.tools),
                ..policy.setting
            },
            ..policy
        };
        answer = policy.explain(&asked.question());
        answer
            .notes
            .extend(beside.note(name).filter(|_| answer.allowed));
    }
    printer.result(&if json {
        page::answer_json(&policy, &asked, &answer).to_string()
    } else {
        page::answer(&asked, &answer)
    })?;
    Ok(if answer.allowed {
        ExitCode::Success
    } else {
        ExitCode::Denied
    })
}

impl Subject {
    /// Reads the configuration and the plugin's bytes.
    fn of(args: ExplainArgs) -> Result<Self, Failure> {
        let config = configured::read(args.config.as_deref())?;
        let plugin = Chosen::new(args.plugin.clone(), &config)?;
        let sha256 = args.sha256.or(plugin.sha256);
        let beside = Beside::new(&args.plugin, &args.with, &config)?;
        let principal = args.ask.principal.clone();
        let flags = args.grant_flags()?;
        let secrets = flags.secrets(config.secrets)?;
        let granted = grants::together(config.grants, plugin.grants, flags)?;
        let source = PluginSource::Path(plugin.path.clone());
        let outline =
            PluginOutline::read(source, sha256, &LoadLimits::default()).map_err(|source| {
                Failure::from(toolhost::Error::Load {
                    plugin: plugin.path.display().to_string(),
                    source: Box::new(source),
                })
            })?;
        Ok(Self {
            unnamed: plugin.name.is_none(),
            name: plugin.name.unwrap_or_else(|| outline.name.clone()),
            outline,
            granted,
            secrets,
            permissions: config.permissions,
            principal,
            beside,
        })
    }

    fn policy<'a>(
        &'a self,
        effective: &'a Effective,
        unreadable: &'a BTreeMap<String, String>,
    ) -> Policy<'a> {
        Policy {
            plugin: &self.name,
            manifest: self.outline.manifest.as_ref(),
            granted: &self.granted,
            effective,
            secrets: &self.secrets,
            setting: Setting {
                unnamed: self.unnamed,
                permissions: Some(&self.permissions),
                tools: None,
                principal: self.principal.as_deref(),
                unreadable: Some(unreadable),
            },
        }
    }
}
