//! What a call may reach outside its sandbox. Nothing, unless it is granted.

mod dir;
mod error;
mod item;
mod storage;
mod value;

use std::collections::BTreeMap;

use toolhost_tool::permission::Glob;

use crate::{Capability, HttpGrant, Origin, Origins};
pub use dir::{Access, DirGrant};
pub(crate) use dir::{check_guest, is_inside};
pub use error::GrantError;
pub use item::Item;
pub(crate) use item::shell_word;
pub use storage::StorageScope;
pub(crate) use value::{check_config, check_secret, check_tool, check_variable};
pub use value::{parse_config_value, parse_env};

/// Most grants of one kind: each is looked at for each thing a plugin asks for.
const MAX_GRANTS: usize = 1_000;

/// What a call may reach. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Requests over HTTP.
    pub http: Vec<HttpGrant>,
    /// Directories of the host.
    pub dirs: Vec<DirGrant>,
    /// Environment variables, by name. None is inherited.
    pub env: BTreeMap<String, String>,
    /// Whether the transcript before the call may be read.
    pub messages: bool,
    /// Tools that the plugin may call itself: names, or patterns with `*` and `?`.
    pub tools: Vec<Glob>,
    /// Whose keys and values it sees; `None` is no storage.
    pub storage: Option<StorageScope>,
    /// Values of the configuration, by key.
    pub config: BTreeMap<String, String>,
    /// Names of secrets that the host puts into its requests.
    pub secrets: Vec<String>,
    /// Where each of them was written. It decides nothing.
    pub origins: Origins,
}

impl Grants {
    /// These grants and more of them. A variable, a value or a scope of `more` comes
    /// before one of the same name here.
    ///
    /// # Errors
    /// When the two give different directories the same name in the sandbox, or one
    /// of them cannot be granted at all.
    pub fn merge(mut self, more: Self) -> Result<Self, GrantError> {
        let Self {
            http,
            dirs,
            env,
            messages,
            tools,
            storage,
            config,
            secrets,
            origins,
        } = more;
        add(&mut self.http, http);
        add(&mut self.dirs, dirs);
        self.env.extend(env);
        self.messages |= messages;
        add(&mut self.tools, tools);
        self.storage = storage.or(self.storage);
        self.config.extend(config);
        add(&mut self.secrets, secrets);
        self.origins.extend(origins);
        self.check()?;
        Ok(self)
    }

    /// Checks grants that were not parsed but put together.
    ///
    /// # Errors
    /// When two directories have one name in the sandbox, a name or a value cannot be
    /// used, or there are too many of one kind.
    pub fn check(&self) -> Result<(), GrantError> {
        let Self {
            http,
            dirs,
            env,
            messages: _,
            tools,
            storage: _,
            config,
            secrets,
            origins: _,
        } = self;
        let counts = [
            (Capability::Http, http.len()),
            (Capability::Dirs, dirs.len()),
            (Capability::Env, env.len()),
            (Capability::Tools, tools.len()),
            (Capability::Config, config.len()),
            (Capability::Secrets, secrets.len()),
        ];
        if let Some((capability, used)) = counts.into_iter().find(|(_, used)| *used > MAX_GRANTS) {
            return Err(GrantError::TooMany { capability, used });
        }
        let mut names: BTreeMap<&str, &DirGrant> = BTreeMap::new();
        for dir in dirs {
            check_guest(&dir.guest)?;
            if let Some(other) = names.insert(&dir.guest, dir) {
                return Err(GrantError::SameGuest {
                    guest: dir.guest.clone(),
                    first: other.to_string(),
                    second: dir.to_string(),
                });
            }
        }
        env.iter()
            .try_for_each(|(name, value)| check_variable(name, value))?;
        tools.iter().try_for_each(check_tool)?;
        config
            .iter()
            .try_for_each(|(key, value)| check_config(key, value))?;
        secrets.iter().try_for_each(|name| check_secret(name))
    }

    /// Each grant by itself, in the order of the fields.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        let Self {
            http,
            dirs,
            env,
            messages,
            tools,
            storage,
            config,
            secrets,
            origins: _,
        } = self;
        let named = |capability, names: &mut dyn Iterator<Item = &str>| -> Vec<Item> {
            names.map(|name| Item::new(capability, name)).collect()
        };
        let mut items: Vec<Item> = http.iter().map(Item::request).collect();
        items.extend(dirs.iter().map(Item::dir));
        items.extend(named(Capability::Env, &mut env.keys().map(String::as_str)));
        items.extend(messages.then(|| Item::new(Capability::Messages, "")));
        items.extend(named(
            Capability::Tools,
            &mut tools.iter().map(Glob::as_str),
        ));
        items.extend(storage.map(|scope| Item::new(Capability::Storage, "").written(scope)));
        items.extend(named(
            Capability::Config,
            &mut config.keys().map(String::as_str),
        ));
        items.extend(named(
            Capability::Secrets,
            &mut secrets.iter().map(String::as_str),
        ));
        items
    }

    /// The directory that a path of the sandbox lies in: of those inside each other the
    /// innermost, as guests look for it. The path is absolute and without `..`.
    #[must_use]
    pub fn dir_of(&self, path: &str) -> Option<&DirGrant> {
        let holding = self.dirs.iter().filter(|dir| is_inside(path, &dir.guest));
        holding.max_by_key(|dir| dir.guest.len())
    }

    /// The same grants, each remembered as typed with its [flag](Item::flag).
    #[must_use]
    pub fn typed(mut self) -> Self {
        for item in self.items() {
            let flag = Origin::Flag(item.flag());
            self.origins.note(item.capability, item.key, flag);
        }
        self
    }

    /// Where a grant was written, when that is known.
    #[must_use]
    pub fn origin(&self, item: &Item) -> Option<&Origin> {
        self.origins.of(item.capability, &item.key)
    }
}

fn add<T: PartialEq>(to: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !to.contains(&one) {
            to.push(one);
        }
    }
}

#[cfg(test)]
mod tests;
