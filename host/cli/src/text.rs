//! Text that comes from a plugin is hostile: printed to a terminal as it is, it
//! could move the cursor, rewrite what was printed before, change the title or
//! the clipboard, or show letters in another order than they have. Here such
//! characters become visible and harmless.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text of several lines: line breaks and tabs stay, every other control
/// character becomes `\u001b` and the like, which is also how JSON writes it.
pub(crate) fn block(text: &str) -> Cow<'_, str> {
    neutralise(text, |letter| {
        is_hostile(letter) && !matches!(letter, '\n' | '\t')
    })
}

/// Text that has to stay on one line: line breaks and tabs become visible too.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    neutralise(text, is_hostile)
}

/// The first `max` characters of `text`, with `…` when there is more.
pub(crate) fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// `text` in lines of at most `width` characters, broken between words; a longer
/// word has a line to itself. Texts come from doc comments, so line breaks within
/// a paragraph mean nothing; an empty line, a list item and an indented line do.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for source in text.lines() {
        if source.trim().is_empty() {
            is_open = false;
            lines.push(String::new());
            continue;
        }
        if !is_open || begins_line(source) {
            lines.push(String::new());
        }
        is_open = true;
        for word in source.split_whitespace() {
            push_word(&mut lines, word, width);
        }
    }
    lines
}

/// Adds a word to the last line, or to a new one when it does not fit.
fn push_word(lines: &mut Vec<String>, word: &str, width: usize) {
    match lines.last_mut() {
        Some(line) if line.is_empty() => line.push_str(word),
        Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
            line.push(' ');
            line.push_str(word);
        }
        _ => lines.push(word.to_owned()),
    }
}

/// Whether a line is more than the next part of a paragraph.
fn begins_line(line: &str) -> bool {
    ["- ", "* ", "+ ", "#", "|", "    ", "```", "\t"]
        .iter()
        .any(|start| line.starts_with(start))
        || line
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .starts_with(". ")
}

fn neutralise(text: &str, hostile: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hostile) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '\n' if hostile('\n') => safe.push_str("\\n"),
            '\t' if hostile('\t') => safe.push_str("\\t"),
            '\r' => safe.push_str("\\r"),
            _ if hostile(letter) => {
                let _ = write!(safe, "\\u{:04x}", u32::from(letter));
            }
            _ => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// Control characters (C0, DEL, C1), the two Unicode line ends, and the
/// characters that change the direction of writing.
fn is_hostile(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_and_not_obeyed() {
        assert_eq!(
            block("\u{1b}[2J\u{1b}]0;title\u{7}"),
            "\\u001b[2J\\u001b]0;title\\u0007"
        );
        assert_eq!(block("\u{9b}31m\u{7f}"), "\\u009b31m\\u007f");
    }

    #[test]
    fn a_carriage_return_cannot_overwrite_a_line() {
        assert_eq!(block("rm -rf /\rall fine"), "rm -rf /\\rall fine");
    }

    #[test]
    fn letters_are_shown_in_the_order_they_have() {
        assert_eq!(block("a\u{202e}b\u{2066}c"), "a\\u202eb\\u2066c");
    }

    #[test]
    fn honest_text_is_left_alone() {
        let text = "naïve – 日本語 – 🙂\n\tindented";
        assert!(matches!(block(text), Cow::Borrowed(same) if same == text));
        assert_eq!(line("one\n\ttwo"), "one\\n\\ttwo");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("größe", 3), "grö…");
        assert_eq!(cut("größe", 5), "größe");
    }

    #[test]
    fn words_are_wrapped_and_paragraphs_kept() {
        assert_eq!(wrap("one two three\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrap("incomprehensible", 4), ["incomprehensible"]);
    }
}
