//! The functions a plugin exports, each as a value that can be called in a
//! fresh sandbox.

use wasmtime::Store;
use wasmtime::component::Instance;

use crate::bindings::{hooks, tools, types};
use crate::failure::Mismatch;
use crate::plugin::Inner;
use crate::state::CallState;

/// One exported function with its arguments.
pub(crate) trait Export: Send {
    /// What it returns.
    type Answer: Send;

    /// Calls it. An error is a trap, never the tool's own error.
    fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> impl Future<Output = wasmtime::Result<Self::Answer>> + Send;
}

type ToolResult<T> = Result<T, types::ToolError>;

pub(crate) struct Describe;

impl Export for Describe {
    type Answer = Vec<types::ToolDefinition>;

    async fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> wasmtime::Result<Self::Answer> {
        tools_of(store, instance, plugin)?
            .call_describe(&mut *store)
            .await
    }
}

pub(crate) struct Execute {
    pub(crate) call: types::Call,
    pub(crate) context: types::ExecutionContext,
}

impl Export for Execute {
    type Answer = ToolResult<types::Outcome>;

    async fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> wasmtime::Result<Self::Answer> {
        let execute = instance
            .get_typed_func::<(&types::Call, &types::ExecutionContext), _>(
                &mut *store,
                plugin.execute,
            )
            .map_err(|error| mismatch("tools", &error))?;
        let (answer,) = execute
            .call_async(&mut *store, (&self.call, &self.context))
            .await?;
        Ok(answer)
    }
}

pub(crate) struct NeedsApproval {
    pub(crate) call: types::Call,
    pub(crate) context: types::ExecutionContext,
}

impl Export for NeedsApproval {
    type Answer = ToolResult<hooks::ApprovalDecision>;

    async fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> wasmtime::Result<Self::Answer> {
        let guest = hooks_of(store, instance, plugin)?;
        guest
            .call_needs_approval(&mut *store, &self.call, &self.context)
            .await
    }
}

pub(crate) struct Validate {
    pub(crate) call: types::Call,
}

impl Export for Validate {
    type Answer = ToolResult<Vec<types::ArgumentIssue>>;

    async fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> wasmtime::Result<Self::Answer> {
        let guest = hooks_of(store, instance, plugin)?;
        guest.call_validate(&mut *store, &self.call).await
    }
}

pub(crate) struct Prepare {
    pub(crate) tool: types::ToolDefinition,
    pub(crate) context: types::ExecutionContext,
}

impl Export for Prepare {
    type Answer = ToolResult<hooks::Offer>;

    async fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> wasmtime::Result<Self::Answer> {
        let guest = hooks_of(store, instance, plugin)?;
        guest
            .call_prepare(&mut *store, &self.tool, &self.context)
            .await
    }
}

pub(crate) struct ModelOutput {
    pub(crate) tool_name: String,
    pub(crate) output: types::Output,
}

impl Export for ModelOutput {
    type Answer = ToolResult<Vec<types::ContentBlock>>;

    async fn call(
        self,
        store: &mut Store<CallState>,
        instance: &Instance,
        plugin: &Inner,
    ) -> wasmtime::Result<Self::Answer> {
        let guest = hooks_of(store, instance, plugin)?;
        guest
            .call_model_output(&mut *store, &self.tool_name, &self.output)
            .await
    }
}

fn tools_of(
    store: &mut Store<CallState>,
    instance: &Instance,
    plugin: &Inner,
) -> wasmtime::Result<tools::Guest> {
    plugin
        .tools
        .load(store, instance)
        .map_err(|error| mismatch("tools", &error))
}

fn hooks_of(
    store: &mut Store<CallState>,
    instance: &Instance,
    plugin: &Inner,
) -> wasmtime::Result<hooks::Guest> {
    match &plugin.hooks {
        Some(indices) => indices
            .load(store, instance)
            .map_err(|error| mismatch("hooks", &error)),
        None => Err(wasmtime::Error::msg("the plugin exports no hooks")),
    }
}

fn mismatch(interface: &str, error: &wasmtime::Error) -> wasmtime::Error {
    Mismatch(format!("its interface `{interface}` differs: {error:#}")).into()
}
