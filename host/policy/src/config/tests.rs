//! Files that operators write, the good ones and the ones with a slip.

use std::path::Path;

use super::Config;
use crate::{Access, Size};

fn read(text: &str) -> Config {
    Config::parse(text, Path::new("conf/host.toml")).unwrap()
}

fn refused(text: &str) -> String {
    Config::parse(text, Path::new("host.toml"))
        .unwrap_err()
        .to_string()
}

#[test]
fn an_empty_file_grants_nothing_and_changes_nothing() {
    assert_eq!(read(""), Config::default());
    assert_eq!(
        read("# nothing yet\n[grants]\n[limits]\n[cache]\n"),
        Config::default()
    );
}

#[test]
fn everything_that_can_be_said() {
    let config = read(
        r#"
        [limits]
        fuel = 1_000_000
        wall-clock = "10s"
        grace = "100ms"
        memory = "128MiB"
        output = 65536
        host-calls = 500
        random-bytes = "4KiB"

        [grants]
        dirs = ["data::/data", "/srv/out::/out:rw"]
        env = { LANG = "C" }
        allow-messages = true

        [cache]
        dir = "cache"

        [plugins.search]
        path = "plugins/search.wasm"
        limits = { fuel = 7 }
        grants = { dirs = ["../src::/src"] }

        [plugins."with space"]
        path = "/opt/other.wasm"
        fast-compile = true
        "#,
    );

    assert_eq!(config.limits.fuel, Some(1_000_000));
    assert_eq!(config.limits.wall_clock, Some("10s".parse().unwrap()));
    assert_eq!(config.limits.output, Some(Size::from_bytes(65_536)));
    assert_eq!(config.limits.table_elements, None);
    assert_eq!(config.grants.dirs[0].host, Path::new("conf/data"));
    assert_eq!(config.grants.dirs[0].access, Access::ReadOnly);
    assert_eq!(config.grants.dirs[1].host, Path::new("/srv/out"));
    assert_eq!(config.grants.env["LANG"], "C");
    assert!(config.grants.messages);
    assert_eq!(config.cache_dir.as_deref(), Some(Path::new("conf/cache")));
    let search = &config.plugins["search"];
    assert_eq!(search.path, Path::new("conf/plugins/search.wasm"));
    assert_eq!(search.limits.fuel, Some(7));
    assert_eq!(search.grants.dirs[0].host, Path::new("conf/../src"));
    assert!(!search.grants.messages);
    assert_eq!(
        config.plugins["with space"].path,
        Path::new("/opt/other.wasm")
    );
    assert!(config.plugins["with space"].fast_compile && !search.fast_compile);
}

#[test]
fn a_key_that_is_not_known_is_an_error_with_its_place() {
    assert_eq!(
        refused("[limits]\nfuel = 1\nwall_clock = \"1s\"\n"),
        "host.toml:3:1: the key `wall_clock` is not known: did you mean `wall-clock`?"
    );
    assert_eq!(
        refused("[grant]\ndirs = []\n"),
        "host.toml:1:2: the key `grant` is not known: did you mean `grants`?"
    );
    assert_eq!(
        refused("[grants]\nallow-message = true\n"),
        "host.toml:2:1: the key `allow-message` is not known: did you mean `allow-messages`?"
    );
    assert_eq!(
        refused("[plugins.a]\npath = 'a'\nlimits = { fule = 1 }\n"),
        "host.toml:3:12: the key `fule` is not known: did you mean `fuel`?"
    );
    let said = refused("[firewall]\nhosts = []\n");
    let listed =
        "host.toml:1:2: the key `firewall` is not known: the keys here are `limits`, `grants`";
    assert!(said.starts_with(listed), "{said}");
}

