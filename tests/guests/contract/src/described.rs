//! Definitions beyond the plain one: hooks named per tool, and one tool with every
//! field of a definition set.

use guest_support::bindings::types::{
    Annotations, ApprovalRequirement, Behaviour, HookSet, ToolDefinition,
};
use guest_support::{Answer, Request, Tool, structured};
use serde_json::json;

pub(crate) const TOOLS: &[Tool] = &[Tool {
    name: "every_field",
    description: "Has every field of a definition set, and an output schema that it breaks when asked to.",
    properties: r#"{"break":{"type":"boolean","default":false}}"#,
    run: every_field,
}];

fn every_field(request: &Request) -> Answer {
    let broken = request.flag("break");
    structured(if broken {
        json!({ "total": "three" })
    } else {
        json!({ "total": 3 })
    })
}

/// The definitions of the table, completed.
pub(crate) fn describe(tools: &[Tool]) -> Vec<ToolDefinition> {
    let mut definitions = guest_support::table::describe(tools);
    for definition in &mut definitions {
        complete(definition);
    }
    definitions
}

fn complete(definition: &mut ToolDefinition) {
    match definition.name.as_str() {
        "every_field" => set_every_field(definition),
        "fail_until" => definition.max_retries = 2,
        "guarded" => {
            definition.approval = ApprovalRequirement::AskHook;
            definition.hooks = HookSet::NEEDS_APPROVAL;
        }
        "always_asks" => definition.approval = ApprovalRequirement::Always,
        "other_approval" => {
            definition.approval = ApprovalRequirement::Other("two-reviewers".to_owned());
        }
        "span" => definition.hooks = HookSet::VALIDATE,
        "shy" => definition.hooks = HookSet::PREPARE,
        "dressed" => definition.hooks = HookSet::MODEL_OUTPUT,
        _ => {}
    }
}

fn set_every_field(definition: &mut ToolDefinition) {
    definition.display_name = Some("Every field".to_owned());
    definition.output_schema = Some(
        r#"{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"]}"#
            .to_owned(),
    );
    definition.annotations = Annotations {
        title: Some("All fields at once".to_owned()),
        read_only: Some(false),
        destructive: Some(true),
        idempotent: Some(true),
        open_world: Some(false),
    };
    definition.behaviour = Behaviour::EDITS_FILES
        | Behaviour::DEFER_LOADING
        | Behaviour::SEQUENTIAL
        | Behaviour::ENDS_RUN;
    definition.max_retries = 4;
    definition.meta = Some(r#"{"vendor":{"tier":"gold"}}"#.to_owned());
}
