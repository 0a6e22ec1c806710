//! What a plugin may send, told from both sides.

use super::*;

#[test]
fn without_grants_nothing_is_sent() {
    let refusal = refusal(&[], "GET", "https://api.example.com/v1?key=s3cret");
    assert_eq!(
        refusal.to_string(),
        "no grant allows the host `api.example.com`"
    );
    assert_eq!(refusal.target(), "GET https://api.example.com/v1");
    assert_eq!(
        refusal.allow_with().unwrap(),
        r#"--allow-host "https://api.example.com/""#
    );
    assert_eq!(refusal.nearest(), None);
}

#[test]
fn each_part_of_a_grant_is_looked_at() {
    let grants = [grant("GET,POST https://api.example.com/v1")];
    for (method, url) in [
        ("GET", "https://api.example.com/v1"),
        ("GET", "https://api.example.com/v1/"),
        ("POST", "https://API.example.com.:443/v1/users?a=/../..#x"),
        ("GET", "https:\\\\api.example.com\\v1\\x"),
        ("GET", "https://api.example.com/v2/../v1/x"),
        ("GET", "https://ａｐｉ.example.com/v1"),
    ] {
        assert!(allowed(&grants, method, url), "{method} {url}");
    }
    let cases = [
        (
            "GET",
            "https://example.com/v1",
            Part::Host,
            r#"--allow-host "https://example.com/""#,
        ),
        (
            "GET",
            "https://x.api.example.com/v1",
            Part::Host,
            r#"--allow-host "https://x.api.example.com/""#,
        ),
        (
            "GET",
            "http://api.example.com/v1",
            Part::Scheme,
            r#"--allow-host "http://api.example.com/""#,
        ),
        (
            "GET",
            "https://api.example.com:80/v1",
            Part::Port,
            r#"--allow-host "https://api.example.com:80/""#,
        ),
        (
            "DELETE",
            "https://api.example.com/v1/x",
            Part::Method,
            r#"--allow-host "DELETE https://api.example.com/v1""#,
        ),
        (
            "DELETE",
            "https://api.example.com/v2/x",
            Part::Method,
            r#"--allow-host "DELETE https://api.example.com/""#,
        ),
        (
            "HEAD",
            "https://api.example.com/v1/x",
            Part::Method,
            r#"--allow-host "https://api.example.com/v1""#,
        ),
        (
            "GET",
            "https://api.example.com/v10/x",
            Part::Path,
            r#"--allow-host "https://api.example.com/v10/x""#,
        ),
        (
            "GET",
            "https://api.example.com/V1",
            Part::Path,
            r#"--allow-host "https://api.example.com/V1""#,
        ),
        (
            "GET",
            "https://api.example.com/a/b$(id)/c",
            Part::Path,
            r#"--allow-host "https://api.example.com/a""#,
        ),
        (
            "GET",
            "https://api.example.com/!a",
            Part::Path,
            r#"--allow-host "https://api.example.com/""#,
        ),
        (
            "GET",
            "https://api.example.com",
            Part::Path,
            r#"--allow-host "https://api.example.com/""#,
        ),
    ];
    for (method, url, part, allow_with) in cases {
        let refusal = refusal(&grants, method, url);
        assert!(
            matches!(refusal.why(), Why::NotGranted { part: found, .. } if *found == part),
            "{method} {url}: {refusal:?}"
        );
        assert_eq!(refusal.allow_with().as_deref(), Some(allow_with), "{url}");
        assert_eq!(refusal.nearest(), (part > Part::Host).then_some(0));
    }
}

#[test]
fn a_pattern_is_for_names_below_and_never_for_the_name_itself() {
    let grants = [grant("https://*.example.com")];
    for host in ["a.example.com", "a.b.example.com", "A.EXAMPLE.COM."] {
        assert!(
            allowed(&grants, "GET", &format!("https://{host}/")),
            "{host}"
        );
    }
    for host in [
        "example.com",
        "aexample.com",
        "example.com.evil.org",
        "a.example.com.evil.org",
        ".example.com",
        "a..example.com",
        "example.org",
        "9.9.9.9",
    ] {
        assert!(
            !allowed(&grants, "GET", &format!("https://{host}/")),
            "{host}"
        );
    }
}

#[test]
fn a_grant_for_any_port_is_for_any_port_of_its_scheme() {
    let grants = [grant("http://*:*")];
    for url in ["http://a.b/", "http://a.b:8080/", "http://a.b:443/"] {
        assert!(allowed(&grants, "GET", url), "{url}");
    }
    assert!(!allowed(&grants, "GET", "https://a.b/"));
    assert!(!allowed(&grants, "GET", "http://a.b:0/"));
    // What is offered is for the one port that was asked for.
    let local = refusal(&grants, "GET", "http://127.0.0.1:6379/");
    assert_eq!(
        local.allow_with().unwrap(),
        r#"--allow-private-host "http://127.0.0.1:6379/""#
    );
}

