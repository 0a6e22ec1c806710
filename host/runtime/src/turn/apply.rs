//! Applying decisions to a suspended turn. All are checked before any of them
//! counts, so that a mistake costs nothing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use toolhost_tool::{Approval, Arguments, CallError, ErrorKind, Issue, Resumption, SuspensionKind};

use super::client;
use super::decision::{Decision, Reply};
use super::error::TurnError;
use super::pending::Pending;
use super::slot::{Leg, Slot, State};
use crate::approval::{Consent, plugin_digest};
use crate::host::Host;
use crate::tool::Tool;

/// Why an approval is asked for anew.
const EXPIRED: &str = "the decision came after the approval had expired";

/// Applies `decisions` to `slots`.
///
/// # Errors
///
/// When one of them cannot be applied. Then `slots` is of no use, and no
/// decision is used up.
pub(super) fn apply(
    host: &Host,
    slots: &mut [Slot],
    decisions: Vec<Decision>,
    approval_time: Duration,
) -> Result<(), TurnError> {
    let mut decided = HashSet::new();
    let mut used = Vec::new();
    for decision in decisions {
        let id = decision.tool_call_id.clone();
        let waiting = || waiting(slots);
        let index = slots
            .iter()
            .position(|slot| slot.call.tool_call_id == id)
            .ok_or_else(|| TurnError::UnknownCall {
                id: id.clone(),
                waiting: waiting(),
            })?;
        if decided.contains(&id) {
            return Err(TurnError::DecidedTwice { id });
        }
        let Some(pending) = slots[index].pending().cloned() else {
            return Err(TurnError::NotWaiting {
                id,
                waiting: waiting(),
            });
        };
        if decision.nonce != pending.nonce || decision.arguments_digest != pending.arguments_digest
        {
            return Err(TurnError::OtherQuestion { id });
        }
        let change = match decision.reply {
            Reply::Reject { note, by } => reject(&pending, note, by),
            reply => Deciding::new(host, &pending)?.change(reply, &slots[index])?,
        };
        if !matches!(change, Change::Wait(_)) {
            used.push((id.clone(), (pending.nonce.clone(), pending.expires_at)));
            decided.insert(id);
        }
        change.make(&mut slots[index], approval_time);
    }
    // Nothing can go wrong any more but this: one of them was used before.
    let (ids, nonces): (Vec<String>, Vec<_>) = used.into_iter().unzip();
    host.policy()
        .used
        .take(&nonces)
        .map_err(|index| TurnError::AlreadyUsed {
            id: ids[index].clone(),
        })
}

fn waiting(slots: &[Slot]) -> Vec<String> {
    let pending = slots.iter().filter_map(Slot::pending);
    pending
        .map(|pending| pending.tool_call_id.clone())
        .collect()
}

/// What a decision does to its call.
enum Change {
    /// It keeps waiting, for less.
    Wait(Box<Pending>),
    /// It is asked about anew.
    Renew(Box<Pending>),
    /// It goes on.
    Go {
        leg: Leg,
        consent: Option<Consent>,
        arguments: Option<Value>,
    },
}

impl Change {
    fn make(self, slot: &mut Slot, approval_time: Duration) {
        match self {
            Self::Wait(pending) => slot.state = State::Waiting(pending),
            Self::Renew(mut pending) => {
                pending.renew(approval_time);
                pending.asked_again = Some(EXPIRED.into());
                slot.state = State::Waiting(pending);
            }
            Self::Go {
                leg,
                consent,
                arguments,
            } => {
                slot.consent = consent;
                if let Some(arguments) = arguments {
                    slot.call.arguments = Arguments::Value(arguments);
                }
                slot.state = State::Ready(leg);
            }
        }
    }
}

/// Every kind of suspension can be rejected, and nothing is needed for it.
fn reject(pending: &Pending, note: Option<String>, by: Option<String>) -> Change {
    let who = by.map_or_else(|| "a reviewer".to_owned(), |by| format!("`{by}`"));
    let why = note
        .as_ref()
        .map_or_else(String::new, |note| format!(": {note}"));
    let name = &pending.tool_name;
    let message = format!("{who} rejected the call{why}");
    let mut error = CallError::new(ErrorKind::Rejected, "ToolRejectedError", name, message);
    error.note = note;
    Change::Go {
        leg: Leg::Reject(Box::new(error)),
        consent: None,
        arguments: None,
    }
}

/// A decision on its way to its call.
struct Deciding<'a> {
    pending: &'a Pending,
    tool: Arc<Tool>,
}

impl<'a> Deciding<'a> {
    fn new(host: &Host, pending: &'a Pending) -> Result<Self, TurnError> {
        let tool = host
            .tool(&pending.tool_name)
            .map_err(|_| TurnError::ToolMissing {
                id: pending.tool_call_id.clone(),
                tool: pending.tool_name.clone(),
            })?;
        Ok(Self { pending, tool })
    }

