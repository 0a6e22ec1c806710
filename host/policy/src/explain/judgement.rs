//! One question under some grants, asked of the functions that calls are judged by.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use toolhost_tool::permission::Glob;
use url::{Host, Url};

use super::{Policy, Question, Setting};
use crate::{
    Access, CallSecrets, Capability, DirGrant, Grants, Item, Secret, SecretRefusal, SecretStore,
    SecretValue, StorageScope, Want, Wants, grant::is_inside, judge,
};

/// Why something is denied, and the grant that would allow it, if one can.
pub(super) struct Denied {
    pub(super) why: String,
    pub(super) allow_with: Option<Grants>,
}

/// Stands for each secret while its rules are looked at: no value is read.
const STAND_IN: &str = "stands for the value of a secret";

/// The grant among `grants` that allows it.
pub(super) fn judge_in(
    policy: &Policy<'_>,
    grants: &Grants,
    question: &Question<'_>,
) -> Result<Item, Denied> {
    match *question {
        Question::Request { method, url } => request(grants, method, url),
        Question::Path { path, write } => file(policy, grants, path, write),
        Question::Env(name) => {
            let more = Grants {
                env: [(name.to_owned(), String::new())].into(),
                ..Grants::default()
            };
            let held = grants.env.contains_key(name);
            named(held, Capability::Env, name, "the variable is not set", more)
        }
        Question::ConfigKey(key) => {
            let more = Grants {
                config: [(key.to_owned(), String::new())].into(),
                ..Grants::default()
            };
            let held = grants.config.contains_key(key);
            named(held, Capability::Config, key, "the key has no value", more)
        }
        Question::Tool(name) => tool(grants, name),
        Question::Secret { name, request } => secret(policy, grants, name, request),
        Question::Storage => match grants.storage {
            Some(scope) => Ok(Item::new(Capability::Storage, "").written(scope)),
            None => denied(
                "there is no storage",
                Grants {
                    storage: Some(StorageScope::Plugin),
                    ..Grants::default()
                },
            ),
        },
        Question::Messages => {
            let more = Grants {
                messages: true,
                ..Grants::default()
            };
            let held = grants.messages;
            named(
                held,
                Capability::Messages,
                "",
                "the transcript is closed",
                more,
            )
        }
    }
}

fn named(
    held: bool,
    capability: Capability,
    key: &str,
    why: &str,
    more: Grants,
) -> Result<Item, Denied> {
    if held {
        return Ok(Item::new(capability, key));
    }
    // A name that no grant can have is refused for good.
    match more.check() {
        Ok(()) => denied(why, more),
        Err(error) => Err(Denied {
            why: error.to_string(),
            allow_with: None,
        }),
    }
}

fn denied(why: &str, more: Grants) -> Result<Item, Denied> {
    Err(Denied {
        why: why.to_owned(),
        allow_with: Some(more),
    })
}

fn request(grants: &Grants, method: &str, url: &str) -> Result<Item, Denied> {
    let judged = judge(&grants.http, method, url).and_then(|allowed| {
        // This name is known to be this machine's; of others only a look-up tells.
        if is_local(&allowed.url) {
            allowed.check_address(IpAddr::from(Ipv4Addr::LOCALHOST))?;
        }
        Ok(allowed)
    });
    match judged {
        Ok(allowed) => Ok(Item::request(allowed.grant)),
        Err(refusal) => Err(Denied {
            why: refusal.to_string(),
            allow_with: refusal.grant().map(|grant| Grants {
                http: vec![grant.clone()],
                ..Grants::default()
            }),
        }),
    }
}

/// Whether the host is `localhost` or a name below it: RFC 6761, section 6.3.
fn is_local(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Domain(name))
        if name == "localhost" || name.ends_with(".localhost"))
}

