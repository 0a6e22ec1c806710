//! Which hosts may be asked, beside what is granted: the operator's lists and those
//! of the call. The call cannot undo what the operator says.

use toolhost_sdk::http::Url;
use toolhost_sdk::{ToolError, config};

/// The key of the operator's list of hosts that may be asked.
const ALLOWED: &str = "allowed-hosts";

/// The key of the operator's list of hosts that may not.
const BLOCKED: &str = "blocked-hosts";

/// Which hosts may be asked.
#[derive(Debug, Clone, Default)]
pub struct Hosts {
    /// A host has to be on each of these lists.
    allowed: Vec<List>,
    /// And on none of these.
    blocked: Vec<List>,
}

/// Hosts, and who wrote them down.
#[derive(Debug, Clone)]
struct List {
    name: &'static str,
    patterns: Vec<Pattern>,
}

/// A host, or all below one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Exact(String),
    Below(String),
}

impl Hosts {
    /// The lists of the operator and of the call.
    ///
    /// # Errors
    /// When something on a list is no host, or the call allows none: whoever writes
    /// an empty list may mean any as well.
    pub fn of_call(allowed: Option<&[String]>, blocked: &[String]) -> Result<Self, ToolError> {
        let mut hosts = Self::default();
        for (lists, key) in [(&mut hosts.allowed, ALLOWED), (&mut hosts.blocked, BLOCKED)] {
            if let Some(written) = config(key) {
                let names: Vec<&str> = written.split([',', ' ', '\n']).collect();
                let list = List::read(key, &names).map_err(of_operator)?;
                lists.push(list);
            }
        }
        if let Some(allowed) = allowed {
            let list = List::read("allowedHosts", allowed)?;
            if list.patterns.is_empty() {
                return Err(ToolError::new(
                    "HostListError",
                    "`allowedHosts` names no host, so none could be asked: name one, or leave it \
                     out for any",
                ));
            }
            hosts.allowed.push(list);
        }
        if !blocked.is_empty() {
            hosts.blocked.push(List::read("blockedHosts", blocked)?);
        }
        Ok(hosts)
    }

    /// Whether a URL may be asked for.
    ///
    /// # Errors
    /// Names the list that is in the way.
    pub fn check(&self, url: &Url) -> Result<(), String> {
        let host = normal(url.host_str().unwrap_or_default());
        if let Some(list) = self.allowed.iter().find(|list| !list.holds(&host)) {
            return Err(format!(
                "the host `{host}` is not on the list `{}`",
                list.name
            ));
        }
        if let Some(list) = self.blocked.iter().find(|list| list.holds(&host)) {
            return Err(format!("the host `{host}` is on the list `{}`", list.name));
        }
        Ok(())
    }
}

impl List {
    fn read(name: &'static str, written: &[impl AsRef<str>]) -> Result<Self, ToolError> {
        let written = written.iter().map(|text| text.as_ref().trim());
        let patterns = written
            .filter(|text| !text.is_empty())
            .map(|text| Pattern::read(name, text));
        Ok(Self {
            name,
            patterns: patterns.collect::<Result<_, _>>()?,
        })
    }

    fn holds(&self, host: &str) -> bool {
        self.patterns.iter().any(|pattern| match pattern {
            Pattern::Exact(name) => name == host,
            Pattern::Below(name) => host
                .strip_suffix(&**name)
                .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
        })
    }
}

