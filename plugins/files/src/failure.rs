//! What the model reads when the system says no.

use std::io::{self, ErrorKind};

use toolhost_plugin_tree::grants::Place;
use toolhost_sdk::ToolError;

/// Something was to be done with a place, and the system refused.
#[must_use]
pub fn explain(action: &str, place: &Place, error: &io::Error) -> ToolError {
    let path = place.path.display();
    let grant = place.grant.display();
    let leads_out = std::fs::symlink_metadata(&place.path).is_ok_and(|meta| meta.is_symlink());
    let (name, advice) = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::NotFound if leads_out => (
            "FileDeniedError",
            format!("it is a link that leads out of `{grant}`, or to nothing"),
        ),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem if action != "read" => (
            "FileDeniedError",
            format!(
                "writing is not allowed there; the operator allows it in `{grant}` with \
                 `--dir HOST::{grant}:rw`"
            ),
        ),
        ErrorKind::PermissionDenied => ("FileDeniedError", "it may not be read".into()),
        ErrorKind::QuotaExceeded | ErrorKind::StorageFull | ErrorKind::FileTooLarge => (
            "FileQuotaError",
            "there is no room: it is more than one call may write, or the disk is full; write \
             less, or in several calls"
                .into(),
        ),
        _ if is_lost(error) => (
            "FileQuotaError",
            "there is probably no room: it is more than one call may write, or the disk is full; \
             write less, or in several calls"
                .into(),
        ),
        ErrorKind::NotFound => (
            "PathNotFoundError",
            "it is not there; `list_directory` shows what is".into(),
        ),
        ErrorKind::NotADirectory => (
            "PathNotFoundError",
            "a part of the path is a file and no directory".into(),
        ),
        ErrorKind::InvalidFilename => (
            "PathNotFoundError",
            "the name is too long or has characters that cannot be used".into(),
        ),
        _ => ("FileError", error.to_string()),
    };
    ToolError::new(name, format!("cannot {action} `{path}`: {advice}"))
}

/// In a sandbox what stops a write is no longer known when it arrives here: the
/// C library below makes an `EIO` of each.
fn is_lost(error: &io::Error) -> bool {
    const EIO: i32 = 29;
    cfg!(target_os = "wasi") && error.raw_os_error() == Some(EIO)
}

/// The place is a directory, or something else that is no file.
///
/// # Errors
/// When it is not a regular file.
pub fn check_file(action: &str, place: &Place) -> Result<u64, ToolError> {
    let metadata =
        std::fs::metadata(&place.path).map_err(|error| explain(action, place, &error))?;
    let path = place.path.display();
    if metadata.is_dir() {
        let message =
            format!("`{path}` is a directory: name a file in it (`list_directory` shows them)");
        return Err(ToolError::new("NotAFileError", message));
    }
    if !metadata.is_file() {
        let message = format!("`{path}` is a device or a pipe, not a file");
        return Err(ToolError::new("NotAFileError", message));
    }
    Ok(metadata.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_grant_that_would_help() {
        let place = Place {
            grant: "/work".into(),
            path: "/work/a/b.txt".into(),
        };
        let said = |action: &str, kind: ErrorKind| explain(action, &place, &kind.into()).message;
        let read_only = said("write", ErrorKind::ReadOnlyFilesystem);
        assert!(read_only.ends_with("`--dir HOST::/work:rw`"), "{read_only}");
        assert!(said("read", ErrorKind::PermissionDenied).contains("may not be read"));
        assert!(said("write", ErrorKind::StorageFull).contains("no room"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_no_matter_of_access() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("link");
        std::os::unix::fs::symlink("/etc/hostname", &path).unwrap();
        let place = Place {
            grant: root.path().into(),
            path,
        };
        let said = explain("write", &place, &ErrorKind::PermissionDenied.into()).message;
        assert!(said.contains("a link that leads out of"), "{said}");
    }
}
