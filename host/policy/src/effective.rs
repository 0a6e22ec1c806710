//! What a plugin gets: what its manifest asks for and the operator grants. Worked out
//! once, when it is loaded; calls see the result only.
//!
//! | manifest | grant | effective |
//! |---|---|---|
//! | none | any | the grant |
//! | asks for it | none | nothing |
//! | does not ask | any | nothing, and a warning |
//! | asks for less | more | what it asks for |
//! | asks for more | less | the grant |

use std::fmt;

use toolhost_tool::permission::Glob;

use crate::{
    Capability, DirGrant, Grants, HttpGrant, Item, Manifest, Origin, Want, Wants, grant::is_inside,
};

/// What a plugin gets, and what it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effective {
    /// What holds. Each grant has the origin of the operator's grant it comes from.
    pub grants: Grants,
    /// What the operator granted and the plugin never asked for.
    pub unwanted: Vec<Unwanted>,
    /// What the plugin asks for and was not granted, or not all of it.
    pub missing: Vec<Want>,
}

/// A grant for which a plugin did not ask, and which it therefore does not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwanted {
    /// The grant.
    pub item: Item,
    /// Where it was written, when that is known.
    pub origin: Option<Origin>,
}

impl Unwanted {
    /// Whether it was written for this plugin, and not for every one: then somebody
    /// expects it to work.
    #[must_use]
    pub fn is_meant(&self) -> bool {
        !matches!(
            self.origin,
            Some(Origin::Line {
                every_plugin: true,
                ..
            })
        )
    }
}

impl fmt::Display for Unwanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { item, origin } = self;
        write!(f, "`{item}`")?;
        if let Some(origin) = origin {
            write!(f, " ({origin})")?;
        }
        f.write_str(" is not granted: the plugin's manifest does not ask for it")
    }
}

/// What a plugin with this manifest gets of these grants.
///
/// ```
/// use toolhost_policy::{Grants, Manifest, effective};
///
/// let manifest = Manifest::parse(br#"{
///     "name": "feed", "version": "1.0.0",
///     "wants": {"http": [{"allow": "https://*.example.com/", "why": "reads feeds"}]}
/// }"#)?;
/// let grants = Grants {
///     http: vec!["GET,POST https://api.example.com/v1".parse()?],
///     messages: true,
///     ..Grants::default()
/// };
///
/// let effective = effective(Some(&manifest), &grants);
///
/// assert_eq!(effective.grants.http[0].to_string(), "GET https://api.example.com/v1");
/// assert!(!effective.grants.messages);
/// assert_eq!(
///     effective.unwanted[0].to_string(),
///     "`allow-messages = true` is not granted: the plugin's manifest does not ask for it"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn effective(ceiling: Option<&Manifest>, grants: &Grants) -> Effective {
    let Some(manifest) = ceiling else {
        return Effective {
            grants: grants.clone(),
            ..Effective::default()
        };
    };
    let wants = &manifest.wants;
    let kept = under(wants, grants);
    let unwanted = grants.items().into_iter().zip(asked(wants, grants));
    Effective {
        unwanted: unwanted
            .filter(|(_, asked)| !asked)
            .map(|(item, _)| Unwanted {
                origin: grants.origin(&item).cloned(),
                item,
            })
            .collect(),
        missing: missing(wants, &kept),
        grants: kept,
    }
}

