//! Words as a search compares them: lower case, without their English endings,
//! and with `snake_case` and `camelCase` taken apart.

use bm25::Tokenizer;
use rust_stemmers::{Algorithm, Stemmer};

/// Splits text into words.
pub(crate) struct Words(Stemmer);

impl Default for Words {
    fn default() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }
}

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for run in text.split(|letter: char| !letter.is_alphanumeric()) {
            for word in humps(run) {
                words.push(self.0.stem(&word.to_lowercase()).into_owned());
            }
        }
        words
    }
}

/// The words of `camelCase`. A run of capitals is one word: `parseJSONFile` has
/// three.
fn humps(run: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = run.char_indices().collect();
    let mut starts = vec![0];
    for window in 1..letters.len() {
        let (index, letter) = letters[window];
        let before = letters[window - 1].1;
        let after = letters.get(window + 1).map(|(_, letter)| *letter);
        let begins = letter.is_uppercase()
            && (before.is_lowercase()
                || (before.is_uppercase() && after.is_some_and(char::is_lowercase)));
        if begins {
            starts.push(index);
        }
    }
    starts.push(run.len());
    starts
        .windows(2)
        .map(|pair| &run[pair[0]..pair[1]])
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_apart_into_words_and_endings_do_not_matter() {
        let words = |text: &str| Words::default().tokenize(text);
        assert_eq!(words("read_file"), ["read", "file"]);
        assert_eq!(words("parseJSONFiles, v2!"), ["pars", "json", "file", "v2"]);
        assert_eq!(words("Größe"), ["größe"]);
        assert_eq!(words("charts"), words("Chart"));
        assert!(words(" -_/ ").is_empty());
    }
}
