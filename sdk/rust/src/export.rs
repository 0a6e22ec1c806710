//! From the table that `plugin!` writes to the functions the host calls.

use crate::bindings::{hooks, tools, types};
use crate::context::Context;
use crate::definition::Definition;
use crate::error::ToolError;
use crate::output::Output;
use crate::tool::Entry;

/// The tools of a plugin; `plugin!` writes the one implementation.
#[doc(hidden)]
pub trait Plugin {
    /// One line for each tool.
    const TOOLS: &'static [Entry];
}

fn find<P: Plugin>(name: &str) -> Result<&'static Entry, ToolError> {
    P::TOOLS
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| {
            ToolError::new(
                "ToolNotFoundError",
                format!("this plugin has no tool `{name}`"),
            )
        })
}

impl<P: Plugin> tools::Guest for P {
    fn describe() -> Vec<types::ToolDefinition> {
        P::TOOLS
            .iter()
            .map(|entry| (entry.definition)().into())
            .collect()
    }

    fn execute(
        call: types::Call,
        context: types::ExecutionContext,
    ) -> Result<types::Outcome, types::ToolError> {
        let tool = find::<P>(&call.tool_name)?;
        let outcome = (tool.execute)(call.arguments.as_deref(), &Context::live(context))?;
        Ok(outcome.into())
    }
}

impl<P: Plugin> hooks::Guest for P {
    fn needs_approval(
        call: types::Call,
        context: types::ExecutionContext,
    ) -> Result<hooks::ApprovalDecision, types::ToolError> {
        let tool = find::<P>(&call.tool_name)?;
        let context = Context::live(context);
        let decision = (tool.needs_approval)(call.arguments.as_deref(), &context)?;
        Ok(decision.into())
    }

    fn validate(call: types::Call) -> Result<Vec<types::ArgumentIssue>, types::ToolError> {
        let tool = find::<P>(&call.tool_name)?;
        let issues = (tool.validate)(call.arguments.as_deref())?;
        Ok(issues.into_iter().map(Into::into).collect())
    }

    fn prepare(
        tool: types::ToolDefinition,
        context: types::ExecutionContext,
    ) -> Result<hooks::Offer, types::ToolError> {
        let entry = find::<P>(&tool.name)?;
        let offer = (entry.prepare)(&Definition::from(tool), &Context::live(context))?;
        Ok(offer.into())
    }

    fn model_output(
        tool_name: String,
        output: types::Output,
    ) -> Result<Vec<types::ContentBlock>, types::ToolError> {
        let tool = find::<P>(&tool_name)?;
        let content = (tool.model_output)(&Output::from(output))?;
        Ok(content.into_iter().map(Into::into).collect())
    }
}
