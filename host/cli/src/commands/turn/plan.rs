//! What is meant by a command line of `host turn`: files are read, and nothing
//! has run yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolhost::permission::{Mode, Permissions};
use toolhost::policy::{SecretName, SecretSpec};
use toolhost::{
    Call, Decision, ExecutionContext, Format, Grants, Limits, PluginOptions, SuspendedTurn,
    is_made_up_id, read_calls,
};

use super::args::TurnArgs;
use super::decisions;
use super::state::StateFile;
use crate::audit_choice::AuditChoice;
use crate::cache_choice::CacheChoice;
use crate::commands::run::context;
use crate::configured::{self, Chosen};
use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::input;
use crate::storage_choice::StorageChoice;

/// What is meant.
pub(crate) struct TurnPlan {
    /// The turn to run or to go on with.
    pub(crate) work: Work,
    /// The files of the plugins, and what they may use.
    pub(crate) plugins: Vec<(PathBuf, PluginOptions)>,
    /// Limits of every call.
    pub(crate) limits: Limits,
    /// Which calls run.
    pub(crate) permissions: Permissions,
    /// The mode, when it is another.
    pub(crate) mode: Option<Mode>,
    /// Calls at once.
    pub(crate) concurrency: Option<usize>,
    /// The secrets that plugins can be granted.
    pub(crate) secrets: BTreeMap<SecretName, SecretSpec>,
    /// Where plugins keep their keys and values.
    pub(crate) storage: StorageChoice,
    /// Where calls are written down.
    pub(crate) audit: AuditChoice,
    /// Certificates that requests trust beside those of the system.
    pub(crate) ca_file: Option<PathBuf>,
    /// Where compiled plugins are kept.
    pub(crate) cache: CacheChoice,
    /// What the next process needs to know.
    pub(crate) origin: Origin,
    /// Where a suspended turn goes.
    pub(crate) state: Option<StateFile>,
    /// Events as JSON lines.
    pub(crate) stream: bool,
    /// One JSON object at the end.
    pub(crate) json: bool,
}

/// What is run.
pub(crate) enum Work {
    /// A message's calls.
    Start {
        calls: Vec<Call>,
        context: Box<ExecutionContext>,
    },
    /// A turn that was suspended.
    Resume {
        turn: Box<SuspendedTurn>,
        decisions: Vec<Decision>,
    },
}

/// Where a turn comes from: kept with it while it is suspended.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The form of its message.
    pub(crate) format: Format,
    /// Its plugins: absolute paths, and names of the configuration.
    plugins: Vec<PathBuf>,
    config: Option<PathBuf>,
    /// Where calls are remembered.
    pub(crate) journal: Option<PathBuf>,
    /// Where plugins keep their keys and values, when that was typed.
    storage: Option<PathBuf>,
    audit: Option<PathBuf>,
    /// The name under which each call was made, by its id.
    pub(crate) names: BTreeMap<String, String>,
}

impl TurnPlan {
    /// Works out what is meant.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or something that was typed cannot be used.
    pub(crate) fn new(args: TurnArgs) -> Result<Self, Failure> {
        let (work, mut origin, state) = if args.decisions.is_empty() {
            start(&args)?
        } else {
            resume(&args)?
        };
        if let Some(config) = &args.config {
            origin.config = Some(absolute(config)?);
        }
        if let Some(journal) = &args.journal {
            origin.journal = Some(absolute(journal)?);
        }
        let mut audit = args.audit;
        if let Some(file) = &audit.audit {
            origin.audit = Some(absolute(file)?);
        }
        audit.audit.clone_from(&origin.audit);
        let mut storage = args.storage;
        if let Some(file) = &storage.storage_file {
            origin.storage = Some(absolute(file)?);
        }
        storage.storage_file.clone_from(&origin.storage);
        let config = configured::read(origin.config.as_deref())?;
        if !args.plugin.is_empty() {
            origin.plugins = args.plugin;
        }
        let mut plugins = Vec::new();
        for plugin in &mut origin.plugins {
            let is_name = plugin
                .to_str()
                .is_some_and(|name| config.plugins.contains_key(name));
            let chosen = Chosen::new(plugin.clone(), &config)?;
            if !is_name {
                *plugin = absolute(plugin)?;
            }
            let grants: Grants = config
                .grants
                .clone()
                .merge(chosen.grants)
                .map_err(|error| Failure::usage("a grant cannot be used").because(&error))?;
            let options = PluginOptions {
                limits: chosen.limits,
                grants,
                sha256: chosen.sha256,
                name: chosen.name,
                fast_compile: chosen.fast_compile,
                ..PluginOptions::default()
            };
            plugins.push((chosen.path, options));
        }
        if plugins.is_empty() {
            return Err(Failure::usage("there is no plugin to run the calls")
                .hint("name one or more with `--plugin FILE`"));
        }
        Ok(Self {
            work,
            plugins,
            limits: Limits::default()
                .with(&config.limits)
                .map_err(|error| Failure::usage("a limit cannot be used").because(&error))?,
            permissions: config.permissions,
            secrets: config.secrets,
            mode: args.mode.map(Mode::from),
            concurrency: args.concurrency.map(usize::from),
            audit: AuditChoice::new(audit, config.audit),
            storage: StorageChoice::new(storage, config.storage_file),
            ca_file: config.ca_file,
            cache: CacheChoice::new(args.cache, config.cache_dir),
            origin,
            state,
            stream: args.stream,
            json: args.json,
        })
    }
}

