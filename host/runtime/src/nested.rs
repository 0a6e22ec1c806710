//! Calls that a running tool makes of other tools. Each goes through the whole
//! pipeline, like a call of the model's, with three differences:
//!
//! - only tools that the caller was granted by name, and that let programs call
//!   them, can be reached;
//! - depth and number are limited, over the whole tree of calls;
//! - nobody can be asked: what would wait for a person fails instead.
//!
//! The approval of the outer call covers none of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use toolhost_policy::{Grants, Limits};
use toolhost_sandbox::{Digest, Input, ToolCaller};
use toolhost_tool::{
    Arguments, Call, CallError, Denial, ErrorKind, ExecutionContext, LimitHit, NestedCall, Outcome,
    Output, Report,
};

use crate::audit;
use crate::host::Host;
use crate::pipeline::{self, Entry, Ran, Step};
use crate::result::CallResult;
use crate::running::CallOptions;
use crate::sequence::Sequence;

/// Most refusals that are remembered of one caller; it may ask without end.
const MAX_DENIALS: usize = 32;

/// Where a call stands in a tree of calls.
#[derive(Clone)]
pub(crate) struct Nesting {
    /// Levels above it; 0 for a call of the model's.
    depth: u32,
    /// How deep the tree may become. The outermost call decides, and no tool in
    /// the tree can raise it.
    max_depth: u32,
    /// Calls that may still be made, shared by the whole tree.
    left: Arc<AtomicU32>,
    max_calls: u32,
}

impl Nesting {
    /// The root of a tree.
    fn root(limits: &Limits) -> Self {
        Self {
            depth: 0,
            max_depth: limits.call_depth,
            left: Arc::new(AtomicU32::new(limits.nested_calls)),
            max_calls: limits.nested_calls,
        }
    }

    /// The place of one more call below this one.
    fn below(&self, tool_name: &str) -> Result<Self, CallError> {
        if self.depth >= self.max_depth {
            let message = format!(
                "calls of tools by tools may nest {} deep (`call-depth`)",
                self.max_depth
            );
            let used = u64::from(self.depth) + 1;
            return Err(limit(
                tool_name,
                message,
                "call-depth",
                self.max_depth,
                used,
            ));
        }
        let take = |left: u32| left.checked_sub(1);
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if taken.is_err() {
            let message = format!(
                "the tool has made {} calls of other tools, which is all it may \
                 (`nested-calls`)",
                self.max_calls
            );
            let used = u64::from(self.max_calls) + 1;
            return Err(limit(
                tool_name,
                message,
                "nested-calls",
                self.max_calls,
                used,
            ));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self.clone()
        })
    }
}

fn limit(tool_name: &str, message: String, name: &str, allowed: u32, used: u64) -> CallError {
    CallError {
        limit: Some(LimitHit {
            name: name.to_owned(),
            allowed: u64::from(allowed),
            used,
        }),
        ..CallError::new(ErrorKind::Sandbox, "HostCallLimitError", tool_name, message)
    }
}

/// Calls tools on behalf of one attempt of one call.
pub(crate) struct NestedCaller {
    host: Host,
    options: CallOptions,
    grants: Arc<Grants>,
    nesting: Nesting,
    sequence: Option<Sequence>,
    /// The context of the calls, but for what is each one's own.
    context: ExecutionContext,
    outer_id: String,
    deadline: Option<Instant>,
    kept: Mutex<Kept>,
}

/// What is kept for the report of the outer call.
#[derive(Default)]
struct Kept {
    /// How often each call was made, by its name within the outer call.
    made: HashMap<String, u32>,
    calls: Vec<NestedCall>,
    denials: Vec<Denial>,
}

impl NestedCaller {
    /// The caller for an attempt that may take `time`; none where the tool was
    /// granted no other.
    pub(crate) fn new(
        step: &Step<'_>,
        nesting: Option<&Nesting>,
        sequence: Option<Sequence>,
        input: &Input,
        time: Duration,
    ) -> Option<Arc<Self>> {
        let grants = &step.budget.grants;
        if grants.tools.is_empty() {
            return None;
        }
        Some(Arc::new(Self {
            host: step.host.clone(),
            options: CallOptions {
                emitted: None,
                ..step.options.clone()
            },
            grants: Arc::clone(grants),
            nesting: nesting.map_or_else(|| Nesting::root(&step.budget.limits), Nesting::clone),
            sequence,
            context: ExecutionContext {
                approval: None,
                resumption: None,
                attempt: 0,
                ..step.context.clone()
            },
            outer_id: input.tool_call_id.clone(),
            deadline: Instant::now().checked_add(time),
            kept: Mutex::default(),
        }))
    }