#[test]
fn a_value_that_cannot_be_meant_is_an_error_with_its_place() {
    assert_eq!(
        refused("[limits]\nwall-clock = 30\n"),
        "host.toml:2:14: `30` has no unit: write a number with a unit such as `200ms`, `30s` or `2m`"
    );
    assert_eq!(
        refused("[limits]\nmemory = \"64mib\"\n"),
        "host.toml:2:10: the unit `mib` is not known (did you mean `MiB`?): write bytes, or a number \
         with a unit such as `512KiB`, `64MiB` or `1.5GB`"
    );
    assert_eq!(
        refused("[limits]\nmemory = -1\n"),
        "host.toml:2:10: `-1` is negative: write bytes, or a number with a unit such as `512KiB`, \
         `64MiB` or `1.5GB`"
    );
    assert_eq!(
        refused("[limits]\nfuel = \"lots\"\n"),
        "host.toml:2:8: expected a whole number, found the text \"lots\""
    );
    assert_eq!(
        refused("\n[limits]\nfuel = 0\n"),
        "host.toml:2:1: the limit `fuel` is 0, so no call could run: leave it out to have the default"
    );
}

#[test]
fn a_grant_that_cannot_be_meant_is_an_error_with_its_place() {
    assert_eq!(
        refused("[grants]\ndirs = [\n  \"a::/a\",\n  \"b::b\",\n]\n"),
        "host.toml:4:3: `b` cannot be the name of a directory in the sandbox: it must start with `/`"
    );
    assert_eq!(
        refused("[grants]\ndirs = ['a::/x', 'b::/x']\n"),
        "host.toml:2:18: `a::/x:ro` and `b::/x:ro` both give the plugin the directory `/x`: give one of \
         them another name"
    );
}

#[test]
fn a_plugin_has_a_file() {
    assert_eq!(
        refused("[plugins.jq]\nlimits = {}\n"),
        "host.toml:1:1: the key `path` is missing"
    );
}

#[test]
fn what_is_no_toml_says_where() {
    assert_eq!(
        refused("[limits\n"),
        "host.toml:1:8: unclosed table, expected `]`"
    );
    assert_eq!(
        refused("[cache]\n[limits]\nfuel = 1\nfuel = 2\n"),
        "host.toml:4:1: duplicate key"
    );
}

#[test]
fn rules_are_read_with_their_patterns() {
    let config = read(
        r#"
        [permissions]
        mode = "unattended"
        rules = [
            { action = "deny", tool = "delete_*", arguments = { "/path" = "/etc/*" } },
            { action = "allow", tool = "read" },
        ]
        "#,
    );
    assert_eq!(config.permissions.mode.as_str(), "unattended");
    assert_eq!(config.permissions.rules.len(), 2);
}

#[test]
fn a_rule_that_could_never_match_is_refused_with_its_place() {
    let told = refused("[permissions]\nrules = [{ action = 'deny', tool = 'fs.write' }]");
    assert!(told.starts_with("host.toml:2:"), "{told}");
    assert!(told.contains("can match no tool"), "{told}");
    let told = refused("[permissions]\nmode = 'plann'");
    assert!(told.starts_with("host.toml:2:8"), "{told}");
}

#[test]
fn a_value_of_another_type_is_told_in_words_of_the_file() {
    for (text, message) in [
        (
            "limits = 3",
            "host.toml:1:10: expected an object, found `3`",
        ),
        (
            "[limits]\nfuel = -1",
            "host.toml:2:8: expected a whole number from 0, found `-1`",
        ),
        (
            "[limits]\nfuel = \"abc\"",
            "host.toml:2:8: expected a whole number, found the text \"abc\"",
        ),
        (
            "[plugins.x]\npath = ''",
            "host.toml:2:8: the path is empty: write one, or leave the key out",
        ),
        (
            "[cache]\ndir = ''",
            "host.toml:2:7: the path is empty: write one, or leave the key out",
        ),
        (
            "[permissions]\nmode = 'plann'",
            "host.toml:2:8: `plann` is not known: did you mean `plan`?",
        ),
        (
            "[plugins.x]\npath = 3",
            "host.toml:2:8: expected a path, found `3`",
        ),
    ] {
        assert_eq!(refused(text), message);
    }
}

#[test]
fn a_key_that_is_a_flag_of_the_command_finds_its_own_name() {
    assert_eq!(
        refused("[limits]\ntimeout = \"5s\""),
        "host.toml:2:1: the key `timeout` is not known: did you mean `wall-clock`?"
    );
}