impl Pattern {
    fn read(list: &str, text: &str) -> Result<Self, ToolError> {
        let (below, name) = match text.strip_prefix("*.") {
            Some(name) => (true, name),
            None => (false, text),
        };
        // As hosts of URLs are read, so that they compare.
        let url = Url::parse(&format!("https://{name}/")).ok();
        let is_address = name.starts_with('[') && name.ends_with(']');
        let is_bare = !name.contains(['*', '/', '\\', '?', '#', '@']);
        let is_host = is_bare && (is_address || !name.contains(':'));
        let host = url.as_ref().filter(|_| is_host);
        let Some(host) = host.and_then(|url| url.host_str()) else {
            let shown: String = text.chars().take(100).collect();
            return Err(ToolError::new(
                "HostListError",
                format!(
                    "`{}` in `{list}` is no host: write `example.com`, or `*.example.com` for all \
                     below it, without scheme, port and path",
                    shown.escape_debug()
                ),
            ));
        };
        let host = normal(host);
        Ok(if below {
            Self::Below(host)
        } else {
            Self::Exact(host)
        })
    }
}

/// The same name without its trailing dot.
fn normal(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// It is not the model that wrote the list.
fn of_operator(mut error: ToolError) -> ToolError {
    let message = error.message;
    error.message = format!("the operator's configuration is wrong: {message}");
    error
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::testing;

    use super::*;

    fn check(allowed: &[&str], blocked: &[&str], url: &str) -> Result<(), String> {
        let owned = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let allowed = (!allowed.is_empty()).then(|| owned(allowed));
        let hosts = Hosts::of_call(allowed.as_deref(), &owned(blocked)).unwrap();
        hosts.check(&Url::parse(url).unwrap())
    }

    #[test]
    fn a_list_names_hosts_and_what_is_below_them() {
        let allowed = ["example.com", "*.example.org", "Bücher.de", "[::1]"];
        for (url, holds) in [
            ("https://example.com/x", true),
            ("https://EXAMPLE.com.:8443/", true),
            ("https://www.example.com", false),
            ("https://www.example.org", true),
            ("https://a.b.example.org", true),
            ("https://example.org", false),
            ("https://badexample.org", false),
            ("https://xn--bcher-kva.de", true),
            ("http://[::1]/", true),
        ] {
            assert_eq!(check(&allowed, &[], url).is_ok(), holds, "{url}");
        }
    }

    #[test]
    fn what_is_blocked_wins() {
        let error = check(&["*.a.example"], &["b.a.example"], "https://b.a.example").unwrap_err();
        assert_eq!(
            error,
            "the host `b.a.example` is on the list `blockedHosts`"
        );
        assert!(check(&["*.a.example"], &["b.a.example"], "https://c.a.example").is_ok());
    }

    #[test]
    fn a_call_cannot_undo_what_the_operator_says() {
        testing::set_config(ALLOWED, "a.example, *.b.example");
        testing::set_config(BLOCKED, "x.b.example");
        assert!(check(&[], &[], "https://a.example").is_ok());
        let error = check(&["c.example"], &[], "https://c.example").unwrap_err();
        assert_eq!(
            error,
            "the host `c.example` is not on the list `allowed-hosts`"
        );
        assert!(check(&["x.b.example"], &[], "https://x.b.example").is_err());
        assert!(check(&["a.example"], &[], "https://y.b.example").is_err());
    }

    #[test]
    fn what_is_no_host_is_no_silent_hole() {
        for wrong in [
            "https://a.example",
            "a.example/x",
            "a.example:80",
            "*",
            "a.*.b",
            "u@a",
            "a b",
        ] {
            let list = [wrong.to_owned()];
            let error = Hosts::of_call(None, &list).unwrap_err();
            assert!(error.message.contains("is no host"), "{wrong}");
        }
        testing::set_config(BLOCKED, "https://a.example");
        let error = Hosts::of_call(None, &[]).unwrap_err();
        assert!(error.message.starts_with("the operator's configuration"));
    }

    #[test]
    fn a_list_without_hosts_allows_none() {
        for nothing in [&[][..], &[" ".to_owned()]] {
            let error = Hosts::of_call(Some(nothing), &[]).unwrap_err();
            assert!(error.message.ends_with("leave it out for any"), "{error}");
        }
        testing::set_config(ALLOWED, "");
        assert!(check(&[], &[], "https://a.example").is_err());
    }
}
