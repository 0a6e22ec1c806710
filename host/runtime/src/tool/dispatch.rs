//! What can be asked of a tool, handed to whoever runs it. A tool that a
//! toolset renamed reaches its plugin under the plugin's own name.

use std::borrow::Cow;

use toolhost_policy::LoadLimits;
use toolhost_sandbox::{
    Answer, ApprovalDecision, Budget, CancelHandle, Input, Link, Offer, Plugin,
};
use toolhost_tool::{
    ClientCall, ContentBlock, ExecutionContext, Issue, Outcome, Output, Report, Suspension,
    SuspensionKind, ToolDefinition,
};

use super::{Runner, Tool};

impl Tool {
    pub(crate) async fn execute(
        &self,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        link: Link,
    ) -> Answer<Outcome> {
        match &self.runner {
            Runner::Plugin(plugin) => {
                let input = self.inner_input(input);
                plugin.execute(&input, context, budget, link).await
            }
            Runner::Native(native) => {
                let name = &self.definition.name;
                native.execute(name, input, context, budget, link).await
            }
            Runner::Client(_) => Answer {
                result: Ok(client_call(input, context)),
                report: Report::default(),
            },
        }
    }

    pub(crate) async fn validate(
        &self,
        input: &Input,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<Issue>> {
        match &self.runner {
            Runner::Plugin(plugin) => {
                let input = self.inner_input(input);
                plugin.validate(&input, budget, cancel).await
            }
            Runner::Native(native) | Runner::Client(native) => {
                let name = &self.definition.name;
                native.validate(name, input, budget, cancel).await
            }
        }
    }

    pub(crate) async fn needs_approval(
        &self,
        input: &Input,
        context: &ExecutionContext,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<ApprovalDecision> {
        match &self.runner {
            Runner::Plugin(plugin) => {
                let input = self.inner_input(input);
                plugin.needs_approval(&input, context, budget, cancel).await
            }
            Runner::Native(native) | Runner::Client(native) => {
                let name = &self.definition.name;
                native
                    .needs_approval(name, input, context, budget, cancel)
                    .await
            }
        }
    }

    pub(crate) async fn prepare(
        &self,
        context: &ExecutionContext,
        limits: &LoadLimits,
    ) -> Answer<Offer> {
        match &self.runner {
            Runner::Plugin(plugin) => self.prepare_plugin(plugin, context, limits).await,
            Runner::Native(native) | Runner::Client(native) => {
                native
                    .prepare(&self.definition, context, &self.budget)
                    .await
            }
        }
    }

    async fn prepare_plugin(
        &self,
        plugin: &Plugin,
        context: &ExecutionContext,
        limits: &LoadLimits,
    ) -> Answer<Offer> {
        let inner = ToolDefinition {
            name: self.inner_name().to_owned(),
            ..self.definition.clone()
        };
        let mut answer = plugin.prepare(&inner, context, &self.budget, limits).await;
        if let Ok(Offer::As(offered)) = &mut answer.result {
            offered.name.clone_from(&self.definition.name);
        }
        answer
    }

    pub(crate) async fn model_output(
        &self,
        output: &Output,
        budget: &Budget,
        cancel: CancelHandle,
    ) -> Answer<Vec<ContentBlock>> {
        match &self.runner {
            Runner::Plugin(plugin) => {
                plugin
                    .model_output(self.inner_name(), output, budget, cancel)
                    .await
            }
            Runner::Native(native) | Runner::Client(native) => {
                let name = &self.definition.name;
                native.model_output(name, output, budget, cancel).await
            }
        }
    }

    fn inner_input<'a>(&self, input: &'a Input) -> Cow<'a, Input> {
        if input.tool_name == self.inner_name() {
            return Cow::Borrowed(input);
        }
        Cow::Owned(Input {
            tool_name: self.inner_name().to_owned(),
            ..input.clone()
        })
    }
}

/// A call that the caller runs: suspended, until it comes back with what the
/// caller brought.
fn client_call(input: &Input, context: &ExecutionContext) -> Outcome {
    let brought = context.resumption.as_ref();
    if let Some(answer) = brought.and_then(|resumption| resumption.answer.clone()) {
        return Outcome::Done(Output::structured(answer));
    }
    let arguments = input.arguments.as_deref().unwrap_or("{}");
    let call = ClientCall {
        tool_call_id: input.tool_call_id.clone(),
        tool_name: input.tool_name.clone(),
        arguments: serde_json::from_str(arguments).unwrap_or_default(),
    };
    Outcome::Suspended(Suspension {
        kind: SuspensionKind::ClientTools { calls: vec![call] },
        state: Vec::new(),
    })
}
