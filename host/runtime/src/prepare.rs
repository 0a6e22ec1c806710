//! Before the run: which tools the model is told of in a turn.

use std::collections::BTreeSet;

use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use toolhost_policy::LoadLimits;
use toolhost_sandbox::Offer;
use toolhost_tool::{
    CallError, ErrorKind, ExecutionContext, SchemaLimits, ToolDefinition, ToolSchema,
};

use crate::host::Host;
use crate::result::CallResult;
use crate::search::{CALL_TOOL, TOOL_SEARCH};
use crate::tool::Tool;

/// Hooks of one turn that run at once.
const HOOKS_AT_ONCE: usize = 16;

/// The deferred tools that a session has found so far. The caller keeps it with
/// the session: it serialises, as `{found: […], fixedList}`.
///
/// It is about the model's context, not about permission: a call of a deferred
/// tool that is not in here runs like any other, so that a conversation which
/// remembers a tool can go on without this.
///
/// ```no_run
/// use toolhost::{Call, Discovered, ExecutionContext, Host};
///
/// # async fn example(host: Host, calls: Vec<Call>) {
/// let context = ExecutionContext::default();
/// let mut discovered = Discovered::new();
/// let turn = host.prepare_turn(&context, &discovered).await;
/// // The model gets `turn.tools`, and answers with `calls`.
/// for call in calls {
///     let result = host.call(call, context.clone()).await;
///     discovered.observe(&result);
/// }
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Discovered {
    found: BTreeSet<String>,
    fixed_list: bool,
}

impl Discovered {
    /// Nothing is found yet; what is found joins the list of the next turn.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// For models whose list of tools cannot change within a conversation: what
    /// is found stays out of the list and is called through `call_tool`.
    #[must_use]
    pub fn with_fixed_list() -> Self {
        Self {
            fixed_list: true,
            ..Self::default()
        }
    }

    /// Adds what `result` found, when it is a result of `tool_search`. Returns
    /// whether anything is new.
    pub fn observe(&mut self, result: &CallResult) -> bool {
        if result.tool_name != TOOL_SEARCH {
            return false;
        }
        let structured = result
            .output()
            .and_then(|output| output.structured.as_ref());
        let tools = structured.and_then(|found| found["tools"].as_array());
        let names = tools
            .into_iter()
            .flatten()
            .filter_map(|tool| tool["name"].as_str());
        let before = self.found.len();
        self.found.extend(names.map(str::to_owned));
        self.found.len() > before
    }

    /// Adds a tool by name.
    pub fn add(&mut self, name: impl Into<String>) {
        self.found.insert(name.into());
    }

    /// Whether `name` has been found.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.found.contains(name)
    }

    /// The names of what has been found.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(String::as_str)
    }
}

/// What the model is told of in a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparedTurn {
    /// The tools, by name; the host's own come last.
    pub tools: Vec<ToolDefinition>,
    /// Hooks that failed. Their tools are not offered in this turn.
    pub errors: Vec<CallError>,
}

impl Host {
    /// Which tools the model is told of in the turn of `context`. Asks the
    /// `prepare` hooks, several at once.
    ///
    /// | tool | listed |
    /// |---|---|
    /// | with a `prepare` hook | as the hook says: unchanged, not, or changed |
    /// | `defer_loading` | once it was found |
    /// | `programmatic_only` | never |
    /// | `tool_search` | while a deferred tool is not listed |
    /// | `call_tool` | likewise, for a [fixed list](Discovered::with_fixed_list) |
    ///
    /// A changed definition is what the model is *shown*. Arguments are checked
    /// against the schema that the tool was registered with, in every turn: a
    /// turn that goes on in another process must not need to remember it.
    pub async fn prepare_turn(
        &self,
        context: &ExecutionContext,
        discovered: &Discovered,
    ) -> PreparedTurn {
        let (listed, withheld): (Vec<_>, Vec<_>) = self
            .tools()
            .into_iter()
            .filter(|tool| !tool.definition.behaviour.programmatic_only)
            .partition(|tool| {
                let found = !discovered.fixed_list && discovered.has(&tool.definition.name);
                found || !tool.definition.behaviour.defer_loading
            });
        let limits = self.load_limits();
        let answers: Vec<_> = stream::iter(&listed)
            .map(|tool| offered(tool, context, limits))
            .buffered(HOOKS_AT_ONCE)
            .collect()
            .await;
        let mut turn = PreparedTurn::default();
        for answer in answers {
            match answer {
                Ok(definition) => turn.tools.extend(definition),
                Err(error) => turn.errors.push(error),
            }
        }
        if !withheld.is_empty() {
            turn.tools.extend(self.built_in(TOOL_SEARCH));
            if discovered.fixed_list {
                turn.tools.extend(self.built_in(CALL_TOOL));
            }
        }
        turn
    }
}

/// The definition that a tool is offered with; `None` when it is hidden.
pub(crate) async fn offered(
    tool: &Tool,
    context: &ExecutionContext,
    limits: &LoadLimits,
) -> Result<Option<ToolDefinition>, CallError> {
    let definition = &tool.definition;
    if !definition.hooks.prepare {
        return Ok(Some(definition.clone()));
    }
    let answer = tool.prepare(context, limits).await;
    let name = &definition.name;
    match answer.result.map_err(|failure| failure.into_error(name))? {
        Offer::Unchanged => Ok(Some(definition.clone())),
        Offer::Hide => Ok(None),
        // One schema that a provider cannot read fails the whole request.
        Offer::As(changed) => {
            let schema = changed.input_schema.clone();
            match ToolSchema::compile_value(schema, &SchemaLimits::default()) {
                Ok(_) => Ok(Some(*changed)),
                Err(error) => Err(CallError::new(
                    ErrorKind::Execution,
                    "InvalidOutputError",
                    name,
                    format!("`prepare` offers a schema that cannot be used: {error}"),
                )),
            }
        }
    }
}
