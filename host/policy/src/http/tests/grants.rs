//! Reading and writing grants, and what two have in common.

use super::*;

fn refused(cases: &[(&str, &str)]) {
    for (text, message) in cases {
        let error = text.parse::<HttpGrant>().unwrap_err();
        assert_eq!(error.to_string(), *message, "{text}");
    }
}

#[test]
fn a_grant_is_written_the_same_however_it_was_typed() {
    let cases = [
        ("https://api.example.com", "https://api.example.com/"),
        ("api.example.com", "https://api.example.com/"),
        ("HTTPS://API.Example.COM:443/", "https://api.example.com/"),
        ("api.example.com.", "https://api.example.com/"),
        ("http://api.example.com:80/", "http://api.example.com/"),
        ("http://api.example.com:443", "http://api.example.com:443/"),
        (
            "api.example.com:8443/v1/",
            "https://api.example.com:8443/v1",
        ),
        (
            "api.example.com/v1/a%20b",
            "https://api.example.com/v1/a%20b",
        ),
        (
            "https://api.example.com/ü",
            "https://api.example.com/%C3%BC",
        ),
        ("GET https://a.b/", "GET https://a.b/"),
        ("HEAD,GET https://a.b/", "https://a.b/"),
        (" POST, GET  https://a.b/ ", "GET,POST https://a.b/"),
        ("* https://a.b/", "* https://a.b/"),
        ("*", "https://*/"),
        ("* *", "* https://*/"),
        ("*:*", "https://*:*/"),
        ("http://[::1]:*", "http://[::1]:*/"),
        ("*.example.org", "https://*.example.org/"),
        ("*.bücher.de", "https://*.xn--bcher-kva.de/"),
        ("bücher.de", "https://xn--bcher-kva.de/"),
        ("ｅｘａｍｐｌｅ．com", "https://example.com/"),
        ("ex%61mple.com", "https://example.com/"),
        ("http://0x7f.1", "http://127.0.0.1/"),
        ("http://2130706433", "http://127.0.0.1/"),
        ("http://０１７７.1", "http://127.0.0.1/"),
        (
            "http://[::FFFF:7f00:1]:8080",
            "http://[::ffff:7f00:1]:8080/",
        ),
        (
            "[2001:4860:4860:0:0:0:0:8888]",
            "https://[2001:4860:4860::8888]/",
        ),
    ];
    for (text, written) in cases {
        assert_eq!(grant(text).to_string(), written, "{text}");
        assert_eq!(grant(written), grant(text), "{text}");
    }
}

#[test]
fn what_is_no_grant_says_how_to_write_one() {
    let cases = [
        (
            "",
            "`` cannot be a host: write a name such as `api.example.com`",
        ),
        (
            "https://",
            "`` cannot be a host: write a name such as `api.example.com`",
        ),
        (
            "ftp://a.b",
            "the scheme `ftp` cannot be granted: write `https://` or `http://`",
        ),
        (
            "ws://a.b",
            "the scheme `ws` cannot be granted: write `https://` or `http://`",
        ),
        (
            "post https://a.b",
            "`post` cannot be granted as a method: methods are capital letters, such as `GET`",
        ),
        (
            "GET,,POST https://a.b",
            "`` cannot be granted as a method: it is empty: write a method such as `GET`",
        ),
        (
            "GET,* https://a.b",
            "`*` cannot be granted as a method: it already means every method: write it alone",
        ),
        (
            "CONNECT https://a.b",
            "`CONNECT` cannot be granted as a method: it opens a tunnel that no rule could look into",
        ),
        (
            "TRACE https://a.b",
            "`TRACE` cannot be granted as a method: it sends back what was sent, secrets with it",
        ),
        (
            "https://me:pw@a.b/",
            "a grant names no user: leave out what stands before `@`, and give passwords as secrets",
        ),
        (
            "a.b:0",
            "`0` cannot be a port: write a number from 1 to 65535, or `*` for any",
        ),
        (
            "a.b:65536",
            "`65536` cannot be a port: write a number from 1 to 65535, or `*` for any",
        ),
        (
            "a.b:",
            "`` cannot be a port: write a number from 1 to 65535, or `*` for any",
        ),
        (
            "a.b:+80",
            "`+80` cannot be a port: write a number from 1 to 65535, or `*` for any",
        ),
        (
            "a.b:*0",
            "`*0` cannot be a port: write a number from 1 to 65535, or `*` for any",
        ),
        (
            "a.b/?q=1",
            "`/?q=1` cannot be the path of a grant: a grant is for paths: leave out what follows `?` or `#`",
        ),
        (
            "a.b/v1/../v2",
            "`/v1/../v2` cannot be the path of a grant: it cannot hold `.` or `..`, written in any way",
        ),
        (
            "a.b/v1/%2e%2E/v2",
            "`/v1/%2e%2E/v2` cannot be the path of a grant: it cannot hold `.` or `..`, written in any way",
        ),
        (
            "a.b/v1/..%2fv2",
            "`/v1/..%2fv2` cannot be the path of a grant: it cannot hold `.` or `..`, written in any way",
        ),
        (
            "a.b\\v1",
            "`\\v1` cannot be the path of a grant: it must start with `/`",
        ),
        (
            "a.b/v1/*",
            "`/v1/*` cannot be the path of a grant: it is no pattern, and needs no quotes or backslashes",
        ),
        (
            "a.b//v1",
            "`//v1` cannot be the path of a grant: it cannot hold `//`",
        ),
        (
            "https://a.b\tc/",
            "`https://a.b\\u{9}c/` holds a character that cannot be seen: leave it out",
        ),
    ];
    refused(&cases);
}

