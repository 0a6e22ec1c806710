//! A line of a file, made fit to show: of bounded length, valid UTF-8 and
//! without control characters, which could steer a terminal.

/// Longest line shown, in characters.
pub(crate) const MAX_CHARS: usize = 300;

/// How much of a long line is shown before the match, in characters.
const LEAD_CHARS: usize = 60;

/// The line as text. A long one is cut around `focus`, a byte offset, with `…`
/// for what is left out.
pub(crate) fn clip(line: &[u8], focus: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let focus = focus.min(line.len());
    // A character has at most four bytes, so this window holds enough of them
    // and a line of 100 MB costs no more than a short one.
    let start = boundary(line, focus.saturating_sub(LEAD_CHARS * 4));
    let end = boundary(line, line.len().min(focus + MAX_CHARS * 4));
    let before = clean(&line[start..focus]);
    let after = clean(&line[focus..end]);
    let (before_chars, after_chars) = (before.chars().count(), after.chars().count());
    if start == 0 && end == line.len() && before_chars + after_chars <= MAX_CHARS {
        return before + &after;
    }
    let skipped = before_chars.saturating_sub(LEAD_CHARS);
    let lead: String = before.chars().skip(skipped).collect();
    let room = MAX_CHARS - (before_chars - skipped);
    let tail: String = after.chars().take(room).collect();
    let left = if start > 0 || skipped > 0 { "…" } else { "" };
    let right = if end < line.len() || after_chars > room {
        "…"
    } else {
        ""
    };
    format!("{left}{lead}{tail}{right}")
}

/// The column of a byte offset: characters from the start of the line, from 1.
pub(crate) fn column(line: &[u8], offset: usize) -> u64 {
    let before = &line[..offset.min(line.len())];
    let characters = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    characters as u64 + 1
}

/// `offset`, moved back to where a character begins.
fn boundary(line: &[u8], offset: usize) -> usize {
    let is_start = |&at: &usize| line.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    (offset.saturating_sub(3)..=offset)
        .rev()
        .find(is_start)
        .unwrap_or(offset)
}

fn clean(bytes: &[u8]) -> String {
    let safe = |c: char| {
        if c.is_control() && c != '\t' {
            '\u{fffd}'
        } else {
            c
        }
    };
    String::from_utf8_lossy(bytes).chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_line_stays_as_it_is() {
        assert_eq!(clip("\tlet grün = 1;\r\n".as_bytes(), 5), "\tlet grün = 1;");
    }

    #[test]
    fn a_long_line_is_cut_around_the_match() {
        let line = format!("{}needle{}", "é".repeat(100_000), "z".repeat(100_000));
        let shown = clip(line.as_bytes(), 200_000);
        assert!(
            shown.starts_with(&format!("…{}needle", "é".repeat(LEAD_CHARS))),
            "{shown}"
        );
        assert!(shown.ends_with("z…"), "{shown}");
        assert_eq!(shown.chars().count(), MAX_CHARS + 2);
    }

    #[test]
    fn the_start_of_a_long_line_is_kept_when_the_match_is_there() {
        let line = "a".repeat(1000);
        assert_eq!(
            clip(line.as_bytes(), 10),
            format!("{}…", "a".repeat(MAX_CHARS))
        );
    }

    #[test]
    fn escape_codes_and_broken_text_do_no_harm() {
        assert_eq!(clip(b"a\x1b[31mred\xff", 0), "a\u{fffd}[31mred\u{fffd}");
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(column("grün = x".as_bytes(), 8), 8);
        assert_eq!(column(b"x", 0), 1);
    }
}
