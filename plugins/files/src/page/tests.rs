//! Pages of small texts, and what leads from one to the next.

use std::io::Cursor;

use super::*;

fn wanted(start: Start, lines: u64, bytes: usize) -> Wanted {
    Wanted {
        start,
        lines,
        bytes,
    }
}

fn page(text: &str, wanted: Wanted) -> Result<Page, String> {
    let size = text.len() as u64;
    read(Cursor::new(text.as_bytes()), size, wanted, &|| true).map_err(|no| match no {
        NoPage::Io(error) => error.to_string(),
        NoPage::Refused(error) => error.message,
    })
}

/// All pages, one after the other.
fn pages(text: &str, lines: u64, bytes: usize) -> Vec<Page> {
    let mut all = vec![page(text, wanted(Start::Line(1), lines, bytes)).unwrap()];
    while let Some(next) = all.last().unwrap().next {
        all.push(page(text, wanted(next, lines, bytes)).unwrap());
    }
    all
}

#[test]
fn a_short_file_is_one_page() {
    let all = pages("one\ntwo", 10, 100);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].text, "one\ntwo");
    assert_eq!((all[0].lines, all[0].total_lines), (Some((1, 2)), Some(2)));
    assert_eq!(all[0].bytes, (0, 7));
}

#[test]
fn an_empty_file_is_an_empty_page() {
    let empty = page("", wanted(Start::Line(1), 10, 100)).unwrap();
    assert_eq!(
        (empty.text.as_str(), empty.lines, empty.next),
        ("", None, None)
    );
    assert_eq!(empty.total_lines, Some(0));
}

#[test]
fn pages_by_lines_make_the_whole_file() {
    let text = "a\nb\nc\nd\ne\n";
    let all = pages(text, 2, 100);
    let texts: Vec<_> = all.iter().map(|page| page.text.as_str()).collect();
    assert_eq!(texts, ["a\nb\n", "c\nd\n", "e\n"]);
    assert_eq!(all[1].lines, Some((3, 4)));
    assert!(all.iter().all(|page| page.total_lines == Some(5)));
}

#[test]
fn a_line_that_does_not_fit_begins_the_next_page() {
    let text = "aaaa\nbbbb\ncccc\n";
    let all = pages(text, 100, 12);
    assert_eq!(all[0].text, "aaaa\nbbbb\n");
    assert_eq!(all[0].next, Some(Start::Line(3)));
    assert_eq!(all[0].total_lines, Some(3));
    assert_eq!(all[1].text, "cccc\n");
    // Lines that fill the page to the last byte, too.
    let all = pages(text, 100, 10);
    assert_eq!(all[0].text, "aaaa\nbbbb\n");
    assert_eq!((all[0].total_lines, all.len()), (Some(3), 2));
}

#[test]
fn a_line_longer_than_a_page_is_read_by_bytes() {
    let text = format!("{}\nend\n", "é".repeat(10));
    let first = page(&text, wanted(Start::Line(1), 100, 7)).unwrap();
    assert_eq!(first.text, "ééé");
    assert_eq!(
        (first.next, first.total_lines),
        (Some(Start::Byte(6)), Some(2))
    );
    let all = pages(&text, 100, 7);
    let whole: String = all.iter().map(|page| page.text.as_str()).collect();
    assert_eq!(whole, text);
    assert!(!all.iter().any(|page| page.lossy));
}

#[test]
fn beyond_the_end_the_size_is_told() {
    let line = |number| page("a\nb\n", wanted(Start::Line(number), 1, 100)).unwrap_err();
    assert_eq!(line(3), "`offset` is 3, and the file has 2 lines");
    assert_eq!(line(9), "`offset` is 9, and the file has 2 lines");
    let byte = page("a\nb\n", wanted(Start::Byte(5), 1, 100)).unwrap_err();
    assert_eq!(byte, "`byteOffset` is 5, and the file has 4 bytes");
    let end = page("a\nb\n", wanted(Start::Byte(4), 1, 100)).unwrap();
    assert_eq!((end.text.as_str(), end.next), ("", None));
}

#[test]
fn what_is_no_utf_8_is_replaced_and_told() {
    let bytes = b"caf\xe9 au lait\n";
    let file = Cursor::new(&bytes[..]);
    let page = read(file, 13, wanted(Start::Line(1), 9, 99), &|| true).unwrap();
    assert!(page.lossy);
    assert_eq!(page.text, "caf\u{fffd} au lait\n");
}

#[test]
fn bytes_that_never_become_a_character_still_come_to_an_end() {
    for bytes in [&[0x80u8; 40][..], &[0xf0; 40], &[0xe2, 0x82]] {
        let size = bytes.len() as u64;
        let (mut at, mut count) = (Start::Line(1), 0);
        loop {
            let file = Cursor::new(bytes);
            let page = read(file, size, wanted(at, 9, 4), &|| true).unwrap();
            count += 1;
            match page.next {
                Some(next) if count < 50 => at = next,
                Some(_) => panic!("it does not end: {bytes:x?}"),
                None => break,
            }
        }
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_read_ends_where_it_ends() {
    let file = Cursor::new(&b"a\nb\n"[..]);
    let page = read(file, 1000, wanted(Start::Line(1), 9, 99), &|| true).unwrap();
    assert_eq!((page.next, page.total_lines), (None, Some(2)));
}

#[test]
fn a_cancel_is_seen_on_the_way() {
    let file = Cursor::new(&b"a\nb\nc\n"[..]);
    let never = read(file, 6, wanted(Start::Line(3), 9, 99), &|| false);
    assert!(matches!(never, Err(NoPage::Refused(error)) if error.name == "ReadAbortedError"));
}
