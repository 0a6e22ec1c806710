//! What is meant by a command line of `host run`: files are read, flags and
//! configuration are merged, and nothing has run yet.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toolhost::permission::Permissions;
use toolhost::policy::{Config, SecretName, SecretSpec};
use toolhost::{Arguments, ExecutionContext, Limits, LimitsPatch, PluginOptions};

use super::args::{CallArgs, LimitFlags, RunArgs};
use super::{context, files};
use crate::audit_choice::AuditChoice;
use crate::cache_choice::CacheChoice;
use crate::configured::{self, Chosen};
use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::grants::{self, GrantFlags};
use crate::input;
use crate::storage_choice::StorageChoice;

/// What is meant.
#[derive(Debug)]
pub(crate) struct RunPlan {
    call: CallPlan,
    show: ShowPlan,
}

/// The call to make.
#[derive(Debug)]
pub(crate) struct CallPlan {
    /// The file of the plugin.
    pub(crate) plugin: PathBuf,
    /// How many such calls are made at once.
    pub(crate) calls: u32,
    /// The tool, unless the plugin's only one is meant.
    pub(crate) tool: Option<String>,
    /// The id of the call.
    pub(crate) id: String,
    /// Its arguments.
    pub(crate) arguments: Arguments,
    /// What it knows about its run.
    pub(crate) context: ExecutionContext,
    /// What it may use.
    pub(crate) limits: Limits,
    /// What the plugin may reach.
    pub(crate) options: PluginOptions,
    /// Further plugins, for calls of their tools.
    pub(crate) with: Vec<(PathBuf, PluginOptions)>,
    /// Rules and mode of the configuration.
    pub(crate) permissions: Permissions,
    /// The secrets that plugins can be granted.
    pub(crate) secrets: BTreeMap<SecretName, SecretSpec>,
    /// Where plugins keep their keys and values.
    pub(crate) storage: StorageChoice,
    /// Where the call is written down.
    pub(crate) audit: AuditChoice,
    /// Certificates that requests trust beside those of the system.
    pub(crate) ca_file: Option<PathBuf>,
    /// Where compiled plugins are kept.
    pub(crate) cache: CacheChoice,
}

/// How to show its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShowPlan {
    /// As one JSON object.
    pub(crate) json: bool,
    /// With partial results as JSON lines before it.
    pub(crate) stream: bool,
    /// Bytes into this file.
    pub(crate) out: Option<PathBuf>,
}

impl RunPlan {
    /// Works out what is meant.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or something that was typed cannot be used.
    pub(crate) fn new(args: RunArgs) -> Result<Self, Failure> {
        let show = ShowPlan {
            json: args.json,
            stream: args.stream,
            out: args.out,
        };
        if let Some(out) = &show.out {
            files::check(out)?;
        }
        let mut inputs = typed_files(&args.call);
        let call = CallPlan::new(args.call)?;
        if let Some(out) = &show.out {
            inputs.push(("the plugin", call.plugin.clone()));
            files::check_apart(out, &inputs)?;
        }
        Ok(Self { call, show })
    }

    /// The call to make, and how to show its result.
    pub(crate) fn split(self) -> (CallPlan, ShowPlan) {
        (self.call, self.show)
    }
}

impl CallPlan {
    /// Works out what is meant.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or something that was typed cannot be used.
    pub(crate) fn new(args: CallArgs) -> Result<Self, Failure> {
        let config = configured::read(args.config.as_deref())?;
        let plugin = Chosen::new(args.plugin, &config)?;
        let with = further(args.with, &config)?;
        let limits = typed_limits(&args.limits)
            .or(plugin.limits)
            .or(config.limits);
        let secrets = args.grants.secrets(config.secrets)?;
        let grants = grants::together(config.grants, plugin.grants, args.grants)?;
        let context = args
            .context
            .map(|typed| input::text("--context", &typed, ExitCode::Usage))
            .transpose()?;
        let (id, context) = context::parse(context.as_deref())?;
        let arguments = arguments(args.args)?;
        Ok(Self {
            plugin: plugin.path,
            calls: 1,
            tool: args.tool,
            id,
            arguments,
            context,
            limits: Limits::default()
                .with(&limits)
                .map_err(|error| Failure::usage("a limit cannot be used").because(&error))?,
            options: PluginOptions {
                grants,
                sha256: args.sha256.or(plugin.sha256),
                name: plugin.name,
                deterministic: args.deterministic,
                fast_compile: plugin.fast_compile,
                ..PluginOptions::default()
            },
            with,
            permissions: config.permissions,
            secrets,
            audit: AuditChoice::new(args.audit, config.audit),
            storage: StorageChoice::new(args.storage, config.storage_file),
            ca_file: args.ca_file.or(config.ca_file),
            cache: CacheChoice::new(args.cache, config.cache_dir),
        })
    }
}

/// The arguments of the call, read but not looked at.
///
/// # Errors
///
/// When the file that is named cannot be read.
pub(super) fn arguments(typed: Option<String>) -> Result<Arguments, Failure> {
    let Some(typed) = typed else {
        return Ok(Arguments::Absent);
    };
    input::text("--args", &typed, ExitCode::Arguments).map(Arguments::Text)
}

