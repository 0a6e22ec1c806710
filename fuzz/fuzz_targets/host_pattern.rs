//! Any text as a grant for the network and as a pattern for hosts: what is understood
//! is written in one way, reads back the same, and can be pasted into a shell.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolhost_policy::{HostPattern, HttpGrant};

fuzz_target!(|text: &str| {
    if let Ok(pattern) = text.parse::<HostPattern>() {
        let written = pattern.to_string();
        assert_eq!(written.parse(), Ok(pattern), "{written}");
        check_plain(&written);
    }
    let grant = match text.parse::<HttpGrant>() {
        Ok(grant) => grant,
        Err(error) => {
            let said = error.to_string();
            assert!(said.len() < 2048, "{said}");
            assert!(!said.contains(char::is_control), "{said:?}");
            return;
        }
    };
    let written = grant.to_string();
    assert_eq!(written.parse().as_ref(), Ok(&grant), "{written}");
    check_plain(&written);
    assert!(grant.covers(&grant));
    assert_eq!(grant.intersect(&grant).as_ref(), Some(&grant));
    if let Ok(private) = grant.clone().allow_private() {
        assert!(matches!(private.host(), HostPattern::Exact(_)));
        assert_eq!(private.to_string(), written);
        assert_eq!(private.under(&grant).as_ref(), Some(&private));
    }
});

fn check_plain(written: &str) {
    let harmless = |c: char| c.is_ascii_graphic() && !"\"'`$!\\".contains(c);
    let odd = written.chars().find(|&c| c != ' ' && !harmless(c));
    assert_eq!(odd, None, "{written}");
}