#[test]
fn what_is_no_host_says_what_one_is() {
    let cases = [
        (
            "::1",
            "`::1` cannot be a host: write an IPv6 address in brackets, as in `[2001:4860:4860::8888]`",
        ),
        (
            "[::1",
            "`[::1` cannot be a host: write a name such as `api.example.com`, or an address, IPv6 in brackets",
        ),
        (
            "a.*.b",
            "`a.*.b` cannot be a host: `*` stands alone or for the first part, as in `*.example.com`",
        ),
        (
            "*a.b",
            "`*a.b` cannot be a host: `*` stands alone or for the first part, as in `*.example.com`",
        ),
        (
            "*.",
            "`*.` cannot be a host: write a name such as `api.example.com`",
        ),
        (
            "*.127.0.0.1",
            "`*.127.0.0.1` cannot be a host: nothing is below an address",
        ),
        ("*.1", "`*.1` cannot be a host: nothing is below an address"),
        (
            "a..b",
            "`a..b` cannot be a host: a part of the name between dots is empty",
        ),
        (
            "a$(id).b",
            "`a$(id).b` cannot be a host: a name has letters, digits, `-` and dots",
        ),
    ];
    refused(&cases);
}

#[test]
fn what_is_long_or_hidden_is_refused_and_not_repeated() {
    let hidden = "\u{1b}GET https://a.b".parse::<HttpGrant>().unwrap_err();
    assert!(!hidden.to_string().contains('\u{1b}'), "{hidden}");
    let path = format!("https://a.b/{}", ">".repeat(400));
    assert!(
        path.parse::<HttpGrant>()
            .unwrap_err()
            .to_string()
            .ends_with("it is too long: a shorter one covers it as well")
    );
    let methods = format!("{} https://a.b", ["GET"; 17].join(","));
    assert!(
        methods
            .parse::<HttpGrant>()
            .unwrap_err()
            .to_string()
            .ends_with("there are too many: write `*` for every method")
    );
    let long = format!("https://a.b/{}", "x".repeat(3000));
    assert_eq!(
        long.parse::<HttpGrant>().unwrap_err().to_string(),
        "the grant is longer than 2048 bytes: write a shorter one"
    );
}

