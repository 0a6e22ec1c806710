//! The hooks of a native tool.

use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use toolhost_sandbox::{ApprovalDecision, Failure, Offer};
use toolhost_tool::{ApprovalRequirement, ContentBlock, Issue, Output, ToolDefinition};

use super::{NativeToolBuilder, arguments, decode};
use crate::native::context::ToolContext;
use crate::native::error::ToolError;
use crate::native::hooks::IntoAnswer;

impl<I: DeserializeOwned + 'static> NativeToolBuilder<I> {
    /// Asks for each call whether a person has to agree. Sets the approval
    /// requirement to [`ApprovalRequirement::AskHook`].
    pub fn needs_approval<F, Fut, R>(mut self, hook: F) -> Self
    where
        F: Fn(I, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoAnswer<ApprovalDecision>,
    {
        self.definition.approval = ApprovalRequirement::AskHook;
        self.definition.hooks.needs_approval = true;
        let hook = Arc::new(hook);
        self.functions.needs_approval = Some(Box::new(move |text, context| {
            let hook = Arc::clone(&hook);
            Box::pin(async move {
                let arguments = arguments(&text, &context)?;
                answer(hook(arguments, context).await)
            })
        }));
        self
    }

    /// Checks what a schema cannot say, such as one argument against another.
    pub fn validate<F, Fut, R>(mut self, hook: F) -> Self
    where
        F: Fn(I) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoAnswer<Vec<Issue>>,
    {
        self.definition.hooks.validate = true;
        let hook = Arc::new(hook);
        self.functions.validate = Some(Box::new(move |text| {
            let hook = Arc::clone(&hook);
            Box::pin(async move {
                let arguments = match decode(&text) {
                    Ok(arguments) => arguments,
                    Err(issue) => return Ok(vec![issue]),
                };
                answer(hook(arguments).await)
            })
        }));
        self
    }

    /// Decides each turn whether the tool is offered to the model.
    pub fn prepare<F, Fut, R>(mut self, hook: F) -> Self
    where
        F: Fn(ToolDefinition, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoAnswer<Offer>,
    {
        self.definition.hooks.prepare = true;
        let hook = Arc::new(hook);
        self.functions.prepare = Some(Box::new(move |definition, context| {
            let hook = Arc::clone(&hook);
            Box::pin(async move { answer(hook(definition, context).await) })
        }));
        self
    }

    /// Writes what the model sees of a result; the caller's program sees it all.
    pub fn model_output<F, Fut, R>(mut self, hook: F) -> Self
    where
        F: Fn(Output) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoAnswer<Vec<ContentBlock>>,
    {
        self.definition.hooks.model_output = true;
        let hook = Arc::new(hook);
        self.functions.model_output = Some(Box::new(move |output| {
            let hook = Arc::clone(&hook);
            Box::pin(async move { answer(hook(output).await) })
        }));
        self
    }
}

fn answer<T>(returned: impl IntoAnswer<T>) -> Result<T, Failure> {
    returned.into_answer().map_err(ToolError::into_failure)
}
