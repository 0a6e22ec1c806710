//! Putting secrets into a request, at the last moment before it leaves.

use std::fmt;

use url::Url;
use zeroize::Zeroizing;

use super::placeholder::{self, Piece};
use super::spec::{is_among, steers};
use super::{CallSecrets, SecretRefusal, leak};
use crate::redact::percent_decoded;

/// Most placeholders in one request: each may become as long as a secret.
const MAX_PLACEHOLDERS: usize = 16;

/// Headers that ask for a part of an answer, or for what changed in it. Cut in two
/// answers, the echo of a secret is found in neither.
const ASK_FOR_PARTS: [&str; 3] = ["range", "if-range", "a-im"];

/// A header with its secrets in place.
pub struct Injected {
    /// Which of the headers that were given.
    pub index: usize,
    /// Its value, which must not be logged.
    pub value: Zeroizing<Vec<u8>>,
    /// The secrets in it, by name.
    pub names: Vec<String>,
}

impl fmt::Debug for Injected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Injected")
            .field("index", &self.index)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl CallSecrets {
    /// Judges a request as the guest wrote it, and returns the headers that have
    /// to be replaced. `url` is where it will really go. The body is judged by
    /// [`body_scan`](Self::body_scan) while it is sent.
    ///
    /// Each hop of a redirect is another request, judged from what the guest wrote.
    ///
    /// # Errors
    ///
    /// When the request holds the value of a secret, a placeholder stands where
    /// none may, or a rule of a secret says no. Then nothing of it may be sent.
    pub fn inject<'h>(
        &self,
        url: &Url,
        headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
    ) -> Result<Vec<Injected>, SecretRefusal> {
        let known = self.known_to_plugin(url);
        // First of all: what follows may repeat parts of the request in errors.
        self.check_leak(&known, url.as_str().as_bytes(), leak::URL)?;
        let headers: Vec<_> = headers.into_iter().collect();
        for (name, value) in &headers {
            self.check_leak(&known, name.as_bytes(), leak::HEADER_NAME)?;
            self.check_leak(&known, value, leak::HEADER)?;
        }
        if placeholder::is_in(&percent_decoded(url.as_str().as_bytes())) {
            return Err(SecretRefusal::Misplaced { place: "the URL" });
        }
        let guarded = self.may_go_to(url);
        let mut injected = Vec::new();
        let mut left = MAX_PLACEHOLDERS;
        for (index, (name, value)) in headers.into_iter().enumerate() {
            if placeholder::is_in(name.as_bytes()) {
                let place = "the name of a header";
                return Err(SecretRefusal::Misplaced { place });
            }
            if guarded && is_among(&ASK_FOR_PARTS, name) {
                let header = name.to_ascii_lowercase();
                return Err(SecretRefusal::Part { header });
            }
            if placeholder::is_in(value) {
                let (value, names) = self.header(url, name, value, &mut left)?;
                injected.push(Injected {
                    index,
                    value,
                    names,
                });
            }
        }
        Ok(injected)
    }

    fn header(
        &self,
        url: &Url,
        header: &str,
        value: &[u8],
        left: &mut usize,
    ) -> Result<(Zeroizing<Vec<u8>>, Vec<String>), SecretRefusal> {
        let pieces = placeholder::pieces(value).map_err(|_| SecretRefusal::Malformed {
            header: header.to_owned(),
        })?;
        // Grown in steps, a vector would leave copies of a secret behind.
        let mut parts: Vec<&[u8]> = Vec::new();
        let mut names = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => parts.push(text),
                Piece::Secret(name) => {
                    *left = left.checked_sub(1).ok_or(SecretRefusal::TooMany {
                        allowed: MAX_PLACEHOLDERS,
                    })?;
                    parts.push(self.value_for(url, header, name)?.as_bytes());
                    names.push(name.to_owned());
                }
            }
        }
        Ok((Zeroizing::new(parts.concat()), names))
    }

    /// The value of a secret for one header of a request.
    fn value_for(&self, url: &Url, header: &str, name: &str) -> Result<&str, SecretRefusal> {
        let secret = self.granted(name)?;
        Self::check_target(secret, url)?;
        let allowed = match &secret.spec.headers {
            None => !steers(header),
            Some(headers) => headers.iter().any(|one| header.eq_ignore_ascii_case(one)),
        };
        if !allowed {
            return Err(SecretRefusal::Header {
                name: name.to_owned(),
                header: header.to_ascii_lowercase(),
            });
        }
        if !secret.value.fits_a_header() {
            return Err(SecretRefusal::Unsendable {
                name: name.to_owned(),
            });
        }
        Ok(secret.value.expose())
    }
}