    /// Moves what was called and refused into the report of the outer call.
    pub(crate) fn report_to(&self, report: &mut Report) {
        let kept = std::mem::take(&mut *self.kept());
        report.add(Report {
            calls: kept.calls,
            denials: kept.denials,
            ..Report::default()
        });
    }

    /// Whether the tool may be called at all.
    fn check(&self, tool_name: &str) -> Result<(), CallError> {
        if !self.grants.tools.iter().any(|tool| tool.matches(tool_name)) {
            let denial = Denial::tool(tool_name);
            let mut kept = self.kept();
            if kept.denials.len() < MAX_DENIALS && !kept.denials.contains(&denial) {
                kept.denials.push(denial);
            }
            return Err(not_granted(tool_name));
        }
        let tool = self.host.tool(tool_name).map_err(|mut suggestions| {
            // A name that was not granted stays unknown to the guest.
            suggestions.retain(|name| self.grants.tools.iter().any(|tool| tool.matches(name)));
            CallError::not_found(tool_name, suggestions)
        })?;
        if !tool.definition().behaviour.allows_programs() {
            let reason = "the tool does not let programs call it: its author would have to mark it \
                          `programmatic`";
            return Err(CallError::denied(tool_name, reason));
        }
        Ok(())
    }

    /// The id of a call: the same for the same call in every attempt, so that a
    /// journal knows it again.
    fn id(&self, tool_name: &str, arguments: &Arguments) -> String {
        let text = audit::text(arguments).unwrap_or_default();
        let digest = Digest::of(text.as_bytes()).to_string();
        let within = format!("{tool_name}-{}", digest.get(..8).unwrap_or(&digest));
        let mut kept = self.kept();
        let times = kept.made.entry(within.clone()).or_default();
        *times += 1;
        match times {
            1 => format!("{}/{within}", self.outer_id),
            times => format!("{}/{within}-{times}", self.outer_id),
        }
    }

    fn context(&self, id: &str) -> ExecutionContext {
        let mut context = self.context.clone();
        if let Some(key) = &mut context.idempotency_key {
            // Each call has its own: the outer key would make them all one.
            let within = id.strip_prefix(&self.outer_id).unwrap_or(id);
            key.push_str(within);
        }
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            context.deadline_ms = Some(u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        }
        context
    }

    fn keep(&self, result: &CallResult) {
        self.kept().calls.push(NestedCall {
            tool_call_id: result.tool_call_id.clone(),
            tool_name: result.tool_name.clone(),
            error: result
                .outcome
                .as_ref()
                .err()
                .map(|error| error.name.clone()),
            report: result.report.clone(),
        });
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        // Every change under the lock is one push or one count.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ToolCaller for NestedCaller {
    async fn call(&self, tool_name: String, arguments: Arguments) -> Result<Output, CallError> {
        self.check(&tool_name)?;
        let nesting = self.nesting.below(&tool_name)?;
        let id = self.id(&tool_name, &arguments);
        let entry = Entry {
            nesting: Some(nesting),
            sequence: self.sequence.clone(),
            ..Entry::default()
        };
        let context = self.context(&id);
        let call = Call {
            tool_call_id: id,
            tool_name,
            arguments,
        };
        let Ran { mut result, shown } =
            pipeline::run(&self.host, call, context, &self.options, entry).await;
        if matches!(result.outcome, Ok(Outcome::Suspended(_))) {
            let was_entered = shown.is_some_and(|shown| shown.by_tool);
            result.outcome = Err(suspended(&result.tool_name, was_entered));
        }
        self.keep(&result);
        match result.outcome? {
            Outcome::Done(output) => Ok(output),
            Outcome::Suspended(_) => Err(suspended(&result.tool_name, true)),
        }
    }
}

/// The error of a call whose tool was not granted.
fn not_granted(tool_name: &str) -> CallError {
    let reason = format!(
        "calling `{tool_name}` is not granted; the operator grants it with `--allow-tool \
         {tool_name}`"
    );
    CallError::denied(tool_name, &reason)
}

/// The error of a call that would have to wait.
fn suspended(tool_name: &str, was_entered: bool) -> CallError {
    if was_entered {
        let message = "the tool waits for something outside, which a tool that calls it cannot; \
                       let the model call it";
        return CallError::new(
            ErrorKind::Execution,
            "ToolSuspendedError",
            tool_name,
            message,
        );
    }
    let reason = "the call needs somebody outside first (an approval, or the caller who runs the \
                  tool), and a tool cannot wait for them; let the model call it, or allow it with \
                  a rule";
    CallError::denied(tool_name, reason)
}
