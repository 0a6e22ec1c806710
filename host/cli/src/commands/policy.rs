//! `host policy`: what a plugin may do, and which line says so. Nothing of the plugin
//! is compiled or run.

mod args;
mod page;
mod question;

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use toolhost::policy::{Manifest, Policy, SecretName, SecretSpec, effective};
use toolhost::{Grants, LoadLimits, PluginOutline, PluginSource};

use crate::configured::{self, Chosen};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::grants;
use crate::printer::Printer;
use args::ExplainArgs;
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
    outline: PluginOutline,
    granted: Grants,
    secrets: BTreeMap<SecretName, SecretSpec>,
}

/// Explains.
///
/// # Errors
///
/// When the configuration or the plugin cannot be used, or two things are asked.
pub(crate) fn run(args: PolicyArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let PolicyCommand::Explain(args) = args.command;
    let json = args.json;
    match explain(*args, printer) {
        Err(Stop::Failed(failure)) if json => {
            printer.result(&failure.to_json().to_string())?;
            Ok(failure.code)
        }
        ended => ended,
    }
}

fn explain(args: ExplainArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let json = args.json;
    let (args, asked) = Asked::of(args)?;
    let subject = Subject::of(args)?;
    let manifest: Option<&Manifest> = subject.outline.manifest.as_ref();
    let effective = effective(manifest, &subject.granted);
    let policy = Policy {
        plugin: &subject.name,
        manifest,
        granted: &subject.granted,
        effective: &effective,
        secrets: &subject.secrets,
    };
    let Some(asked) = asked else {
        printer.result(&if json {
            page::list_json(&policy, &subject.outline).to_string()
        } else {
            page::list(&policy, &subject.outline)
        })?;
        return Ok(ExitCode::Success);
    };
    let answer = policy.explain(&asked.question());
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
            name: plugin.name.unwrap_or_else(|| outline.name.clone()),
            outline,
            granted,
            secrets,
        })
    }
}
