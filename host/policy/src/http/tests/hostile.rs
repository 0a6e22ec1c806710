//! URLs, paths and methods made to slip past a grant.

use super::*;

#[test]
fn no_path_leaves_its_prefix() {
    let grants = [grant("https://a.b/v1")];
    // The parser resolves these, and they are elsewhere.
    for path in [
        "/v1/../admin",
        "/v1/%2e%2e/admin",
        "/v1/.%2E/admin",
        "/v1\\..\\admin",
        "/v1/%2e./admin",
        "/v1/x/../../admin",
        "/v1/\t../admin",
        "/v1/.\n./admin",
        "//v1/x",
        "/%76%31/x",
        "/v1%2fx",
        "/v1;/x",
    ] {
        let refusal = refusal(&grants, "GET", &format!("https://a.b{path}"));
        assert!(
            matches!(
                refusal.why(),
                Why::NotGranted {
                    part: Part::Path,
                    ..
                }
            ),
            "{path}: {refusal}"
        );
    }
    // These only look as if they were below it.
    for path in [
        "/v1/..%2fadmin",
        "/v1/..%5cadmin",
        "/v1/%2e%2e%2fadmin",
        "/v1/%252e%252e/admin",
        "/v1/%252e%252e%252fadmin",
        "/v1/%25252e%25252e%25252fadmin",
        "/v1/x%2f..%2f..%2fadmin",
        "/v1/..;/admin",
        "/v1/..;a=b/admin",
        "/v1/..%3b/admin",
        "/v1/..%00/admin",
        "/v1/..%20/admin",
        "/v1/.%0a./admin",
        "/v1/%c0%ae%c0%ae/admin",
        "/v1/..%c0%afadmin",
        "/v1/%u002e%u002e/admin",
        "/v1/%2525252525252e",
        "/v1/x%2f.%2fy",
    ] {
        let refusal = refusal(&grants, "GET", &format!("https://a.b{path}"));
        assert_eq!(refusal.why(), &Why::HiddenDots, "{path}");
        assert_eq!((refusal.nearest(), refusal.allow_with()), (Some(0), None));
    }
    // And these are what APIs use.
    for path in [
        "/v1/projects/group%2Fname",
        "/v1/a..b/...",
        "/v1/100%25",
        "/v1/100%2525",
        "/v1/%C3%BC/%F0%9F%8C%8D",
        "/v1//x",
        "/v1/.git",
        "/v1/x;p=1",
        "/v1/?q=../..%2f",
    ] {
        assert!(
            allowed(&grants, "GET", &format!("https://a.b{path}")),
            "{path}"
        );
    }
}

#[test]
fn a_grant_for_every_path_is_for_odd_ones_as_well() {
    assert!(allowed(
        &[grant("https://a.b")],
        "GET",
        "https://a.b/v1/..%2fx"
    ));
}

#[test]
fn a_user_or_a_password_is_never_sent_and_never_shown() {
    let grants = [grant("* https://*"), grant("* http://*")];
    for url in [
        "https://user@a.b/",
        "https://user:s3cret@a.b/",
        "https://:s3cret@a.b/",
        "https://a.b:s3cret@evil.org/",
        "https://a.b%40s3cret@evil.org/",
        "https:\\\\s3cret@a.b",
        "https:s3cret@a.b",
        "https://user:s3cret@/",
        "https://user:s3cret@a b/?s3cret#s3cret",
        "ftp://user:s3cret@a.b/",
        "foo:user:s3cret@a.b/",
    ] {
        let refusal = refusal(&grants, "GET", url);
        let said = format!("{refusal} {refusal:?}");
        assert!(!said.contains("s3cret"), "{url}: {said}");
        assert_eq!(refusal.allow_with(), None, "{url}");
    }
    let refusal = refusal(&grants, "GET", "https://user:pw@a.b/x");
    assert_eq!(refusal.why(), &Why::Userinfo);
    assert_eq!(refusal.target(), "GET https://a.b/x");
}