    fn change(&self, reply: Reply, slot: &Slot) -> Result<Change, TurnError> {
        match (&self.pending.suspension.kind, reply) {
            (
                SuspensionKind::Approval { .. },
                Reply::Approve {
                    note,
                    by,
                    arguments,
                },
            ) => self.approve(Approval { note, by }, arguments),
            (SuspensionKind::Question { schema, .. }, Reply::Answer { value }) => {
                self.check_answer(schema.as_ref(), &value)?;
                self.resume(Some(value), slot)
            }
            (
                SuspensionKind::SignIn { .. } | SuspensionKind::Other { .. },
                Reply::Answer { value },
            ) => self.resume(Some(value), slot),
            (SuspensionKind::ClientTools { .. }, Reply::Result { id, value }) => {
                self.client_result(id, value, slot)
            }
            (_, reply) => Err(TurnError::WrongReply {
                id: self.id(),
                expected: self.pending.waits_for(),
                got: reply.name(),
            }),
        }
    }

    fn id(&self) -> String {
        self.pending.tool_call_id.clone()
    }

    fn approve(&self, approval: Approval, arguments: Option<Value>) -> Result<Change, TurnError> {
        if let Some(arguments) = &arguments {
            let checked = self.tool.input.check(arguments.clone());
            checked.map_err(|issues| self.invalid(issues))?;
        }
        if self.pending.by_tool {
            self.check_plugin()?;
        }
        if self.pending.has_expired() {
            return Ok(self.ask_again());
        }
        let consent = Consent {
            approval,
            plugin_digest: self.pending.plugin_digest,
            arguments_digest: arguments.is_none().then_some(self.pending.arguments_digest),
        };
        Ok(Change::Go {
            leg: self.leg(None),
            consent: Some(consent),
            arguments,
        })
    }

    /// A question that the host asked is asked by the host again, about what is
    /// there now. One that the tool asked stays as it is.
    fn ask_again(&self) -> Change {
        if self.pending.by_tool {
            return Change::Renew(Box::new(self.pending.clone()));
        }
        Change::Go {
            leg: Leg::Resume {
                resumption: None,
                supplied: None,
                asked_again: Some(EXPIRED),
            },
            consent: None,
            arguments: None,
        }
    }

    fn resume(&self, answer: Option<Value>, slot: &Slot) -> Result<Change, TurnError> {
        self.check_plugin()?;
        Ok(Change::Go {
            leg: self.leg(answer),
            consent: slot.consent.clone(),
            arguments: None,
        })
    }

    /// The tool gets back the state it kept; a call that it never entered just
    /// starts.
    fn leg(&self, answer: Option<Value>) -> Leg {
        let resumption = self.pending.by_tool.then(|| Resumption {
            state: self.pending.suspension.state.clone(),
            answer,
        });
        Leg::Resume {
            resumption,
            supplied: None,
            asked_again: None,
        }
    }

    fn client_result(
        &self,
        id: Option<String>,
        value: Value,
        slot: &Slot,
    ) -> Result<Change, TurnError> {
        let waiting = client::ids(self.pending);
        let id = match id {
            None if waiting.len() == 1 => waiting[0].to_owned(),
            None => self.id(),
            Some(id) => id,
        };
        if !waiting.contains(&id.as_str()) {
            let waiting = waiting.into_iter().map(str::to_owned).collect();
            return Err(if self.pending.results.contains_key(&id) {
                TurnError::NotWaiting { id, waiting }
            } else {
                TurnError::UnknownCall { id, waiting }
            });
        }
        self.check_plugin()?;
        if !self.pending.by_tool {
            let supplied = client::ended(&self.pending.tool_name, value);
            return Ok(Change::Go {
                leg: Leg::Resume {
                    resumption: None,
                    supplied: Some(supplied),
                    asked_again: None,
                },
                consent: slot.consent.clone(),
                arguments: None,
            });
        }
        let mut pending = self.pending.clone();
        pending.results.insert(id, value);
        if !client::ids(&pending).is_empty() {
            return Ok(Change::Wait(Box::new(pending)));
        }
        self.resume(Some(client::answer(&pending)), slot)
    }

    fn check_answer(&self, schema: Option<&Value>, value: &Value) -> Result<(), TurnError> {
        let Some(schema) = schema else {
            return match value {
                Value::String(_) => Ok(()),
                _ => Err(self.invalid(vec![Issue {
                    path: String::new(),
                    message: "has to be a text".into(),
                }])),
            };
        };
        let unusable = |message| {
            vec![Issue {
                path: String::new(),
                message,
            }]
        };
        client::answer_schema(schema)
            .map_err(unusable)
            .and_then(|schema| schema.validate(value))
            .map_err(|issues| self.invalid(issues))
    }

    /// The state that a tool kept is handed back only to the very same plugin.
    fn check_plugin(&self) -> Result<(), TurnError> {
        if plugin_digest(&self.tool) == self.pending.plugin_digest {
            return Ok(());
        }
        Err(TurnError::PluginChanged {
            id: self.id(),
            tool: self.pending.tool_name.clone(),
        })
    }

    fn invalid(&self, issues: Vec<Issue>) -> TurnError {
        TurnError::Invalid {
            id: self.id(),
            issues,
        }
    }
}