/// The plugins of `--with`, with what the configuration says of them. Grants that
/// are typed are for the plugin that is called only.
fn further(typed: Vec<PathBuf>, config: &Config) -> Result<Vec<(PathBuf, PluginOptions)>, Failure> {
    let further = typed.into_iter().map(|typed| {
        let chosen = Chosen::new(typed, config)?;
        let grants = grants::together(config.grants.clone(), chosen.grants, GrantFlags::default())?;
        let limits = chosen.limits;
        let options = PluginOptions {
            limits,
            grants,
            sha256: chosen.sha256,
            name: chosen.name,
            fast_compile: chosen.fast_compile,
            ..PluginOptions::default()
        };
        Ok((chosen.path, options))
    });
    further.collect()
}

/// The files that were named beside the plugin, with the word for each.
fn typed_files(args: &CallArgs) -> Vec<(&'static str, PathBuf)> {
    let at_file = |typed: &Option<String>| Some(typed.as_ref()?.strip_prefix('@')?.into());
    let files = [
        ("the file of `--args`", at_file(&args.args)),
        ("the file of `--context`", at_file(&args.context)),
        ("the configuration", args.config.clone()),
    ];
    files
        .into_iter()
        .filter_map(|(what, file)| Some((what, file?)))
        .collect()
}

fn typed_limits(flags: &LimitFlags) -> LimitsPatch {
    LimitsPatch {
        fuel: flags.fuel,
        memory: flags.memory,
        wall_clock: flags.timeout,
        ..LimitsPatch::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;
    use toolhost::{Access, Grants};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        run: RunArgs,
    }

    const CONFIG: &str = r#"
        [limits]
        fuel = 1000
        memory = "64MiB"
        wall-clock = "5s"
        [grants]
        dirs = ["/tmp/a::/a:rw", "/tmp/b::/b"]
        env = { CITY = "Wien", LANG = "de" }
        [cache]
        dir = "compiled"
        [plugins.csv]
        path = "csv.wasm"
        limits = { memory = "32MiB" }
        grants = { env = { LANG = "en" } }
    "#;

    fn plan(line: &str) -> Result<RunPlan, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("host.toml");
        fs::write(&config, CONFIG).unwrap();
        fs::write(folder.path().join("csv.wasm"), "").unwrap();
        let line = line
            .replace("CONFIG", &config.display().to_string())
            .replace("DIR", &folder.path().display().to_string());
        RunPlan::new(Line::try_parse_from(line.split(' ')).unwrap().run)
    }

    #[test]
    fn without_flags_everything_is_at_its_default() {
        let (call, show) = plan("run --plugin DIR/csv.wasm").unwrap().split();
        assert_eq!(call.limits, Limits::default());
        assert_eq!(call.options.grants, Grants::default());
        assert_eq!(
            (call.id.as_str(), call.arguments),
            ("call-1", Arguments::Absent)
        );
        assert_eq!(call.cache, CacheChoice::Default);
        assert!(!show.json && show.out.is_none());
    }

    #[test]
    fn flags_win_over_the_plugin_and_the_plugin_over_all() {
        let line = "run --config CONFIG --plugin csv --fuel 7 --dir /tmp/x::/a --env CITY=Graz";
        let (call, _) = plan(line).unwrap().split();
        assert!(call.plugin.ends_with("csv.wasm"));
        assert_eq!((call.limits.fuel, call.limits.memory), (7, 32 << 20));
        assert_eq!(call.limits.wall_clock.as_secs(), 5);
        let grants = call.options.grants;
        let dirs: Vec<_> = grants
            .dirs
            .iter()
            .map(|dir| (dir.host.to_str().unwrap(), dir.access))
            .collect();
        assert_eq!(
            dirs,
            [("/tmp/b", Access::ReadOnly), ("/tmp/x", Access::ReadOnly)]
        );
        assert_eq!(
            (grants.env["CITY"].as_str(), grants.env["LANG"].as_str()),
            ("Graz", "en")
        );
        assert!(matches!(call.cache, CacheChoice::Dir(dir) if dir.ends_with("compiled")));
    }

    #[test]
    fn arguments_are_not_looked_at_yet() {
        let (call, _) = plan("run --plugin DIR/csv.wasm --args {oops")
            .unwrap()
            .split();
        assert_eq!(call.arguments, Arguments::Text("{oops".into()));
    }

    #[test]
    fn what_cannot_be_meant_is_told_before_anything_runs() {
        for (line, message) in [
            (
                "run --plugin DIR/csv.wasm --timeout 0s",
                "a limit cannot be used",
            ),
            (
                "run --plugin DIR/csv.wasm --dir a::/x --dir b::/x",
                "a grant cannot be used",
            ),
            (
                "run --plugin DIR/csv.wasm --config DIR/no.toml",
                "cannot read the configuration",
            ),
            (
                "run --plugin DIR/csv.wasm --context []",
                "the value of `--context` cannot be used",
            ),
            (
                "run --plugin cvs --config CONFIG",
                "there is no plugin `cvs`",
            ),
            (
                "run --plugin DIR/csv.wasm --out DIR",
                "is there and is not a regular file",
            ),
        ] {
            let failure = plan(line).unwrap_err();
            assert!(failure.message.contains(message), "{line}: {failure:?}");
            assert_eq!(failure.code, ExitCode::Usage);
        }
    }
}
