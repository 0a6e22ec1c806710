//! The files of `--out`.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Permissions of a new file, before the user's umask.
const NEW_FILE_MODE: u32 = 0o666;

/// The bytes of one block of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes<'a> {
    /// What they are.
    pub(crate) mime_type: &'a str,
    /// The bytes.
    pub(crate) data: &'a [u8],
}

/// Whether `out` can be written, before a tool works for it.
///
/// # Errors
///
/// When its folder is not there, or it is something other than a file.
pub(crate) fn check(out: &Path) -> Result<(), Failure> {
    if out == Path::new("-") || out.file_name().is_none() {
        return Err(
            Failure::usage(format!("`--out {}` does not name a file", out.display()))
                .hint("name a file, or use `--json` to have bytes on stdout as base64"),
        );
    }
    let folder = folder_of(out);
    if !folder.is_dir() {
        return Err(Failure::usage(format!("cannot write `{}`", out.display()))
            .hint(format!("there is no folder `{}`", folder.display())));
    }
    match fs::symlink_metadata(out) {
        Ok(metadata) if !metadata.is_file() => Err(Failure::usage(format!(
            "`{}` is there and is not a regular file",
            out.display()
        ))
        .hint("`--out` replaces files only; name another one")),
        _ => Ok(()),
    }
}

/// Where the bytes of number `index` go: to `out` itself, then beside it with a
/// number before the ending, and with the ending that fits their type.
pub(crate) fn name(out: &Path, index: usize, mime_type: &str) -> PathBuf {
    if index == 0 {
        return out.to_owned();
    }
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let ending = match ending(mime_type) {
        Some(ending) => Some(ending.into()),
        None => out.extension().map(|ending| ending.to_string_lossy()),
    };
    out.with_file_name(match ending {
        Some(ending) => format!("{stem}-{}.{ending}", index + 1),
        None => format!("{stem}-{}", index + 1),
    })
}

/// Writes `bytes` to `path`, whole or not at all.
///
/// # Errors
///
/// When that cannot be done; an older file of that name is then still there.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    check(path)?;
    put(path, bytes).map_err(|error| {
        Failure::usage(format!("cannot write `{}`", path.display())).because(&error)
    })
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(".host-out-")
        .permissions(Permissions::from_mode(NEW_FILE_MODE))
        .tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    if let Ok(older) = fs::metadata(path) {
        file.as_file().set_permissions(older.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The usual ending for a type. The type is the plugin's word; the ending comes
/// from this table, so that a plugin cannot choose one.
fn ending(mime_type: &str) -> Option<&'static str> {
    let essence = mime_type.split(';').next().unwrap_or_default().trim();
    Some(match essence.to_ascii_lowercase().as_str() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "audio/mpeg" => "mp3",
        "audio/wav" => "wav",
        "audio/ogg" => "ogg",
        "application/pdf" => "pdf",
        "application/json" => "json",
        "application/zip" => "zip",
        "text/plain" => "txt",
        "text/csv" => "csv",
        "text/html" => "html",
        "text/markdown" => "md",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_files_get_a_number_and_their_own_ending() {
        let name = |out: &str, index, mime_type| {
            name(Path::new(out), index, mime_type).display().to_string()
        };
        assert_eq!(name("out/chart.png", 0, "image/svg+xml"), "out/chart.png");
        assert_eq!(name("out/chart.png", 1, "image/svg+xml"), "out/chart-2.svg");
        assert_eq!(
            name("out/chart.png", 2, "application/x-other"),
            "out/chart-3.png"
        );
        assert_eq!(name("chart", 1, "../../etc"), "chart-2");
    }

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        fs::write(&path, "older and longer").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn only_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(
            check(folder.path())
                .unwrap_err()
                .message
                .contains("not a regular file")
        );
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
        assert!(
            check(&link)
                .unwrap_err()
                .message
                .contains("not a regular file")
        );
        assert!(check(Path::new("-")).is_err());
        assert!(
            check(&folder.path().join("no/such/file"))
                .unwrap_err()
                .hints[0]
                .contains("no/such")
        );
        assert!(check(&folder.path().join("new")).is_ok());
    }
}
