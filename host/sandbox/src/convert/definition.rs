//! Tool definitions: what `describe` says, checked one by one, so that a bad
//! tool is left out and the others stay.

use std::collections::HashSet;

use toolhost_policy::LoadLimits;
use toolhost_tool::{
    Annotations, ApprovalRequirement, Behaviour, HookSet, ToolDefinition, check_name,
    truncate_chars,
};

use super::{parse, parse_option};
use crate::bindings::types;

/// Definitions that can be used, and what was wrong with the others.
pub(crate) struct Described {
    pub(crate) definitions: Vec<ToolDefinition>,
    pub(crate) warnings: Vec<String>,
}

/// Most warnings kept of one plugin; one with 10,000 bad tools has one fault.
const MAX_WARNINGS: usize = 32;

/// Checks what a plugin describes.
pub(crate) fn definitions(described: Vec<types::ToolDefinition>, limits: &LoadLimits) -> Described {
    let total = described.len();
    let mut result = Described {
        definitions: Vec::new(),
        warnings: Vec::new(),
    };
    let mut names = HashSet::new();
    let allowed = usize::try_from(limits.tools).unwrap_or(usize::MAX);
    for tool in described.into_iter().take(allowed) {
        let shown = shown_name(&tool.name);
        let checked = if names.contains(&tool.name) {
            Err("another tool of the plugin has the same name".to_owned())
        } else {
            definition(tool, limits)
        };
        match checked {
            Ok(definition) => {
                names.insert(definition.name.clone());
                result.definitions.push(definition);
            }
            Err(reason) if result.warnings.len() < MAX_WARNINGS => {
                result
                    .warnings
                    .push(format!("tool {shown} is left out: {reason}"));
            }
            Err(_) => {}
        }
    }
    if total > allowed {
        result.warnings.push(format!(
            "{} tools are left out: the plugin describes {total} and {allowed} are allowed",
            total - allowed
        ));
    }
    result
}

/// Checks one definition. Its schemas are compiled later, by the registry.
pub(crate) fn definition(
    tool: types::ToolDefinition,
    limits: &LoadLimits,
) -> Result<ToolDefinition, String> {
    check_name(&tool.name).map_err(|error| error.to_string())?;
    check_size(&tool.description, "description", limits.description_bytes)?;
    check_size(&tool.input_schema, "input schema", limits.schema_bytes)?;
    if let Some(schema) = &tool.output_schema {
        check_size(schema, "output schema", limits.schema_bytes)?;
    }
    if let Some(meta) = &tool.meta {
        check_size(meta, "meta", limits.schema_bytes)?;
    }
    let short = |text: Option<String>| text.map(|text| clean(&truncate_chars(text, 200)));
    Ok(ToolDefinition {
        display_name: short(tool.display_name),
        description: clean(&tool.description),
        input_schema: parse(&tool.input_schema, "the input schema")?,
        output_schema: parse_option(tool.output_schema.as_ref(), "the output schema")?,
        annotations: Annotations {
            title: short(tool.annotations.title),
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: tool.annotations.open_world,
        },
        approval: approval(tool.approval),
        behaviour: behaviour(tool.behaviour),
        hooks: hooks(tool.hooks),
        max_retries: tool.max_retries,
        meta: parse_option(tool.meta.as_ref(), "the meta")?,
        name: tool.name,
    })
}

fn check_size(text: &str, what: &str, allowed: u64) -> Result<(), String> {
    if text.len() as u64 > allowed {
        return Err(format!(
            "its {what} has {} bytes and may have {allowed}",
            text.len()
        ));
    }
    Ok(())
}

