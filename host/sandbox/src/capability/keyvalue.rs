//! `wasi:keyvalue`: what a plugin keeps from one call to the next.
//!
//! `open` decides: without the grant there is no bucket, and without a bucket
//! nothing can be done. `""` and `default` are the same bucket; other names are
//! further buckets of the same plugin. Names and keys are data, whatever they
//! look like, and never become a path.

mod actions;
mod wit;

use std::sync::Arc;

use toolhost_policy::StorageScope;
use toolhost_tool::{Denial, ExecutionContext, PrincipalKind, truncate_chars};

use crate::call::Budget;
use crate::state::CallState;
use crate::storage::{Bucket, KeyValueStore, Namespace, Slot, StoreError};

pub(crate) use wit::add_to_linker;

/// The bucket that `""` means.
const DEFAULT_BUCKET: &str = "default";

/// Longest id of a session or principal, in bytes: it is part of every key.
const MAX_OWNER_BYTES: usize = 1 << 10;

/// Longest target that is remembered of a refusal; a guest makes it up.
const MAX_TARGET_CHARS: usize = 300;

/// A key as it was, to compare and swap.
#[expect(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct Cas {
    slot: Slot,
    seen: Option<u64>,
}

/// The ids in the context of a call that storage may be kept apart by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owner {
    session: Option<String>,
    principal: Option<String>,
}

/// The store of one call.
pub(crate) enum StorageCtx {
    /// It may be used.
    Open {
        store: Arc<dyn KeyValueStore>,
        namespace: Arc<Namespace>,
    },
    /// It may not.
    Closed(Closed),
}

/// Why storage may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The operator did not grant it.
    NotGranted,
    /// The host has no store.
    NoStore,
    /// There is one store for each session or principal, and the call has none.
    NoOwner(StorageScope),
    /// The id of the session or principal is too long.
    LongOwner,
}

/// Why a function of the interface did nothing, or failed.
#[derive(Debug)]
enum KeyValueError {
    /// Storage is not granted.
    Denied,
    /// Anything else, in words.
    Other(String),
}

impl Owner {
    /// A principal is told from others by its kind as well: the user `ada` is
    /// not the service `ada`.
    pub(crate) fn of(context: &ExecutionContext) -> Self {
        let principal = context.principal.as_ref().map(|principal| {
            let kind = match &principal.kind {
                PrincipalKind::User => "user",
                PrincipalKind::Service => "service",
                PrincipalKind::Agent => "agent",
                PrincipalKind::Other(kind) => kind,
            };
            serde_json::json!([kind, principal.id]).to_string()
        });
        Self {
            session: context.session_id.clone(),
            principal,
        }
    }

    fn id(self, scope: StorageScope) -> Result<String, Closed> {
        let id = match scope {
            StorageScope::Plugin => return Ok(String::new()),
            StorageScope::Principal => self.principal,
            StorageScope::Session => self.session,
        };
        match id {
            None => Err(Closed::NoOwner(scope)),
            Some(id) if id.is_empty() => Err(Closed::NoOwner(scope)),
            Some(id) if id.len() > MAX_OWNER_BYTES => Err(Closed::LongOwner),
            Some(id) => Ok(id),
        }
    }
}

impl StorageCtx {
    pub(crate) fn new(budget: &Budget, owner: Owner) -> Self {
        let Some(scope) = budget.grants.storage else {
            return Self::Closed(Closed::NotGranted);
        };
        let Some(storage) = &budget.storage else {
            return Self::Closed(Closed::NoStore);
        };
        match owner.id(scope) {
            Ok(owner) => Self::Open {
                store: Arc::clone(&storage.store),
                namespace: Arc::new(Namespace {
                    plugin: storage.plugin.to_string(),
                    scope,
                    owner,
                }),
            },
            Err(closed) => Self::Closed(closed),
        }
    }
}

impl Closed {
    /// What the guest is told, where the interface has words for more than no.
    fn reason(self) -> Option<&'static str> {
        match self {
            Self::NotGranted => None,
            Self::NoStore => Some("this host has no store"),
            Self::NoOwner(StorageScope::Session) => Some(
                "denied: there is one store for each session, and this call has no session id; \
                 put `sessionId` into its context",
            ),
            Self::NoOwner(_) => Some(
                "denied: there is one store for each principal, and this call has no principal; \
                 put `principal` into its context",
            ),
            Self::LongOwner => Some("denied: the id of the session or principal is too long"),
        }
    }

    /// The flag that would allow it.
    fn allow_with(self) -> Option<String> {
        match self {
            Self::NotGranted => Some("--storage plugin".into()),
            Self::NoOwner(StorageScope::Session) => Some("--context '{\"sessionId\": …}'".into()),
            Self::NoOwner(_) => Some("--context '{\"principal\": …}'".into()),
            Self::NoStore | Self::LongOwner => None,
        }
    }
}

