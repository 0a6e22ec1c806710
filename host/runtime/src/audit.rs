//! The audit log: one JSON line for each call, whatever became of it, and one
//! for each refusal.
//!
//! Secrets are redacted in it, and arguments are a digest unless the operator
//! wants them whole. A log that cannot be written fails no call; the report of
//! the call says so, and the next line that can be written says how many are
//! missing.

mod file;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use serde_json::{Value, json};
use toolhost_policy::AuditArguments;
use toolhost_tool::{
    Arguments, Call, Denial, ExecutionContext, LogLevel, LogLine, LogSource, Outcome,
};

use crate::approval::arguments_digest;
use crate::host::{Host, HostBuilder};
use crate::result::CallResult;

pub use file::AuditFile;

/// Where audit lines go. Its function may block.
pub trait AuditLog: Send + Sync {
    /// Appends lines, each of which ends in a line break, as a whole.
    ///
    /// # Errors
    ///
    /// When they cannot be written. They are not offered again.
    fn append(&self, lines: &str) -> io::Result<()>;
}

impl HostBuilder {
    /// Writes a line for each call and each refusal. By default nothing is
    /// written.
    #[must_use]
    pub fn audit(mut self, log: impl AuditLog + 'static, arguments: AuditArguments) -> Self {
        self.policy.audit = Some(Arc::new(Audit {
            log: Box::new(log),
            arguments,
            missing: AtomicU64::new(0),
        }));
        self
    }
}

/// The audit log of a host.
pub(crate) struct Audit {
    log: Box<dyn AuditLog>,
    arguments: AuditArguments,
    /// Lines that could not be written since the last one that could.
    missing: AtomicU64,
}

/// What is known of a call before it runs.
pub(crate) struct Entry {
    fields: Value,
}

impl Audit {
    /// Notes what is asked for.
    pub(crate) fn entry(&self, host: &Host, call: &Call, context: &ExecutionContext) -> Entry {
        let text = text(&call.arguments);
        let mut arguments = json!({ "sha256": arguments_digest(text.as_deref()).to_string() });
        if self.arguments == AuditArguments::Full {
            arguments["json"] = match &call.arguments {
                Arguments::Absent => Value::Null,
                Arguments::Value(value) => value.clone(),
                // Nobody has parsed it yet, and it may be no JSON at all.
                Arguments::Text(text) => json!(text),
            };
        }
        let tool = host.tool(&call.tool_name).ok();
        let plugin = tool.as_ref().and_then(|tool| tool.plugin());
        let mut fields = json!({
            "toolCallId": call.tool_call_id,
            "toolName": call.tool_name,
            "source": tool.as_ref().map(|tool| tool.source()),
            "plugin": plugin.map(|plugin| plugin.info().digest.to_string()),
            "principal": context.principal.as_ref().map(|principal| &principal.id),
            "sessionId": context.session_id,
            "runId": context.run_id,
            "arguments": arguments,
        });
        host.vault().store().redactor().redact_json(&mut fields);
        Entry { fields }
    }

    /// Writes down how the call ended. What cannot be written is told in the
    /// report.
    pub(crate) async fn write(self: &Arc<Self>, entry: Entry, result: &mut CallResult) {
        let (lines, count) = lines(entry, result);
        let audit = Arc::clone(self);
        let written = tokio::task::spawn_blocking(move || audit.append(&lines, count)).await;
        let problem = match written {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::error!("the audit log cannot be written: {problem}");
        result.report.logs.push(LogLine {
            level: LogLevel::Error,
            source: LogSource::Log,
            message: format!("the audit log cannot be written: {problem}"),
        });
    }

    fn append(&self, lines: &str, count: u64) -> io::Result<()> {
        let missing = self.missing.swap(0, Ordering::Relaxed);
        let appended = if missing == 0 {
            self.log.append(lines)
        } else {
            let gap = json!({ "time": now(), "event": "gap", "missing": missing });
            self.log.append(&format!("{gap}\n{lines}"))
        };
        if appended.is_err() {
            self.missing.fetch_add(missing + count, Ordering::Relaxed);
        }
        appended
    }
}

/// The line of a call and those of what it was refused, and how many they are.
fn lines(entry: Entry, result: &CallResult) -> (String, u64) {
    let (time, Entry { mut fields }) = (now(), entry);
    let report = &result.report;
    let head = json!({
        "time": time,
        "toolCallId": fields["toolCallId"],
        "toolName": fields["toolName"],
    });
    fields["time"] = json!(time);
    fields["event"] = json!("call");
    fields["outcome"] = json!(match &result.outcome {
        Ok(Outcome::Done(_)) => "done",
        Ok(Outcome::Suspended(_)) => "suspended",
        Err(_) => "error",
    });
    if let Err(error) = &result.outcome {
        fields["error"] = json!({ "name": error.name, "kind": error.kind });
    }
    fields["durationMs"] = json!(report.duration_ms.total);
    fields["fuel"] = json!(report.fuel);
    fields["effects"] = json!(report.effects);
    let mut lines = vec![fields];
    lines.extend(report.denials.iter().map(|denial| refusal(&head, denial)));
    let count = lines.len() as u64;
    let text = lines
        .iter()
        .fold(String::new(), |text, line| text + &format!("{line}\n"));
    (text, count)
}

fn refusal(head: &Value, denial: &Denial) -> Value {
    let mut line = head.clone();
    line["event"] = json!("denial");
    line["denial"] = json!(denial);
    line
}

/// The arguments as text, as they were given.
pub(crate) fn text(arguments: &Arguments) -> Option<String> {
    match arguments {
        Arguments::Absent => None,
        Arguments::Text(text) => Some(text.clone()),
        Arguments::Value(value) => Some(value.to_string()),
    }
}

fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}