/// Text for people and models keeps its line breaks; escape sequences, which
/// would act on the terminal it is printed to, go.
fn clean(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

fn shown_name(name: &str) -> String {
    format!("{:?}", truncate_chars(name.to_owned(), 80))
}

fn approval(approval: types::ApprovalRequirement) -> ApprovalRequirement {
    match approval {
        types::ApprovalRequirement::Never => ApprovalRequirement::Never,
        types::ApprovalRequirement::Always => ApprovalRequirement::Always,
        types::ApprovalRequirement::AskHook => ApprovalRequirement::AskHook,
        types::ApprovalRequirement::Other(name) => {
            ApprovalRequirement::Other(clean(&truncate_chars(name, 200)))
        }
    }
}

fn behaviour(flags: types::Behaviour) -> Behaviour {
    let has = |flag| flags.contains(flag);
    Behaviour {
        edits_files: has(types::Behaviour::EDITS_FILES),
        defer_loading: has(types::Behaviour::DEFER_LOADING),
        sequential: has(types::Behaviour::SEQUENTIAL),
        ends_run: has(types::Behaviour::ENDS_RUN),
        client_side: has(types::Behaviour::CLIENT_SIDE),
        programmatic_only: has(types::Behaviour::PROGRAMMATIC_ONLY),
        programmatic: has(types::Behaviour::PROGRAMMATIC),
    }
}

fn hooks(flags: types::HookSet) -> HookSet {
    HookSet {
        needs_approval: flags.contains(types::HookSet::NEEDS_APPROVAL),
        validate: flags.contains(types::HookSet::VALIDATE),
        prepare: flags.contains(types::HookSet::PREPARE),
        model_output: flags.contains(types::HookSet::MODEL_OUTPUT),
    }
}

/// A definition as a plugin's `prepare` hook reads it.
pub(crate) fn definition_to_wit(tool: &ToolDefinition) -> types::ToolDefinition {
    types::ToolDefinition {
        name: tool.name.clone(),
        display_name: tool.display_name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.to_string(),
        output_schema: tool.output_schema.as_ref().map(ToString::to_string),
        annotations: types::Annotations {
            title: tool.annotations.title.clone(),
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: tool.annotations.open_world,
        },
        approval: match &tool.approval {
            ApprovalRequirement::Never => types::ApprovalRequirement::Never,
            ApprovalRequirement::Always => types::ApprovalRequirement::Always,
            ApprovalRequirement::AskHook => types::ApprovalRequirement::AskHook,
            ApprovalRequirement::Other(name) => types::ApprovalRequirement::Other(name.clone()),
        },
        behaviour: behaviour_to_wit(tool.behaviour),
        hooks: hooks_to_wit(tool.hooks),
        max_retries: tool.max_retries,
        meta: tool.meta.as_ref().map(ToString::to_string),
    }
}

fn behaviour_to_wit(behaviour: Behaviour) -> types::Behaviour {
    let mut flags = types::Behaviour::empty();
    for (set, flag) in [
        (behaviour.edits_files, types::Behaviour::EDITS_FILES),
        (behaviour.defer_loading, types::Behaviour::DEFER_LOADING),
        (behaviour.sequential, types::Behaviour::SEQUENTIAL),
        (behaviour.ends_run, types::Behaviour::ENDS_RUN),
        (behaviour.client_side, types::Behaviour::CLIENT_SIDE),
        (
            behaviour.programmatic_only,
            types::Behaviour::PROGRAMMATIC_ONLY,
        ),
        (behaviour.programmatic, types::Behaviour::PROGRAMMATIC),
    ] {
        if set {
            flags |= flag;
        }
    }
    flags
}

fn hooks_to_wit(hooks: HookSet) -> types::HookSet {
    let mut flags = types::HookSet::empty();
    for (set, flag) in [
        (hooks.needs_approval, types::HookSet::NEEDS_APPROVAL),
        (hooks.validate, types::HookSet::VALIDATE),
        (hooks.prepare, types::HookSet::PREPARE),
        (hooks.model_output, types::HookSet::MODEL_OUTPUT),
    ] {
        if set {
            flags |= flag;
        }
    }
    flags
}
