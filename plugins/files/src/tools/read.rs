//! `read_file`.

use std::fs::File;
use std::io::{self, Read, Seek};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_plugin_tree::grants::{Grants, Place};
use toolhost_sdk::{Context, Output, ToolError, tool};

use crate::failure::{check_file, explain};
use crate::kind;
use crate::page::{self, DEFAULT_BYTES, DEFAULT_LINES, MAX_BYTES, NoPage, Page, Start, Wanted};

/// Fewest bytes of a page: a page has to get on.
const MIN_BYTES: usize = 256;

/// The arguments of `read_file`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadFileArgs {
    /// The file, such as `/repo/src/main.rs`.
    pub path: String,
    /// The first line to read, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub offset: Option<u64>,
    /// Most lines.
    #[serde(default = "default_lines")]
    #[schemars(range(min = 1, max = 100_000))]
    pub limit: u64,
    /// The first byte to read, from 0; instead of `offset`, for lines that are
    /// longer than a page.
    #[serde(default)]
    pub byte_offset: Option<u64>,
    /// Most bytes; whole lines unless a line alone has more.
    #[serde(default = "default_bytes")]
    #[schemars(range(min = 256, max = 262_144))]
    pub max_bytes: usize,
}

fn default_lines() -> u64 {
    DEFAULT_LINES
}

fn default_bytes() -> usize {
    DEFAULT_BYTES
}

/// What was read; the text is in the content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilePart {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// The first line that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u64>,
    /// The last line that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u64>,
    /// How many lines the file has, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_lines: Option<u64>,
    /// Whether there is more of the file behind it.
    pub truncated: bool,
    /// The `offset` of the next part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// The `byteOffset` of the next part, when that has to be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_byte_offset: Option<u64>,
    /// What it is, when it is no text and was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<String>,
}

/// Reads a text file, or a part of it, as it stands on disk. A long file comes
/// in parts: a note at the end says how to go on. Read a file before you edit
/// it. Binary files are only described.
#[tool(title = "Read a file", read_only, idempotent, open_world = false)]
pub(crate) fn read_file(
    #[tool(args)] args: ReadFileArgs,
    ctx: &Context,
) -> Result<Output<FilePart>, ToolError> {
    let start = match (args.offset, args.byte_offset) {
        (Some(_), Some(_)) => {
            let message = "give `offset` (a line) or `byteOffset`, not both";
            return Err(ToolError::new("OffsetError", message));
        }
        (line, None) => Start::Line(line.unwrap_or(1)),
        (None, Some(byte)) => Start::Byte(byte),
    };
    let wanted = Wanted {
        start,
        lines: args.limit.max(1),
        bytes: args.max_bytes.clamp(MIN_BYTES, MAX_BYTES),
    };
    let place = Grants::of_host().existing(&args.path)?;
    let bytes = check_file("read", &place)?;
    let refused = |error: io::Error| explain("read", &place, &error);
    let mut file = File::open(&place.path).map_err(refused)?;
    let part = FilePart {
        path: place.path.to_string_lossy().into_owned(),
        bytes,
        ..FilePart::default()
    };
    let mut start = Vec::new();
    let sniffed = (&mut file)
        .take(kind::SNIFFED as u64)
        .read_to_end(&mut start);
    sniffed.and_then(|_| file.rewind()).map_err(refused)?;
    if let Some(what) = kind::binary(&start) {
        return Ok(describe(part, what));
    }
    match page::read(file, bytes, wanted, &|| !ctx.is_aborted()) {
        Ok(page) => Ok(show(part, page)),
        Err(NoPage::Io(error)) => Err(explain("read", &place, &error)),
        Err(NoPage::Refused(error)) => Err(of_file(&place, error)),
    }
}

fn of_file(place: &Place, mut error: ToolError) -> ToolError {
    error.message = format!("cannot read `{}`: {}", place.path.display(), error.message);
    error
}

fn describe(part: FilePart, what: &str) -> Output<FilePart> {
    let size = kind::size(part.bytes);
    let note = format!(
        "[`{}` is {what} ({size}); it is not shown as text]",
        part.path
    );
    let binary = Some(what.to_owned());
    Output::of(FilePart { binary, ..part }).content(note)
}

fn show(part: FilePart, page: Page) -> Output<FilePart> {
    let part = FilePart {
        start_line: page.lines.map(|(first, _)| first),
        end_line: page.lines.map(|(_, last)| last),
        total_lines: page.total_lines,
        truncated: page.next.is_some(),
        next_offset: match page.next {
            Some(Start::Line(line)) => Some(line),
            _ => None,
        },
        next_byte_offset: match page.next {
            Some(Start::Byte(byte)) => Some(byte),
            _ => None,
        },
        ..part
    };
    let notes = notes(&part, &page);
    let output = Output::of(part).content(page.text);
    notes.into_iter().fold(output, Output::content)
}

/// What the text itself does not say.
fn notes(part: &FilePart, page: &Page) -> Vec<String> {
    let path = &part.path;
    let mut notes = Vec::new();
    let total = match part.total_lines {
        Some(total) => format!(" of {total}"),
        None => String::new(),
    };
    match (page.next, page.lines) {
        (Some(Start::Line(next)), Some((first, last))) => notes.push(format!(
            "[lines {first} to {last}{total} in `{path}`; go on with `offset` {next}]"
        )),
        (Some(Start::Byte(next)), _) => notes.push(format!(
            "[bytes {} to {next} of {} in `{path}`; go on with `byteOffset` {next}]",
            page.bytes.0, part.bytes
        )),
        (None, None) if part.bytes == 0 => notes.push(format!("[`{path}` is empty]")),
        _ => {}
    }
    if page.lossy {
        notes.push("[the file is not UTF-8: what could not be read is shown as \u{fffd}]".into());
    }
    notes
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::testing;

    use super::*;

    // Outside a sandbox the granted directory is the one of this crate.

    #[test]
    fn a_file_is_read_with_its_path_alone() {
        let output = testing::call::<ReadFileTool>(json!({ "path": "src/tools.rs" })).unwrap();
        assert!(
            output
                .text()
                .starts_with("//! The tools as the model sees them.\n")
        );
        let part = output.structured.unwrap();
        assert_eq!(
            (&part["startLine"], &part["truncated"]),
            (&json!(1), &json!(false))
        );
    }

    #[test]
    fn a_part_says_how_to_go_on() {
        let arguments = json!({ "path": "src/tools.rs", "offset": 3, "limit": 2 });
        let output = testing::call::<ReadFileTool>(arguments).unwrap();
        let text = output.text();
        assert!(text.starts_with("pub mod find;\npub mod read;\n"), "{text}");
        assert!(text.contains("[lines 3 to 4 of 5 in "), "{text}");
        assert_eq!(output.structured.unwrap()["nextOffset"], 5);
    }

    #[test]
    fn other_things_than_files_are_told() {
        let said = |path: &str| {
            let error = testing::call::<ReadFileTool>(json!({ "path": path })).unwrap_err();
            error.to_string()
        };
        assert!(said("src").contains("`list_directory`"));
        assert!(said("src/tool.rs").contains("PathNotFoundError"));
        assert!(said("/etc/passwd").contains("--dir HOST::/etc/passwd:ro"));
        let both = json!({ "path": "src/lib.rs", "offset": 1, "byteOffset": 0 });
        assert!(testing::call::<ReadFileTool>(both).is_err());
    }
}
