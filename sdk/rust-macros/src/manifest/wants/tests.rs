//! Wants that are written as they are read, and mistakes that are told.

use super::*;

fn read(text: &str) -> Result<String, Vec<String>> {
    let table = DeTable::parse(text).unwrap();
    let mut problems = Vec::new();
    let wants = Wants::read(table.get_ref(), &mut problems);
    if problems.is_empty() {
        return Ok(wants.to_json());
    }
    Err(problems.into_iter().map(|one| one.message).collect())
}

fn refused(text: &str) -> String {
    read(text).expect_err(text).join("; ")
}

#[test]
fn each_kind_is_written_as_it_is_read() {
    let text = r#"
        http = [
            { why = "issues", allow = "GET,POST https://api.github.com/" },
            { why = "raw files", allow = "*.example.org" },
        ]
        dirs = [{ guest = "/work", why = "its files" }, { guest = "/", access = "rw", why = "all" }]
        env = [{ name = "TZ", why = "the zone" }]
        secrets = [{ name = "key", why = "signs" }]
        config = [{ key = "units", why = "metric" }]
        tools = [{ name = "csv_*", why = "sums" }]
        storage = { why = "the list" }
        messages = { why = "context" }
    "#;
    let expected = concat!(
        r#"{"config":[{"key":"units","why":"metric"}],"#,
        r#""dirs":[{"guest":"/work","access":"ro","why":"its files"},"#,
        r#"{"guest":"/","access":"rw","why":"all"}],"#,
        r#""env":[{"name":"TZ","why":"the zone"}],"#,
        r#""http":[{"allow":"GET,POST https://api.github.com/","why":"issues"},"#,
        r#"{"allow":"*.example.org","why":"raw files"}],"#,
        r#""messages":{"why":"context"},"#,
        r#""secrets":[{"name":"key","why":"signs"}],"#,
        r#""storage":{"why":"the list"},"#,
        r#""tools":[{"name":"csv_*","why":"sums"}]}"#,
    );
    assert_eq!(read(text).unwrap(), expected);
}

#[test]
fn a_slip_of_the_finger_finds_its_word() {
    assert!(refused("htp = []").contains("did you mean `http`?"));
    let said = refused(r#"dirs = [{ gest = "/a", why = "x" }]"#);
    assert!(said.contains("did you mean `guest`?"), "{said}");
    let said = refused(r#"storage = { quota = "1" }"#);
    assert!(said.ends_with("there are `why`"), "{said}");
}

#[test]
fn nothing_is_wanted_without_a_reason() {
    let said = refused(r#"env = [{ name = "TZ" }]"#);
    assert!(said.starts_with("this want has no `why`: `env = [{ name"));
    assert!(refused(r#"storage = { why = " " }"#).contains("empty"));
}

#[test]
fn another_shape_is_answered_with_the_right_one() {
    for text in ["env = {}", "env = [\"TZ\"]", "env = true"] {
        let said = refused(text);
        assert!(said.starts_with("write `env = [{"), "{said}");
    }
    assert!(refused("storage = []").starts_with("write `storage = { why"));
    let said = refused("env = [{ name = 7, why = \"x\" }]");
    assert!(said.starts_with("`name` is a text"), "{said}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let dir = |path: &str| format!("dirs = [{{ guest = {path:?}, why = \"x\" }}]");
    for path in ["data", "/data/", "/data/../etc", "//", "."] {
        assert!(refused(&dir(path)).contains("absolute path"), "{path}");
    }
    let said = refused(r#"dirs = [{ guest = "/a", access = "w", why = "x" }]"#);
    assert!(said.contains("`ro` or `rw`"), "{said}");
    let http = |allow: &str| format!("http = [{{ allow = {allow:?}, why = \"x\" }}]");
    for allow in [
        "get https://a.b",
        "GET, POST https://a.b",
        "ftp://a.b",
        "https://",
        "https://u@a.b",
        "https://a.b/?q",
    ] {
        assert!(refused(&http(allow)).starts_with("`allow` "), "{allow}");
    }
    for allow in ["* https://[2001:db8::1]:8443/x", "a.b:8080", "*"] {
        assert!(read(&http(allow)).is_ok(), "{allow}");
    }
    let many = "{ name = 'A', why = 'x' },".repeat(65);
    assert!(refused(&format!("env = [{many}]")).contains("at most 64"));
    let said = refused(r#"env = [{ name = "A", why = "x" }, { name = "A", why = "y" }]"#);
    assert!(said.contains("twice"), "{said}");
}
