//! A text gets another part: exact, and only where it is clear which part is
//! meant.

use toolhost_sdk::ToolError;

/// How many places an error names.
const MAX_NAMED: usize = 5;

/// How much of a text is looked at for what was meant, in bytes.
const MAX_COMPARED: usize = 2 << 20;

/// The longest line that an error repeats, in characters.
const MAX_SHOWN: usize = 160;

/// What to replace.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// The text that is there.
    pub old: &'a str,
    /// What takes its place.
    pub new: &'a str,
    /// Every occurrence, not the only one.
    pub all: bool,
}

/// A text after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The text.
    pub text: String,
    /// The lines in which the occurrences began, before the edit.
    pub lines: Vec<usize>,
}

/// Replaces a part of `text`. Line ends of `old` and `new` become those of the
/// text, when it has only the other kind.
///
/// # Errors
/// When `old` is not there, is there more than once without `all`, or nothing
/// would change.
pub fn apply(text: &str, edit: Edit<'_>) -> Result<Edited, ToolError> {
    if edit.old.is_empty() {
        return Err(wrong(
            "`oldText` is empty: give the text that is there now; `write_file` makes a new file",
        ));
    }
    if edit.old == edit.new {
        return Err(wrong(
            "`oldText` and `newText` are the same: there is nothing to change",
        ));
    }
    if text.contains(edit.old) {
        return exact(text, edit);
    }
    if text.contains("\r\n") && !edit.old.contains('\r') && edit.old.contains('\n') {
        let (old, new) = (windows(edit.old), windows(edit.new));
        let edit = Edit {
            old: &old,
            new: &new,
            all: edit.all,
        };
        if text.contains(edit.old) {
            return exact(text, edit);
        }
    }
    Err(missing(text, edit.old))
}