#[test]
fn the_grant_that_decides_is_named() {
    let grants = [
        grant("https://*"),
        grant("https://intranet.corp/a"),
        private("https://intranet.corp/b"),
    ];
    let index = |url| judge(&grants, "GET", url).unwrap().index;
    assert_eq!(index("https://intranet.corp/a"), 0);
    assert_eq!(index("https://intranet.corp/b"), 2);
    let decided = judge(&grants, "GET", "https://intranet.corp/b").unwrap();
    assert!(decided.allow_private);
    assert_eq!(decided.grant, &grants[2]);
}

#[test]
fn what_is_sent_is_what_was_judged() {
    let grants = [grant("https://bücher.de")];
    let allowed = judge(&grants, "GET", "https:/\\BÜCHER.de.:443\\a\\..\\b?q=ä#part").unwrap();
    assert_eq!(allowed.url.as_str(), "https://xn--bcher-kva.de/b?q=%C3%A4");
}

#[test]
fn every_public_host_is_no_private_one() {
    let grants = [grant("http://*")];
    assert!(allowed(&grants, "GET", "http://9.9.9.9/"));
    assert!(allowed(&grants, "GET", "http://[2620:fe::fe]/"));
    for (host, name) in [
        ("127.0.0.1", "loopback"),
        ("127.1", "loopback"),
        ("0x7f.1", "loopback"),
        ("0177.0.0.1", "loopback"),
        ("2130706433", "loopback"),
        ("127.0.0.1.", "loopback"),
        ("①②⑦.0.0.1", "loopback"),
        ("１２７．０．０．１", "loopback"),
        ("%31%32%37.0.0.1", "loopback"),
        ("0", "the unspecified address"),
        ("0xa9fea9fe", "cloud metadata"),
        ("[::1]", "loopback"),
        ("[::]", "the unspecified address"),
        ("[::ffff:127.0.0.1]", "IPv4-mapped"),
        ("[::ffff:7f00:1]", "IPv4-mapped"),
        ("[64:ff9b::a9fe:a9fe]", "NAT64"),
        ("[fd00:ec2::254]", "cloud metadata"),
    ] {
        let refusal = refusal(&grants, "GET", &format!("http://{host}/"));
        assert!(
            matches!(refusal.why(), Why::Special { special, .. } if special.name == name),
            "{host}: {refusal}"
        );
    }
}

#[test]
fn a_refused_address_says_how_to_open_it() {
    let grants = [grant("POST http://*")];
    let first = refusal(&grants, "POST", "http://127.0.0.1:8080/x");
    assert_eq!(
        first.allow_with().unwrap(),
        r#"--allow-private-host "POST http://127.0.0.1:8080/""#
    );
    let second = refusal(&grants, "POST", "http://10.0.0.1/x");
    assert_eq!(
        second.to_string(),
        "10.0.0.1 is not a public address (private use, 10.0.0.0/8, RFC 1918)"
    );
    assert_eq!(
        second.allow_with().unwrap(),
        r#"--allow-private-host "POST http://10.0.0.1/""#
    );
    assert_eq!(
        refusal(&grants, "POST", "http://224.0.0.1/").allow_with(),
        None
    );
    assert_eq!(refusal(&[], "POST", "http://224.0.0.1/").allow_with(), None);
}

#[test]
fn the_address_of_a_name_is_judged_as_well() {
    let public = [grant("https://*")];
    let allowed = judge(&public, "GET", "https://rebind.example.com/").unwrap();
    assert!(allowed.check_address("9.9.9.9".parse().unwrap()).is_ok());
    let refused = allowed
        .check_address("192.168.1.1".parse().unwrap())
        .unwrap_err();
    assert_eq!(
        refused.allow_with().unwrap(),
        r#"--allow-private-host "https://rebind.example.com/""#
    );

    let named = [private("https://intranet.corp")];
    let allowed = judge(&named, "GET", "https://intranet.corp/").unwrap();
    for open in ["192.168.1.1", "127.0.0.1", "fd12::1", "9.9.9.9"] {
        assert!(
            allowed.check_address(open.parse().unwrap()).is_ok(),
            "{open}"
        );
    }
    for closed in [
        "169.254.169.254",
        "fd00:ec2::254",
        "0.0.0.0",
        "ff02::1",
        "::ffff:10.0.0.1",
    ] {
        let refusal = allowed.check_address(closed.parse().unwrap()).unwrap_err();
        assert_eq!(refusal.allow_with(), None, "{closed}");
    }
}

#[test]
fn metadata_opens_to_those_who_name_the_address_itself() {
    let grants = [private("http://169.254.169.254/latest")];
    let url = "http://169.254.169.254/latest/meta-data";
    let allowed = judge(&grants, "GET", url).unwrap();
    assert!(
        allowed
            .check_address("169.254.169.254".parse().unwrap())
            .is_ok()
    );
    assert!(
        allowed
            .check_address("169.254.170.2".parse().unwrap())
            .is_err()
    );

    let suggested = refusal(&[grant("http://*")], "GET", url).allow_with();
    assert_eq!(
        suggested.unwrap(),
        r#"--allow-private-host "http://169.254.169.254/""#
    );
}
