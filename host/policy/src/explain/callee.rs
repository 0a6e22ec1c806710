//! Whether a tool that a plugin is granted can be called by it: what the tool itself
//! says, and what the operator's rules say of calls of it.

use serde_json::Value;
use toolhost_tool::permission::{Action, CallFacts, Decider, Permissions, Rule, Verdict};
use toolhost_tool::{ApprovalRequirement, ToolDefinition, suggest};

use super::Setting;

/// Whether calls of the tool run, with what may be in the way of some of them.
///
/// # Errors
///
/// What is in the way of all of them.
pub(super) fn judge(setting: &Setting<'_>, name: &str) -> Result<Vec<String>, String> {
    let tool = match setting.tools {
        Some(tools) => Some(find(tools, name)?),
        None => None,
    };
    let Some(permissions) = setting.permissions else {
        return Ok(Vec::new());
    };
    let (always, sometimes) = by_arguments(permissions);
    let mut notes = Vec::new();
    match verdict(permissions, &always, tool, name) {
        Verdict::Allow { .. } => {}
        Verdict::AskTool => notes.push(
            "the tool decides on each call whether a person is asked; then the call is refused, \
             because a tool cannot wait for one"
                .to_owned(),
        ),
        Verdict::Deny { reason, by } => {
            let by = decider(&by, &always);
            return Err(format!("{by} under `[permissions]`: {reason}"));
        }
        Verdict::Ask { by, .. } => {
            let allows = |rule: &Rule| rule.action == Action::Allow && rule.tool.matches(name);
            let may_run = sometimes.iter().any(|(_, rule)| allows(rule));
            let by = decider(&by, &always);
            let why = format!("{by} asks a person, and a tool that calls it cannot wait for one");
            if !may_run {
                return Err(why);
            }
            notes.push(why);
        }
    }
    let about = sometimes.iter().filter(|(_, rule)| rule.tool.matches(name));
    notes.extend(about.map(|(index, rule)| {
        format!(
            "for some arguments another rule under `[permissions]` decides, rule {} ({rule})",
            index + 1
        )
    }));
    Ok(notes)
}

fn find<'a>(tools: &'a [ToolDefinition], name: &str) -> Result<&'a ToolDefinition, String> {
    let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
        let names = tools.iter().map(|tool| tool.name.as_str());
        let help = match suggest(name, names) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "name the plugin that has it with `--with FILE`".to_owned(),
        };
        return Err(format!(
            "no plugin that is named has a tool `{name}`: {help}"
        ));
    };
    if !tool.behaviour.allows_programs() {
        return Err(format!(
            "`{name}` does not let programs call it: its author would have to mark it \
             `programmatic`"
        ));
    }
    Ok(tool)
}

type Placed<'a> = (usize, &'a Rule);

/// The rules for all calls of a tool, and those for some, by their places.
fn by_arguments(permissions: &Permissions) -> (Vec<Placed<'_>>, Vec<Placed<'_>>) {
    let rules = permissions.rules.iter().enumerate();
    rules.partition(|(_, rule)| rule.arguments.is_empty())
}

/// What is decided by the rules for all calls. Of a tool that is not known the best is
/// assumed: what is refused nevertheless is refused whatever it says of itself.
fn verdict(
    permissions: &Permissions,
    always: &[Placed<'_>],
    tool: Option<&ToolDefinition>,
    name: &str,
) -> Verdict {
    let facts = match tool {
        Some(tool) => CallFacts::of(tool, &Value::Null),
        None => CallFacts {
            tool_name: name,
            arguments: &Value::Null,
            read_only: true,
            edits_files: true,
            requirement: &ApprovalRequirement::Never,
            has_hook: false,
        },
    };
    let permissions = Permissions {
        mode: permissions.mode,
        rules: always.iter().map(|(_, rule)| (*rule).clone()).collect(),
    };
    permissions.decide(&facts)
}

/// The decider with the place that its rule has in the file.
fn decider(by: &Decider, always: &[Placed<'_>]) -> String {
    let Decider::Rule { index, text } = by else {
        return by.to_string();
    };
    let index = always.get(*index).map_or(*index, |(place, _)| *place);
    let text = text.clone();
    Decider::Rule { index, text }.to_string()
}
