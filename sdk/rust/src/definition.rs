//! What the host and a model learn about a tool before they call it.

use serde_json::Value;

/// A tool as the host sees it. `#[tool]` writes it; the hook `prepare` gets it
/// and may offer a changed one.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name the model calls, `^[a-zA-Z0-9_-]{1,64}$`.
    pub name: String,
    /// A name for people, when it differs from `name`.
    pub display_name: Option<String>,
    /// What the tool does and when to use it.
    pub description: String,
    /// JSON Schema of the arguments.
    pub input_schema: Value,
    /// JSON Schema of the structured result, when it is an object.
    pub output_schema: Option<Value>,
    /// Hints about the effect of the tool.
    pub annotations: Annotations,
    /// Whether a person has to agree before it runs. Default: never.
    pub approval: ApprovalRequirement,
    /// How the host treats calls of the tool.
    pub behaviour: Behaviour,
    /// The hooks that the host calls.
    pub hooks: HookSet,
    /// How often the host may call again after a retryable failure. Default: 0.
    pub max_retries: u32,
    /// Whatever the contract has no field for.
    pub meta: Option<Value>,
}

impl Definition {
    /// A definition with every default.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.into(),
            display_name: None,
            description: description.into(),
            input_schema,
            output_schema: None,
            annotations: Annotations::default(),
            approval: ApprovalRequirement::default(),
            behaviour: Behaviour::default(),
            hooks: HookSet::default(),
            max_retries: 0,
            meta: None,
        }
    }
}

/// Hints about the effect of a tool. `None` claims nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    /// A title for people.
    pub title: Option<String>,
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// The tool may delete or overwrite.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// The tool reaches things outside the host's control.
    pub open_world: Option<bool>,
}

/// Whether a person has to agree before a tool runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalRequirement {
    /// It runs unasked.
    #[default]
    Never,
    /// Each call is asked about.
    Always,
    /// The hook `needs_approval` decides for each call.
    AskHook,
    /// A requirement this version does not name; the host asks.
    Other(String),
}

/// How the host treats calls of a tool. All false by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags of the contract, each independent of the others"
)]
pub struct Behaviour {
    /// The tool changes files that the user works on.
    pub edits_files: bool,
    /// The definition is withheld from the model until it is searched for.
    pub defer_loading: bool,
    /// Calls of sequential tools never overlap one another in a run.
    pub sequential: bool,
    /// The run ends with this tool's result.
    pub ends_run: bool,
    /// The caller runs the tool, not the plugin.
    pub client_side: bool,
    /// Only programs call the tool; the model does not see it.
    pub programmatic_only: bool,
    /// Programs may call the tool as well: other tools that were granted it.
    pub programmatic: bool,
}

/// The hooks that a tool has. All false by default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags of the contract, each independent of the others"
)]
pub struct HookSet {
    /// It decides for each call whether a person is asked.
    pub needs_approval: bool,
    /// It checks its arguments.
    pub validate: bool,
    /// It decides for each turn whether it is offered.
    pub prepare: bool,
    /// It writes what the model sees of its result.
    pub model_output: bool,
}
