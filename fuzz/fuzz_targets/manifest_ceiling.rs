//! Any manifest over any grants: it is understood or refused, and what a plugin gets is
//! never more than it asks for, nor more than it was granted. The input is a manifest,
//! a line `---`, and a `host.toml`.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use toolhost_policy::{Config, Grants, Manifest, Wants, effective};

fuzz_target!(|text: &str| {
    let (manifest, config) = text.split_once("\n---\n").unwrap_or((text, ""));
    let Ok(manifest) = Manifest::parse(manifest.as_bytes()) else {
        return;
    };
    let Ok(config) = Config::parse(config, Path::new("host.toml")) else {
        return;
    };
    let granted = config.grants;
    let got = effective(Some(&manifest), &granted);
    got.grants
        .check()
        .expect("what is left of good grants is good");
    within_wants(&got.grants, &manifest.wants);
    within_grants(&got.grants, &granted);
    let again = effective(Some(&manifest), &got.grants);
    assert_eq!(again.grants, got.grants, "a ceiling takes nothing twice");
    assert!(again.unwanted.is_empty());
    assert!(got.unwanted.len() <= granted.items().len());
    for item in got.grants.items() {
        assert!(
            got.grants.origin(&item).is_some(),
            "{item} was written somewhere"
        );
    }
});

fn within_wants(got: &Grants, wants: &Wants) {
    for grant in &got.http {
        assert!(wants.http.iter().any(|want| want.allow.covers(grant)));
    }
    for dir in &got.dirs {
        let is_in = |guest: &str| {
            let guest = guest.trim_end_matches('/');
            dir.guest == guest || dir.guest.starts_with(&format!("{guest}/"))
        };
        let mut wants = wants.dirs.iter();
        assert!(wants.any(|want| is_in(&want.guest) && want.access >= dir.access));
    }
    for name in got.env.keys() {
        assert!(wants.env.iter().any(|want| want.name == *name));
    }
    for key in got.config.keys() {
        assert!(wants.config.iter().any(|want| want.key == *key));
    }
    for name in &got.secrets {
        assert!(wants.secrets.iter().any(|want| want.name == *name));
    }
    // Any name that a pattern lets through was asked for: its stars filled with
    // something will do for one.
    for pattern in &got.tools {
        let name = pattern.as_str().replace(['*', '?'], "x");
        assert!(wants.tools.iter().any(|want| want.name.matches(&name)));
    }
    assert!(got.storage.is_none() || wants.storage.is_some());
    assert!(!got.messages || wants.messages.is_some());
}

fn within_grants(got: &Grants, granted: &Grants) {
    for grant in &got.http {
        let mut wider = granted.http.iter().filter(|wide| wide.covers(grant));
        assert!(wider.any(|wide| wide.allows_private() == grant.allows_private()));
    }
    for dir in &got.dirs {
        let mut wider = granted.dirs.iter();
        assert!(wider.any(|wide| {
            wide.guest == dir.guest && wide.host == dir.host && wide.access >= dir.access
        }));
    }
    for pattern in &got.tools {
        let name = pattern.as_str().replace(['*', '?'], "x");
        assert!(granted.tools.iter().any(|wide| wide.matches(&name)));
    }
    assert!(
        got.env
            .iter()
            .all(|(name, value)| granted.env.get(name) == Some(value))
    );
    assert!(
        got.config
            .iter()
            .all(|(key, value)| granted.config.get(key) == Some(value))
    );
    assert!(
        got.secrets
            .iter()
            .all(|name| granted.secrets.contains(name))
    );
    assert!(got.storage.is_none() || got.storage == granted.storage);
    assert!(!got.messages || granted.messages);
}
