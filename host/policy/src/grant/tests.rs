//! Grants as operators type them, good ones and ones that cannot be meant.

use std::path::PathBuf;

use super::*;

fn dir(text: &str) -> DirGrant {
    text.parse().unwrap()
}

fn refused(text: &str) -> String {
    text.parse::<DirGrant>().unwrap_err().to_string()
}

#[test]
fn a_directory_is_read_only_unless_it_says_otherwise() {
    let cases = [
        ("./data::/data", "./data", "/data", Access::ReadOnly),
        ("./data::/data:ro", "./data", "/data", Access::ReadOnly),
        ("./data::/data:rw", "./data", "/data", Access::ReadWrite),
        ("/::/", "/", "/", Access::ReadOnly),
        (".::/a/b c", ".", "/a/b c", Access::ReadOnly),
        (r"C:\data::/data:rw", r"C:\data", "/data", Access::ReadWrite),
    ];
    for (text, host, guest, access) in cases {
        let expected = DirGrant {
            host: host.into(),
            guest: guest.into(),
            access,
        };
        assert_eq!(dir(text), expected, "{text}");
        assert_eq!(dir(&dir(text).to_string()), expected, "{text}");
    }
}

#[test]
fn what_is_no_grant_says_how_to_write_one() {
    let cases = [
        (
            "./data",
            "`./data` does not say what the plugin shall call the directory: write `./data::/data`",
        ),
        (
            "./data:/data",
            "`./data:/data` does not say what the plugin shall call the directory: write `./data:/data::/data`",
        ),
        (
            "..",
            "`..` does not say what the plugin shall call the directory: write `..::/data`",
        ),
        (
            "::/data",
            "`::/data` does not say which directory of the host is meant: write `HOST::GUEST`",
        ),
        (
            "a::data",
            "`data` cannot be the name of a directory in the sandbox: it must start with `/`",
        ),
        (
            "a::",
            "`` cannot be the name of a directory in the sandbox: it must start with `/`",
        ),
        (
            "a::/b/../c",
            "`/b/../c` cannot be the name of a directory in the sandbox: it cannot hold `.` or `..`",
        ),
        (
            "a::/b//c",
            "`/b//c` cannot be the name of a directory in the sandbox: it cannot hold `//` or end with `/`",
        ),
        (
            "a::/b/",
            "`/b/` cannot be the name of a directory in the sandbox: it cannot hold `//` or end with `/`",
        ),
        (
            "a::/b:rx",
            "the access `rx` is not known: write `:ro` to read, which is the default, or `:rw` to write as well",
        ),
        (
            "a::/b::/c",
            "the access `/c` is not known: write `:ro` to read, which is the default, or `:rw` to write as well",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(refused(text), message, "{text}");
    }
}

#[test]
fn variables_are_given_and_never_inherited() {
    assert_eq!(parse_env("KEY=a=b"), Ok(("KEY".into(), "a=b".into())));
    assert_eq!(parse_env("KEY="), Ok(("KEY".into(), String::new())));
    assert_eq!(
        parse_env("HOME").unwrap_err().to_string(),
        "`HOME` gives the variable no value: write `HOME=VALUE`; nothing is taken from the \
         host's own environment"
    );
    assert!(parse_env("=x").is_err());
    assert!(parse_env("A=\0").is_err());
}

#[test]
fn nothing_is_granted_by_default() {
    assert_eq!(
        Grants::default(),
        Grants {
            http: Vec::new(),
            dirs: vec![],
            env: BTreeMap::new(),
            messages: false,
            tools: Vec::new(),
            storage: None,
            config: BTreeMap::new(),
            secrets: Vec::new(),
            origins: Origins::default(),
        }
    );
}

#[test]
fn the_flags_of_a_call_add_to_the_file() {
    let file = Grants {
        dirs: vec![dir("a::/a")],
        env: BTreeMap::from([("K".into(), "file".into()), ("F".into(), "1".into())]),
        messages: true,
        storage: Some(StorageScope::Plugin),
        ..Grants::default()
    };
    let flags = Grants {
        dirs: vec![dir("a::/a"), dir("b::/b:rw")],
        env: BTreeMap::from([("K".into(), "flag".into())]),
        storage: Some(StorageScope::Session),
        ..Grants::default()
    };

    let both = file.merge(flags).unwrap();

    assert_eq!(both.dirs, [dir("a::/a"), dir("b::/b:rw")]);
    assert_eq!(both.env["K"], "flag");
    assert_eq!(both.env["F"], "1");
    assert!(both.messages);
    assert_eq!(both.storage, Some(StorageScope::Session));
}

#[test]
fn one_name_for_two_directories_is_refused() {
    let one = Grants {
        dirs: vec![dir("a::/data")],
        ..Grants::default()
    };
    let other = Grants {
        dirs: vec![dir("b::/data")],
        ..Grants::default()
    };

    assert_eq!(
        one.merge(other).unwrap_err().to_string(),
        "`a::/data:ro` and `b::/data:ro` both give the plugin the directory `/data`: give one \
         of them another name"
    );
}

#[test]
fn grants_put_together_in_rust_are_checked_as_well() {
    let host = PathBuf::from("a");
    let grant = DirGrant {
        host,
        guest: "/a/../b".into(),
        access: Access::ReadOnly,
    };
    assert!(
        Grants {
            dirs: vec![grant],
            ..Grants::default()
        }
        .check()
        .is_err()
    );
    let env = BTreeMap::from([("A=B".into(), String::new())]);
    assert!(
        Grants {
            env,
            ..Grants::default()
        }
        .check()
        .is_err()
    );
}
