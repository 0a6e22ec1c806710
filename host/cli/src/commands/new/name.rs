//! The name of a project, which is also the name of a crate.

use std::str::FromStr;

/// Longest name.
const MAX_LENGTH: usize = 64;

/// Names that cargo refuses, or that would hide a crate every project uses.
const TAKEN: [&str; 10] = [
    "alloc",
    "build",
    "core",
    "deps",
    "examples",
    "incremental",
    "proc-macro",
    "std",
    "test",
    "toolhost-sdk",
];

/// Words of the language.
const KEYWORDS: [&str; 54] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "raw", "safe",
];

/// A name that cargo takes for a crate and a shell for a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name(String);

impl Name {
    /// As it was typed.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The file that cargo builds, without its folder.
    pub(super) fn wasm_file(&self) -> String {
        format!("{}.wasm", self.0.replace('-', "_"))
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let wrong = |letter: char| !(letter.is_ascii_alphanumeric() || "-_".contains(letter));
        if name.is_empty() || name.len() > MAX_LENGTH {
            return Err(format!("a name has 1 to {MAX_LENGTH} characters"));
        }
        if let Some(letter) = name.chars().find(|letter| wrong(*letter)) {
            let fit = suggestion(name);
            return Err(format!("a name has no {letter:?}; how about `{fit}`?"));
        }
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Err("a name begins with a letter".into());
        }
        let plain = name.to_ascii_lowercase().replace('_', "-");
        if TAKEN.contains(&plain.as_str()) || KEYWORDS.contains(&plain.as_str()) {
            return Err(format!(
                "`{name}` means something else to Rust; how about `{name}-tool`?"
            ));
        }
        Ok(Self(name.to_owned()))
    }
}

/// The name with what does not fit made to.
fn suggestion(name: &str) -> String {
    let fit: String = name
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect::<String>()
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
        .to_ascii_lowercase();
    match fit.chars().next() {
        Some(letter) if letter.is_ascii_alphabetic() => fit,
        Some(_) => format!("tool-{fit}"),
        None => "my-tool".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cargo_takes_pass() {
        for name in ["hello", "word-count", "a1", "Read_File"] {
            assert_eq!(Name::from_str(name).unwrap().as_str(), name);
        }
        assert_eq!(
            Name::from_str("word-count").unwrap().wasm_file(),
            "word_count.wasm"
        );
    }

    #[test]
    fn others_are_told_what_would_fit() {
        let error = |name| Name::from_str(name).unwrap_err();
        assert!(error("my tool!").ends_with("how about `my-tool`?"));
        assert!(error("../evil").ends_with("how about `evil`?"));
        assert!(error("größe").contains("gr-e"));
        assert!(error("日本").ends_with("how about `my-tool`?"));
        assert!(error("1st").contains("begins with a letter"));
        assert!(error("-x").contains("begins with a letter"));
        assert!(error("match").ends_with("how about `match-tool`?"));
        assert!(error("").contains("1 to 64"));
        assert!(error(&"x".repeat(65)).contains("1 to 64"));
    }
}