#[test]
fn private_addresses_need_a_host_with_a_name_of_its_own() {
    assert!(private("https://intranet.corp:8443").allows_private());
    assert!(private("http://10.0.0.1").allows_private());
    assert!(private("http://169.254.169.254").allows_private());
    let cases = [
        (
            "*",
            "`allow-private` needs one host, not `*`: name each host that may have a private address",
        ),
        (
            "*.corp",
            "`allow-private` needs one host, not `*.corp`: name each host that may have a private address",
        ),
        (
            "224.0.0.1",
            "no grant opens `224.0.0.1` (multicast, 224.0.0.0/4, RFC 5771): leave the grant out",
        ),
        (
            "0",
            "no grant opens `0.0.0.0` (the unspecified address, 0.0.0.0/32, RFC 1122): leave the grant out",
        ),
        (
            "[::ffff:10.0.0.1]",
            "no grant opens `[::ffff:a00:1]` (IPv4-mapped, ::ffff:0:0/96, RFC 4291): write `10.0.0.1`",
        ),
    ];
    for (text, message) in cases {
        let error = grant(text).allow_private().unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn a_grant_in_a_file_is_text_or_a_table() {
    #[derive(serde::Deserialize, serde::Serialize, PartialEq, Debug)]
    struct File {
        http: Vec<HttpGrant>,
    }
    let text = r#"http = ["GET,POST https://a.b/v1", { allow = "http://intranet.corp", allow-private = true }, { allow = "c.d" }]"#;
    let file: File = toml::from_str(text).unwrap();
    assert_eq!(
        file.http,
        [
            grant("GET,POST https://a.b/v1"),
            private("http://intranet.corp"),
            grant("c.d")
        ]
    );
    let written = toml::to_string(&file).unwrap();
    assert_eq!(toml::from_str::<File>(&written).unwrap(), file, "{written}");

    let wrong = [
        (
            r#"http = [{ allow = "*", allow-private = true }]"#,
            "`allow-private` needs one host",
        ),
        (
            r#"http = [{ allow = "a.b", private = true }]"#,
            "unknown field `private`",
        ),
        (
            r"http = [{ allow-private = true }]",
            "missing field `allow`",
        ),
        (
            r#"http = [{ allow = { allow = "a.b" } }]"#,
            "invalid type: map",
        ),
        (r"http = [1]", "expected a grant such as"),
        (r#"http = ["ftp://a.b"]"#, "the scheme `ftp`"),
    ];
    for (text, message) in wrong {
        let error = toml::from_str::<File>(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn an_error_in_a_list_of_grants_has_its_place() {
    #[derive(serde::Deserialize, Debug)]
    struct File {
        #[serde(rename = "http")]
        _http: Vec<HttpGrant>,
    }
    let text = r#"http = ["https://a.b", "ftp://c.d"]"#;
    let error = toml::from_str::<File>(text).unwrap_err();
    assert_eq!(&text[error.span().unwrap()], r#""ftp://c.d""#);
}

#[test]
fn a_plugin_gets_what_it_asks_for_and_was_granted() {
    let cases = [
        // manifest, grant, both
        (
            "* https://*",
            "https://api.a.b/v1",
            Some("https://api.a.b/v1"),
        ),
        (
            "GET,POST https://*.a.b",
            "POST,PUT https://*.a.b/v1",
            Some("POST https://*.a.b/v1"),
        ),
        ("https://*.a.b", "https://*.x.a.b", Some("https://*.x.a.b/")),
        ("https://*.a.b", "https://a.b", None),
        ("https://*.a.b", "https://xa.b", None),
        ("https://a.b", "http://a.b", None),
        ("https://a.b", "https://a.b:444", None),
        ("POST https://a.b", "https://a.b", None),
        ("https://a.b/v1", "https://a.b/v10", None),
        (
            "https://a.b/v1",
            "https://a.b/v1/x",
            Some("https://a.b/v1/x"),
        ),
        ("https://*", "https://9.9.9.9", Some("https://9.9.9.9/")),
        ("https://*.9", "https://9.9.9.9", None),
        ("https://*:*", "https://a.b:444", Some("https://a.b:444/")),
        ("https://a.b", "https://*:*", Some("https://a.b/")),
        ("https://*:*", "https://a.b:*", Some("https://a.b:*/")),
    ];
    for (manifest, operator, both) in cases {
        let Ok(manifest) = manifest.parse::<HttpGrant>() else {
            assert_eq!(both, None);
            continue;
        };
        let operator = grant(operator);
        let got = operator.under(&manifest).map(|grant| grant.to_string());
        assert_eq!(got.as_deref(), both, "{manifest} and {operator}");
        assert_eq!(manifest.intersect(&operator), operator.intersect(&manifest));
    }
}

#[test]
fn the_operator_and_not_the_manifest_opens_private_addresses() {
    let operator = private("https://intranet.corp");
    let manifest = grant("https://*");
    assert!(operator.under(&manifest).unwrap().allows_private());
    assert!(!operator.intersect(&manifest).unwrap().allows_private());

    let eager = private("https://intranet.corp");
    let careful = grant("https://*.corp");
    assert!(!careful.under(&eager).unwrap().allows_private());
}