fn file(policy: &Policy<'_>, grants: &Grants, path: &str, write: bool) -> Result<Item, Denied> {
    let Some(path) = absolute(path) else {
        return Err(Denied {
            why: "the path is empty: name a file of the sandbox, such as `/data/a.csv`".into(),
            allow_with: None,
        });
    };
    let asked = if write {
        Access::ReadWrite
    } else {
        Access::ReadOnly
    };
    match grants.dir_of(&path) {
        Some(dir) if dir.access >= asked => Ok(Item::dir(dir)),
        Some(dir) => {
            let more = DirGrant {
                access: asked,
                ..dir.clone()
            };
            denied(&format!("`{dir}` is read-only"), only_dir(more))
        }
        None => {
            let more = DirGrant {
                host: "HOST".into(),
                guest: guest_for(policy, &path),
                access: asked,
            };
            denied(
                &format!("no directory of the sandbox holds `{path}`"),
                only_dir(more),
            )
        }
    }
}

fn only_dir(dir: DirGrant) -> Grants {
    Grants {
        dirs: vec![dir],
        ..Grants::default()
    }
}

/// The name for a directory that would hold a path: what the plugin asks for, or else
/// the first folder of the path.
fn guest_for(policy: &Policy<'_>, path: &str) -> String {
    let wants = policy
        .manifest
        .into_iter()
        .flat_map(|manifest| &manifest.wants.dirs);
    let asked = wants
        .map(|want| &*want.guest)
        .filter(|guest| *guest != "/" && is_inside(path, guest))
        .max_by_key(|guest| guest.len());
    if let Some(guest) = asked {
        return guest.to_owned();
    }
    match path.trim_start_matches('/').split_once('/') {
        Some((folder, _)) => format!("/{folder}"),
        // A file that lies at the root, by its name.
        None if path.contains('.') => "/".to_owned(),
        None => path.to_owned(),
    }
}

/// A path with `.` and `..` followed, as it is before it is opened. A relative one
/// counts from `/`, which is where every plugin starts. `None` when it is empty.
fn absolute(path: &str) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            part => kept.push(part),
        }
    }
    Some(format!("/{}", kept.join("/")))
}

fn tool(grants: &Grants, name: &str) -> Result<Item, Denied> {
    let pattern = grants.tools.iter().find(|pattern| pattern.matches(name));
    if let Some(pattern) = pattern {
        return Ok(Item::new(Capability::Tools, pattern.as_str()));
    }
    match Glob::new(name) {
        Ok(pattern) => {
            let more = Grants {
                tools: vec![pattern],
                ..Grants::default()
            };
            named(
                false,
                Capability::Tools,
                name,
                "no pattern is for this tool",
                more,
            )
        }
        Err(error) => Err(Denied {
            why: error.to_string(),
            allow_with: None,
        }),
    }
}

fn secret(
    policy: &Policy<'_>,
    grants: &Grants,
    name: &str,
    request: Option<(&str, &str)>,
) -> Result<Item, Denied> {
    let rule = |why: String| Denied {
        why,
        allow_with: None,
    };
    let Some((_, spec)) = policy.secrets.get_key_value(name) else {
        return Err(rule(format!(
            "there is no secret `{name}`: say under `[secrets.{name}]` where it comes from"
        )));
    };
    let call = call_of(policy, grants);
    let refusal = match request {
        None => match call.reveal(name) {
            // Granted, though not to be read by the plugin itself.
            Ok(_) | Err(SecretRefusal::NotRevealed { .. }) => None,
            Err(refusal) => Some(refusal),
        },
        Some((_, url)) => {
            let url = Url::parse(url).map_err(|error| rule(error.to_string()))?;
            let header = spec.headers.iter().flatten().next();
            let header = header.map_or("authorization", String::as_str);
            let placeholder = format!("{{{{secret:{name}}}}}");
            call.inject(&url, [(header, placeholder.as_bytes())]).err()
        }
    };
    let unreadable = policy.setting.unreadable.and_then(|all| all.get(name));
    match refusal {
        None => match unreadable {
            None => Ok(Item::new(Capability::Secrets, name)),
            Some(why) => Err(rule(format!("its value cannot be read: {why}"))),
        },
        Some(refusal @ SecretRefusal::NotGranted { .. }) => denied(
            &refusal.to_string(),
            Grants {
                secrets: vec![name.to_owned()],
                ..Grants::default()
            },
        ),
        Some(refusal @ SecretRefusal::Principal { .. }) if policy.setting.principal.is_none() => {
            Err(rule(format!(
                "{refusal}; ask with `--principal ID` for one"
            )))
        }
        Some(refusal) => {
            let help = refusal.allow_with();
            let help = help.map_or_else(String::new, |line| format!("; `{line}` would allow it"));
            Err(rule(format!("{refusal}{help}")))
        }
    }
}