type Planned = (Work, Origin, Option<StateFile>);

fn start(args: &TurnArgs) -> Result<Planned, Failure> {
    let state = args.state.as_deref().map(StateFile::create).transpose()?;
    let typed = args.message.as_deref().unwrap_or("-");
    let text = input::text("--message", typed, ExitCode::Usage)?;
    let (format, calls) = read_calls(&text, args.format)
        .map_err(|error| Failure::usage("the message cannot be used").because(&error))?;
    let context = args
        .context
        .as_deref()
        .map(|typed| input::text("--context", typed, ExitCode::Usage))
        .transpose()?;
    let (_, context) = context::parse(context.as_deref())?;
    let names = calls
        .iter()
        .map(|call| (call.tool_call_id.clone(), call.tool_name.clone()));
    let origin = Origin {
        format,
        plugins: Vec::new(),
        config: None,
        journal: None,
        storage: None,
        audit: None,
        names: names.collect(),
    };
    let context = Box::new(context);
    Ok((Work::Start { calls, context }, origin, state))
}

fn resume(args: &TurnArgs) -> Result<Planned, Failure> {
    for (typed, flag) in [
        (args.message.is_some(), "--message"),
        (args.context.is_some(), "--context"),
    ] {
        if typed {
            return Err(Failure::usage(format!(
                "`{flag}` belongs to a new turn, and a decision to one that is suspended"
            )));
        }
    }
    let path = args.state.as_deref().unwrap_or(Path::new(""));
    let (state, turn) = StateFile::open(path)?;
    let mut origin = Origin::of(&turn.custom_data)
        .ok_or_else(|| Failure::usage("the state was not written by `host turn`"))?;
    if let Some(format) = args.format {
        origin.format = format;
    }
    let decisions = decisions::read(&turn, &args.decisions)?;
    let turn = Box::new(turn);
    Ok((Work::Resume { turn, decisions }, origin, Some(state)))
}

impl Origin {
    /// Whether a call has an id that its message did not give it.
    pub(crate) fn has_made_up_ids(&self) -> bool {
        self.names.keys().any(|id| is_made_up_id(id))
    }

    /// As it is kept with the turn.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "format": self.format.name(),
            "plugins": self.plugins,
            "config": self.config,
            "journal": self.journal,
            "storage": self.storage,
            "audit": self.audit,
            "names": self.names,
        })
    }

    fn of(kept: &Value) -> Option<Self> {
        let read = |key: &str| kept.get(key).cloned();
        Some(Self {
            format: kept["format"].as_str()?.parse().ok()?,
            plugins: serde_json::from_value(read("plugins")?).ok()?,
            config: serde_json::from_value(read("config")?).ok()?,
            journal: serde_json::from_value(read("journal")?).ok()?,
            // A turn that an older host suspended knows of none.
            storage: serde_json::from_value(read("storage").unwrap_or_default()).ok()?,
            audit: serde_json::from_value(read("audit").unwrap_or_default()).ok()?,
            names: serde_json::from_value(read("names")?).ok()?,
        })
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|error| Failure::usage(format!("cannot use `{}`", path.display())).because(&error))
}
