//! Values that are typed, or read from a file (`@FILE`), or from stdin (`-`).

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::units;

/// Most bytes that are read. It is also the most that the arguments of a call
/// may have.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// The text that `typed` stands for. `flag` is named in errors; `content` is how
/// `host` ends when what was read is not such a text.
///
/// # Errors
///
/// When it cannot be read, has more than 8 MiB, or is not UTF-8.
pub(crate) fn text(flag: &str, typed: &str, content: ExitCode) -> Result<String, Failure> {
    if typed == "-" {
        return read(
            io::stdin().lock(),
            &format!("the stdin of `{flag} -`"),
            content,
        );
    }
    let Some(file) = typed.strip_prefix('@') else {
        return Ok(typed.to_owned());
    };
    if file.is_empty() {
        return Err(Failure::usage(format!("`{flag} @` names no file"))
            .hint(format!("write the path behind it, as in `{flag} @FILE`")));
    }
    let source = format!("`{file}` of `{flag}`");
    let file = Path::new(file);
    let opened = check_kind(file).and_then(|()| File::open(file));
    let opened = opened.map_err(|error| {
        Failure::usage(format!("cannot read {source}"))
            .because(&error)
            .hint("`@` is followed by the path of a file")
    })?;
    read(opened, &source, content)
}

/// The text of a file of at most `max` bytes.
///
/// # Errors
///
/// When it cannot be read, is longer, or is not UTF-8, or is a pipe with a name:
/// opening that waits for whoever writes to it. One that is open already, as a shell
/// makes of `<(…)`, is read to its end.
pub(crate) fn file(path: &Path, max: u64) -> io::Result<String> {
    check_kind(path)?;
    let mut text = String::new();
    File::open(path)?.take(max + 1).read_to_string(&mut text)?;
    if text.len() as u64 > max {
        return Err(io::Error::other(format!(
            "the file has more than {}",
            units::bytes(max)
        )));
    }
    Ok(text)
}

/// Refuses what cannot be opened and read without waiting for somebody.
///
/// # Errors
///
/// When it is not there, or neither a regular file nor open already.
pub(crate) fn check_kind(path: &Path) -> io::Result<()> {
    let is_open = ["/dev/fd/", "/proc/self/fd/", "/dev/stdin"];
    let is_open = is_open.iter().any(|start| path.starts_with(start));
    let kind = std::fs::metadata(path)?.file_type();
    match kind {
        kind if kind.is_dir() => Err(io::Error::other("it is a folder")),
        kind if kind.is_file() || is_open => Ok(()),
        _ => Err(io::Error::other("it is not a regular file")),
    }
}

fn read(from: impl Read, source: &str, content: ExitCode) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| {
            Failure::usage(format!("cannot read {source}"))
                .because(&error)
                .hint("`@` is followed by the path of a file, `-` stands for stdin")
        })?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(
            Failure::new(content, format!("{source} has more than 8 MiB"))
                .hint("send less; a tool reads larger files from a directory granted with `--dir`"),
        );
    }
    String::from_utf8(bytes).map_err(|error| {
        Failure::new(content, format!("{source} is not UTF-8"))
            .because(&error)
            .hint("save it as UTF-8; other bytes travel as base64 text")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_typed_or_read_from_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "{\"from\": \"a file\"}").unwrap();
        let at_file = format!("@{}", file.path().display());
        let read = |typed: &str| text("--args", typed, ExitCode::Arguments).unwrap();
        assert_eq!(read("{}"), "{}");
        assert_eq!(read(&at_file), "{\"from\": \"a file\"}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let failure = text("--args", "@/no/such/file", ExitCode::Arguments).unwrap_err();
        assert_eq!(failure.code, ExitCode::Usage);
        assert_eq!(failure.message, "cannot read `/no/such/file` of `--args`");
    }

    #[test]
    fn an_endless_source_is_not_read_to_its_end() {
        let failure = read(io::repeat(b'x'), "the stdin", ExitCode::Arguments).unwrap_err();
        assert_eq!(failure.code, ExitCode::Arguments);
        assert_eq!(failure.message, "the stdin has more than 8 MiB");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let failure = read(&[0xff_u8][..], "the stdin", ExitCode::Arguments).unwrap_err();
        assert_eq!(failure.message, "the stdin is not UTF-8");
    }
}
