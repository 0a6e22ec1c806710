//! Names and values, in order. Names are kept in lower case.

/// The headers of a request or a response.
///
/// ```
/// use toolhost_sdk::http::Headers;
///
/// let mut headers = Headers::default();
/// headers.append("Content-Type", "text/html; charset=utf-8");
/// assert_eq!(headers.get("content-type"), Some("text/html; charset=utf-8"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The first value under a name, in whatever case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// All names and values. A name may be there several times.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Adds a value under a name that may be there already.
    pub fn append(&mut self, name: impl AsRef<str>, value: impl Into<String>) {
        let name = name.as_ref().to_ascii_lowercase();
        self.0.push((name, value.into()));
    }

    /// Removes all that the function does not want, which sees name and value.
    pub(super) fn retain(&mut self, keep: impl Fn(&str, &str) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    /// Those of a server, whose values may be no UTF-8: then they are Latin-1, as
    /// such values mostly are.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for the host"))]
    pub(super) fn received(entries: Vec<(String, Vec<u8>)>) -> Self {
        let mut headers = Self::default();
        for (name, value) in entries {
            let text = String::from_utf8(value)
                .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect());
            headers.append(name, text);
        }
        headers
    }
}

impl<N: AsRef<str>, V: Into<String>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        let mut headers = Self::default();
        for (name, value) in entries {
            headers.append(name, value);
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_case_and_may_be_there_twice() {
        let headers: Headers = [("Set-Cookie", "a=1"), ("set-cookie", "b=2")]
            .into_iter()
            .collect();
        assert_eq!(headers.get("SET-COOKIE"), Some("a=1"));
        assert_eq!(headers.iter().count(), 2);
    }

    #[test]
    fn a_value_that_is_no_utf_8_is_latin_1() {
        let entries = vec![
            ("x".into(), b"caf\xe9".to_vec()),
            ("y".into(), "café".into()),
        ];
        let headers = Headers::received(entries);
        assert_eq!(headers.get("x"), Some("café"));
        assert_eq!(headers.get("y"), Some("café"));
    }
}
