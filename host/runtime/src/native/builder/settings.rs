//! The settings of a native tool that are plain values.

use std::sync::Arc;

use serde_json::Value;
use toolhost_policy::LimitsPatch;
use toolhost_tool::permission::Glob;
use toolhost_tool::{Annotations, ApprovalRequirement, Behaviour};

use super::NativeToolBuilder;
use crate::native::sandbox::SandboxAdapter;

impl<I> NativeToolBuilder<I> {
    /// What the tool does and when to use it, written for the model.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.definition.description = description.into();
        self
    }

    /// A name for people, when it differs from the tool's.
    pub fn display_name(mut self, name: impl Into<String>) -> Self {
        self.definition.display_name = Some(name.into());
        self
    }

    /// Where the tool comes from, for messages. `this program` by default.
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// Hints about the effect of the tool. None by default.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.definition.annotations = annotations;
        self
    }

    /// Hints that the tool changes nothing.
    pub fn read_only(mut self) -> Self {
        self.definition.annotations.read_only = Some(true);
        self
    }

    /// How the host treats calls of the tool. All flags are off by default;
    /// `client_side` follows from whether there is a function.
    pub fn behaviour(mut self, behaviour: Behaviour) -> Self {
        self.definition.behaviour = behaviour;
        self
    }

    /// The tool changes files that the user works on.
    pub fn edits_files(mut self) -> Self {
        self.definition.behaviour.edits_files = true;
        self
    }

    /// The definition is withheld from the model until it is searched for.
    pub fn defer_loading(mut self) -> Self {
        self.definition.behaviour.defer_loading = true;
        self
    }

    /// Calls of sequential tools never overlap one another in a run.
    pub fn sequential(mut self) -> Self {
        self.definition.behaviour.sequential = true;
        self
    }

    /// The run ends with this tool's result.
    pub fn ends_run(mut self) -> Self {
        self.definition.behaviour.ends_run = true;
        self
    }

    /// Only programs call the tool; the model does not see it.
    pub fn programmatic_only(mut self) -> Self {
        self.definition.behaviour.programmatic_only = true;
        self
    }

    /// Other tools may call the tool as well: plugins that were granted it by
    /// name, and native tools that say so with [`calls`](Self::calls).
    pub fn programmatic(mut self) -> Self {
        self.definition.behaviour.programmatic = true;
        self
    }

    /// Names the tools that this one may call itself, with
    /// [`ToolContext::call_tool`](crate::ToolContext::call_tool): names or patterns
    /// such as `csv_*`. None by default.
    pub fn calls<'a>(mut self, tools: impl IntoIterator<Item = &'a str>) -> Self {
        for pattern in tools {
            match Glob::new(pattern) {
                Ok(glob) => self.calls.push(glob),
                Err(error) => {
                    let problem = format!("it cannot call `{pattern}`: {error}");
                    self.problem.get_or_insert(problem);
                }
            }
        }
        self
    }

    /// Whether a person has to agree before the tool runs. Never, by default.
    pub fn approval(mut self, approval: ApprovalRequirement) -> Self {
        self.definition.approval = approval;
        self
    }

    /// How often the host may call again after a retryable failure. 0 by
    /// default.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.definition.max_retries = retries;
        self
    }

    /// Whatever the definition has no field for.
    pub fn meta(mut self, meta: Value) -> Self {
        self.definition.meta = Some(meta);
        self
    }

    /// Limits that differ from the host's. For a native tool `wall_clock`,
    /// `grace`, `output`, `partial` and `log` apply; the others bound sandboxes.
    pub fn limits(mut self, limits: LimitsPatch) -> Self {
        self.limits = limits;
        self
    }

    /// Whether the tool is refused where it has no sandbox. `false` by default:
    /// it then runs its plain function there.
    pub fn requires_sandbox(mut self, requires: bool) -> Self {
        self.requires_sandbox = requires;
        self
    }

    /// The sandbox of this tool. By default the host's, see
    /// [`Host::set_sandbox`](crate::Host::set_sandbox).
    pub fn sandbox(mut self, sandbox: impl SandboxAdapter + 'static) -> Self {
        self.sandbox = Some(Arc::new(sandbox));
        self
    }
}
