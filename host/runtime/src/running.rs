//! A call on its way: its partial results, and the handle that cancels it.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use toolhost_policy::LimitsPatch;
use toolhost_sandbox::{CancelHandle, Emitted, Ledger, Link, ToolCaller};
use toolhost_tool::permission::Mode;
use toolhost_tool::{Call, CallError, ErrorKind, ExecutionContext, Report};

use crate::host::Host;
use crate::result::CallResult;

/// Partial results that wait to be read before the tool is held up.
const PARTIALS_AHEAD: usize = 8;

/// Options of one call. By default: the limits of its plugin, no reader of
/// partial results, and a cancel handle that nobody else has.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// Limits that differ from the plugin's.
    pub limits: LimitsPatch,
    /// Cancels the call.
    pub cancel: CancelHandle,
    /// Reads its partial results and events.
    pub emitted: Option<mpsc::Sender<Emitted>>,
    /// The mode of the run, when it is another than the host's.
    pub mode: Option<Mode>,
}

impl CallOptions {
    pub(crate) fn link(&self, ledger: Ledger, caller: Option<Arc<dyn ToolCaller>>) -> Link {
        Link {
            cancel: self.cancel.clone(),
            emitted: self.emitted.clone(),
            caller,
            ledger,
        }
    }
}

/// A call that was started. Dropping it cancels the call.
#[derive(Debug)]
pub struct Running {
    emitted: mpsc::Receiver<Emitted>,
    cancel: CancelHandle,
    task: JoinHandle<CallResult>,
    ids: (String, String),
}

impl Running {
    pub(crate) fn start(
        host: Host,
        call: Call,
        context: ExecutionContext,
        limits: LimitsPatch,
    ) -> Self {
        let (sender, emitted) = mpsc::channel(PARTIALS_AHEAD);
        let cancel = CancelHandle::new();
        let options = CallOptions {
            limits,
            cancel: cancel.clone(),
            emitted: Some(sender),
            mode: None,
        };
        let ids = (call.tool_call_id.clone(), call.tool_name.clone());
        let task = tokio::spawn(async move { host.call_with(call, context, options).await });
        Self {
            emitted,
            cancel,
            task,
            ids,
        }
    }

    /// The next partial result or event. `None` when no more will come. A tool
    /// waits for a slow reader.
    pub async fn next(&mut self) -> Option<Emitted> {
        self.emitted.recv().await
    }

    /// The next partial result: a full snapshot of the result so far. Events in
    /// between are dropped. `None` when no more will come.
    pub async fn partial(&mut self) -> Option<Value> {
        loop {
            if let Emitted::Partial(snapshot) = self.next().await? {
                return Some(snapshot);
            }
        }
    }

    /// The handle that cancels the call, for another task.
    #[must_use]
    pub fn cancel_handle(&self) -> CancelHandle {
        self.cancel.clone()
    }

    /// Cancels the call; [`result`](Self::result) then says `aborted`.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Waits for the end of the call. Partial results that were not read are
    /// dropped, and the tool is told that nobody listens any more.
    pub async fn result(mut self) -> CallResult {
        self.emitted.close();
        match (&mut self.task).await {
            Ok(result) => result,
            Err(error) => self.lost(&error),
        }
    }

    /// The task of a call ends early only when its runtime shuts down.
    fn lost(&self, error: &tokio::task::JoinError) -> CallResult {
        let (tool_call_id, tool_name) = self.ids.clone();
        let message = format!("the call was lost: {error}");
        CallResult {
            outcome: Err(CallError::new(
                ErrorKind::Aborted,
                "ToolAbortedError",
                &tool_name,
                message,
            )),
            tool_call_id,
            tool_name,
            report: Report::default(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
