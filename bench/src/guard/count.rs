//! What is counted: so many calls of each case, on one thread, and nothing else.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use serde_json::json;
use toolhost::{Call, ExecutionContext, Host, PluginOptions};

use crate::artifacts::Artifacts;

/// Sandboxes of the host. A pool of the usual size is more address space than
/// valgrind has.
const MAX_CALLS: u32 = 2;

/// What to count.
#[derive(Args, Debug)]
pub(crate) struct CountArgs {
    /// The case of which there are many calls; of all others there are few
    many: Option<Case>,
    /// Where compiled plugins are
    #[arg(long, value_name = "DIR")]
    cache: PathBuf,
}

/// What a call is that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Case {
    /// A call that works, from its text to its result
    Good,
    /// Arguments that do not match
    Invalid,
    /// A tool that is not there
    Unknown,
    /// A call that a rule denies
    Denied,
    /// A plugin that is found compiled
    Load,
}

impl Case {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [
        Self::Good,
        Self::Invalid,
        Self::Unknown,
        Self::Denied,
        Self::Load,
    ];

    /// As it is written in the file of figures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
            Self::Denied => "denied",
            Self::Load => "load",
        }
    }

    /// Few calls, and how many more many are: the instructions of these have to be
    /// very many beside what is random, such as the order of a hash table.
    pub(super) fn counts(self) -> (u32, u32) {
        match self {
            Self::Good => (50, 300),
            Self::Invalid | Self::Unknown | Self::Denied => (50, 500),
            Self::Load => (2, 5),
        }
    }

    /// The call; loading is none.
    fn call(self) -> Option<Call> {
        let (tool, arguments) = match self {
            Self::Load => return None,
            Self::Good => ("add", r#"{"a": 2, "b": 3}"#),
            Self::Invalid => ("add", r#"{"a": "two", "b": 3}"#),
            Self::Unknown => ("ad", "{}"),
            Self::Denied => ("add", r#"{"a": 13, "b": 3}"#),
        };
        Some(Call::from_text("call-1", tool, arguments))
    }

    fn error(self) -> Option<&'static str> {
        match self {
            Self::Good | Self::Load => None,
            Self::Invalid => Some("ToolArgumentsValidationError"),
            Self::Unknown => Some("ToolNotFoundError"),
            Self::Denied => Some("ToolDeniedError"),
        }
    }
}

/// Runs `bench count`.
pub(crate) fn run(args: &CountArgs, artifacts: &Artifacts) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(calls(args, artifacts))
}

async fn calls(args: &CountArgs, artifacts: &Artifacts) -> Result<()> {
    let guest = artifacts.guest("adder")?;
    let permissions = json!({"rules": [
        {"action": "deny", "tool": "add", "arguments": {"/a": "13"}, "when-absent": "skip"},
    ]});
    let host = Host::builder()
        .cache_dir(Some(args.cache.clone()))
        .max_calls(MAX_CALLS)
        .permissions(serde_json::from_value(permissions)?)
        .build()?;
    host.load(&guest, PluginOptions::default()).await?;
    if !host.is_pooled() {
        bail!("there is no pool of sandboxes, so this is not what runs elsewhere");
    }
    for case in Case::ALL {
        let (few, more) = case.counts();
        let more = if args.many == Some(case) { more } else { 0 };
        for _ in 0..few + more {
            once(case, &host, &guest).await?;
        }
    }
    Ok(())
}

async fn once(case: Case, host: &Host, guest: &Path) -> Result<()> {
    let Some(call) = case.call() else {
        host.open(guest, PluginOptions::default()).await?;
        return Ok(());
    };
    let result = host.call(call, ExecutionContext::default()).await;
    let name = result
        .outcome
        .as_ref()
        .err()
        .map(|error| error.name.as_str());
    if name != case.error() {
        bail!("the call ended otherwise: {:?}", result.outcome);
    }
    Ok(())
}
