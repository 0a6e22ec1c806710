//! Conversions of the context and its errors.

use serde_json::Value;

use super::{calls, run, secrets, types};
use crate::context::{
    Approval, CallFailure, Flow, LogLevel, Principal, PrincipalKind, Resumption, RunError,
    TokenUsage,
};

/// JSON of the contract. Both sides promise that it is valid; text that is not
/// counts as `null`.
pub(super) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

impl From<&types::Principal> for Principal {
    fn from(principal: &types::Principal) -> Self {
        Self {
            id: principal.id.clone(),
            kind: match &principal.kind {
                types::PrincipalKind::User => PrincipalKind::User,
                types::PrincipalKind::Service => PrincipalKind::Service,
                types::PrincipalKind::Agent => PrincipalKind::Agent,
                types::PrincipalKind::Other(kind) => PrincipalKind::Other(kind.clone()),
            },
            claims: principal.claims.as_deref().map(parse),
            verified: principal.verified,
        }
    }
}

impl From<Principal> for types::Principal {
    fn from(principal: Principal) -> Self {
        Self {
            id: principal.id,
            kind: match principal.kind {
                PrincipalKind::User => types::PrincipalKind::User,
                PrincipalKind::Service => types::PrincipalKind::Service,
                PrincipalKind::Agent => types::PrincipalKind::Agent,
                PrincipalKind::Other(kind) => types::PrincipalKind::Other(kind),
            },
            claims: principal.claims.map(|claims| claims.to_string()),
            verified: principal.verified,
        }
    }
}

impl From<&types::Approval> for Approval {
    fn from(approval: &types::Approval) -> Self {
        Self {
            note: approval.note.clone(),
            by: approval.by.clone(),
        }
    }
}

impl From<Approval> for types::Approval {
    fn from(Approval { note, by }: Approval) -> Self {
        Self { note, by }
    }
}

impl From<&types::TokenUsage> for TokenUsage {
    fn from(usage: &types::TokenUsage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
        }
    }
}

impl From<TokenUsage> for types::TokenUsage {
    fn from(usage: TokenUsage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
        }
    }
}

impl From<&types::Resumption> for Resumption {
    fn from(resumption: &types::Resumption) -> Self {
        Self {
            state: resumption.state.clone(),
            answer: resumption.answer.as_deref().map(parse),
        }
    }
}

impl From<Resumption> for types::Resumption {
    fn from(resumption: Resumption) -> Self {
        Self {
            state: resumption.state,
            answer: resumption.answer.map(|answer| answer.to_string()),
        }
    }
}

impl From<run::RunError> for RunError {
    fn from(error: run::RunError) -> Self {
        match error {
            run::RunError::Denied(text) => Self::Denied(text),
            run::RunError::TooLarge(text) => Self::TooLarge(text),
            run::RunError::Invalid(text) => Self::Invalid(text),
            run::RunError::Other(text) => Self::Other(text),
        }
    }
}

impl From<run::Flow> for Flow {
    fn from(flow: run::Flow) -> Self {
        match flow {
            run::Flow::Continue => Self::Continue,
            run::Flow::Stop => Self::Stop,
        }
    }
}

impl From<calls::CallFailure> for CallFailure {
    fn from(failure: calls::CallFailure) -> Self {
        Self {
            kind: failure.kind,
            name: failure.name,
            message: failure.message,
            retryable: failure.retryable,
            error: Box::new(parse(&failure.error)),
        }
    }
}

impl From<secrets::SecretError> for RunError {
    fn from(error: secrets::SecretError) -> Self {
        match error {
            secrets::SecretError::Denied(text) => Self::Denied(text),
            secrets::SecretError::Other(text) => Self::Other(text),
        }
    }
}

impl From<LogLevel> for run::LogLevel {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Trace => Self::Trace,
            LogLevel::Debug => Self::Debug,
            LogLevel::Info => Self::Info,
            LogLevel::Warn => Self::Warn,
            LogLevel::Error => Self::Error,
        }
    }
}
