//! Whole searches through real directories.

use std::fs;
use std::path::Path;
use std::time::Duration;

use toolhost_sdk::Context;

use super::*;

fn directory(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    root
}

fn for_pattern(pattern: &str) -> Search {
    let query = Query {
        pattern: pattern.to_owned(),
        ..Query::default()
    };
    Search {
        query,
        max_results: 100,
        ..Search::default()
    }
}

fn run(root: &Path, search: &Search) -> Findings {
    let place = Place {
        grant: root.to_path_buf(),
        path: root.to_path_buf(),
    };
    search
        .run(vec![place], &Budget::new(&Context::fake().build()))
        .unwrap()
}

/// The matches as `file:line:column: text`.
fn lines(root: &Path, findings: &Findings) -> Vec<String> {
    let name = |path: &str| {
        Path::new(path)
            .strip_prefix(root)
            .unwrap()
            .display()
            .to_string()
    };
    let hits = findings.matches.as_ref().unwrap().iter();
    hits.map(|hit| {
        format!(
            "{}:{}:{}: {}",
            name(&hit.path),
            hit.line,
            hit.column,
            hit.text
        )
    })
    .collect()
}

#[test]
fn finds_lines_in_the_order_of_files_and_lines() {
    let root = directory(&[
        ("b.txt", b"one\r\ntwo needle\r\n"),
        ("a.txt", b"needle\nthree\nneedle again"),
        ("c.txt", b"nothing\n"),
    ]);
    let found = run(root.path(), &for_pattern("needle"));
    let expected = [
        "a.txt:1:1: needle",
        "a.txt:3:1: needle again",
        "b.txt:2:5: two needle",
    ];
    assert_eq!(lines(root.path(), &found), expected);
    assert_eq!(
        (found.matched_files, found.searched_files, found.truncated),
        (2, 3, false)
    );
}

#[test]
fn the_end_of_a_line_is_found_in_files_of_both_kinds() {
    let root = directory(&[
        ("dos.txt", b"end\r\n"),
        ("unix.txt", b"end\n"),
        ("last.txt", b"end"),
    ]);
    assert_eq!(run(root.path(), &for_pattern("end$")).matched_files, 3);
}

#[test]
fn context_surrounds_a_match_and_is_given_once() {
    let root = directory(&[("a.txt", b"1\n2\nx3\n4\nx5\n6\n7\n")]);
    let found = run(
        root.path(),
        &Search {
            context: 1,
            ..for_pattern("x")
        },
    );
    let [first, second] = found.matches.as_deref().unwrap() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (first.before.as_slice(), first.after.as_slice()),
        (&["2".to_owned()][..], &["4".to_owned()][..])
    );
    assert_eq!(
        (second.before.as_slice(), second.after.as_slice()),
        (&[][..], &["6".to_owned()][..])
    );
}

#[test]
fn files_and_counts_leave_the_lines_out() {
    let root = directory(&[("a.txt", b"x\nx\n"), ("b.txt", b"x"), ("c.txt", b"y")]);
    let counts = run(
        root.path(),
        &Search {
            report: Report::Counts,
            ..for_pattern("x")
        },
    );
    let counted: Vec<_> = counts
        .files
        .unwrap()
        .iter()
        .map(|file| file.matches)
        .collect();
    assert_eq!(counted, [Some(2), Some(1)]);
    let files = run(
        root.path(),
        &Search {
            report: Report::Files,
            ..for_pattern("x")
        },
    );
    let named: Vec<_> = files
        .files
        .unwrap()
        .iter()
        .map(|file| file.matches)
        .collect();
    assert_eq!(named, [None, None]);
}

#[test]
fn a_result_is_cut_only_when_there_is_more() {
    let root = directory(&[("a.txt", b"x\nx\n"), ("b.txt", b"x\n")]);
    let all = run(
        root.path(),
        &Search {
            max_results: 3,
            ..for_pattern("x")
        },
    );
    assert!(!all.truncated && all.notes.is_empty(), "{all:?}");
    let some = run(
        root.path(),
        &Search {
            max_results: 2,
            ..for_pattern("x")
        },
    );
    assert!(some.truncated, "{some:?}");
    assert_eq!(some.matches.unwrap().len(), 2);
    assert!(
        some.notes[0].contains("stopped at 2 results"),
        "{:?}",
        some.notes
    );
}

