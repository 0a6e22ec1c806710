//! Any request against any grants. The first line is a method, the second a URL, the
//! others are grants; one that starts with `!` may reach private addresses.
//!
//! What is allowed is checked again from the written form of the grant, with other
//! means than those of the crate: text, and the standard library's idea of addresses.
#![no_main]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use libfuzzer_sys::fuzz_target;
use toolhost_policy::{Allowed, Host, HttpGrant, Url, judge};

fuzz_target!(|text: &str| {
    let mut lines = text.split('\n');
    let method = lines.next().unwrap_or_default();
    let url = lines.next().unwrap_or_default();
    let grants: Vec<HttpGrant> = lines.take(4).filter_map(grant).collect();

    match judge(&grants, method, url) {
        Ok(allowed) => {
            assert_eq!(allowed.grant, &grants[allowed.index]);
            check(&allowed, method);
            // What is sent is understood as what was judged.
            let again = judge(&grants, method, allowed.url.as_str());
            assert_eq!(again.as_ref(), Ok(&allowed));
        }
        Err(refusal) => {
            assert!(refusal.to_string().len() < 1024 && refusal.target().len() < 2048);
            if let Some(offered) = refusal.grant() {
                let offered = std::slice::from_ref(offered);
                assert!(judge(offered, method, url).is_ok(), "{offered:?}");
            }
        }
    }
    if let [one, other, ..] = grants.as_slice() {
        let allows = |grant: &HttpGrant| judge(std::slice::from_ref(grant), method, url).is_ok();
        let both = one.intersect(other).is_some_and(|grant| allows(&grant));
        assert_eq!(both, allows(one) && allows(other), "{one} and {other}");
    }
});

fn grant(line: &str) -> Option<HttpGrant> {
    match line.strip_prefix('!') {
        Some(line) => line.parse::<HttpGrant>().ok()?.allow_private().ok(),
        None => line.parse().ok(),
    }
}

fn check(allowed: &Allowed<'_>, method: &str) {
    let url = &allowed.url;
    let written = allowed.grant.to_string();
    let (methods, target) = written.split_once(' ').unwrap_or(("GET,HEAD", &written));
    assert!(methods == "*" || methods.split(',').any(|one| one == method));
    assert!(!matches!(method, "CONNECT" | "TRACE" | "TRACK"));

    let (scheme, rest) = target
        .split_once("://")
        .expect("a scheme is always written");
    assert_eq!(url.scheme(), scheme);
    assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
    let (authority, prefix) = rest.split_at(rest.find('/').expect("and a path"));
    let default: u16 = if scheme == "https" { 443 } else { 80 };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    let expected = match port {
        "" => default.to_string(),
        "*" => url.port().unwrap_or(default).to_string(),
        port => port.to_owned(),
    };
    assert_eq!(url.port().unwrap_or(default).to_string(), expected);
    check_host(allowed, host);
    check_path(url, prefix);
}

fn check_host(allowed: &Allowed<'_>, pattern: &str) {
    let host = allowed.url.host_str().expect("a request has a host");
    assert!(!host.ends_with('.') && !host.contains(".."));
    match pattern.strip_prefix('*') {
        Some(end) => assert!(
            host.len() > end.len() && host.ends_with(end),
            "{host} {pattern}"
        ),
        None => assert_eq!(host, pattern),
    }
    let address = match allowed.url.host() {
        Some(Host::Ipv4(address)) => IpAddr::from(address),
        Some(Host::Ipv6(address)) => IpAddr::from(address),
        _ => return,
    };
    assert!(!pattern.starts_with("*."), "nothing is below an address");
    assert_eq!(allowed.check_address(address), Ok(()));
    assert!(!never_a_peer(address), "{address}");
    assert!(
        allowed.grant.allows_private() || !is_private(address),
        "{address}"
    );
}

/// What no grant opens, as far as the standard library knows.
fn never_a_peer(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_unspecified()
                || address.is_multicast()
                || address.is_broadcast()
                || address.is_documentation()
        }
        IpAddr::V6(address) => {
            address.is_unspecified()
                || address.is_multicast()
                || address.to_ipv4_mapped().is_some()
                || address.segments()[..2] == [0x64, 0xff9b]
        }
    }
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address == Ipv4Addr::new(168, 63, 129, 16)
        }
        IpAddr::V6(address) => {
            address == Ipv6Addr::LOCALHOST
                || address.is_unique_local()
                || address.is_unicast_link_local()
        }
    }
}

/// Segment by segment, and again as a server sees it that decodes the path first.
fn check_path(url: &Url, prefix: &str) {
    let prefix: Vec<&str> = prefix.split('/').filter(|part| !part.is_empty()).collect();
    if prefix.is_empty() {
        return;
    }
    let path = url
        .path()
        .strip_prefix('/')
        .expect("a path starts with a slash");
    let parts: Vec<&str> = path.split('/').collect();
    assert!(parts.starts_with(&prefix), "{url} {prefix:?}");

    let mut decoded = path.to_lowercase();
    for _ in 0..3 {
        for (code, plain) in [("%2e", "."), ("%2f", "/"), ("%5c", "/"), ("%25", "%")] {
            decoded = decoded.replace(code, plain);
        }
        let mut depth = Vec::new();
        for part in decoded.split('/') {
            match part {
                ".." => drop(depth.pop()),
                "." => {}
                part => depth.push(part),
            }
        }
        let lower: Vec<String> = prefix.iter().map(|part| part.to_lowercase()).collect();
        let plain = lower.iter().all(|part| !part.contains('%'));
        assert!(!plain || depth.starts_with(&lower.iter().map(String::as_str).collect::<Vec<_>>()));
    }
}
