//! The list of tools of a request, and the limits on all of it.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::anthropic::{self, Weight};
use super::error::{ExportError, Problem};
use super::{Exported, Note, Options, Provider, Strict, export, prepare};
use crate::ToolDefinition;

/// Tools that a request to OpenAI takes.
const OPENAI_TOOLS: usize = 128;

/// Functions that every Gemini model takes.
const GEMINI_FUNCTIONS: usize = 64;

/// An entry of a list of tools.
#[derive(Clone, Copy, Debug)]
pub enum ListEntry<'a> {
    /// A tool of the host.
    Tool(&'a ToolDefinition),
    /// A tool that the provider runs itself, such as web search or a code
    /// interpreter, in the provider's own form. It is passed on untouched, in its
    /// place.
    HostedTool(&'a Value),
}

impl<'a> From<&'a ToolDefinition> for ListEntry<'a> {
    fn from(tool: &'a ToolDefinition) -> Self {
        Self::Tool(tool)
    }
}

/// A list of tools as a provider takes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportedList {
    /// What belongs under `tools` in the request. For Gemini the host's tools are
    /// together in one entry, `{"functionDeclarations": […]}`.
    pub tools: Vec<Value>,
    /// The tools that are in strict mode.
    pub strict: Vec<String>,
    /// What the provider has no place for, with the tool's name; the name is empty
    /// when it is about the list.
    pub notes: Vec<(String, Note)>,
}

/// Writes the list of tools of one request, in order.
///
/// With [`Strict::Prefer`], tools that no longer fit into what a request may have in
/// strict tools are written without, the later ones first.
///
/// # Errors
/// As [`export`], for the first tool that fails; when two tools have one name; and
/// when the list is more than the provider takes.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::provider::{ListEntry, Options, Provider, export_all};
/// # let tool: toolhost_tool::ToolDefinition = serde_json::from_value(json!({
/// #     "name": "now", "description": "The time.", "inputSchema": {"type": "object"}})).unwrap();
///
/// let search = json!({"type": "web_search_20250305", "name": "web_search"});
/// let entries = [ListEntry::Tool(&tool), ListEntry::HostedTool(&search)];
/// let list = export_all(entries, Provider::Anthropic, Options::default())?;
/// assert_eq!(list.tools[0]["name"], "now");
/// assert_eq!(list.tools[1], search);
/// # Ok::<(), toolhost_tool::provider::ExportError>(())
/// ```
pub fn export_all<'a>(
    entries: impl IntoIterator<Item = ListEntry<'a>>,
    provider: Provider,
    options: Options,
) -> Result<ExportedList, ExportError> {
    let entries: Vec<ListEntry> = entries.into_iter().collect();
    check_names(&entries, provider)?;
    let mut list = ExportedList::default();
    let mut budget = Budget::default();
    let mut functions = Vec::new();
    for entry in &entries {
        match entry {
            ListEntry::HostedTool(value) => list.tools.push((*value).clone()),
            ListEntry::Tool(tool) => {
                let Exported {
                    definition,
                    strict,
                    notes,
                } = budget.export(tool, provider, options)?;
                if strict {
                    list.strict.push(tool.name.clone());
                }
                let notes = notes.into_iter().map(|note| (tool.name.clone(), note));
                list.notes.extend(notes);
                if provider == Provider::Gemini {
                    functions.push(definition);
                } else {
                    list.tools.push(definition);
                }
            }
        }
    }
    if functions.len() > GEMINI_FUNCTIONS {
        let message = format!(
            "there are {} functions; older models take {GEMINI_FUNCTIONS}",
            functions.len()
        );
        list.notes.push((String::new(), Note::new("", "", message)));
    }
    if !functions.is_empty() {
        list.tools
            .insert(0, json!({ "functionDeclarations": functions }));
    }
    Ok(list)
}

/// Checks the number of tools and that their names differ, a hosted tool's too:
/// what answers to a name must not be a matter of luck.
fn check_names(entries: &[ListEntry], provider: Provider) -> Result<(), ExportError> {
    let mut seen = HashSet::new();
    for (place, entry) in entries.iter().enumerate() {
        let name = match entry {
            ListEntry::Tool(tool) => Some(&*tool.name),
            ListEntry::HostedTool(value) => value["name"].as_str(),
        };
        let shown = name.unwrap_or("hosted tool");
        if matches!(provider, Provider::OpenAiChat | Provider::OpenAiResponses)
            && place >= OPENAI_TOOLS
        {
            let limit = OPENAI_TOOLS;
            return Err(ExportError::new(
                shown,
                provider,
                Problem::TooManyTools { limit },
            ));
        }
        if let Some(name) = name
            && !seen.insert(name)
        {
            return Err(ExportError::new(name, provider, Problem::SameName));
        }
    }
    Ok(())
}

/// What the strict tools of the request have so far. Only Anthropic counts.
#[derive(Default)]
struct Budget {
    tools: usize,
    weight: Weight,
}

impl Budget {
    fn export(
        &mut self,
        tool: &ToolDefinition,
        provider: Provider,
        options: Options,
    ) -> Result<Exported, ExportError> {
        let exported = export(tool, provider, options)?;
        if !exported.strict || provider != Provider::Anthropic {
            return Ok(exported);
        }
        let Err(problem) = self.take(tool) else {
            return Ok(exported);
        };
        if options.strict == Strict::Require {
            return Err(ExportError::new(&tool.name, provider, problem));
        }
        let off = Options {
            strict: Strict::Off,
        };
        let mut exported = export(tool, provider, off)?;
        let message = format!("strict mode is left out: {problem}");
        exported.notes.push(Note::new("", "", message));
        Ok(exported)
    }

    fn take(&mut self, tool: &ToolDefinition) -> Result<(), Problem> {
        let added = prepare::schema(&tool.input_schema).map(|mut schema| {
            prepare::choices(&mut schema);
            Weight::of(&schema)
        })?;
        let optional = self.weight.optional + added.optional;
        let unions = self.weight.unions + added.unions;
        for (what, given, limit) in [
            ("tools", self.tools + 1, anthropic::STRICT_TOOLS),
            ("optional parameters", optional, anthropic::OPTIONAL),
            ("parameters of several types", unions, anthropic::UNIONS),
        ] {
            if given > limit {
                return Err(Problem::StrictBudget { what, limit, given });
            }
        }
        self.tools += 1;
        self.weight = Weight { optional, unions };
        Ok(())
    }
}
