//! What a call used and did. It comes with every outcome, good or bad.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::effect::Effect;

/// What a call used and did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Fuel used, in wasm instructions, over all sandboxes of the call.
    pub fuel: u64,
    /// The most memory one sandbox of the call held, in bytes: the sum over its
    /// memories and tables.
    pub memory_peak_bytes: u64,
    /// How often the guest called the host.
    pub host_calls: u64,
    /// Where the time went.
    pub duration_ms: Durations,
    /// What the guest wrote to its log, stdout and stderr, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<LogLine>,
    /// Bytes of log that were dropped because the log limit was reached.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub logs_dropped_bytes: u64,
    /// Partial results that were emitted.
    pub partials: u64,
    /// Documents that the guest attached for the caller's program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metadata: Vec<Value>,
    /// What the guest asked for and was refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denials: Vec<Denial>,
    /// What the guest did outside its sandbox, in the order in which it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// Outward acts that are not listed, because there were too many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub effects_dropped: u64,
    /// The calls of other tools that the tool made, in the order in which they
    /// ended. What they used is in their own reports only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<NestedCall>,
    /// Whether the plugin was compiled by the fast compiler, which its operator chose
    /// for a plugin that is trusted (`fast-compile`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fast_compiled: bool,
}

impl Report {
    /// The effects of the call and of those it made of other tools.
    #[must_use]
    pub fn all_effects(&self) -> Vec<&Effect> {
        let mut effects: Vec<&Effect> = self.effects.iter().collect();
        for call in &self.calls {
            effects.extend(call.report.all_effects());
        }
        effects
    }

    /// Adds what a further sandbox of the same call used and did.
    pub fn add(&mut self, other: Report) {
        self.fuel = self.fuel.saturating_add(other.fuel);
        self.memory_peak_bytes = self.memory_peak_bytes.max(other.memory_peak_bytes);
        self.host_calls += other.host_calls;
        self.duration_ms.add(&other.duration_ms);
        self.logs.extend(other.logs);
        self.logs_dropped_bytes += other.logs_dropped_bytes;
        self.partials += other.partials;
        self.metadata.extend(other.metadata);
        self.effects.extend(other.effects);
        self.effects_dropped += other.effects_dropped;
        self.calls.extend(other.calls);
        self.fast_compiled |= other.fast_compiled;
        for denial in other.denials {
            if !self.denials.contains(&denial) {
                self.denials.push(denial);
            }
        }
    }
}

/// A call that a tool made of another tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NestedCall {
    /// Its id: the outer call's, and a name for this one within it.
    pub tool_call_id: String,
    /// The tool that was called.
    pub tool_name: String,
    /// The name of the error, when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it used and did.
    pub report: Report,
}

/// Where the time of a call went, in milliseconds. What a plugin's hooks take is in
/// the stage that asks them, and in `queue`, `instantiate`, `invoke` and `decode` as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[serde(default)]
pub struct Durations {
    /// Finding the tool.
    pub resolve: f64,
    /// Merging what the call may use.
    pub budget: f64,
    /// Checking the arguments, with the plugin's own check.
    pub validate: f64,
    /// Deciding whether the call runs, hooks included.
    pub permit: f64,
    /// Waiting for a free sandbox.
    pub queue: f64,
    /// Making the sandbox, start functions included.
    pub instantiate: f64,
    /// Running the guest, and clearing its sandbox away.
    pub invoke: f64,
    /// Reading and checking what it returned.
    pub decode: f64,
    /// The whole call, from its arguments to its outcome.
    pub total: f64,
}

impl Durations {
    /// A time as it stands here: to a tenth of a microsecond, for more digits are noise.
    #[must_use]
    pub fn milliseconds(time: Duration) -> f64 {
        (time.as_secs_f64() * 1e7).round() / 1e4
    }

    /// Each stage with its name; what is left of `total` is putting report and outcome
    /// together.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, f64); 8] {
        [
            ("resolve", self.resolve),
            ("validate", self.validate),
            ("permit", self.permit),
            ("budget", self.budget),
            ("queue", self.queue),
            ("instantiate", self.instantiate),
            ("invoke", self.invoke),
            ("decode", self.decode),
        ]
    }

    /// Adds the times of another call, or of another sandbox of the same one.
    pub fn add(&mut self, other: &Self) {
        self.resolve += other.resolve;
        self.budget += other.budget;
        self.validate += other.validate;
        self.permit += other.permit;
        self.queue += other.queue;
        self.instantiate += other.instantiate;
        self.invoke += other.invoke;
        self.decode += other.decode;
        self.total += other.total;
    }
}

/// One line that the guest wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// How much it matters. Lines of stdout are `info`, of stderr `warn`.
    pub level: LogLevel,
    /// Where it was written.
    pub source: LogSource,
    /// The line, without its line break.
    pub message: String,
}

/// How much a log line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Step by step.
    Trace,
    /// For whoever looks for a fault.
    Debug,
    /// Worth knowing.
    Info,
    /// Odd, yet the call goes on.
    Warn,
    /// The call, or a part of it, fails.
    Error,
}

/// Where a log line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogSource {
    /// Through `run.log`.
    Log,
    /// To standard output.
    Stdout,
    /// To standard error.
    Stderr,
}

/// Something the guest asked for and was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Denial {
    /// The capability, such as `messages` or `http`; `limit` when a limit was hit and
    /// the guest was told so instead of being ended.
    pub capability: String,
    /// What it was asked for.
    pub target: String,
    /// The flag that would allow it; absent when nothing can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_with: Option<String>,
}

impl Denial {
    /// A tool that another tool was not granted to call.
    #[must_use]
    pub fn tool(name: &str) -> Self {
        Self {
            capability: "tools".into(),
            target: name.to_owned(),
            allow_with: Some(format!("--allow-tool {name}")),
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