/// What of the grants is asked for.
fn under(wants: &Wants, grants: &Grants) -> Grants {
    let Grants {
        http,
        dirs,
        env,
        messages,
        tools,
        storage,
        config,
        secrets,
        origins,
    } = grants;
    let mut origins = origins.clone();
    let mut kept_http: Vec<HttpGrant> = Vec::new();
    for grant in http {
        let origin = origins.of(Capability::Http, &grant.flag()).cloned();
        for part in wants
            .http
            .iter()
            .filter_map(|want| grant.under(&want.allow))
        {
            note(&mut origins, Capability::Http, part.flag(), origin.as_ref());
            keep(&mut kept_http, part, |wide, narrow| {
                wide.allows_private() == narrow.allows_private() && wide.covers(narrow)
            });
        }
    }
    let mut kept_tools: Vec<Glob> = Vec::new();
    for pattern in tools {
        let origin = origins.of(Capability::Tools, pattern.as_str()).cloned();
        for part in wants
            .tools
            .iter()
            .filter_map(|want| both(pattern, &want.name))
        {
            note(
                &mut origins,
                Capability::Tools,
                part.to_string(),
                origin.as_ref(),
            );
            keep(&mut kept_tools, part, holds);
        }
    }
    let named = |name: &str| wants.env.iter().any(|want| want.name == name);
    let keyed = |key: &str| wants.config.iter().any(|want| want.key == key);
    let secret = |name: &str| wants.secrets.iter().any(|want| want.is_for(name));
    Grants {
        http: kept_http,
        dirs: dirs
            .iter()
            .filter_map(|dir| dir_under(dir, wants))
            .collect(),
        env: env
            .iter()
            .filter(|(name, _)| named(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        messages: *messages && wants.messages.is_some(),
        tools: kept_tools,
        storage: storage.filter(|_| wants.storage.is_some()),
        config: config
            .iter()
            .filter(|(key, _)| keyed(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        secrets: secrets
            .iter()
            .filter(|name| secret(name))
            .cloned()
            .collect(),
        origins,
    }
}

/// Keeps a part, unless another holds it already; those that it holds go.
fn keep<T>(kept: &mut Vec<T>, part: T, holds: impl Fn(&T, &T) -> bool) {
    if kept.iter().any(|wide| holds(wide, &part)) {
        return;
    }
    kept.retain(|narrow| !holds(&part, narrow));
    kept.push(part);
}

/// A part of a grant was written where the grant was; where the very part is granted
/// as well, that place stays.
fn note(
    origins: &mut crate::Origins,
    capability: Capability,
    key: String,
    origin: Option<&Origin>,
) {
    if let Some(origin) = origin
        && origins.of(capability, &key).is_none()
    {
        origins.note(capability, key, origin.clone());
    }
}

/// For each of [`Grants::items`], whether some of it is asked for.
fn asked<'a>(wants: &'a Wants, grants: &'a Grants) -> impl Iterator<Item = bool> + 'a {
    let http = grants.http.iter().map(|grant| {
        let mut wants = wants.http.iter();
        wants.any(|want| grant.under(&want.allow).is_some())
    });
    let dirs = grants.dirs.iter().map(|dir| {
        let mut wants = wants.dirs.iter();
        wants.any(|want| is_inside(&dir.guest, &want.guest))
    });
    let env = grants.env.keys();
    let env = env.map(|name| wants.env.iter().any(|want| want.name == *name));
    let messages = grants.messages.then_some(wants.messages.is_some());
    let tools = grants.tools.iter().map(|pattern| {
        let mut wants = wants.tools.iter();
        wants.any(|want| both(pattern, &want.name).is_some())
    });
    let storage = grants.storage.map(|_| wants.storage.is_some());
    let config = grants.config.keys();
    let config = config.map(|key| wants.config.iter().any(|want| want.key == *key));
    let secrets = grants.secrets.iter();
    let secrets = secrets.map(|name| wants.secrets.iter().any(|want| want.is_for(name)));
    http.chain(dirs)
        .chain(env)
        .chain(messages)
        .chain(tools)
        .chain(storage)
        .chain(config)
        .chain(secrets)
}

/// A directory as far as it is asked for: with the most access that is asked for at
/// its name or above it, and no more than is granted.
fn dir_under(dir: &DirGrant, wants: &Wants) -> Option<DirGrant> {
    let asked = wants
        .dirs
        .iter()
        .filter(|want| is_inside(&dir.guest, &want.guest))
        .map(|want| want.access)
        .max()?;
    Some(DirGrant {
        access: asked.min(dir.access),
        ..dir.clone()
    })
}

/// The pattern for names that both allow, as far as one pattern can say it. Two that
/// meet in the middle, such as `a*` and `*b`, have none: less is granted, never more.
pub(crate) fn both(one: &Glob, other: &Glob) -> Option<Glob> {
    if holds(one, other) {
        Some(other.clone())
    } else if holds(other, one) {
        Some(one.clone())
    } else {
        None
    }
}

/// Whether `wide` is known to allow each name that `narrow` allows.
fn holds(wide: &Glob, narrow: &Glob) -> bool {
    let (wide_text, text) = (wide.as_str(), narrow.as_str());
    let start = |text: &'_ str| -> Option<String> {
        let start = text.strip_suffix('*')?;
        (!start.contains(['*', '?'])).then(|| start.to_owned())
    };
    if wide_text == text {
        true
    } else if text.contains(['*', '?']) {
        // `csv_*` allows all that `csv_read*` and `csv_?` do: they start like it.
        start(wide_text).is_some_and(|start| text.starts_with(&start))
    } else {
        wide.matches(text)
    }
}

/// What is asked for and not, or not wholly, among what was kept.
fn missing(wants: &Wants, kept: &Grants) -> Vec<Want> {
    let Wants {
        http,
        dirs,
        env,
        secrets,
        config,
        tools,
        storage: _,
        messages: _,
    } = wants;
    // In the order of `Wants::items`.
    let http = http
        .iter()
        .map(|want| kept.http.iter().any(|grant| grant.covers(&want.allow)));
    let dirs = dirs.iter().map(|want| {
        let mut inside = kept
            .dirs
            .iter()
            .filter(|dir| is_inside(&dir.guest, &want.guest));
        inside.any(|dir| dir.access >= want.access)
    });
    let env = env.iter().map(|want| kept.env.contains_key(&want.name));
    let secrets = secrets
        .iter()
        .map(|want| kept.secrets.iter().any(|name| want.is_for(name)));
    let config = config
        .iter()
        .map(|want| kept.config.contains_key(&want.key));
    let tools = tools
        .iter()
        .map(|want| kept.tools.iter().any(|pattern| holds(pattern, &want.name)));
    let storage = wants.storage.iter().map(|_| kept.storage.is_some());
    let messages = wants.messages.iter().map(|_| kept.messages);
    let granted = http
        .chain(dirs)
        .chain(env)
        .chain(secrets)
        .chain(config)
        .chain(tools)
        .chain(storage)
        .chain(messages);
    let items = wants.items().into_iter().zip(granted);
    items
        .filter(|(_, granted)| !granted)
        .map(|(want, _)| want)
        .collect()
}

#[cfg(test)]
mod tests;
