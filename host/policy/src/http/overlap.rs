//! What two grants have in common: a plugin gets what its manifest asks for and the
//! operator grants.

use std::collections::BTreeSet;

use super::{HttpGrant, Methods};

impl HttpGrant {
    /// Whether this grant allows each request that `other` allows, as far as requests
    /// show: `allow-private` is not compared.
    ///
    /// ```
    /// use toolhost_policy::HttpGrant;
    ///
    /// let wide: HttpGrant = "* https://*.example.com".parse()?;
    /// let narrow: HttpGrant = "POST https://api.example.com/v1".parse()?;
    /// assert!(wide.covers(&narrow) && !narrow.covers(&wide));
    /// # Ok::<(), toolhost_policy::HttpGrantError>(())
    /// ```
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let Self {
            methods,
            scheme,
            host,
            port,
            path,
            allow_private: _,
        } = self;
        *scheme == other.scheme
            && (port.is_none() || *port == other.port)
            && methods.covers(&other.methods)
            && host.covers(&other.host)
            && path.covers(&other.path)
    }

    /// The grant for what both allow; none when that is nothing. It reaches private
    /// addresses only when both do.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        let ports_differ =
            matches!((self.port, other.port), (Some(one), Some(other)) if one != other);
        if self.scheme != other.scheme || ports_differ {
            return None;
        }
        Some(Self {
            methods: self.methods.intersect(&other.methods)?,
            scheme: self.scheme,
            // Two patterns share either nothing or all of the narrower one.
            host: narrower(&self.host, &other.host, super::HostPattern::covers)?.clone(),
            port: self.port.or(other.port),
            path: narrower(&self.path, &other.path, super::PathPrefix::covers)?.clone(),
            allow_private: self.allow_private && other.allow_private,
        })
    }

    /// This grant of the operator, no wider than what a plugin's manifest asks for.
    ///
    /// Unlike [`HttpGrant::intersect`] it keeps `allow-private` of this grant: an
    /// author knows hosts and not the operator's network, so a manifest neither asks
    /// for private addresses nor keeps the operator from allowing them.
    #[must_use]
    pub fn under(&self, ceiling: &Self) -> Option<Self> {
        let mut both = self.intersect(ceiling)?;
        // Only a grant for one host has this, and the host of the result is that one.
        both.allow_private = self.allow_private;
        Some(both)
    }
}

fn narrower<'a, T>(one: &'a T, other: &'a T, covers: fn(&T, &T) -> bool) -> Option<&'a T> {
    if covers(one, other) {
        Some(other)
    } else if covers(other, one) {
        Some(one)
    } else {
        None
    }
}

impl Methods {
    fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) => true,
            (Self::Only(_), Self::Any) => false,
            (Self::Only(methods), Self::Only(narrow)) => methods.is_superset(narrow),
        }
    }

    fn intersect(&self, other: &Self) -> Option<Self> {
        let (one, other) = match (self, other) {
            (Self::Any, methods) | (methods, Self::Any) => return Some(methods.clone()),
            (Self::Only(one), Self::Only(other)) => (one, other),
        };
        let both: BTreeSet<String> = one.intersection(other).cloned().collect();
        (!both.is_empty()).then_some(Self::Only(both))
    }
}