#[test]
fn every_grant_has_its_section_and_remembers_its_line() {
    let config = read(
        r#"
[grants]
http = [
  "GET,POST https://api.example.com/v1/",
  { allow = "https://intranet.corp:8443/", allow-private = true },
]
tools = ["csv_query", "calc_*"]
storage = "principal"
config = { units = "metric" }
secrets = ["github-token"]

[secrets.github-token]
file = "token.txt"
hosts = ["api.github.com"]

[storage]
file = "state.db"

[audit]
file = "/var/log/audit.jsonl"
arguments = "full"

[plugins.github]
path = "github.wasm"
sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
[plugins.github.grants]
env = { TZ = "UTC" }
storage = "session"
"#,
    );
    let grants = &config.grants;
    let lines: Vec<String> = grants
        .items()
        .iter()
        .map(|item| format!("{}: {item}", grants.origin(item).unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            "conf/host.toml:4: http = \"GET,POST https://api.example.com/v1\"",
            "conf/host.toml:5: http = { allow = \"https://intranet.corp:8443/\", allow-private = true }",
            "conf/host.toml:7: tools = \"csv_query\"",
            "conf/host.toml:7: tools = \"calc_*\"",
            "conf/host.toml:8: storage = \"principal\"",
            "conf/host.toml:9: config.units",
            "conf/host.toml:10: secrets = \"github-token\"",
        ]
    );
    assert_eq!(
        config.storage_file.as_deref(),
        Some(Path::new("conf/state.db"))
    );
    let audit = config.audit.unwrap();
    assert_eq!(audit.file, Path::new("/var/log/audit.jsonl"));
    assert_eq!(audit.arguments, super::AuditArguments::Full);
    let secret = &config.secrets["github-token"];
    assert_eq!(secret.origin.to_string(), "the file `conf/token.txt`");
    let github = &config.plugins["github"];
    assert!(github.sha256.unwrap().to_string().starts_with("ba7816bf"));
    // What is said of one plugin comes before what is said of all.
    let both = config.grants.clone().merge(github.grants.clone()).unwrap();
    assert_eq!(both.storage, Some(crate::StorageScope::Session));
    let storage = both.items().into_iter().find(|item| item.text == "session");
    let origin = both.origin(&storage.unwrap()).unwrap();
    assert_eq!(origin.to_string(), "conf/host.toml:28");
}

#[test]
fn grants_that_are_not_known_or_not_meant_are_errors_with_their_place() {
    for (text, message) in [
        (
            "[grants]\nhosts = []",
            "host.toml:2:1: the key `hosts` is not known: did you mean `http`?",
        ),
        (
            "[grants]\nstorage = 'sesion'",
            "host.toml:2:11: `sesion` is not known: did you mean `session`?",
        ),
        (
            "[grants]\ntools = [\n 'csv_*',\n 'fs.write',\n]",
            "host.toml:4:2: `fs.write` matches no tool: names of tools have only letters, digits, `_` \
             and `-`",
        ),
        (
            "[grants]\nhttp = ['https://a.example', 'ftp://b.example']",
            "host.toml:2:30: the scheme `ftp` cannot be granted: write `https://` or `http://`",
        ),
        (
            "[grants]\nhttp = [{ allow = '*.corp', allow-private = true }]",
            "host.toml:2:9: `allow-private` needs one host, not `*.corp`: name each host that may have \
             a private address",
        ),
        (
            "[grants]\nhttp = [{ allow = 'a.example', alow-private = true }]",
            "host.toml:2:32: the key `alow-private` is not known: did you mean `allow-private`?",
        ),
        (
            "[grants]\nconfig = { a = 1 }",
            "host.toml:2:16: expected a text, found `1`",
        ),
        (
            "[grants.env]\n'A=B' = ''",
            "host.toml:2:1: the environment variable `A=B` cannot be set: its name holds `=` or a zero \
             byte",
        ),
        (
            "[plugins.x]\npath = 'x.wasm'\nsha256 = 'abc'",
            "host.toml:3:10: a SHA-256 digest has 64 hexadecimal digits: `host inspect FILE` prints a \
             plugin's",
        ),
        (
            "[audit]\narguments = 'full'",
            "host.toml:1:1: the key `file` is missing",
        ),
        (
            "[audit]\nfile = 'a'\narguments = 'fulll'",
            "host.toml:3:13: `fulll` is not known: did you mean `full`?",
        ),
    ] {
        assert_eq!(refused(text), message);
    }
}

