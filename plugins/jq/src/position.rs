//! Where a filter is wrong: line, column, and a line with a caret under the
//! spot.

use std::fmt::Write as _;

use jaq_core::{compile, load};
use serde_json::json;

use crate::complaint::{lex_spot, parse_spot, undefined_spot};
use crate::failure::{Failure, FailureKind};

/// How much of a long line is shown around the spot, in characters.
const WINDOW: usize = 60;
/// How many problems of one filter are told.
const MAX_TOLD: usize = 3;

/// The problems of one filter, in the order they were found.
pub(crate) struct Problem(Vec<Spot>);

/// One problem.
pub(crate) struct Spot {
    /// Byte offset into the filter.
    pub(crate) start: usize,
    /// Length in bytes; 0 at the end of the filter.
    pub(crate) length: usize,
    /// What is wrong, in words.
    pub(crate) message: String,
    /// Names that were probably meant.
    pub(crate) suggestions: Vec<String>,
}

impl Problem {
    /// From errors of the lexer and the parser.
    pub(crate) fn from_load(code: &str, errors: &load::Errors<&str, ()>) -> Self {
        let mut spots = Vec::new();
        for (_, error) in errors {
            match error {
                load::Error::Lex(errors) => {
                    spots.extend(errors.iter().map(|(expected, found)| lex_spot(code, expected, found)));
                }
                load::Error::Parse(errors) => {
                    let spot = |(expected, found): &(load::parse::Expect<&str>, &str)| {
                        parse_spot(code, expected.as_str(), found)
                    };
                    spots.extend(errors.iter().map(spot));
                }
                load::Error::Io(errors) => spots.extend(errors.iter().map(|(path, _)| {
                    let message = format!("cannot import `{path}`: this tool loads no modules, write the definitions into the filter");
                    Spot::new(code, path, message)
                })),
            }
        }
        Self(spots)
    }

    /// From names that are not defined.
    pub(crate) fn from_compile(
        code: &str,
        errors: &compile::Errors<&str, ()>,
        variables: &[String],
    ) -> Self {
        let undefined = errors.iter().flat_map(|(_, errors)| errors);
        Self(
            undefined
                .map(|(name, what)| undefined_spot(code, name, what, variables))
                .collect(),
        )
    }

    /// The message for the model, with the code shown above a caret.
    pub(crate) fn into_failure(self, code: &str) -> Failure {
        let mut message = String::new();
        let mut problems = Vec::new();
        for spot in self.0.iter().take(MAX_TOLD) {
            let (line, column, text) = spot.locate(code);
            if !message.is_empty() {
                message.push('\n');
            }
            let _ = write!(
                message,
                "line {line}, column {column}: {}\n{text}",
                spot.message
            );
            problems.push(json!({
                "line": line,
                "column": column,
                "message": spot.message,
                "suggestions": spot.suggestions,
            }));
        }
        let message = format!("the filter does not compile\n{message}");
        Failure::new(FailureKind::Filter, message).with_details(json!({ "problems": problems }))
    }
}

impl Spot {
    /// A problem at `part`, a slice of `code`.
    pub(crate) fn new(code: &str, part: &str, message: String) -> Self {
        let inside = code.as_bytes().as_ptr_range();
        // A name from a definition of the prelude would not lie in the filter.
        let start = if inside.contains(&part.as_ptr()) {
            load::span(code, part).start
        } else {
            code.len()
        };
        let length = part.len().min(code.len() - start);
        Self {
            start,
            length,
            message,
            suggestions: vec![],
        }
    }

    /// Line and column, both from 1 and in characters, and the line with a
    /// caret below.
    fn locate(&self, code: &str) -> (usize, usize, String) {
        let before = &code[..self.start];
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let end = code[self.start..]
            .find('\n')
            .map_or(code.len(), |at| self.start + at);
        let column = code[begin..self.start].chars().count();
        let shown: Vec<char> = code[begin..end].trim_end().chars().collect();
        let from = column.saturating_sub(WINDOW);
        let to = shown.len().min(column + WINDOW);
        let piece: String = shown.get(from..to).unwrap_or_default().iter().collect();
        let width = code[self.start..(self.start + self.length).min(end)]
            .chars()
            .count();
        let carets = "^".repeat(width.clamp(1, WINDOW));
        let left = if from > 0 { "…" } else { "" };
        let right = if to < shown.len() { "…" } else { "" };
        let pad = " ".repeat(column - from + left.chars().count());
        (
            line,
            column + 1,
            format!("  {left}{piece}{right}\n  {pad}{carets}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::filter::Filter;

    fn complaint(code: &str) -> String {
        Filter::compile(code, &["$rows".into()])
            .err()
            .expect("a wrong filter")
            .message
    }

    #[test]
    fn an_unknown_function_is_pointed_at() {
        let expected = "the filter does not compile\n\
            line 1, column 6: no function `mapp` with 1 argument: did you mean `map(a)`?\n  \
            .a | mapp(.x)\n       ^^^^";
        assert_eq!(complaint(".a | mapp(.x)"), expected);
    }

    #[test]
    fn the_second_line_has_a_line_number_of_its_own() {
        assert!(complaint(".a\n| lenght").contains("line 2, column 3"));
    }

    #[test]
    fn an_open_bracket_is_found_where_it_opens() {
        let text = complaint(".a | map(.x");
        assert!(
            text.contains("column 9: `(` is never closed: add `)`"),
            "{text}"
        );
    }

    #[test]
    fn an_unfinished_filter_points_behind_its_end() {
        let text = complaint(".a |");
        assert!(text.contains("column 5"), "{text}");
        assert!(text.contains("but the filter ends"), "{text}");
    }

    #[test]
    fn other_languages_operators_are_translated() {
        assert!(
            complaint(".a && .b").contains("write `and`"),
            "{}",
            complaint(".a && .b")
        );
        assert!(
            complaint(".a || .b").contains("write `or`"),
            "{}",
            complaint(".a || .b")
        );
        assert!(
            complaint(".a == 'x'").contains("strings stand in `\"`"),
            "{}",
            complaint(".a == 'x'")
        );
    }

    #[test]
    fn a_variable_gets_a_suggestion() {
        assert!(complaint("$row").contains("did you mean `$rows`?"));
        assert!(complaint("$name").contains("give `name` in `args`"));
        assert!(complaint("$ENV.HOME").contains("no environment"));
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let code = format!("{} | nosuch | {}", ".a".repeat(200), ".b".repeat(200));
        let text = complaint(&code);
        assert!(text.len() < 600, "{}", text.len());
        assert!(text.contains("nosuch") && text.contains('…'));
    }

    #[test]
    fn modules_and_endless_brackets_are_refused() {
        assert!(complaint("import \"a\" as a; .").contains("loads no modules"));
        assert!(complaint(&"[".repeat(1000)).contains("nest more than"));
        assert!(complaint("  ").contains("the filter is empty"));
    }
}