/// The secrets as a call sees them, without their values.
fn call_of(policy: &Policy<'_>, grants: &Grants) -> CallSecrets {
    let stand_ins = policy.secrets.iter().filter_map(|(name, spec)| {
        Some(Secret {
            name: name.clone(),
            spec: spec.clone(),
            value: SecretValue::new(STAND_IN.to_owned()).ok()?,
        })
    });
    let granted: BTreeSet<String> = grants.secrets.iter().cloned().collect();
    // No secret is bound to a plugin without a name.
    let plugin = if policy.setting.unnamed {
        "file:"
    } else {
        policy.plugin
    };
    CallSecrets::new(
        Arc::new(SecretStore::new(stand_ins)),
        plugin.into(),
        Arc::new(granted),
    )
    .on_behalf_of(policy.setting.principal)
}

/// On which terms a secret is granted.
pub(super) fn terms(
    policy: &Policy<'_>,
    name: &str,
    anywhere: bool,
) -> impl Iterator<Item = String> {
    let found = policy.secrets.get_key_value(name);
    found.into_iter().flat_map(move |(_, spec)| {
        let hosts = spec.hosts.iter().map(ToString::to_string);
        let hosts = hosts.collect::<Vec<_>>().join("`, `");
        let tls = if spec.insecure { "" } else { ", over TLS" };
        let hosts =
            (anywhere && !hosts.is_empty()).then(|| format!("it is sent to `{hosts}` only{tls}"));
        let headers = spec.headers.as_ref().map(|headers| {
            let headers = headers.join("`, `");
            format!("it is sent in the header `{headers}` only")
        });
        let reveal = spec
            .reveal
            .then(|| "the plugin may read the value itself (`reveal`)".to_owned());
        [hosts, headers, reveal].into_iter().flatten()
    })
}

/// What an answer from names alone cannot promise.
pub(super) fn caution(setting: &Setting<'_>, question: &Question<'_>) -> Option<&'static str> {
    match question {
        Question::Request { .. } => {
            Some("each address of the host is checked when the request is sent")
        }
        Question::Path { .. } => {
            Some("a link that leads out of the directory is refused when it is opened")
        }
        Question::Tool(_) if setting.tools.is_none() => {
            Some("the tool itself has to let programs call it")
        }
        _ => None,
    }
}

/// What the plugin asks for that holds the thing in question.
pub(super) fn want(wants: &Wants, question: &Question<'_>) -> Option<Want> {
    let (capability, holds): (Capability, Box<dyn Fn(usize) -> bool + '_>) = match *question {
        Question::Request { method, url } => (
            Capability::Http,
            Box::new(move |index| {
                let allow = &wants.http[index].allow;
                let private = allow.clone().allow_private();
                let allow = private.unwrap_or_else(|_| allow.clone());
                judge(&[allow], method, url).is_ok()
            }),
        ),
        Question::Path { path, .. } => {
            let path = absolute(path)?;
            let holds = move |index: usize| is_inside(&path, &wants.dirs[index].guest);
            (Capability::Dirs, Box::new(holds))
        }
        Question::Env(name) => (
            Capability::Env,
            Box::new(move |index| wants.env[index].name == name),
        ),
        Question::Tool(name) => (
            Capability::Tools,
            Box::new(move |index| wants.tools[index].name.matches(name)),
        ),
        Question::ConfigKey(key) => (
            Capability::Config,
            Box::new(move |index| wants.config[index].key == key),
        ),
        Question::Secret { name, .. } => (
            Capability::Secrets,
            Box::new(move |index| wants.secrets[index].is_for(name)),
        ),
        Question::Storage => (Capability::Storage, Box::new(|_| true)),
        Question::Messages => (Capability::Messages, Box::new(|_| true)),
    };
    let items = wants.items().into_iter();
    let mut of_kind = items
        .filter(|want| want.capability == capability)
        .enumerate();
    of_kind
        .find(|(index, _)| holds(*index))
        .map(|(_, want)| want)
}
