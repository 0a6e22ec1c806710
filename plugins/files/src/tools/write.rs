//! `write_file` and `edit_file`.

use std::fs;

use schemars::JsonSchema;
use serde::Serialize;
use toolhost_plugin_tree::grants::{Grants, Place};
use toolhost_sdk::{Output, ToolError, tool};

use crate::edit::{self, Edit};
use crate::failure::{check_file, explain, explain_writing};
use crate::kind;
use crate::replace::replace;

/// The largest file that is edited, in bytes: it is held in memory.
const MAX_EDITED: u64 = 16 << 20;

/// How many lines of replacements are listed.
const MAX_LINES: usize = 20;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Written {
    /// The file.
    pub path: String,
    /// Its size now.
    pub bytes: usize,
    /// Whether it is new.
    pub created: bool,
}

/// What was edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Edits {
    /// The file.
    pub path: String,
    /// Its size now.
    pub bytes: usize,
    /// How many places were replaced.
    pub replacements: usize,
    /// The lines where they began, before the edit; the first 20 of them.
    pub lines: Vec<usize>,
}

/// Writes a text file as a whole, with the directories it is in. What was in it
/// is lost: use `edit_file` to change a part. The file keeps its permissions.
#[tool(
    title = "Write a file",
    destructive,
    idempotent,
    open_world = false,
    edits_files,
    sequential
)]
pub(crate) fn write_file(
    /// The file, such as `/work/notes.md`.
    path: &str,
    /// All of its content.
    content: &str,
    /// Whether a file that is there already is replaced.
    #[tool(default = true)]
    overwrite: bool,
) -> Result<Output<Written>, ToolError> {
    let place = Grants::of_host().target(path)?;
    let created = fs::metadata(&place.path).is_err();
    if !created {
        check_file("write", &place)?;
        if !overwrite {
            let message = format!(
                "`{}` is there already: set `overwrite`, choose another path, or change a part of \
                 it with `edit_file`",
                place.path.display()
            );
            return Err(ToolError::new("FileExistsError", message));
        }
    }
    write(&place, content)?;
    let path = shown(&place);
    let done = if created { "created" } else { "replaced" };
    let size = kind::size(content.len() as u64);
    let text = format!("{done} `{path}` ({size})");
    let bytes = content.len();
    Ok(Output::of(Written {
        path,
        bytes,
        created,
    })
    .content(text))
}

/// Replaces text in a file by other text. `oldText` has to be in the file
/// exactly as given, with blanks and line breaks, and only once unless
/// `replaceAll` is set. Read the file first.
#[tool(
    title = "Edit a file",
    destructive,
    idempotent = false,
    open_world = false,
    edits_files,
    sequential
)]
pub(crate) fn edit_file(
    /// The file, such as `/repo/src/main.rs`.
    path: &str,
    /// The text that is there now, with enough around it to be unique.
    #[serde(rename = "oldText")]
    #[schemars(length(min = 1))]
    old_text: &str,
    /// The text that takes its place; empty to delete.
    #[serde(rename = "newText")]
    new_text: &str,
    /// Replace every occurrence.
    #[serde(rename = "replaceAll")]
    #[tool(default)]
    replace_all: bool,
) -> Result<Output<Edits>, ToolError> {
    let place = Grants::of_host().existing(path)?;
    let size = check_file("edit", &place)?;
    if size > MAX_EDITED {
        let message = format!(
            "`{}` has more than 16 MiB, which is too large to edit",
            shown(&place)
        );
        return Err(ToolError::new("FileTooLargeError", message));
    }
    let bytes = fs::read(&place.path).map_err(|error| explain("read", &place, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let message = format!("`{}` is no UTF-8 text and cannot be edited", shown(&place));
        ToolError::new("NotTextError", message)
    })?;
    let edit = Edit {
        old: old_text,
        new: new_text,
        all: replace_all,
    };
    let mut edited = edit::apply(&text, edit)?;
    write(&place, &edited.text)?;
    let path = shown(&place);
    let replacements = edited.lines.len();
    edited.lines.dedup();
    let more = if edited.lines.len() > MAX_LINES {
        " …"
    } else {
        ""
    };
    edited.lines.truncate(MAX_LINES);
    let lines: Vec<_> = edited.lines.iter().map(usize::to_string).collect();
    let lines = lines.join(", ");
    let said = match replacements {
        1 => format!("replaced 1 occurrence in `{path}`, line {lines}"),
        many => format!("replaced {many} occurrences in `{path}`, lines {lines}{more}"),
    };
    Ok(Output::of(Edits {
        path,
        bytes: edited.text.len(),
        replacements,
        lines: edited.lines,
    })
    .content(said))
}

fn write(place: &Place, content: &str) -> Result<(), ToolError> {
    replace(&place.path, content.as_bytes()).map_err(|failure| explain_writing(place, &failure))
}

fn shown(place: &Place) -> String {
    place.path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::testing;

    use super::*;

    // Outside a sandbox the granted directory is the one of this crate.

    #[test]
    fn a_file_is_written_and_edited() {
        let folder = tempfile::tempdir_in(".").unwrap();
        let path = folder.path().join("new/a.txt");
        let path = path
            .file_name()
            .map(|_| path.strip_prefix(std::env::current_dir().unwrap()));
        let path = path
            .unwrap()
            .unwrap_or(&folder.path().join("new/a.txt"))
            .to_owned();
        let write = |content: &str, overwrite: bool| {
            let arguments = json!({ "path": path, "content": content, "overwrite": overwrite });
            testing::call::<WriteFileTool>(arguments)
        };
        assert!(
            write("one\ntwo\n", true)
                .unwrap()
                .text()
                .starts_with("created ")
        );
        assert_eq!(write("x", false).unwrap_err().name, "FileExistsError");
        let edit = json!({ "path": path, "oldText": "two", "newText": "2" });
        let edited = testing::call::<EditFileTool>(edit.clone()).unwrap();
        assert!(edited.text().ends_with(", line 2"), "{}", edited.text());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n2\n");
        let error = testing::call::<EditFileTool>(edit).unwrap_err();
        assert_eq!(error.name, "EditNotFoundError");
    }

    #[test]
    fn a_place_outside_is_refused_with_the_grant_for_writing() {
        let arguments = json!({ "path": "/etc/motd", "content": "hello" });
        let error = testing::call::<WriteFileTool>(arguments).unwrap_err();
        assert!(
            error.message.contains("--dir HOST::/etc/motd:rw"),
            "{error}"
        );
    }

    #[test]
    fn tools_that_write_say_so() {
        for definition in [
            testing::definition::<WriteFileTool>(),
            testing::definition::<EditFileTool>(),
        ] {
            assert!(definition.behaviour.edits_files && definition.behaviour.sequential);
            assert_eq!(definition.annotations.read_only, None);
            assert_eq!(definition.annotations.destructive, Some(true));
        }
    }
}