fn windows(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

fn exact(text: &str, edit: Edit<'_>) -> Result<Edited, ToolError> {
    let mut lines = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for (at, _) in text.match_indices(edit.old) {
        line += text[counted..at].matches('\n').count();
        counted = at;
        lines.push(line);
    }
    if !edit.all {
        // Two places may share a part: which of them is meant is as unclear.
        lines.extend(overlapping(text, edit.old));
    }
    if lines.len() > 1 && !edit.all {
        let shown: Vec<_> = lines.iter().take(MAX_NAMED).map(usize::to_string).collect();
        let more = if lines.len() > MAX_NAMED { " …" } else { "" };
        return Err(ToolError::new(
            "EditAmbiguousError",
            format!(
                "`oldText` is there {} times (lines {}{more}): add lines around it until only one \
                 place fits, or set `replaceAll`",
                lines.len(),
                shown.join(", ")
            ),
        ));
    }
    let text = text.replace(edit.old, edit.new);
    Ok(Edited { text, lines })
}

/// The line of a further place that begins inside of the only one.
fn overlapping(text: &str, old: &str) -> Option<usize> {
    let mut places = text.match_indices(old);
    let (first, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let step = old.chars().next()?.len_utf8();
    let second = first + step + text[first + step..].find(old)?;
    Some(1 + text[..second].matches('\n').count())
}

/// Says what is there instead.
fn missing(text: &str, old: &str) -> ToolError {
    let text = &text[..text.floor_char_boundary(MAX_COMPARED)];
    let place = similar_block(text, old).or_else(|| similar_line(text, old));
    let advice = place.unwrap_or_else(|| "read the file again, it may have changed".into());
    ToolError::new(
        "EditNotFoundError",
        format!("`oldText` is not in the file: {advice}"),
    )
}

/// The same words with other blanks between them.
fn similar_block(text: &str, old: &str) -> Option<String> {
    let wanted: Vec<&str> = old
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let mut windows = lines.windows(wanted.len().max(1));
    let found = windows.find(|window| {
        window
            .iter()
            .map(|(_, line)| *line)
            .eq(wanted.iter().copied())
    })?;
    let (line, _) = found.first()?;
    Some(format!(
        "the same text with other blanks or line breaks begins in line {}; copy it exactly, with \
         its indentation",
        line + 1
    ))
}

/// The line of the text that the first line of `old` was probably meant to be.
fn similar_line(text: &str, old: &str) -> Option<String> {
    let first = old.lines().map(str::trim).find(|line| !line.is_empty())?;
    let mut lines = text.lines().enumerate();
    let (line, there) = lines.find(|(_, line)| line.contains(first))?;
    let shown: String = there.trim().chars().take(MAX_SHOWN).collect();
    Some(format!(
        "its first line is in line {} (`{shown}`), but what follows is different; read the file \
         from there",
        line + 1
    ))
}

fn wrong(message: &str) -> ToolError {
    ToolError::new("EditArgumentsError", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, old: &str, new: &str) -> Result<Edited, String> {
        let all = false;
        apply(text, Edit { old, new, all }).map_err(|error| error.message)
    }

    #[test]
    fn the_only_place_is_replaced() {
        let edited = edit("a\nb\nc\n", "b\n", "B\n").unwrap();
        assert_eq!((edited.text.as_str(), edited.lines), ("a\nB\nc\n", vec![2]));
        assert_eq!(edit("abc", "b", "").unwrap().text, "ac");
    }

    #[test]
    fn two_places_are_not_clear_unless_all_are_meant() {
        let text = "x = 1\ny = 2\nx = 1\n";
        let said = edit(text, "x = 1", "x = 3").unwrap_err();
        assert!(said.contains("2 times (lines 1, 3)"), "{said}");
        let all = Edit {
            old: "x = 1",
            new: "x = 3",
            all: true,
        };
        let edited = apply(text, all).unwrap();
        assert_eq!(edited.text, "x = 3\ny = 2\nx = 3\n");
        assert_eq!(edited.lines, [1, 3]);
        let said = edit(&"a\n".repeat(9), "a", "b").unwrap_err();
        assert!(said.contains("9 times (lines 1, 2, 3, 4, 5 …)"), "{said}");
    }

    #[test]
    fn two_places_that_share_a_part_are_two() {
        let said = edit("x\naaa\n", "aa", "b").unwrap_err();
        assert!(said.contains("2 times (lines 2, 2)"), "{said}");
        let said = edit("{\n}\n}\n}\n", "}\n}\n", "").unwrap_err();
        assert!(said.contains("2 times (lines 2, 3)"), "{said}");
        let said = edit("äöäöä", "äöä", "").unwrap_err();
        assert!(said.contains("2 times"), "{said}");
        assert_eq!(edit("aaab", "aab", "c").unwrap().text, "ac");
        let all = Edit {
            old: "aa",
            new: "b",
            all: true,
        };
        assert_eq!(apply("aaa", all).unwrap().text, "ba");
    }

    #[test]
    fn line_ends_of_the_file_are_kept() {
        let edited = edit("a\r\nb\r\nc\r\n", "a\nb\n", "a\nB\n").unwrap();
        assert_eq!(edited.text, "a\r\nB\r\nc\r\n");
    }

    #[test]
    fn what_is_not_there_is_answered_with_what_is() {
        let text = "fn main() {\n    run();\n}\n";
        let said = edit(text, "fn main() {\n  run();", "x").unwrap_err();
        assert!(said.contains("begins in line 1; copy it exactly"), "{said}");
        let said = edit(text, "    run();\n    stop();", "x").unwrap_err();
        assert!(
            said.contains("its first line is in line 2 (`run();`)"),
            "{said}"
        );
        assert!(
            edit(text, "walk()", "x")
                .unwrap_err()
                .contains("read the file again")
        );
        assert!(
            edit(text, "\n\n\n\n", "x")
                .unwrap_err()
                .contains("read the file again")
        );
    }

    #[test]
    fn an_edit_that_changes_nothing_is_refused() {
        assert!(edit("a", "", "x").unwrap_err().contains("`write_file`"));
        assert!(
            edit("a", "a", "a")
                .unwrap_err()
                .contains("nothing to change")
        );
    }
}