#[test]
fn what_is_not_http_or_no_url_cannot_be_granted() {
    let grants = [grant("* https://*"), grant("* http://*")];
    for url in [
        "file:///etc/passwd",
        "ftp://a.b/",
        "ws://a.b/",
        "data:text/plain,x",
        "javascript:1",
        "blob:https://a.b/x",
        "gopher://a.b/",
        "about:blank",
    ] {
        assert_eq!(refusal(&grants, "GET", url).why(), &Why::NotHttp, "{url}");
    }
    for url in [
        "",
        "a.b",
        "/x",
        "//a.b/x",
        "https://",
        "https://?",
        "https://a b/",
        "https://[::1/",
        "https://a.b:99999/",
        "https://1.2.3.999/",
        "https://a.b%2fc/",
        "https://xn--a/",
    ] {
        let refusal = refusal(&grants, "GET", url);
        assert!(
            matches!(refusal.why(), Why::NoUrl { .. }),
            "{url}: {refusal:?}"
        );
        assert_eq!(refusal.allow_with(), None);
    }
    for url in [
        "https://a$(id).b/",
        "https://a`id`.b/",
        "https://*.a.b/",
        "https://*/",
        "https://a.b../",
        "https://./",
        "https://a.b:0/",
        &format!("https://{}.b/", "a".repeat(64)),
        &format!("https://{}b/", "a.".repeat(127)),
    ] {
        let refusal = refusal(&grants, "GET", url);
        assert!(
            matches!(refusal.why(), Why::BadHost { .. }),
            "{url}: {refusal:?}"
        );
        assert_eq!(refusal.allow_with(), None);
    }
}

#[test]
fn a_method_is_what_it_says_and_nothing_else() {
    let grants = [grant("* https://a.b"), grant("https://c.d")];
    for method in ["GET", "PURGE", "M-SEARCH", "VERSION-CONTROL"] {
        assert!(allowed(&grants, method, "https://a.b/"), "{method}");
    }
    let long = "A".repeat(33);
    for method in [
        "",
        "get",
        "Get",
        "CONNECT",
        "TRACE",
        "TRACK",
        "GET ",
        "GET\r\nX: y",
        "GET /x",
        "G\0T",
        "ＧＥＴ",
        "*",
        "$(ID)",
        &long,
    ] {
        let refusal = refusal(&grants, method, "https://a.b/");
        assert!(matches!(refusal.why(), Why::BadMethod { .. }), "{method}");
        assert_eq!(refusal.allow_with(), None, "{method}");
    }
    assert!(!allowed(&grants, "POST", "https://c.d/"));
}

#[test]
fn long_input_is_refused_and_what_is_said_stays_short() {
    let grants = [grant("https://a.b/v1")];
    let long = "x".repeat(8192);
    let refusal = refusal(&grants, "GET", &format!("https://a.b/{long}"));
    assert_eq!(refusal.why(), &Why::TooLong { most: 8192 });
    assert!(refusal.target().len() < 200);

    let fits = format!("https://a.b/{}", "ü".repeat(4000));
    let refusal = super::refusal(&grants, "GET", &fits);
    assert!(refusal.to_string().len() < 300, "{refusal}");
    assert!(refusal.target().len() < 200);
    let suggested = refusal.allow_with().unwrap();
    assert_eq!(suggested, r#"--allow-host "https://a.b/""#);

    let tail = "/y".repeat(4000);
    let refusal = super::refusal(&grants, "GET", &format!("https://a.b{tail}"));
    assert!(refusal.allow_with().unwrap().len() < 300);
}

#[test]
fn what_a_terminal_obeys_is_not_repeated() {
    let url = "https://a.b/\u{1b}[31m\u{202e}\u{7}";
    for text in [url, "\u{1b}]0;x\u{7}://x", "https://\u{1b}[31m"] {
        let refusal = refusal(&[], "GET", text);
        let said = format!("{refusal}{}", refusal.target());
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{said:?}");
    }
}
