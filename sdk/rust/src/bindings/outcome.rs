//! Conversions of how a call ends.

use super::types;
use crate::error::ToolError;
use crate::outcome::Outcome;
use crate::returns::RawOutcome;
use crate::suspension::{ClientCall, Suspension, SuspensionKind};

impl From<RawOutcome> for types::Outcome {
    fn from(outcome: RawOutcome) -> Self {
        match outcome {
            Outcome::Done(output) => Self::Done(output.into()),
            Outcome::Suspended(suspension) => Self::Suspended(suspension.into()),
        }
    }
}

impl From<Suspension> for types::Suspension {
    fn from(suspension: Suspension) -> Self {
        Self {
            kind: suspension.kind.into(),
            state: suspension.state,
        }
    }
}

impl From<SuspensionKind> for types::SuspensionKind {
    fn from(kind: SuspensionKind) -> Self {
        match kind {
            SuspensionKind::Approval { reason } => {
                Self::Approval(types::ApprovalRequest { reason })
            }
            SuspensionKind::ClientTools(calls) => {
                Self::ClientTools(calls.into_iter().map(Into::into).collect())
            }
            SuspensionKind::Question { prompt, schema } => Self::Question(types::Question {
                prompt,
                schema: schema.map(|schema| schema.to_string()),
            }),
            SuspensionKind::SignIn { url, prompt } => Self::SignIn(types::SignIn { url, prompt }),
            SuspensionKind::Other { kind, data } => Self::Other(types::OtherSuspension {
                kind,
                data: data.to_string(),
            }),
        }
    }
}

impl From<ClientCall> for types::ClientCall {
    fn from(call: ClientCall) -> Self {
        Self {
            tool_call_id: call.tool_call_id,
            tool_name: call.tool_name,
            arguments: call.arguments.to_string(),
        }
    }
}

impl From<ToolError> for types::ToolError {
    fn from(error: ToolError) -> Self {
        Self {
            name: error.name,
            message: error.message,
            code: error.code,
            retryable: error.retryable,
            details: error.details.map(|details| details.to_string()),
            propagate: error.propagate,
        }
    }
}
