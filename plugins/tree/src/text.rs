//! Results as text for the model: the path once, then `line: text`, much as
//! ripgrep prints it, for fewer tokens than JSON takes.

use std::fmt::Write;

use crate::findings::Findings;
use crate::hit::Hit;
use crate::listing::FileList;

/// The result of a search as text.
#[must_use]
pub fn findings(findings: &Findings) -> String {
    let mut out = String::new();
    let mut previous: Option<&Hit> = None;
    for hit in findings.matches.iter().flatten() {
        let same_file = previous.filter(|last| last.path == hit.path);
        match same_file {
            None => {
                let gap = if previous.is_some() { "\n" } else { "" };
                let _ = writeln!(out, "{gap}{}", hit.path);
            }
            Some(last) if has_context(last) || has_context(hit) => {
                if last_line(last) + 1 < first_line(hit) {
                    out.push_str("--\n");
                }
            }
            Some(_) => {}
        }
        write_hit(&mut out, hit);
        previous = Some(hit);
    }
    for file in findings.files.iter().flatten() {
        let _ = match file.matches {
            Some(matches) => writeln!(out, "{}: {matches}", file.path),
            None => writeln!(out, "{}", file.path),
        };
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&summary(findings));
    write_notes(&mut out, &findings.notes);
    out
}

/// A list of files as text.
#[must_use]
pub fn file_list(list: &FileList) -> String {
    let mut out = String::new();
    for file in &list.files {
        let _ = match file.bytes {
            Some(bytes) => writeln!(out, "{} ({})", file.path, size(bytes)),
            None => writeln!(out, "{}", file.path),
        };
    }
    if list.notes.is_empty() {
        let _ = write!(out, "\n{}", count(list.total, "file"));
    }
    write_notes(&mut out, &list.notes);
    out.trim_start().to_owned()
}

fn write_hit(out: &mut String, hit: &Hit) {
    for (line, text) in (first_line(hit)..).zip(&hit.before) {
        let _ = writeln!(out, "{line}- {text}");
    }
    let _ = writeln!(out, "{}: {}", hit.line, hit.text);
    for (line, text) in (hit.line + 1..).zip(&hit.after) {
        let _ = writeln!(out, "{line}- {text}");
    }
}

fn has_context(hit: &Hit) -> bool {
    !hit.before.is_empty() || !hit.after.is_empty()
}

fn first_line(hit: &Hit) -> u64 {
    hit.line.saturating_sub(hit.before.len() as u64)
}

fn last_line(hit: &Hit) -> u64 {
    hit.line + hit.after.len() as u64
}

fn summary(findings: &Findings) -> String {
    let searched = count(findings.searched_files, "file");
    let files = count(findings.matched_files, "file");
    let more = if findings.truncated { "at least " } else { "" };
    match (&findings.matches, findings.matched_files) {
        (_, 0) if findings.truncated => format!("no matches so far; searched {searched}"),
        (_, 0) => format!("no matches; searched {searched}"),
        (Some(lines), _) => format!(
            "{more}{} in {files}; searched {searched}",
            count(lines.len() as u64, "matching line")
        ),
        (None, _) => format!("matches in {more}{files}; searched {searched}"),
    }
}

fn write_notes(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = write!(out, "\nnote: {note}");
    }
}

fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let value = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{:.1} KiB", value / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", value / 1_048_576.0),
        _ => format!("{:.1} GiB", value / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Report;
    use crate::hit::FileHits;

    fn hit(path: &str, line: u64, before: &[&str], after: &[&str]) -> Hit {
        let own = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        let text = format!("match {line}");
        Hit {
            path: path.to_owned(),
            line,
            column: 1,
            text,
            before: own(before),
            after: own(after),
        }
    }

    #[test]
    fn matches_are_grouped_by_file() {
        let mut found = Findings::new(Report::Matches);
        found.matches = Some(vec![
            hit("/r/a", 1, &[], &[]),
            hit("/r/a", 7, &[], &[]),
            hit("/r/b", 2, &[], &[]),
        ]);
        (found.matched_files, found.searched_files) = (2, 9);
        let expected = "/r/a\n1: match 1\n7: match 7\n\n/r/b\n2: match 2\n\n\
                        3 matching lines in 2 files; searched 9 files";
        assert_eq!(findings(&found), expected);
    }

    #[test]
    fn context_is_numbered_and_gaps_are_shown() {
        let mut found = Findings::new(Report::Matches);
        let hits = [
            hit("/r/a", 2, &["one"], &["three"]),
            hit("/r/a", 4, &[], &["five"]),
            hit("/r/a", 9, &["eight"], &[]),
        ];
        found.matches = Some(hits.to_vec());
        found.matched_files = 1;
        let text = findings(&found);
        let expected =
            "/r/a\n1- one\n2: match 2\n3- three\n4: match 4\n5- five\n--\n8- eight\n9: match 9\n";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn counts_and_notes() {
        let mut found = Findings::new(Report::Counts);
        found.files = Some(vec![FileHits {
            path: "/r/a".to_owned(),
            matches: Some(3),
        }]);
        (found.matched_files, found.searched_files, found.truncated) = (1, 2, true);
        found.notes.push("stopped".to_owned());
        assert_eq!(
            findings(&found),
            "/r/a: 3\n\nmatches in at least 1 file; searched 2 files\nnote: stopped"
        );
    }

    #[test]
    fn no_match_is_said() {
        let mut found = Findings::new(Report::Matches);
        assert_eq!(findings(&found), "no matches; searched 0 files");
        found.truncated = true;
        assert_eq!(findings(&found), "no matches so far; searched 0 files");
    }
}
