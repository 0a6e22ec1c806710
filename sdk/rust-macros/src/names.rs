//! The names that macros make from a function's.

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

/// `hello_world` → `HelloWorldTool`, the type that stands for the tool.
pub(crate) fn tool_type(function: &Ident) -> Ident {
    format_ident!("{}Tool", camel(function), span = function.span())
}

/// `hello_world` → `HelloWorldArgs`, the struct of its arguments.
pub(crate) fn args_type(function: &Ident) -> Ident {
    format_ident!("{}Args", camel(function), span = function.span())
}

/// The macro that tells `plugin!` whether the tool has hooks.
pub(crate) fn chooser(function: &Ident) -> Ident {
    format_ident!(
        "__toolhost_tool_{}",
        function.unraw(),
        span = function.span()
    )
}

fn camel(function: &Ident) -> String {
    let mut name = String::new();
    for word in function.unraw().to_string().split('_') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// The word of `known` that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let scored = known.iter().map(|known| (distance(word, known), *known));
    let (distance, nearest) = scored.min()?;
    (distance <= 1 + word.len() / 4).then_some(nearest)
}

/// How many letters have to be added, removed or changed.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, letter) in left.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (at, other) in right.bytes().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(row[at + 1] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_after_the_function() {
        assert_eq!(tool_type(&format_ident!("read_2_files")), "Read2FilesTool");
        assert_eq!(args_type(&format_ident!("r#type")), "TypeArgs");
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_word() {
        let known = ["name", "title", "read_only"];
        assert_eq!(nearest("readonly", &known), Some("read_only"));
        assert_eq!(nearest("nmae", &known), Some("name"));
        assert_eq!(nearest("colour", &known), None);
    }
}
