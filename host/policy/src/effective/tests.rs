//! What a plugin asks for, what an operator grants, and what comes of both.

use std::path::PathBuf;

use super::*;

fn manifest(wants: &str) -> Manifest {
    let text = format!(r#"{{"name": "x", "version": "1", "wants": {wants}}}"#);
    Manifest::parse(text.as_bytes()).unwrap()
}

fn everything() -> Grants {
    Grants {
        http: vec!["* https://*".parse().unwrap()],
        dirs: vec!["a::/data:rw".parse().unwrap()],
        env: [("TZ".into(), "UTC".into())].into(),
        messages: true,
        tools: vec![Glob::new("*").unwrap()],
        storage: Some(crate::StorageScope::Plugin),
        config: [("units".into(), "metric".into())].into(),
        secrets: vec!["token".into()],
        ..Grants::default()
    }
}

#[test]
fn a_plugin_without_a_manifest_gets_what_is_granted() {
    let effective = effective(None, &everything());
    assert_eq!(effective.grants, everything());
    assert!(effective.unwanted.is_empty() && effective.missing.is_empty());
}

#[test]
fn a_plugin_that_asks_for_nothing_gets_nothing() {
    let effective = effective(Some(&manifest("{}")), &everything());
    assert_eq!(effective.grants, Grants::default());
    assert_eq!(effective.unwanted.len(), everything().items().len());
    let said: Vec<String> = effective.unwanted.iter().map(Unwanted::to_string).collect();
    assert_eq!(
        said[0],
        "`http = \"* https://*/\"` is not granted: the plugin's manifest does not ask for it"
    );
}

#[test]
fn a_plugin_may_ask_for_any_secret_and_gets_those_that_are_granted() {
    let asked = manifest(r#"{"secrets": [{"name": "*", "why": "y"}]}"#);
    let nothing = effective(Some(&asked), &Grants::default());
    assert!(nothing.grants.secrets.is_empty());
    assert_eq!(nothing.missing[0].flag, "--secret NAME");
    let kept = effective(Some(&asked), &everything());
    assert_eq!(kept.grants.secrets, ["token"]);
    assert!(kept.missing.is_empty());
}

#[test]
fn asking_grants_nothing() {
    let wants = r#"{
        "http": [{"allow": "https://a.example/", "why": "y"}],
        "dirs": [{"guest": "/data", "why": "y"}],
        "env": [{"name": "TZ", "why": "y"}],
        "secrets": [{"name": "token", "why": "y"}],
        "config": [{"key": "units", "why": "y"}],
        "tools": [{"name": "csv_*", "why": "y"}],
        "storage": {"why": "y"},
        "messages": {"why": "y"}
    }"#;
    let asked = manifest(wants);
    let nothing = effective(Some(&asked), &Grants::default());
    assert_eq!(nothing.grants, Grants::default());
    assert_eq!(nothing.missing, asked.wants.items());

    let all = effective(Some(&asked), &everything());
    assert!(all.missing.is_empty() && all.unwanted.is_empty(), "{all:?}");
    let items: Vec<String> = all.grants.items().iter().map(Item::to_string).collect();
    assert_eq!(
        items,
        [
            "http = \"https://a.example/\"",
            "dirs = \"a::/data:ro\"",
            "env.TZ",
            "allow-messages = true",
            "tools = \"csv_*\"",
            "storage = \"plugin\"",
            "config.units",
            "secrets = \"token\"",
        ]
    );
}

#[test]
fn a_directory_is_asked_for_with_those_below_it() {
    let dirs = |wants: &str, grant: &str| {
        let grants = Grants {
            dirs: vec![grant.parse().unwrap()],
            ..Grants::default()
        };
        let kept = effective(Some(&manifest(wants)), &grants).grants.dirs;
        kept.first().map(ToString::to_string)
    };
    let data = r#"{"dirs": [{"guest": "/data", "access": "rw", "why": "y"}]}"#;
    let any =
        r#"{"dirs": [{"guest": "/", "why": "y"}, {"guest": "/out", "access": "rw", "why": "y"}]}"#;
    for (wants, grant, kept) in [
        (data, "a::/data:rw", Some("a::/data:rw")),
        (data, "a::/data", Some("a::/data:ro")),
        (data, "a::/data/in:rw", Some("a::/data/in:rw")),
        (data, "a::/database:rw", None),
        (data, "a::/:rw", None),
        (any, "a::/whatever:rw", Some("a::/whatever:ro")),
        (any, "a::/out/new:rw", Some("a::/out/new:rw")),
        (any, "a::/:rw", Some("a::/:ro")),
    ] {
        assert_eq!(dirs(wants, grant).as_deref(), kept, "{wants} {grant}");
    }
}

#[test]
fn patterns_of_tools_meet_where_one_holds_the_other() {
    for (grant, want, kept) in [
        ("*", "csv_*", Some("csv_*")),
        ("csv_*", "*", Some("csv_*")),
        ("csv_read", "csv_*", Some("csv_read")),
        ("csv_*", "csv_read", Some("csv_read")),
        ("csv_*", "csv_read_*", Some("csv_read_*")),
        ("csv_?", "csv_*", Some("csv_?")),
        ("a*", "a*", Some("a*")),
        ("a*c", "a*c", Some("a*c")),
        // Where they meet, no pattern says it: nothing, and never more.
        ("a*", "*b", None),
        ("a?c", "a*c", None),
        ("csv_*", "jq", None),
    ] {
        let glob = |text: &str| Glob::new(text).unwrap();
        let both = both(&glob(grant), &glob(want));
        assert_eq!(both.as_ref().map(Glob::as_str), kept, "{grant} {want}");
    }
}

#[test]
fn what_is_left_of_a_grant_is_cited_where_the_grant_was_written() {
    let mut grants = Grants {
        http: vec!["* https://*.example.com".parse().unwrap()],
        ..Grants::default()
    };
    let key = grants.items()[0].key.clone();
    let origin = Origin::Line {
        file: PathBuf::from("host.toml"),
        line: 7,
        every_plugin: true,
    };
    grants.origins.note(Capability::Http, key, origin);
    let wants = r#"{"http": [{"allow": "https://a.example.com/v1", "why": "y"}]}"#;
    let kept = effective(Some(&manifest(wants)), &grants).grants;
    let item = &kept.items()[0];
    assert_eq!(item.text, "https://a.example.com/v1");
    assert_eq!(kept.origin(item).unwrap().to_string(), "host.toml:7");

    // What every plugin is granted, one of them may well not want.
    let unwanted = effective(Some(&manifest("{}")), &grants).unwanted;
    assert!(!unwanted[0].is_meant());
    assert!(effective(Some(&manifest("{}")), &grants.typed()).unwanted[0].is_meant());
}

#[test]
fn private_addresses_are_for_the_operator_alone_to_open() {
    let host: HttpGrant = "https://intranet.example:8443/".parse().unwrap();
    let grants = Grants {
        http: vec![host.allow_private().unwrap()],
        ..Grants::default()
    };
    let wants = r#"{"http": [{"allow": "https://*:8443/", "why": "y"}]}"#;
    let kept = effective(Some(&manifest(wants)), &grants).grants.http;
    assert!(kept[0].allows_private());
}

#[test]
fn of_parts_inside_each_other_the_wider_one_is_kept() {
    let grants = Grants {
        http: vec!["* https://api.example.com".parse().unwrap()],
        tools: vec![Glob::new("*").unwrap()],
        ..Grants::default()
    };
    let wants = r#"{
        "http": [
            {"allow": "GET https://api.example.com/v1", "why": "y"},
            {"allow": "GET,POST https://*.example.com/", "why": "y"},
            {"allow": "GET https://api.example.com/", "why": "y"}
        ],
        "tools": [{"name": "csv_read", "why": "y"}, {"name": "csv_*", "why": "y"}]
    }"#;
    let kept = effective(Some(&manifest(wants)), &grants).grants;
    let items: Vec<String> = kept.items().iter().map(Item::to_string).collect();
    assert_eq!(
        items,
        [
            "http = \"GET,POST https://api.example.com/\"",
            "tools = \"csv_*\""
        ]
    );
}