impl CallState {
    /// Finds a bucket, or says why there is none.
    fn bucket(&mut self, name: String) -> Result<Bucket, KeyValueError> {
        let name = match name.as_str() {
            "" => DEFAULT_BUCKET.to_owned(),
            _ => name,
        };
        let namespace = match &self.storage {
            StorageCtx::Open { namespace, .. } => Arc::clone(namespace),
            StorageCtx::Closed(closed) => {
                let closed = *closed;
                self.refuse_storage(&name, closed.allow_with());
                let reason = closed.reason().map(str::to_owned);
                return Err(reason.map_or(KeyValueError::Denied, KeyValueError::Other));
            }
        };
        self.check_length(&name, "the name of the bucket")?;
        Ok(Bucket {
            namespace,
            name: name.into(),
        })
    }

    fn slot(&mut self, bucket: &Bucket, key: String) -> Result<Slot, KeyValueError> {
        self.check_length(&key, "the key")?;
        Ok(Slot {
            bucket: bucket.clone(),
            key,
        })
    }

    fn check_length(&mut self, text: &str, what: &str) -> Result<(), KeyValueError> {
        let allowed = self.limits.storage_key;
        self.check_bytes(text.len(), allowed, "storage-key", what, text)
    }

    fn check_value(&mut self, slot: &Slot, value: &[u8]) -> Result<(), KeyValueError> {
        let allowed = self.limits.storage_value;
        let target = shown(slot);
        self.check_bytes(value.len(), allowed, "storage-value", "the value", &target)
    }

    fn check_bytes(
        &mut self,
        used: usize,
        allowed: u64,
        limit: &str,
        what: &str,
        target: &str,
    ) -> Result<(), KeyValueError> {
        if used as u64 <= allowed {
            return Ok(());
        }
        self.refuse_storage(target, Some(format!("limits.{limit}")));
        Err(KeyValueError::Other(format!(
            "{what} has {used} bytes and may have {allowed} (`{limit}`)"
        )))
    }

    fn refuse_storage(&mut self, target: &str, allow_with: Option<String>) {
        self.run.deny(Denial {
            capability: "storage".into(),
            target: truncate_chars(target.to_owned(), MAX_TARGET_CHARS),
            allow_with,
        });
    }

    /// What a failure of the store is for the guest; a quota is told in the
    /// report too.
    fn told(&mut self, error: &StoreError, target: &str) -> KeyValueError {
        if let StoreError::Full { limit, .. } = error {
            self.refuse_storage(target, Some(format!("limits.{limit}")));
        }
        KeyValueError::Other(error.to_string())
    }
}

/// A key as reports name it.
fn shown(slot: &Slot) -> String {
    let name = truncate_chars(slot.bucket.name.to_string(), MAX_TARGET_CHARS);
    format!(
        "{name}/{}",
        truncate_chars(slot.key.clone(), MAX_TARGET_CHARS)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolhost_tool::Principal;

    fn context(session: Option<&str>, kind: PrincipalKind, id: &str) -> ExecutionContext {
        ExecutionContext {
            session_id: session.map(str::to_owned),
            principal: Some(Principal {
                id: id.into(),
                kind,
                claims: None,
                verified: false,
            }),
            ..ExecutionContext::default()
        }
    }

    fn id(context: &ExecutionContext, scope: StorageScope) -> Result<String, Closed> {
        Owner::of(context).id(scope)
    }

    #[test]
    fn no_two_owners_share_a_namespace() {
        let user = context(Some("s"), PrincipalKind::User, "ada");
        let service = context(Some("s"), PrincipalKind::Service, "ada");
        let odd = context(Some("s"), PrincipalKind::Other("user\",\"a".into()), "da");
        let ids: Vec<_> = [&user, &service, &odd]
            .map(|context| id(context, StorageScope::Principal).unwrap())
            .into();
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
        assert_eq!(id(&user, StorageScope::Plugin), Ok(String::new()));
        assert_eq!(id(&user, StorageScope::Session), Ok("s".into()));
    }

    #[test]
    fn a_call_without_the_id_has_no_store() {
        let none = ExecutionContext::default();
        for scope in [StorageScope::Session, StorageScope::Principal] {
            assert_eq!(id(&none, scope), Err(Closed::NoOwner(scope)));
        }
        let empty = context(Some(""), PrincipalKind::User, "ada");
        let scope = StorageScope::Session;
        assert_eq!(id(&empty, scope), Err(Closed::NoOwner(scope)));
        let long = context(Some(&"s".repeat(2_000)), PrincipalKind::User, "ada");
        assert_eq!(id(&long, scope), Err(Closed::LongOwner));
    }
}
