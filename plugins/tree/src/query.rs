//! What to look for, compiled: the pattern and how it is read.

use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::ToolError;

/// Longest pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 10_000;

/// Largest compiled pattern, in bytes. Compiling is paid from the call's fuel:
/// a pattern such as `(\w{100}){100}` would take all of it.
const MAX_COMPILED_BYTES: usize = 2 << 20;

/// Room for the lazily built automaton, in bytes.
const DFA_BYTES: usize = 4 << 20;

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// They differ only if the pattern has an upper-case letter.
    #[default]
    Smart,
    /// They differ.
    Sensitive,
    /// They do not differ.
    Insensitive,
}

/// A pattern and how it is read.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The text to look for.
    pub pattern: String,
    /// Whether case matters.
    pub case: Case,
    /// The pattern is plain text, not a regular expression.
    pub fixed_strings: bool,
    /// Only whole words match.
    pub word: bool,
}

impl Query {
    /// The matcher for single lines.
    ///
    /// # Errors
    /// When the pattern is empty, too long, too complex or not a regular
    /// expression; the message shows where it breaks.
    pub fn compile(&self) -> Result<RegexMatcher, ToolError> {
        if self.pattern.is_empty() {
            return Err(invalid(
                "the pattern is empty: write what to look for; a list of files needs no search",
            ));
        }
        if self.pattern.len() > MAX_PATTERN_BYTES {
            let got = self.pattern.len();
            return Err(invalid(format!(
                "the pattern may have {MAX_PATTERN_BYTES} bytes, got {got}"
            )));
        }
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .unicode(true)
            .case_smart(self.case == Case::Smart)
            .case_insensitive(self.case == Case::Insensitive)
            .fixed_strings(self.fixed_strings)
            .word(self.word)
            .line_terminator(Some(b'\n'))
            // `$` also matches before `\r\n`.
            .crlf(true)
            .size_limit(MAX_COMPILED_BYTES)
            .dfa_size_limit(DFA_BYTES);
        builder
            .build(&self.pattern)
            .map_err(|error| invalid(self.explain(error.kind())))
    }
}

impl Query {
    fn explain(&self, kind: &ErrorKind) -> String {
        let text = match kind {
            ErrorKind::NotAllowed(literal) => {
                return format!(
                    "a match lies within one line, so the pattern cannot hold {literal:?}; search for one of the \
                     lines and set `context` to see those around it"
                );
            }
            ErrorKind::Regex(text) => text,
            other => return format!("the pattern cannot match: {other:?}"),
        };
        // The builder wraps the pattern before it parses it and then points at
        // the wrong place, so the pattern is parsed once more as it is.
        let text = match regex_syntax::parse(&self.pattern) {
            Err(error) => error.to_string(),
            Ok(_) => text.clone(),
        };
        let advice = if text.contains("size limit") {
            "use smaller repetitions, or `\\w*` in place of a counted one"
        } else if text.contains("look-around") || text.contains("backreferences") {
            "search for a simpler pattern and pick from the matches"
        } else {
            "escape the character with `\\`, or set `fixedStrings` to true to search for the text as it is"
        };
        format!("{text}\n{advice}")
    }
}

fn invalid(message: impl Into<String>) -> ToolError {
    ToolError::new("InvalidPatternError", message)
}

#[cfg(test)]
mod tests {
    use grep_matcher::Matcher;

    use super::*;

    fn query(pattern: &str) -> Query {
        Query {
            pattern: pattern.to_owned(),
            ..Query::default()
        }
    }

    fn finds(query: &Query, text: &str) -> bool {
        query.compile().unwrap().is_match(text.as_bytes()).unwrap()
    }

    #[test]
    fn smart_case_follows_the_pattern() {
        assert!(finds(&query("error"), "ERROR"));
        assert!(!finds(&query("Error"), "ERROR"));
        assert!(!finds(
            &Query {
                case: Case::Sensitive,
                ..query("error")
            },
            "ERROR"
        ));
        assert!(finds(
            &Query {
                case: Case::Insensitive,
                ..query("Error")
            },
            "ERROR"
        ));
    }

    #[test]
    fn words_and_plain_text() {
        let word = Query {
            word: true,
            ..query("let")
        };
        assert!(finds(&word, "let x") && !finds(&word, "outlet"));
        let plain = Query {
            fixed_strings: true,
            ..query("a.b(")
        };
        assert!(finds(&plain, "a.b(c)") && !finds(&plain, "axb("));
    }

    #[test]
    fn an_unclosed_group_is_pointed_at() {
        let failure = query("fn (main").compile().unwrap_err();
        assert_eq!(failure.name, "InvalidPatternError");
        assert!(
            failure.message.contains("    fn (main\n       ^\n"),
            "{failure}"
        );
        assert!(failure.message.contains("unclosed group"), "{failure}");
        assert!(failure.message.contains("`fixedStrings`"), "{failure}");
    }

    #[test]
    fn what_the_engine_cannot_do_is_said() {
        for (pattern, said) in [
            ("a\nb", "within one line"),
            ("(?=x)", "look-around"),
            (r"(a)\1", "backreferences"),
            (r"(\w{900}){900}", "smaller repetitions"),
            ("", "a list of files"),
        ] {
            let failure = query(pattern).compile().unwrap_err();
            assert!(failure.message.contains(said), "{pattern}: {failure}");
        }
    }
}
