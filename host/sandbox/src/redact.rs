//! Keeping secrets out of what leaves a sandbox: every answer of a guest passes
//! here, once before long texts in it are cut, so that no half of a secret is
//! left, and once as what the rest of the host reads.
//!
//! Fields are named one by one, without `..`: a new one does not compile until
//! somebody has thought of it.

use serde_json::Value;
use toolhost_policy::Redactor;
use toolhost_tool::{
    CallError, ClientCall, ContentBlock, Denial, Effect, Issue, LogLine, Media, MediaSource,
    Outcome, Output, Report, Suspension, SuspensionKind, ToolDefinition,
};

use crate::bindings::{hooks, types};
use crate::failure::Failure;
use crate::invoke::{ApprovalDecision, Offer};

/// Something that may hold secrets.
pub(crate) trait Redact {
    /// Takes them out.
    fn redact(&mut self, redactor: &Redactor);
}

impl Redact for String {
    fn redact(&mut self, redactor: &Redactor) {
        redactor.redact_string(self);
    }
}

impl Redact for Value {
    fn redact(&mut self, redactor: &Redactor) {
        redactor.redact_json(self);
    }
}

impl<T: Redact> Redact for Option<T> {
    fn redact(&mut self, redactor: &Redactor) {
        if let Some(inner) = self {
            inner.redact(redactor);
        }
    }
}

impl<T: Redact> Redact for Vec<T> {
    fn redact(&mut self, redactor: &Redactor) {
        for item in self {
            item.redact(redactor);
        }
    }
}

fn redact_bytes(bytes: &mut Vec<u8>, redactor: &Redactor) {
    if let std::borrow::Cow::Owned(clean) = redactor.redact_bytes(bytes) {
        *bytes = clean;
    }
}

// What a guest hands over, as far as texts in it are cut.

impl Redact for types::ToolError {
    fn redact(&mut self, redactor: &Redactor) {
        let Self {
            name,
            message,
            code,
            // Parsed first: cutting out of JSON text would break it.
            details: _,
            retryable: _,
            propagate: _,
        } = self;
        name.redact(redactor);
        message.redact(redactor);
        code.redact(redactor);
    }
}

impl Redact for types::Outcome {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::Other(name) => name.redact(redactor),
            Self::Suspended(suspension) => {
                if let types::SuspensionKind::Other(other) = &mut suspension.kind {
                    other.kind.redact(redactor);
                }
            }
            Self::Done(_) => {}
        }
    }
}

impl Redact for hooks::ApprovalDecision {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::NotNeeded => {}
            Self::Ask(reason) => reason.redact(redactor),
            Self::Deny(reason) | Self::Other(reason) => reason.redact(redactor),
        }
    }
}

impl Redact for types::ArgumentIssue {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { path, message } = self;
        path.redact(redactor);
        message.redact(redactor);
    }
}

impl Redact for types::ContentBlock {
    fn redact(&mut self, _redactor: &Redactor) {}
}

impl Redact for hooks::Offer {
    fn redact(&mut self, _redactor: &Redactor) {}
}

// What the rest of the host reads.

impl Redact for Outcome {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::Done(output) => output.redact(redactor),
            Self::Suspended(suspension) => suspension.redact(redactor),
        }
    }
}

impl Redact for Output {
    fn redact(&mut self, redactor: &Redactor) {
        let Self {
            content,
            structured,
            model_view,
            custom_data,
        } = self;
        content.redact(redactor);
        structured.redact(redactor);
        model_view.redact(redactor);
        custom_data.redact(redactor);
    }
}

impl Redact for ContentBlock {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::Text { text } => text.redact(redactor),
            Self::Image(media) | Self::Audio(media) => media.redact(redactor),
            Self::File { name, media } => {
                name.redact(redactor);
                media.redact(redactor);
            }
            Self::Other { kind, data } => {
                kind.redact(redactor);
                data.redact(redactor);
            }
        }
    }
}

impl Redact for Media {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { mime_type, source } = self;
        mime_type.redact(redactor);
        match source {
            MediaSource::Bytes { data } => redact_bytes(data, redactor),
            MediaSource::Uri { uri: text } | MediaSource::Other { source: text } => {
                text.redact(redactor);
            }
        }
    }
}