#[test]
fn parts_that_contradict_each_other_are_refused() {
    let secret = "[secrets.github-token]\nenv = 'T'\nhosts = ['a.example']\n";
    assert_eq!(
        refused(&format!("{secret}[grants]\nsecrets = ['github-tokn']")),
        "host.toml:5:12: there is no secret `github-tokn`: did you mean `github-token`?"
    );
    assert_eq!(
        refused("[plugins.x]\npath = 'x'\n[plugins.x.grants]\nsecrets = ['k']"),
        "host.toml:4:12: there is no secret `k`: say under `[secrets.k]` where it comes from and which \
         hosts get it"
    );
    assert_eq!(
        refused(&format!(
            "{secret}plugins = ['github']\n[plugins.x]\npath = 'x'\ngrants = {{ secrets = ['github-token'] }}"
        )),
        "host.toml:7:23: the secret `github-token` is bound to `github` by `plugins` under \
         `[secrets.github-token]`: add `x` there, or take the grant away"
    );
    assert_eq!(
        refused(
            "[grants]\nallow-messages = true\n[plugins.x]\npath = 'x'\n[plugins.x.grants]\nallow-messages = false"
        ),
        "host.toml:6:18: `[grants]` grants messages to every plugin, and this takes nothing back: \
         grant them under `[plugins.NAME.grants]` to those that may read them"
    );
    let one = "a".repeat(64);
    let other = "b".repeat(64);
    assert_eq!(
        refused(&format!(
            "[plugins.x]\npath = 'p'\nsha256 = '{one}'\n[plugins.y]\npath = 'p'\nsha256 = '{other}'"
        )),
        "host.toml:6:10: `[plugins.x]` pins another digest for the same file `p`"
    );
}

#[test]
fn what_is_wrong_with_a_secret_is_said_where_it_stands() {
    let more = "[limits]\nfuel = 1\n[secrets.key]\n";
    for (section, message) in [
        (
            "env = 'T'\nhosts = ['a.example', 'x y']",
            "host.toml:5:9: a secret cannot be bound to the host `x y`",
        ),
        (
            "env = 'T'\nhosts = ['*']",
            "host.toml:5:9: a secret cannot be bound to the host `*`",
        ),
        (
            "env = ''\nhosts = ['a.example']",
            "host.toml:4:7: `` cannot be its source",
        ),
        (
            "env = 'T'\nhosts = ['a.example']\nheaders = ['x-key', 'Range']",
            "host.toml:6:11: `range` cannot be a header that carries it",
        ),
        ("env = 'T'\nhosts = []", "host.toml:3:1: `hosts` is empty"),
        (
            "env = 'T'\nhosts = ['a.example']\nplugins = ['wep']\n[plugins.web]\npath = 'w'",
            "host.toml:3:1: `plugins` of the secret `key` names `wep`, which is no plugin of this \
             file: did you mean `web`?",
        ),
    ] {
        let refused = refused(&format!("{more}{section}"));
        assert!(refused.starts_with(message), "{refused}");
    }
}

#[test]
fn a_file_with_far_too_many_grants_is_refused_and_costs_little() {
    let many = vec!["'a.example'"; 1_001].join(", ");
    assert_eq!(
        refused(&format!("[grants]\nhttp = [{many}]")),
        "host.toml:1:1: there are 1001 grants of `http`; at most 1000 are allowed"
    );
}

#[test]
fn certificates_count_from_the_folder_of_the_file() {
    let config = Config::parse("[network]\nca-file = 'ca.pem'", Path::new("conf/host.toml"));
    assert_eq!(
        config.unwrap().ca_file.as_deref(),
        Some(Path::new("conf/ca.pem"))
    );
    let error = Config::parse("[network]\nca-files = 'x'", Path::new("host.toml"));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("did you mean `ca-file`?")
    );
}
