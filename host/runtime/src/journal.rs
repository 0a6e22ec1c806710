//! Same call, same effect: a journal of calls, by their ids.
//!
//! | the call comes again | and |
//! |---|---|
//! | after it finished, with the same tool and arguments | is answered from the journal |
//! | with another tool or other arguments | is refused |
//! | after it started and did not finish | runs again, as the next attempt, and says so |
//! | after it was suspended | goes on, as the same attempt |
//!
//! Finished is a call that has a result, an error of its own included. One that
//! was cancelled, or never reached its tool, is not.
//!
//! The journal knows calls of other processes, but not whether those still run:
//! a call that is started twice at once is run twice.

mod sqlite;

use std::sync::Arc;

use toolhost_sandbox::{Digest, Input};
use toolhost_tool::{CallError, ErrorKind, LogLevel, LogLine, LogSource, Outcome, Report};

use crate::approval::arguments_digest;
use crate::host::HostBuilder;
use crate::pipeline::Step;
use crate::result::CallResult;
use crate::turn::SavedResult;

pub use sqlite::SqliteJournal;

/// Where finished calls are remembered. Its functions may block.
pub trait Journal: Send + Sync {
    /// What is known of a call. Changes nothing.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    fn find(&self, key: &CallKey) -> Result<Known, JournalError>;

    /// Notes that a call starts, and returns how many attempts of it started
    /// before and did not finish.
    ///
    /// # Errors
    ///
    /// When it cannot be noted; then the call is not run.
    fn start(&self, key: &CallKey) -> Result<u32, JournalError>;

    /// Notes that a call was suspended, so that going on is no new attempt.
    ///
    /// # Errors
    ///
    /// When it cannot be noted.
    fn pause(&self, key: &CallKey) -> Result<(), JournalError>;

    /// Notes how a call finished; `result` is JSON.
    ///
    /// # Errors
    ///
    /// When it cannot be noted.
    fn finish(&self, key: &CallKey, result: &str) -> Result<(), JournalError>;
}

/// Why a journal does not work.
#[derive(Debug, thiserror::Error)]
#[error("the journal does not work: {message}")]
pub struct JournalError {
    /// What is wrong.
    pub message: String,
}

/// A call, as a journal tells it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallKey {
    /// The session, within which ids of calls are unique; empty when there is
    /// none.
    pub session: String,
    /// The id of the call.
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
    /// SHA-256 of its validated arguments, in canonical form.
    pub arguments: Digest,
}

/// What a journal knows of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing, or that it did not finish.
    Unfinished,
    /// Its result.
    Finished(String),
    /// A call of the same id, with another tool or other arguments.
    Other,
}

impl HostBuilder {
    /// Remembers calls by their ids, and answers those that have finished from
    /// there. By default nothing is remembered.
    ///
    /// Ids have to be unique within a session, which those of model APIs are.
    #[must_use]
    pub fn journal(mut self, journal: impl Journal + 'static) -> Self {
        self.policy.journal = Some(Arc::new(journal));
        self
    }
}

/// The journal as one call sees it.
pub(crate) struct Page {
    journal: Arc<dyn Journal>,
    key: CallKey,
    /// Another tool made the call. A failure is then no end: the tool may try
    /// again, which for a journal is the same call.
    is_nested: bool,
}

impl Page {
    /// The page of a call with validated arguments, if its host has a journal.
    pub(crate) fn of(step: &Step<'_>, validated: &Input) -> Option<Arc<Self>> {
        let journal = step.host.policy().journal.as_ref()?;
        Some(Arc::new(Self {
            journal: Arc::clone(journal),
            is_nested: step.nesting.is_some(),
            key: CallKey {
                session: step.context.session_id.clone().unwrap_or_default(),
                tool_call_id: validated.tool_call_id.clone(),
                tool_name: step.tool.definition.name.clone(),
                arguments: arguments_digest(validated.arguments.as_deref()),
            },
        }))
    }

    /// The result of the call, when it has finished before.
    ///
    /// # Errors
    ///
    /// When another call had this id, or the journal cannot be read.
    pub(crate) async fn result(
        self: &Arc<Self>,
    ) -> Result<Option<Result<Outcome, CallError>>, CallError> {
        match self.ask(|journal, key| journal.find(key)).await? {
            Known::Unfinished => Ok(None),
            Known::Other => {
                let reason = "another call with this id has run before, with another tool or \
                              other arguments; give the call an id of its own";
                Err(CallError::denied(&self.key.tool_name, reason))
            }
            Known::Finished(text) => serde_json::from_str(&text)
                .map_err(|error| error.to_string())
                .and_then(|saved: SavedResult| {
                    saved.into_outcome().map_err(|error| error.to_string())
                })
                .map(Some)
                .map_err(|error| self.error(&format!("its result cannot be read: {error}"))),
        }
    }

    /// Notes that the call starts; how many attempts did not finish.
    ///
    /// # Errors
    ///
    /// When it cannot be noted.
    pub(crate) async fn start(self: &Arc<Self>, report: &mut Report) -> Result<u32, CallError> {
        let before = self.ask(|journal, key| journal.start(key)).await?;
        if before > 0 {
            report.logs.push(LogLine {
                level: LogLevel::Warn,
                source: LogSource::Log,
                message: format!(
                    "the call had started before and not finished; this is attempt {}",
                    before + 1
                ),
            });
        }
        Ok(before)
    }

    /// Notes how the call ended. What cannot be noted is logged: the call has
    /// happened, and its result is worth more than its note.
    pub(crate) async fn end(
        self: &Arc<Self>,
        outcome: &Result<Outcome, CallError>,
        report: &mut Report,
    ) {
        let noted = match outcome {
            Ok(Outcome::Suspended(_)) => self.ask(|journal, key| journal.pause(key)).await,
            Err(error) if self.is_nested || error.kind == ErrorKind::Aborted => Ok(()),
            _ => {
                let saved = SavedResult::of(&CallResult {
                    tool_call_id: self.key.tool_call_id.clone(),
                    tool_name: self.key.tool_name.clone(),
                    outcome: outcome.clone(),
                    report: Report::default(),
                });
                let text = serde_json::json!(saved).to_string();
                self.ask(move |journal, key| journal.finish(key, &text))
                    .await
            }
        };
        if let Err(error) = noted {
            report.logs.push(LogLine {
                level: LogLevel::Error,
                source: LogSource::Log,
                message: error.message,
            });
        }
    }

    /// Asks on a thread that may block.
    async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&dyn Journal, &CallKey) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, CallError> {
        let page = Arc::clone(self);
        let asked =
            tokio::task::spawn_blocking(move || question(page.journal.as_ref(), &page.key)).await;
        match asked {
            Ok(answer) => answer.map_err(|error| self.error(&error.message)),
            Err(error) => Err(self.error(&error.to_string())),
        }
    }

    fn error(&self, message: &str) -> CallError {
        CallError::new(
            ErrorKind::Execution,
            "JournalError",
            &self.key.tool_name,
            format!("the journal does not work: {message}"),
        )
    }
}
