//! The files of `--out`.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
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

/// Whether writing `out` leaves alone what the call is made of. `inputs` are files
/// with the word for each.
///
/// # Errors
///
/// When `out` is one of them: the plugin would be gone after its first run.
pub(crate) fn check_apart(out: &Path, inputs: &[(&str, PathBuf)]) -> Result<(), Failure> {
    let Ok(written) = fs::metadata(out) else {
        return Ok(());
    };
    let is_written = |file: &Path| {
        fs::metadata(file)
            .is_ok_and(|read| (read.dev(), read.ino()) == (written.dev(), written.ino()))
    };
    match inputs.iter().find(|(_, file)| is_written(file)) {
        None => Ok(()),
        Some((what, _)) => Err(Failure::usage(format!(
            "`--out {}` would overwrite {what}",
            out.display()
        ))
        .hint("name another file")),
    }
}

/// Which of the parts of these types goes to `out` itself: the first that fits its
/// ending, or else the first.
pub(crate) fn first<'a>(out: &Path, mime_types: impl IntoIterator<Item = &'a str>) -> usize {
    let fits = |mime_type: &str| {
        let known = ending(mime_type);
        known.is_some_and(|known| {
            out.extension()
                .is_some_and(|given| given.eq_ignore_ascii_case(known))
        })
    };
    mime_types.into_iter().position(fits).unwrap_or(0)
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
    fn the_part_that_fits_the_ending_gets_the_name() {
        let types = ["image/png", "image/svg+xml"];
        assert_eq!(first(Path::new("chart.SVG"), types), 1);
        assert_eq!(first(Path::new("chart.png"), types), 0);
        assert_eq!(first(Path::new("chart"), types), 0);
        assert_eq!(first(Path::new("chart.pdf"), types), 0);
    }

    #[test]
    fn what_the_call_is_made_of_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let plugin = folder.path().join("a.wasm");
        let link = folder.path().join("hard.wasm");
        fs::write(&plugin, "x").unwrap();
        fs::hard_link(&plugin, &link).unwrap();
        let inputs = [("the plugin", plugin.clone())];
        for out in [&plugin, &link, &folder.path().join("./a.wasm")] {
            let failure = check_apart(out, &inputs).unwrap_err();
            assert!(
                failure.message.ends_with("would overwrite the plugin"),
                "{failure:?}"
            );
        }
        assert!(check_apart(&folder.path().join("new.png"), &inputs).is_ok());
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
