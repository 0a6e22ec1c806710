//! What is counted: so many calls of a case, on one thread, and nothing else.

use std::path::PathBuf;

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
    /// What kind of call
    case: Case,
    /// How many of them
    calls: u32,
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

    /// Few and many: the difference has to be large beside what is random, such as
    /// the order of a hash table.
    pub(super) fn counts(self) -> (u32, u32) {
        match self {
            Self::Good => (50, 550),
            Self::Invalid | Self::Unknown | Self::Denied => (100, 2_100),
            Self::Load => (2, 12),
        }
    }

    fn call(self) -> Call {
        let (tool, arguments) = match self {
            Self::Good | Self::Load => ("add", r#"{"a": 2, "b": 3}"#),
            Self::Invalid => ("add", r#"{"a": "two", "b": 3}"#),
            Self::Unknown => ("ad", "{}"),
            Self::Denied => ("add", r#"{"a": 13, "b": 3}"#),
        };
        Call::from_text("call-1", tool, arguments)
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
    if args.case == Case::Load {
        for _ in 0..args.calls {
            host.open(&guest, PluginOptions::default()).await?;
        }
        return Ok(());
    }
    let call = args.case.call();
    for _ in 0..args.calls {
        let result = host.call(call.clone(), ExecutionContext::default()).await;
        let name = result.outcome.as_ref().err().map(|error| error.name.as_str());
        if name != args.case.error() {
            bail!("the call ended otherwise: {:?}", result.outcome);
        }
    }
    Ok(())
}
