//! Names of columns: made unique, and found again although misspelt.

use crate::failure::{Failure, FailureKind, excerpt};

/// How many names an error lists.
const MAX_LISTED: usize = 30;
/// How many names are suggested.
const MAX_SUGGESTED: usize = 3;

/// `name`, or `name_2`, `name_3` … when it is taken.
pub(crate) fn unused(name: String, taken: &[String]) -> String {
    if !taken.contains(&name) {
        return name;
    }
    let mut at = 2;
    loop {
        let candidate = format!("{name}_{at}");
        if !taken.contains(&candidate) {
            return candidate;
        }
        at += 1;
    }
}

/// The index of `name` in `names`: as it is, or in other letters when only one
/// fits.
///
/// # Errors
/// Suggests similar names and lists what there is.
pub(crate) fn find(name: &str, names: &[String]) -> Result<usize, Failure> {
    if let Some(at) = names.iter().position(|known| known == name) {
        return Ok(at);
    }
    let folded = |known: &String| known.to_lowercase() == name.trim().to_lowercase();
    let mut alike = names.iter().enumerate().filter(|(_, known)| folded(known));
    if let (Some((at, _)), None) = (alike.next(), alike.next()) {
        return Ok(at);
    }
    let suggestions = similar(name, names);
    let guess = if suggestions.is_empty() {
        String::new()
    } else {
        format!(" did you mean {}?", quoted(&suggestions))
    };
    let listed = quoted(&names[..names.len().min(MAX_LISTED)]);
    let more = if names.len() > MAX_LISTED {
        ", …"
    } else {
        ""
    };
    let message = format!(
        "no column `{}`:{guess} there are {listed}{more}",
        excerpt(name)
    );
    Err(Failure {
        suggestions,
        ..Failure::new(FailureKind::Column, message)
    })
}

/// Names that look like `name`, best first.
fn similar(name: &str, names: &[String]) -> Vec<String> {
    let name = name.to_lowercase();
    let score = |known: &String| strsim::jaro_winkler(&known.to_lowercase(), &name);
    let mut near: Vec<_> = names.iter().map(|known| (score(known), known)).collect();
    near.retain(|(score, _)| *score > 0.8);
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter()
        .take(MAX_SUGGESTED)
        .map(|(_, name)| name.clone())
        .collect()
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<_> = names
        .iter()
        .map(|name| format!("`{}`", excerpt(name)))
        .collect();
    quoted.join(", ")
}
