//! A tool that runs commands of the machine, outside any sandbox: for programs
//! that embed the host and mean it. Nothing registers it by itself, nothing it may
//! run is granted by default, and a person agrees to each command.

mod process;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_policy::{LimitsPatch, Span};
use toolhost_tool::permission::Glob;
use toolhost_tool::{ApprovalRequirement, CallError};

use crate::error::Error;
use crate::native::{NativeTool, ToolContext, ToolError};
use crate::tool::Tool;

use process::Command;

/// Longest command, in bytes.
const MAX_COMMAND: usize = 16 << 10;

/// What the tool [`shell`] may do. The default is nothing: no command fits.
///
/// The commands run with the rights of the program itself. Patterns keep a model
/// from what it should not try; they are no sandbox, since most programs can start
/// others.
#[derive(Clone, Debug)]
pub struct ShellGrant {
    /// Patterns of the command lines that may run, such as `git status*`. None by
    /// default. A line that holds a control character is never run.
    pub commands: Vec<Glob>,
    /// The folder that commands start in. The program's own by default.
    pub folder: PathBuf,
    /// The environment of the commands. `PATH` only by default; nothing else is
    /// inherited.
    pub env: BTreeMap<String, String>,
    /// How long a command may run. Default: 30 s.
    pub time: Duration,
    /// Bytes that are kept of each of stdout and stderr. Default: 64 KiB.
    pub output: usize,
}

impl Default for ShellGrant {
    fn default() -> Self {
        let path = std::env::var("PATH").ok();
        Self {
            commands: Vec::new(),
            folder: PathBuf::from("."),
            env: path.map(|path| ("PATH".into(), path)).into_iter().collect(),
            time: Duration::from_secs(30),
            output: 64 << 10,
        }
    }
}

/// What the model gives.
#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// The command line, for `sh -c`.
    command: String,
}

/// What came of a command.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Ran {
    /// 0 when the command says it succeeded; absent when a signal ended it.
    exit_code: Option<i32>,
    /// What it wrote, as UTF-8; other bytes are replaced.
    stdout: String,
    /// What it wrote to its standard error.
    stderr: String,
    /// Whether output was cut.
    truncated: bool,
}

/// The tool `shell`: runs a command line by `sh -c` in the granted folder, with
/// the granted environment, no input, and in a process group of its own, which is
/// killed when the time is up or the call is cancelled.
///
/// It asks for approval each time, and refuses a call that has none even where a
/// rule allows it.
///
/// ```
/// use toolhost::{Host, ShellGrant, shell};
///
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let grant = ShellGrant {
///     commands: vec!["git status*".to_owned().try_into()?],
///     ..ShellGrant::default()
/// };
/// let host = Host::builder().build()?;
/// host.register(shell(grant)?)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// When the grant has a time of zero.
pub fn shell(grant: ShellGrant) -> Result<Tool, Error> {
    // The tool tells a command that is too slow itself; the limit of the call is
    // there in case that the tool does not.
    let wall_clock = Span::new(grant.time.saturating_add(Duration::from_secs(1)));
    let grant = Arc::new(grant);
    NativeTool::builder("shell")
        .description(
            "Runs a command line by `sh -c` and returns its exit code and output. Commands get no \
             input. Only some commands are allowed, and a person is asked about each.",
        )
        .input::<Arguments>()
        .output::<Ran>()
        .approval(ApprovalRequirement::Always)
        .limits(LimitsPatch {
            wall_clock: Some(wall_clock),
            ..LimitsPatch::default()
        })
        .execute(move |arguments: Arguments, context: ToolContext| {
            let grant = Arc::clone(&grant);
            async move { run(&grant, arguments.command, &context).await }
        })
        .build()
}

async fn run(grant: &ShellGrant, line: String, context: &ToolContext) -> Result<Ran, ToolError> {
    if context.approval().is_none() {
        return Err(denied("a command runs only when a person has agreed to it"));
    }
    if line.len() > MAX_COMMAND || line.chars().any(|c| c.is_control() && c != '\t') {
        let reason = "a command is one line of at most 16 KiB without control characters";
        return Err(denied(reason));
    }
    if !grant.commands.iter().any(|pattern| pattern.matches(&line)) {
        let allowed: Vec<&str> = grant.commands.iter().map(Glob::as_str).collect();
        let reason = if allowed.is_empty() {
            "no command is granted".to_owned()
        } else {
            format!(
                "the command is not granted; granted are: {}",
                allowed.join(", ")
            )
        };
        return Err(denied(&reason));
    }
    let ended = Command {
        line,
        folder: grant.folder.clone(),
        env: grant.env.clone(),
        output: grant.output,
    }
    .run(grant.time)
    .await
    .map_err(|error| ToolError::new("ShellError", format!("the command cannot be run: {error}")))?;
    let Some(ended) = ended else {
        let message = format!(
            "the command took longer than {} and was killed",
            Span::new(grant.time)
        );
        return Err(ToolError::new("ShellTimeoutError", message));
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Ran {
        exit_code: ended.code,
        stdout: text(&ended.stdout.kept),
        stderr: text(&ended.stderr.kept),
        truncated: ended.stdout.is_cut || ended.stderr.is_cut,
    })
}

fn denied(reason: &str) -> ToolError {
    ToolError::of_call(CallError::denied("shell", reason))
}

#[cfg(test)]
mod tests;
