//! Where links lead.

use toolhost_sdk::http::Url;

/// The longest URL of a link that is repeated.
const MAX_LINK: usize = 1000;

/// What links are resolved against.
#[derive(Debug)]
pub(super) struct Links {
    base: Url,
}

impl Links {
    pub(super) fn new(base: Url) -> Self {
        Self { base }
    }

    /// The page says itself what its links are resolved against.
    pub(super) fn rebase(&mut self, href: &str) {
        let base = self.base.join(href).ok();
        if let Some(base) = base.filter(|base| matches!(base.scheme(), "http" | "https")) {
            self.base = base;
        }
    }

    /// Where a link leads, when that is somewhere else.
    pub(super) fn resolve(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') {
            return None;
        }
        let url = self.base.join(href).ok()?;
        let leads = matches!(url.scheme(), "http" | "https" | "mailto" | "tel");
        let url = String::from(url);
        (leads && url.len() <= MAX_LINK).then(|| url.replace('(', "%28").replace(')', "%29"))
    }
}
