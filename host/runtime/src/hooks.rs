//! Hooks of the embedding program: asked before each call and shown each result.
//! They are trusted, unlike the hooks of a plugin.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use toolhost_sandbox::Input;
use toolhost_tool::permission::Permissions;
use toolhost_tool::{
    Call, CallError, ErrorKind, ExecutionContext, Outcome, Output, Report, ToolDefinition,
};

use crate::approval::UsedNonces;
use crate::audit::Audit;
use crate::host::HostBuilder;
use crate::journal::Journal;
use crate::pipeline::{Step, parsed};

/// How a call ended, as a hook sees it.
pub type Ended = Result<Output, CallError>;

/// Why a hook fails. The call then ends in an error of kind `execution`.
pub type HookError = Box<dyn Error + Send + Sync>;

/// What the embedding program does around every call. Each function does nothing
/// by default.
///
/// ```
/// use serde_json::json;
/// use toolhost::{BeforeCall, CallHooks, HookCall, HookError};
///
/// struct OfficeHours;
///
/// #[async_trait::async_trait]
/// impl CallHooks for OfficeHours {
///     async fn pre_tool_call(&self, call: &HookCall<'_>) -> Result<BeforeCall, HookError> {
///         Ok(match call.definition.name.as_str() {
///             "phone" => BeforeCall::Deny("nobody is in the office".into()),
///             "search" => BeforeCall::Change(json!({"query": "site:example.org"})),
///             _ => BeforeCall::Continue,
///         })
///     }
/// }
///
/// let builder = toolhost::Host::builder().hooks(OfficeHours);
/// ```
#[async_trait]
pub trait CallHooks: Send + Sync {
    /// Asked after validation and before permission. A call that goes on after
    /// a suspension is asked about again.
    ///
    /// # Errors
    ///
    /// When the hook cannot decide; the call does not run.
    async fn pre_tool_call(&self, call: &HookCall<'_>) -> Result<BeforeCall, HookError> {
        let _ = call;
        Ok(BeforeCall::Continue)
    }

    /// Shown how the tool ended, and says how the call ends. Calls that never
    /// reached the tool are not shown.
    ///
    /// # Errors
    ///
    /// When the hook cannot say; the result is lost.
    async fn post_tool_call(&self, call: &HookCall<'_>, ended: Ended) -> Result<Ended, HookError> {
        let _ = call;
        Ok(ended)
    }
}

/// A call as a hook sees it.
#[derive(Clone, Copy, Debug)]
pub struct HookCall<'a> {
    /// The id of the call.
    pub tool_call_id: &'a str,
    /// The tool.
    pub definition: &'a ToolDefinition,
    /// The validated arguments; none when none were given.
    pub arguments: Option<&'a Value>,
    /// What the call knows of its run.
    pub context: &'a ExecutionContext,
}

/// What happens to a call.
#[derive(Clone, Debug, PartialEq)]
pub enum BeforeCall {
    /// It goes on.
    Continue,
    /// It goes on with other arguments. They are validated like the model's.
    Change(Value),
    /// It is refused, and why; the model reads it.
    Deny(String),
}

/// What holds for every call of a host.
#[derive(Clone, Default)]
pub(crate) struct CallPolicy {
    /// Rules and mode.
    pub(crate) permissions: Permissions,
    /// Asked in this order.
    pub(crate) hooks: Vec<Arc<dyn CallHooks>>,
    /// Remembers calls by their ids.
    pub(crate) journal: Option<Arc<dyn Journal>>,
    /// Writes down each call.
    pub(crate) audit: Option<Arc<Audit>>,
    /// Shared by everything that is built from one builder.
    pub(crate) used: Arc<UsedNonces>,
}

impl HostBuilder {
    /// Rules on which calls run, are asked about or are refused, and the mode of
    /// runs that have none of their own. By default: no rules, mode `default`.
    #[must_use]
    pub fn permissions(mut self, permissions: Permissions) -> Self {
        self.policy.permissions = permissions;
        self
    }

    /// Adds hooks around every call. Of several, each sees what the ones before
    /// it changed.
    #[must_use]
    pub fn hooks(mut self, hooks: impl CallHooks + 'static) -> Self {
        self.policy.hooks.push(Arc::new(hooks));
        self
    }
}

impl fmt::Debug for CallPolicy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CallPolicy")
            .field("permissions", &self.permissions)
            .field("hooks", &self.hooks.len())
            .field("journal", &self.journal.is_some())
            .field("audit", &self.audit.is_some())
            .finish_non_exhaustive()
    }
}

impl Step<'_> {
    /// Asks the host's own hooks. Arguments that one of them changes are
    /// validated like those of the model.
    pub(crate) async fn before(
        &self,
        mut input: Input,
        report: &mut Report,
    ) -> Result<Input, CallError> {
        let name = &self.tool.definition.name;
        for hook in &self.host.policy().hooks {
            let arguments = parsed(&input);
            let call = self.hook_call(&input, arguments.as_ref());
            let decision = hook
                .pre_tool_call(&call)
                .await
                .map_err(|error| failed(name, "pre_tool_call", &error))?;
            match decision {
                BeforeCall::Continue => {}
                BeforeCall::Deny(reason) => return Err(CallError::denied(name, &reason)),
                BeforeCall::Change(arguments) => {
                    let changed = Call::new(input.tool_call_id, name.clone(), arguments);
                    input = self.validate(changed, report).await?;
                }
            }
        }
        Ok(input)
    }

    /// Shows the end to the host's own hooks, which may rewrite it. What they
    /// write has to keep the tool's promise too.
    pub(crate) async fn after(
        &self,
        input: &Input,
        ended: Result<Outcome, CallError>,
    ) -> Result<Outcome, CallError> {
        let hooks = &self.host.policy().hooks;
        let mut ended = match ended {
            Ok(Outcome::Done(output)) if !hooks.is_empty() => Ok(output),
            Err(error) if !hooks.is_empty() => Err(error),
            as_it_is => return as_it_is,
        };
        let arguments = parsed(input);
        for hook in hooks {
            let call = self.hook_call(input, arguments.as_ref());
            ended = hook
                .post_tool_call(&call, ended)
                .await
                .map_err(|error| failed(&self.tool.definition.name, "post_tool_call", &error))?;
        }
        let output = ended?;
        self.check_output(&output)?;
        Ok(Outcome::Done(output))
    }

    fn hook_call<'b>(&'b self, input: &'b Input, arguments: Option<&'b Value>) -> HookCall<'b> {
        HookCall {
            tool_call_id: &input.tool_call_id,
            definition: &self.tool.definition,
            arguments,
            context: self.context,
        }
    }
}

/// The error of a call whose hook failed.
fn failed(tool_name: &str, hook: &str, error: &HookError) -> CallError {
    CallError::new(
        ErrorKind::Execution,
        "HookError",
        tool_name,
        format!("the host's `{hook}` hook failed: {error}"),
    )
}
