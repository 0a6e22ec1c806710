//! What is said of a key that is not known, in files and in manifests alike.

use toolhost_tool::{reword as plain, suggest};

/// What the reader says, in words for people; of an unknown key, with the key that was
/// probably meant. `other` has words that people use for a key.
pub(crate) fn reword(message: &str, other: &[(&str, &str)]) -> String {
    let message = message.trim_end();
    let Some(rest) = message.strip_prefix("unknown field ") else {
        return plain(message);
    };
    let mut names = rest.split('`').skip(1).step_by(2);
    let unknown = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    let meant = other
        .iter()
        .find(|(word, key)| *word == unknown && known.contains(key))
        .map(|(_, key)| *key);
    let help = match meant.or_else(|| suggest(unknown, known.iter().copied())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => "there are none here".into(),
        None => format!("the keys here are `{}`", known.join("`, `")),
    };
    format!("the key `{unknown}` is not known: {help}")
}
