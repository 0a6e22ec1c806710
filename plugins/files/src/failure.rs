//! What the model reads when the system says no.

use std::io::{self, ErrorKind};

use toolhost_plugin_tree::grants::Place;
use toolhost_sdk::ToolError;

use crate::replace::NotReplaced;

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
        ErrorKind::PermissionDenied if action != "read" && is_own(error) => (
            "FileDeniedError",
            "the permissions of the file or of its directory do not allow it".into(),
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
            format!("{} is a file and no directory", file_above(place)),
        ),
        ErrorKind::InvalidFilename => (
            "PathNotFoundError",
            "the name is too long or has characters that cannot be used".into(),
        ),
        _ => ("FileError", error.to_string()),
    };
    ToolError::new(name, format!("cannot {action} `{path}`: {advice}"))
}

/// A file could not be written, and how much of it is lost.
#[must_use]
pub fn explain_writing(place: &Place, failure: &NotReplaced) -> ToolError {
    let mut error = explain("write", place, &failure.error);
    if let Some(kept) = &failure.kept {
        let kept = kept.display();
        error.message = format!(
            "{}; it may hold only a part of the new content now: all of it is in `{kept}`, which \
             stays there until somebody deletes it",
            error.message
        );
    }
    error
}

/// The part of the path that is in the way.
fn file_above(place: &Place) -> String {
    let mut above = place.path.ancestors().skip(1);
    let file = above.find(|part| std::fs::metadata(part).is_ok_and(|meta| meta.is_file()));
    file.map_or("a part of the path".into(), |file| {
        format!("`{}`", file.display())
    })
}

/// The refusal is that of the file's owner, not of the sandbox: the latter says
/// `EPERM`.
fn is_own(error: &io::Error) -> bool {
    const EACCES: i32 = 2;
    cfg!(target_os = "wasi") && error.raw_os_error() == Some(EACCES)
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

    #[test]
    fn the_file_in_the_way_is_named() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a");
        std::fs::write(&file, "").unwrap();
        let place = Place {
            grant: root.path().into(),
            path: file.join("b/c"),
        };
        let error = crate::replace::replace(&place.path, b"x").unwrap_err();
        let said = explain_writing(&place, &error).message;
        let expected = format!("`{}` is a file and no directory", file.display());
        assert!(said.ends_with(&expected), "{said}");
    }

    #[test]
    fn what_is_only_half_written_says_where_the_whole_is() {
        let place = Place {
            grant: "/work".into(),
            path: "/work/a".into(),
        };
        let failure = NotReplaced {
            error: ErrorKind::StorageFull.into(),
            kept: Some("/work/.toolhost-0.tmp".into()),
        };
        let said = explain_writing(&place, &failure).message;
        assert!(
            said.contains("all of it is in `/work/.toolhost-0.tmp`"),
            "{said}"
        );
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
