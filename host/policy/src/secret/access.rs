//! Who may use which secret: the store of a host, and what one call sees of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use url::Url;

use super::{SecretName, SecretRefusal, SecretSpec, SecretValue};
use crate::{RedactStream, Redactor};

/// A secret with its value.
#[derive(Clone, Debug)]
pub struct Secret {
    /// Its name.
    pub name: SecretName,
    /// Where it may go.
    pub spec: SecretSpec,
    /// Its value.
    pub value: SecretValue,
}

/// All secrets that a host has read, and the redactor that knows all of them. The
/// default has none.
#[derive(Clone, Debug, Default)]
pub struct SecretStore {
    /// In the order in which the redactor knows them.
    secrets: Vec<Secret>,
    redactor: Redactor,
}

impl SecretStore {
    /// A store of these secrets. Of two with one name the last is kept.
    pub fn new(secrets: impl IntoIterator<Item = Secret>) -> Self {
        let by_name = secrets
            .into_iter()
            .map(|secret| (secret.name.clone(), secret));
        let by_name: BTreeMap<SecretName, Secret> = by_name.collect();
        let secrets: Vec<Secret> = by_name.into_values().collect();
        let known = secrets
            .iter()
            .map(|secret| (secret.name.as_str(), &secret.value));
        Self {
            redactor: Redactor::new(known),
            secrets,
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The secret of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Secret> {
        let place = self
            .secrets
            .binary_search_by(|secret| secret.name.as_str().cmp(name));
        place.ok().map(|index| &self.secrets[index])
    }

    /// All secrets, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Secret> {
        self.secrets.iter()
    }

    /// Takes all of them out of texts.
    #[must_use]
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }
}

/// The secrets as one call sees them: all of them are kept out of what leaves the
/// sandbox, and those that are granted can be put into requests. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CallSecrets {
    pub(super) store: Arc<SecretStore>,
    plugin: Arc<str>,
    granted: Arc<BTreeSet<String>>,
    principal: Option<Acting>,
}

/// The principal of a call.
#[derive(Clone, Debug)]
struct Acting {
    id: Arc<str>,
    /// The host vouches for it. Whoever is not verified may call itself anything.
    verified: bool,
}

impl CallSecrets {
    /// What a call of `plugin` sees of `store`. `granted` are the names its plugin
    /// was given; `plugin` is the name the operator knows it by.
    #[must_use]
    pub fn new(store: Arc<SecretStore>, plugin: Arc<str>, granted: Arc<BTreeSet<String>>) -> Self {
        Self {
            store,
            plugin,
            granted,
            principal: None,
        }
    }

    /// The same on behalf of a principal that is verified, by its id.
    #[must_use]
    pub fn on_behalf_of(mut self, principal: Option<&str>) -> Self {
        self.principal = principal.map(|id| Acting {
            id: Arc::from(id),
            verified: true,
        });
        self
    }

    /// The same when nobody vouches for the principal.
    #[must_use]
    pub fn unverified(mut self) -> Self {
        if let Some(acting) = &mut self.principal {
            acting.verified = false;
        }
        self
    }

    /// The same with values that may have been read again.
    #[must_use]
    pub fn renewed(mut self, store: Arc<SecretStore>) -> Self {
        self.store = store;
        self
    }

    /// Takes the secrets of the host out of texts, those that are not granted too.
    #[must_use]
    pub fn redactor(&self) -> &Redactor {
        self.store.redactor()
    }

    /// Masks the secrets in a response, for a plugin that can send one: a server
    /// that echoes a request shall not hand it to the plugin. The length of the
    /// text stays. `None` when there is nothing to mask.
    #[must_use]
    pub fn mask(&self) -> Option<RedactStream> {
        let redactor = self.redactor();
        let can_send = !self.granted.is_empty() && !redactor.is_empty();
        can_send.then(|| redactor.stream().masking())
    }

    /// Whether a request of the plugin may carry a secret to where `url` is. What is
    /// answered there, to this request or a later one, may echo it: such an answer
    /// is read as it stands and as a whole, or not at all.
    #[must_use]
    pub fn may_go_to(&self, url: &Url) -> bool {
        let granted = |secret: &&Secret| self.granted.contains(secret.name.as_str());
        let mut hosts = self.store.iter().filter(granted);
        hosts.any(|secret| secret.spec.hosts.iter().any(|host| host.allows(url)))
    }

    /// The value of a secret that may be revealed to the plugin.
    ///
    /// # Errors
    ///
    /// When it is not granted, bound to others, or not to be revealed.
    pub fn reveal(&self, name: &str) -> Result<&SecretValue, SecretRefusal> {
        let secret = self.granted(name)?;
        if !secret.spec.reveal {
            return Err(SecretRefusal::NotRevealed { name: name.into() });
        }
        Ok(&secret.value)
    }

    /// A secret that is granted and bound to no other plugin or principal.
    pub(super) fn granted(&self, name: &str) -> Result<&Secret, SecretRefusal> {
        // Whether a secret exists that is not granted is nobody's business.
        let secret = self.store.get(name).filter(|_| self.granted.contains(name));
        let secret = secret.ok_or_else(|| SecretRefusal::NotGranted { name: name.into() })?;
        let is_among = |list: &[String], one: &str| list.iter().any(|other| other == one);
        if let Some(plugins) = &secret.spec.plugins
            && !is_among(plugins, &self.plugin)
        {
            return Err(SecretRefusal::Plugin {
                name: name.into(),
                plugin: self.plugin.to_string(),
            });
        }
        if let Some(principals) = &secret.spec.principals {
            match &self.principal {
                Some(acting) if is_among(principals, &acting.id) => {
                    if !acting.verified {
                        return Err(SecretRefusal::Unverified { name: name.into() });
                    }
                }
                _ => return Err(SecretRefusal::Principal { name: name.into() }),
            }
        }
        Ok(secret)
    }

    /// Whether a secret may go where a request goes.
    pub(super) fn check_target(secret: &Secret, url: &Url) -> Result<(), SecretRefusal> {
        let name = || secret.name.to_string();
        if !secret.spec.hosts.iter().any(|pattern| pattern.allows(url)) {
            return Err(SecretRefusal::Host {
                name: name(),
                host: url.host_str().unwrap_or_default().to_owned(),
            });
        }
        if url.scheme() != "https" && !secret.spec.insecure {
            return Err(SecretRefusal::Insecure { name: name() });
        }
        Ok(())
    }

    /// For each secret of the store, whether its value may be in a request to `url`
    /// without the host having put it there: it was revealed to the plugin, which
    /// may use it like the host would.
    pub(super) fn known_to_plugin(&self, url: &Url) -> Vec<bool> {
        let knows = |secret: &Secret| {
            self.reveal(secret.name.as_str()).is_ok() && Self::check_target(secret, url).is_ok()
        };
        self.store.iter().map(knows).collect()
    }
}