impl Redact for Suspension {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { kind, state } = self;
        // The state waits outside the host, where a secret has no place either.
        redact_bytes(state, redactor);
        match kind {
            SuspensionKind::Approval { reason } => reason.redact(redactor),
            SuspensionKind::ClientTools { calls } => calls.redact(redactor),
            SuspensionKind::Question { prompt, schema } => {
                prompt.redact(redactor);
                schema.redact(redactor);
            }
            SuspensionKind::SignIn { url, prompt } => {
                url.redact(redactor);
                prompt.redact(redactor);
            }
            SuspensionKind::Other { name, data } => {
                name.redact(redactor);
                data.redact(redactor);
            }
        }
    }
}

impl Redact for ClientCall {
    fn redact(&mut self, redactor: &Redactor) {
        let Self {
            tool_call_id,
            tool_name,
            arguments,
        } = self;
        tool_call_id.redact(redactor);
        tool_name.redact(redactor);
        arguments.redact(redactor);
    }
}

impl Redact for Issue {
    fn redact(&mut self, redactor: &Redactor) {
        let Self { path, message } = self;
        path.redact(redactor);
        message.redact(redactor);
    }
}

impl Redact for ApprovalDecision {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::NotNeeded => {}
            Self::Ask(reason) => reason.redact(redactor),
            Self::Deny(reason) => reason.redact(redactor),
        }
    }
}

impl Redact for Offer {
    fn redact(&mut self, redactor: &Redactor) {
        if let Self::As(definition) = self {
            definition.redact(redactor);
        }
    }
}

impl Redact for ToolDefinition {
    fn redact(&mut self, redactor: &Redactor) {
        let Self {
            // A name that no tool has is refused where it is read.
            name: _,
            display_name,
            description,
            input_schema,
            output_schema,
            annotations,
            approval: _,
            behaviour: _,
            hooks: _,
            max_retries: _,
            meta,
        } = self;
        display_name.redact(redactor);
        description.redact(redactor);
        input_schema.redact(redactor);
        output_schema.redact(redactor);
        annotations.title.redact(redactor);
        meta.redact(redactor);
    }
}

impl Redact for Failure {
    fn redact(&mut self, redactor: &Redactor) {
        match self {
            Self::Tool(error) => error.redact(redactor),
            Self::Trap(message)
            | Self::Contract(message)
            | Self::InvalidOutput(message)
            | Self::Grant(message)
            | Self::Busy(message)
            | Self::Internal(message) => message.redact(redactor),
            Self::Limit(..) | Self::Aborted => {}
        }
    }
}

impl Redact for CallError {
    fn redact(&mut self, redactor: &Redactor) {
        let Self {
            name,
            tool_name: _,
            message,
            kind: _,
            code,
            details,
            retryable: _,
            propagate: _,
            issues,
            suggestions,
            reason,
            note,
            limit: _,
            effects,
        } = self;
        name.redact(redactor);
        message.redact(redactor);
        code.redact(redactor);
        details.redact(redactor);
        issues.redact(redactor);
        suggestions.redact(redactor);
        reason.redact(redactor);
        note.redact(redactor);
        effects.redact(redactor);
    }
}

impl Redact for Report {
    fn redact(&mut self, redactor: &Redactor) {
        let Self {
            fuel: _,
            memory_peak_bytes: _,
            host_calls: _,
            duration_ms: _,
            logs,
            logs_dropped_bytes: _,
            partials: _,
            metadata,
            denials,
            effects,
            effects_dropped: _,
            fast_compiled: _,
            // They have reports of their own, which went this way.
            calls: _,
        } = self;
        logs.redact(redactor);
        metadata.redact(redactor);
        denials.redact(redactor);
        effects.redact(redactor);
    }
}

impl Redact for LogLine {
    fn redact(&mut self, redactor: &Redactor) {
        self.message.redact(redactor);
    }
}

impl Redact for Denial {
    fn redact(&mut self, redactor: &Redactor) {
        self.target.redact(redactor);
        self.allow_with.redact(redactor);
    }
}

impl Redact for Effect {
    fn redact(&mut self, redactor: &Redactor) {
        self.target.redact(redactor);
    }
}