#[test]
fn binary_files_are_left_out_and_counted() {
    let root = directory(&[("a.bin", b"needle\n\0\x01"), ("b.txt", b"needle")]);
    let found = run(root.path(), &for_pattern("needle"));
    assert_eq!(lines(root.path(), &found), ["b.txt:1:1: needle"]);
    assert_eq!((found.binary_files, found.searched_files), (1, 1));
}

#[test]
fn a_utf_16_file_is_text() {
    let text: Vec<u8> = "\u{feff}ein Käfer\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let root = directory(&[("a.txt", &text)]);
    assert_eq!(
        lines(root.path(), &run(root.path(), &for_pattern("käfer"))),
        ["a.txt:1:5: ein Käfer"]
    );
}

#[test]
fn a_result_stays_small_whatever_is_found() {
    let line = format!("{}\n", "\"x\\".repeat(400));
    let root = directory(&[("a.txt", line.repeat(2000).as_bytes())]);
    let found = run(
        root.path(),
        &Search {
            max_results: 2000,
            context: 20,
            ..for_pattern("x")
        },
    );
    let bytes = serde_json::to_string(&found).unwrap().len();
    assert!(bytes < 256 << 10, "{bytes} bytes");
    assert!(
        found.notes[0].contains("as large as it may be"),
        "{:?}",
        found.notes
    );
}

#[test]
fn a_cancelled_search_returns_what_it_has() {
    let root = directory(&[("a.txt", b"x")]);
    let place = Place {
        grant: root.path().to_path_buf(),
        path: root.path().to_path_buf(),
    };
    let ctx = Context::fake().aborted().build();
    let found = for_pattern("x")
        .run(vec![place], &Budget::new(&ctx))
        .unwrap();
    assert!(
        found.truncated && found.notes[0].contains("cancelled"),
        "{found:?}"
    );
}

#[test]
fn a_search_ends_before_its_deadline() {
    let root = directory(&[("a.txt", b"x")]);
    let place = Place {
        grant: root.path().to_path_buf(),
        path: root.path().to_path_buf(),
    };
    let ctx = Context::fake().deadline(Duration::ZERO).build();
    let found = for_pattern("x")
        .run(vec![place], &Budget::new(&ctx))
        .unwrap();
    assert!(
        found.truncated && found.notes[0].contains("time"),
        "{found:?}"
    );
}

#[test]
fn nothing_to_search_is_explained() {
    let root = directory(&[("a.txt", b"x")]);
    let found = run(
        root.path(),
        &Search {
            include: vec!["*.rs".to_owned()],
            ..for_pattern("x")
        },
    );
    assert!(
        found.notes[0].contains("no file to search"),
        "{:?}",
        found.notes
    );
}

#[test]
fn an_unreadable_file_is_a_note_and_not_the_end() {
    let root = directory(&[("b.txt", b"x")]);
    // One line of 20 MiB does not fit in the line buffer.
    fs::write(root.path().join("a.txt"), "x".repeat(20 << 20)).unwrap();
    let found = run(root.path(), &for_pattern("x"));
    assert_eq!(lines(root.path(), &found), ["b.txt:1:1: x"]);
    assert!(found.notes[0].contains("a.txt"), "{:?}", found.notes);
}

#[test]
fn the_state_so_far_is_shown_until_nobody_looks() {
    let root = directory(&[
        ("a.txt", b"x"),
        ("b.txt", b"x"),
        ("c.txt", b"x"),
        ("d.txt", b"x"),
    ]);
    let place = Place {
        grant: root.path().to_path_buf(),
        path: root.path().to_path_buf(),
    };
    let ctx = Context::fake().stop_after_partials(2).build();
    let mut budget = Budget::new(&ctx);
    budget.show_every(Duration::ZERO);
    let found = for_pattern("x").run(vec![place], &budget).unwrap();
    let shown: Vec<_> = ctx
        .recording()
        .partials
        .iter()
        .map(|partial| partial["searchedFiles"].clone())
        .collect();
    assert_eq!(shown, [1, 2]);
    assert_eq!(found.searched_files, 4);
}

#[test]
fn a_search_reads_only_so_much() {
    let line = format!("{}\n", "y".repeat(1023));
    let root = directory(&[
        ("a.txt", b"x"),
        ("b.txt", line.repeat(80 << 10).as_bytes()),
        ("c.txt", b"x"),
    ]);
    let found = run(root.path(), &for_pattern("x"));
    assert_eq!(found.matches.unwrap().len(), 1);
    assert!(
        found.truncated && found.notes[0].contains("64 MiB"),
        "{:?}",
        found.notes
    );
}
