//! Any text as `host.toml`: it is understood or refused with a place in it, and never
//! takes the host down.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use toolhost_policy::{Config, HostPattern};

fuzz_target!(|text: &str| {
    let file = Path::new("/etc/toolhost/host.toml");
    let read = Config::parse(text, file);
    assert_eq!(read, Config::parse(text, file), "it means one thing");
    match read {
        Ok(config) => {
            for grant in &config.grants.http {
                assert!(!grant.allows_private() || matches!(grant.host(), HostPattern::Exact(_)));
            }
            // Relative paths count from the folder of the file.
            for plugin in config.plugins.values() {
                assert!(plugin.path.is_absolute() || plugin.path.starts_with("/etc/toolhost"));
            }
        }
        Err(error) => {
            assert_eq!(error.file(), file);
            let lines = text.matches('\n').count() + 1;
            if let Some(line) = error.line() {
                assert!((1..=lines).contains(&line), "line {line} of {lines}");
                let longest = text.split('\n').map(|line| line.chars().count()).max();
                let most = longest.unwrap_or(0) + 1;
                assert!(error.column().is_some_and(|at| (1..=most).contains(&at)));
            }
            let said = error.to_string();
            assert!(!said.ends_with('.') && said.len() > "/etc/toolhost/host.toml: ".len());
        }
    }
});
