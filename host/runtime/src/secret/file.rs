//! A secret in a file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use toolhost_policy::{MAX_SECRET_BYTES, SecretValue};
use zeroize::Zeroizing;

use super::{ReadSecret, SecretReadError};

/// Room for a value that is too long by one, a mark at the start and line breaks at
/// the end: enough to see that it is.
const MAX_FILE_BYTES: usize = MAX_SECRET_BYTES + 64;

/// What editors on Windows write before a text to say that it is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) fn read(path: &Path) -> Result<ReadSecret, SecretReadError> {
    let failed = |error: io::Error| SecretReadError::File(error.to_string());
    // Before it is opened: opening a pipe waits for whoever writes into it.
    let metadata = fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(SecretReadError::NotAFile);
    }
    // Of its full size from the start, so that no copy is left behind by growing.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_FILE_BYTES));
    let file = File::open(path).map_err(failed)?;
    let mut part = file.take(MAX_FILE_BYTES as u64);
    part.read_to_end(&mut bytes).map_err(failed)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| SecretReadError::NotText)?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let text = text.trim_end_matches(['\r', '\n']);
    Ok(ReadSecret {
        value: SecretValue::new(text.to_owned())?,
        warning: readable_by_others(path, &metadata),
    })
}

#[cfg(unix)]
fn readable_by_others(path: &Path, metadata: &fs::Metadata) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;

    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then(|| {
        format!(
            "others on this machine may read the secret in `{0}` (mode {mode:03o}): run \
             `chmod 600 {0}`",
            path.display()
        )
    })
}

#[cfg(not(unix))]
fn readable_by_others(_path: &Path, _metadata: &fs::Metadata) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use toolhost_policy::SecretError;

    use super::*;

    fn read_text(text: &[u8]) -> Result<String, SecretReadError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, text).unwrap();
        read(&path).map(|read| read.value.expose().to_owned())
    }

    #[test]
    fn what_editors_add_is_not_part_of_the_value() {
        for text in [
            "correct-horse",
            "correct-horse\n",
            "correct-horse\r\n",
            "correct-horse\n\n\r\n",
            "\u{feff}correct-horse\n",
        ] {
            assert_eq!(read_text(text.as_bytes()).as_deref(), Ok("correct-horse"));
        }
        assert_eq!(
            read_text(b"correct\nhorse\n\n").as_deref(),
            Ok("correct\nhorse")
        );
    }

    #[test]
    fn what_cannot_be_a_secret_is_refused() {
        assert_eq!(
            read_text(b"\xff\xfe a key in utf-16"),
            Err(SecretReadError::NotText)
        );
        let short = SecretReadError::Value(SecretError::TooShort { bytes: 0 });
        assert_eq!(read_text(b"\n"), Err(short));
        let long = "x".repeat(MAX_SECRET_BYTES) + "\r\n";
        assert!(read_text(long.as_bytes()).is_ok());
        let long = Err(SecretReadError::Value(SecretError::TooLong));
        assert_eq!(read_text(&vec![b'x'; 1 << 20]), long);
        assert_eq!(read_text(&vec![b'x'; MAX_SECRET_BYTES + 1]), long);
    }

    #[test]
    fn a_folder_and_nothing_are_not_files() {
        let folder = tempfile::tempdir().unwrap();
        let error = read(folder.path()).unwrap_err();
        assert_eq!(error, SecretReadError::NotAFile);
        let error = read(&folder.path().join("absent")).unwrap_err();
        assert!(matches!(error, SecretReadError::File(_)), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_warned_about() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "correct-horse").unwrap();
        for (mode, warns) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let warning = read(&path).unwrap().warning;
            assert_eq!(warning.is_some(), warns, "{mode:o}");
            assert!(!warning.unwrap_or_default().contains("horse"));
        }
    }
}
