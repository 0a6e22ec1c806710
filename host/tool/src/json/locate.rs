//! Where in a JSON text a problem lies: line, column and JSON Pointer. Only asked
//! for when a text was refused, so it may take its time, but it stays linear and
//! does not recurse: the text is hostile.

use super::scan::string_end;

/// A place in a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Counted from 1.
    pub(super) line: usize,
    /// In characters, counted from 1.
    pub(super) column: usize,
    /// JSON Pointer of the innermost value around the place.
    pub(super) path: String,
}

/// Levels of a path that are written out; deeper ones become `…`.
const LEVELS_SHOWN: usize = 16;

/// Characters of a key that are written out.
const KEY_SHOWN: usize = 64;

/// The byte at which `serde_json`'s line and column point.
pub(super) fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (start + column.saturating_sub(1)).min(text.len())
}

/// The place at the byte `offset` of `text`.
pub(super) fn locate(text: &str, offset: usize) -> Place {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Place {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        path: path_to(text, offset),
    }
}

/// One container around the place: what comes next in it.
enum Step {
    Index(usize),
    Key(String),
}

fn path_to(text: &str, offset: usize) -> String {
    let mut steps: Vec<Step> = Vec::new();
    // The last string of the text before the place, which is a key if a colon or
    // the place itself follows.
    let mut last = "";
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < offset.min(bytes.len()) {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at + 1);
                last = text.get(at + 1..end).unwrap_or_default();
                if matches!(steps.last(), Some(Step::Key(key)) if key.is_empty()) && end >= offset {
                    set_key(&mut steps, last);
                }
                at = end;
            }
            b':' => set_key(&mut steps, last),
            b',' => match steps.last_mut() {
                Some(Step::Index(index)) => *index += 1,
                Some(Step::Key(key)) => key.clear(),
                None => {}
            },
            b'[' => steps.push(Step::Index(0)),
            b'{' => steps.push(Step::Key(String::new())),
            b']' | b'}' => {
                steps.pop();
            }
            _ => {}
        }
        at += 1;
    }
    render(&steps)
}

fn set_key(steps: &mut [Step], raw: &str) {
    if let Some(Step::Key(key)) = steps.last_mut() {
        *key = raw.chars().take(KEY_SHOWN).collect();
    }
}

fn render(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps.iter().take(LEVELS_SHOWN) {
        match step {
            Step::Index(index) => path.extend(["/".to_owned(), index.to_string()]),
            // The object itself, before its first key.
            Step::Key(key) if key.is_empty() => {}
            Step::Key(key) => {
                path.push('/');
                path.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
        }
    }
    if steps.len() > LEVELS_SHOWN {
        path.push_str("/…");
    }
    path
}
