//! What holds for every grant and every request, tried on many.

use proptest::prelude::*;

use super::*;

/// Hosts that are near each other, so that grants and requests meet.
const HOSTS: [&str; 12] = [
    "a.b",
    "x.a.b",
    "y.x.a.b",
    "xa.b",
    "b",
    "A.B.",
    "9.9.9.9",
    "10.0.0.1",
    "0xa.1",
    "[::1]",
    "[::ffff:9.9.9.9]",
    "bücher.de",
];
const PATTERNS: [&str; 5] = ["*", "*.a.b", "*.x.a.b", "*.b", "*.de"];
const METHODS: [&str; 5] = ["GET", "HEAD", "POST", "DELETE", "PURGE"];
const PORTS: [&str; 4] = ["", ":443", ":80", ":8443"];
const GRANT_PORTS: [&str; 4] = ["", ":443", ":8443", ":*"];
const PATHS: [&str; 10] = [
    "",
    "/",
    "/v1",
    "/v1/",
    "/v1/x",
    "/v10",
    "/v1/x/y",
    "/V1",
    "/v1/a%2fb",
    "/%C3%BC",
];
const TRICKS: [&str; 8] = [
    "/v1/../v2",
    "/v1/..%2fv2",
    "/v1\\x",
    "/v1//x",
    "/v1/..;/x",
    "/v1/%2e%2e/v1/x",
    "/v1?x=/v2",
    "/v1#/v2",
];

fn pick<const N: usize>(from: [&'static str; N]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(from.to_vec())
}

fn grants() -> impl Strategy<Value = HttpGrant> {
    let methods = prop_oneof![
        Just(String::new()),
        Just("* ".to_owned()),
        proptest::sample::subsequence(METHODS.to_vec(), 1..=3)
            .prop_map(|methods| format!("{} ", methods.join(","))),
    ];
    let host = prop_oneof![pick(HOSTS), pick(PATTERNS)];
    let scheme = pick(["https://", "http://", ""]);
    let parts = (
        methods,
        scheme,
        host,
        pick(GRANT_PORTS),
        pick(PATHS),
        any::<bool>(),
    );
    parts.prop_map(|(methods, scheme, host, port, path, private)| {
        let grant = grant(&format!("{methods}{scheme}{host}{port}{path}"));
        match grant.clone().allow_private() {
            Ok(opened) if private => opened,
            _ => grant,
        }
    })
}

fn requests() -> impl Strategy<Value = (&'static str, String)> {
    let path = prop_oneof![pick(PATHS), pick(TRICKS)];
    let scheme = pick(["https://", "http://"]);
    (pick(METHODS), scheme, pick(HOSTS), pick(PORTS), path).prop_map(
        |(method, scheme, host, port, path)| (method, format!("{scheme}{host}{port}{path}")),
    )
}

fn allows(grant: &HttpGrant, method: &str, url: &str) -> bool {
    allowed(std::slice::from_ref(grant), method, url)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_grant_reads_back_as_it_was_written(grant in grants()) {
        let text: HttpGrant = grant.to_string().parse().unwrap();
        prop_assert_eq!(&text.to_string(), &grant.to_string());
        prop_assert_eq!(text, HttpGrant { allow_private: false, ..grant });
    }

    #[test]
    fn the_intersection_allows_what_both_allow(
        one in grants(), other in grants(), (method, url) in requests()
    ) {
        let both = allows(&one, method, &url) && allows(&other, method, &url);
        let intersection = one.intersect(&other);
        let through = intersection.as_ref().is_some_and(|grant| allows(grant, method, &url));
        prop_assert_eq!(through, both, "{} and {}: {} {}", one, other, method, url);
        prop_assert_eq!(intersection, other.intersect(&one));
    }

    #[test]
    fn what_covers_allows_all_that_the_covered_allows(
        wide in grants(), narrow in grants(), (method, url) in requests()
    ) {
        if wide.covers(&narrow) && allows(&narrow, method, &url) {
            let opened = HttpGrant { allow_private: true, ..wide.clone() };
            prop_assert!(allows(&opened, method, &url), "{wide} and {narrow}: {method} {url}");
        }
        prop_assert!(wide.covers(&wide));
        if let Some(both) = wide.intersect(&narrow) {
            prop_assert!(wide.covers(&both) && narrow.covers(&both));
        }
    }

    #[test]
    fn the_grant_that_is_offered_allows_the_request(
        grants in proptest::collection::vec(grants(), 0..4), (method, url) in requests()
    ) {
        let Err(refusal) = judge(&grants, method, &url) else { return Ok(()) };
        let Some(offered) = refusal.grant() else { return Ok(()) };
        prop_assert!(allows(offered, method, &url), "{offered}: {method} {url}");
        // It is what a person gets who pastes the flag.
        let flag = refusal.allow_with().unwrap();
        let (flag, text) = flag.split_once(' ').unwrap();
        let typed: HttpGrant = text.trim_matches('"').parse().unwrap();
        let typed = match flag {
            "--allow-private-host" => typed.allow_private().unwrap(),
            _ => typed,
        };
        prop_assert_eq!(&typed, offered);
    }

    #[test]
    fn more_grants_never_allow_less(
        grants in proptest::collection::vec(grants(), 1..4), (method, url) in requests()
    ) {
        let any = grants.iter().any(|grant| allows(grant, method, &url));
        prop_assert_eq!(allowed(&grants, method, &url), any);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}", url in "https?:[/\\\\]{0,3}\\PC{0,40}") {
        let parsed = text.parse::<HttpGrant>();
        if let Ok(grant) = parsed {
            let _ = judge(&[grant], "GET", &url);
        }
        let _ = judge(&[grant("http://*"), grant("*")], &text, &url);
    }
}