/// The list of what was granted in vain is made from two lists in one order.
#[test]
fn each_grant_by_itself_is_told_to_be_unwanted() {
    for item in everything().items() {
        let mut wants = manifest("{}").wants;
        let why = || "y".to_owned();
        match item.capability {
            Capability::Http => wants.http.push(crate::HttpWant {
                allow: everything().http[0].clone(),
                why: why(),
            }),
            Capability::Dirs => wants.dirs.push(crate::DirWant {
                guest: "/".into(),
                access: crate::Access::ReadOnly,
                why: why(),
            }),
            Capability::Tools => wants.tools.push(crate::ToolWant {
                name: Glob::new("*").unwrap(),
                why: why(),
            }),
            Capability::Config => wants.config.push(crate::ConfigWant {
                key: item.key.clone(),
                why: why(),
            }),
            Capability::Env | Capability::Secrets => {
                let want = crate::NamedWant {
                    name: item.key.clone(),
                    why: why(),
                };
                wants.env.push(want.clone());
                wants.secrets.push(want);
            }
            Capability::Storage => wants.storage = Some(crate::Reason { why: why() }),
            Capability::Messages => wants.messages = Some(crate::Reason { why: why() }),
        }
        let ceiling = Manifest {
            wants,
            ..Manifest::default()
        };
        let unwanted = effective(Some(&ceiling), &everything()).unwanted;
        let kinds: Vec<Capability> = unwanted.iter().map(|one| one.item.capability).collect();
        let others = everything().items().into_iter().map(|item| item.capability);
        let expected: Vec<Capability> = others.filter(|kind| *kind != item.capability).collect();
        assert_eq!(kinds, expected, "only {item} is wanted");
    }
}
