//! The value of a secret, which nothing prints.

use std::fmt;

use zeroize::Zeroizing;

use super::SecretError;

/// Shortest value that is taken. A shorter one is guessed, and would be found by
/// chance in texts that have nothing to do with it.
pub const MIN_SECRET_BYTES: usize = 8;

/// Longest value that is taken: a private key of 16 kbit fits.
pub const MAX_SECRET_BYTES: usize = 16 * 1024;

/// The value of a secret. It is overwritten when it is dropped, its `Debug` shows
/// nothing of it, and it has neither `Display` nor a serialised form.
///
/// ```
/// use toolhost_policy::SecretValue;
///
/// let value = SecretValue::new("hunter2-hunter2".to_owned())?;
/// assert_eq!(format!("{value:?}"), "SecretValue([REDACTED])");
/// assert!(SecretValue::new("hunter2".to_owned()).is_err());
/// # Ok::<(), toolhost_policy::SecretError>(())
/// ```
#[derive(Clone)]
pub struct SecretValue(Zeroizing<String>);

impl SecretValue {
    /// Takes the value.
    ///
    /// # Errors
    ///
    /// When it is too short or too long to be kept secret, or holds a zero byte.
    pub fn new(value: String) -> Result<Self, SecretError> {
        let value = Zeroizing::new(value);
        if value.len() < MIN_SECRET_BYTES {
            return Err(SecretError::TooShort { bytes: value.len() });
        }
        if value.len() > MAX_SECRET_BYTES {
            return Err(SecretError::TooLong);
        }
        if value.contains('\0') {
            return Err(SecretError::ZeroByte);
        }
        if value.trim().is_empty() {
            return Err(SecretError::Blank);
        }
        Ok(Self(value))
    }

    /// The value itself. What it is written to has to forget it, too.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it can be the value of a header: a line break would end the header and
    /// start another.
    #[must_use]
    pub fn fits_a_header(&self) -> bool {
        let breaks = |char: char| char.is_control() && char != '\t';
        !self.0.chars().any(breaks)
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue([REDACTED])")
    }
}
