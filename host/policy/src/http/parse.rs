//! Reading a grant as it is typed.

use std::str::FromStr;

use super::{HttpGrant, HttpGrantError, Methods, PathPrefix, Scheme};

/// The longest grant that is read, in bytes. A manifest's author may have written it.
const MAX_GRANT: usize = 2048;

/// How much of a text is repeated in an error, in characters.
const MAX_SHOWN: usize = 120;

impl FromStr for HttpGrant {
    type Err = HttpGrantError;

    fn from_str(text: &str) -> Result<Self, HttpGrantError> {
        let text = text.trim_matches(' ');
        if text.len() > MAX_GRANT {
            return Err(HttpGrantError::TooLong { most: MAX_GRANT });
        }
        let (methods, target) = match text.rsplit_once(' ') {
            Some((methods, target)) => (methods.parse()?, target),
            None => (Methods::default(), text),
        };
        // The parser of URLs would drop some of these and read what is left.
        if target.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(HttpGrantError::BadCharacter {
                text: shown(text),
                what: "a character that cannot be seen",
            });
        }
        let (scheme, rest) = match target.split_once("://") {
            Some((scheme, rest)) => (scheme.parse()?, rest),
            None => (Scheme::Https, target),
        };
        let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (host, port) = split_port(authority)?;
        Ok(Self {
            methods,
            scheme,
            host: host.parse()?,
            port: match port {
                None => Some(scheme.default_port()),
                Some(Port::Any) => None,
                Some(Port::One(port)) => Some(port),
            },
            path: path.parse::<PathPrefix>()?,
            allow_private: false,
        })
    }
}

impl FromStr for Scheme {
    type Err = HttpGrantError;

    fn from_str(text: &str) -> Result<Self, HttpGrantError> {
        [Self::Https, Self::Http]
            .into_iter()
            .find(|scheme| text.eq_ignore_ascii_case(scheme.name()))
            .ok_or_else(|| HttpGrantError::BadScheme {
                scheme: shown(text),
            })
    }
}

/// A port as it is written.
enum Port {
    Any,
    One(u16),
}

/// The host and the port of `HOST[:PORT]`. Only brackets hold other colons.
fn split_port(authority: &str) -> Result<(&str, Option<Port>), HttpGrantError> {
    if authority.contains('@') {
        return Err(HttpGrantError::Userinfo);
    }
    let colon = match authority.rfind(']') {
        Some(bracket) => authority[bracket..].find(':').map(|at| bracket + at),
        None if authority.starts_with('[') => None,
        None => authority.find(':'),
    };
    let Some(colon) = colon else {
        return Ok((authority, None));
    };
    let (host, port) = (&authority[..colon], &authority[colon + 1..]);
    if authority.matches(':').count() > 1 && !authority.contains(']') {
        return Err(HttpGrantError::BadHost {
            host: shown(authority),
            problem: "write an IPv6 address in brackets, as in `[2001:4860:4860::8888]`",
        });
    }
    if port == "*" {
        return Ok((host, Some(Port::Any)));
    }
    let digits = port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    match port.parse() {
        Ok(number) if digits && number > 0 => Ok((host, Some(Port::One(number)))),
        _ => Err(HttpGrantError::BadPort { port: shown(port) }),
    }
}

/// What was written, fit for an error: bounded, and with nothing in it that a terminal
/// would obey.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).flat_map(visible).collect();
    if text.chars().nth(MAX_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn visible(c: char) -> impl Iterator<Item = char> {
    let hidden = c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let (plain, escaped) = if hidden {
        (None, Some(c.escape_unicode()))
    } else {
        (Some(c), None)
    };
    plain.into_iter().chain(escaped.into_iter().flatten())
}
