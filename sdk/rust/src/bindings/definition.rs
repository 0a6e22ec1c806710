//! Conversions of definitions and of what hooks say.

use super::context::parse;
use super::{hooks, types};
use crate::definition::{Annotations, ApprovalRequirement, Behaviour, Definition, HookSet};
use crate::hooks::{ApprovalDecision, ArgumentIssue, Offer};

impl From<Definition> for types::ToolDefinition {
    fn from(definition: Definition) -> Self {
        Self {
            name: definition.name,
            display_name: definition.display_name,
            description: definition.description,
            input_schema: definition.input_schema.to_string(),
            output_schema: definition.output_schema.map(|schema| schema.to_string()),
            annotations: definition.annotations.into(),
            approval: definition.approval.into(),
            behaviour: definition.behaviour.into(),
            hooks: definition.hooks.into(),
            max_retries: definition.max_retries,
            meta: definition.meta.map(|meta| meta.to_string()),
        }
    }
}

impl From<types::ToolDefinition> for Definition {
    fn from(definition: types::ToolDefinition) -> Self {
        Self {
            name: definition.name,
            display_name: definition.display_name,
            description: definition.description,
            input_schema: parse(&definition.input_schema),
            output_schema: definition.output_schema.as_deref().map(parse),
            annotations: definition.annotations.into(),
            approval: definition.approval.into(),
            behaviour: definition.behaviour.into(),
            hooks: definition.hooks.into(),
            max_retries: definition.max_retries,
            meta: definition.meta.as_deref().map(parse),
        }
    }
}

impl From<Annotations> for types::Annotations {
    fn from(annotations: Annotations) -> Self {
        Self {
            title: annotations.title,
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
        }
    }
}

impl From<types::Annotations> for Annotations {
    fn from(annotations: types::Annotations) -> Self {
        Self {
            title: annotations.title,
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
        }
    }
}

impl From<ApprovalRequirement> for types::ApprovalRequirement {
    fn from(approval: ApprovalRequirement) -> Self {
        match approval {
            ApprovalRequirement::Never => Self::Never,
            ApprovalRequirement::Always => Self::Always,
            ApprovalRequirement::AskHook => Self::AskHook,
            ApprovalRequirement::Other(other) => Self::Other(other),
        }
    }
}

impl From<types::ApprovalRequirement> for ApprovalRequirement {
    fn from(approval: types::ApprovalRequirement) -> Self {
        match approval {
            types::ApprovalRequirement::Never => Self::Never,
            types::ApprovalRequirement::Always => Self::Always,
            types::ApprovalRequirement::AskHook => Self::AskHook,
            types::ApprovalRequirement::Other(other) => Self::Other(other),
        }
    }
}

impl From<Behaviour> for types::Behaviour {
    fn from(behaviour: Behaviour) -> Self {
        let flags = [
            (behaviour.edits_files, Self::EDITS_FILES),
            (behaviour.defer_loading, Self::DEFER_LOADING),
            (behaviour.sequential, Self::SEQUENTIAL),
            (behaviour.ends_run, Self::ENDS_RUN),
            (behaviour.client_side, Self::CLIENT_SIDE),
            (behaviour.programmatic_only, Self::PROGRAMMATIC_ONLY),
            (behaviour.programmatic, Self::PROGRAMMATIC),
        ];
        let set = flags.into_iter().filter(|(is_set, _)| *is_set);
        set.fold(Self::empty(), |all, (_, flag)| all | flag)
    }
}

impl From<types::Behaviour> for Behaviour {
    fn from(flags: types::Behaviour) -> Self {
        Self {
            edits_files: flags.contains(types::Behaviour::EDITS_FILES),
            defer_loading: flags.contains(types::Behaviour::DEFER_LOADING),
            sequential: flags.contains(types::Behaviour::SEQUENTIAL),
            ends_run: flags.contains(types::Behaviour::ENDS_RUN),
            client_side: flags.contains(types::Behaviour::CLIENT_SIDE),
            programmatic_only: flags.contains(types::Behaviour::PROGRAMMATIC_ONLY),
            programmatic: flags.contains(types::Behaviour::PROGRAMMATIC),
        }
    }
}

impl From<HookSet> for types::HookSet {
    fn from(hooks: HookSet) -> Self {
        let flags = [
            (hooks.needs_approval, Self::NEEDS_APPROVAL),
            (hooks.validate, Self::VALIDATE),
            (hooks.prepare, Self::PREPARE),
            (hooks.model_output, Self::MODEL_OUTPUT),
        ];
        let set = flags.into_iter().filter(|(is_set, _)| *is_set);
        set.fold(Self::empty(), |all, (_, flag)| all | flag)
    }
}

impl From<types::HookSet> for HookSet {
    fn from(flags: types::HookSet) -> Self {
        Self {
            needs_approval: flags.contains(types::HookSet::NEEDS_APPROVAL),
            validate: flags.contains(types::HookSet::VALIDATE),
            prepare: flags.contains(types::HookSet::PREPARE),
            model_output: flags.contains(types::HookSet::MODEL_OUTPUT),
        }
    }
}

impl From<ApprovalDecision> for hooks::ApprovalDecision {
    fn from(decision: ApprovalDecision) -> Self {
        match decision {
            ApprovalDecision::NotNeeded => Self::NotNeeded,
            ApprovalDecision::Ask(reason) => Self::Ask(reason),
            ApprovalDecision::Deny(reason) => Self::Deny(reason),
        }
    }
}

impl From<ArgumentIssue> for types::ArgumentIssue {
    fn from(ArgumentIssue { path, message }: ArgumentIssue) -> Self {
        Self { path, message }
    }
}

impl From<Offer> for hooks::Offer {
    fn from(offer: Offer) -> Self {
        match offer {
            Offer::Unchanged => Self::Unchanged,
            Offer::Hide => Self::Hide,
            Offer::OfferAs(definition) => Self::OfferAs((*definition).into()),
        }
    }
}
