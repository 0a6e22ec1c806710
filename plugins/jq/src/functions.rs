//! Which functions a filter can call, and what was probably meant when it
//! calls one that does not exist.

use std::sync::LazyLock;

use jaq_core::load::parse::Def;
use jaq_core::native::Fun;

use crate::filter::Run;

/// Native functions that are withheld: the model writes the filter, and what
/// the operator put into the environment is not meant for its eyes.
const WITHHELD: &[&str] = &["env"];

/// Functions written in jq itself.
pub(crate) fn definitions() -> impl Iterator<Item = Def<&'static str>> {
    let own = jaq_core::load::parse(include_str!("prelude.jq"), |parser| parser.defs());
    jaq_core::defs()
        .chain(jaq_std::defs())
        .chain(jaq_json::defs())
        .chain(own.unwrap_or_default())
}

/// Functions written in Rust.
pub(crate) fn natives() -> impl Iterator<Item = Fun<Run>> {
    let inputs = jaq_std::input::funs::<Run>().into_vec().into_iter();
    let inputs = inputs.map(jaq_core::native::run::<Run>);
    jaq_core::funs()
        .chain(jaq_std::funs())
        .chain(jaq_json::funs())
        .chain(inputs)
        .filter(|(name, _, _)| !WITHHELD.contains(name))
}

/// Name and number of arguments of everything a filter can call.
static SIGNATURES: LazyLock<Vec<(&'static str, usize)>> = LazyLock::new(|| {
    let mut all: Vec<_> = definitions()
        .map(|definition| (definition.name, definition.args.len()))
        .chain(natives().map(|(name, arguments, _)| (name, arguments.len())))
        .filter(|(name, _)| !is_internal(name))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
});

/// Helpers of the standard library, which nobody means to call.
fn is_internal(name: &str) -> bool {
    let suffixes = [
        "_empty",
        "_or_empty",
        "_of_match",
        "_value",
        "_values",
        "_only",
        "_",
    ];
    let kept = ["map_values"];
    !kept.contains(&name) && suffixes.iter().any(|suffix| name.ends_with(suffix))
}

/// What to tell someone who called `name` with `arity` arguments in vain, and
/// the names that were probably meant.
pub(crate) fn advice(name: &str, arity: usize) -> (String, Vec<String>) {
    if WITHHELD.contains(&name) || name == "input_filename" {
        return (
            "this tool has none; pass values in `args` and use them as `$name`".into(),
            vec![],
        );
    }
    let arities: Vec<_> = SIGNATURES
        .iter()
        .filter(|(known, _)| *known == name)
        .collect();
    if !arities.is_empty() {
        let forms: Vec<_> = arities
            .iter()
            .map(|(name, arity)| form(name, *arity))
            .collect();
        return (format!("it is called as {}", listed(&forms)), forms);
    }
    let mut near: Vec<_> = SIGNATURES
        .iter()
        .map(|(known, known_arity)| {
            let similar = strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
            let bonus = if *known_arity == arity { 0.02 } else { 0.0 };
            (similar + bonus, *known, *known_arity)
        })
        .filter(|(score, ..)| *score > 0.84)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.dedup_by_key(|(_, name, _)| *name);
    let forms: Vec<_> = near
        .iter()
        .take(3)
        .map(|(_, name, arity)| form(name, *arity))
        .collect();
    if forms.is_empty() {
        return (
            format!("define it first (`def {name}: …;`) or, for a field, write `.{name}`"),
            forms,
        );
    }
    (format!("did you mean {}?", listed(&forms)), forms)
}

/// `name(a; b)`, with as many letters as there are arguments.
fn form(name: &str, arity: usize) -> String {
    let letters: Vec<_> = ('a'..='z').take(arity).map(String::from).collect();
    if letters.is_empty() {
        name.into()
    } else {
        format!("{name}({})", letters.join("; "))
    }
}

fn listed(forms: &[String]) -> String {
    let quoted: Vec<_> = forms.iter().map(|form| format!("`{form}`")).collect();
    quoted.join(" or ")
}

/// Names of `candidates` that look like `name`, best first.
pub(crate) fn similar<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .map(|candidate| (strsim::jaro_winkler(candidate, name), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prelude_is_a_jq_program() {
        let own = jaq_core::load::parse(include_str!("prelude.jq"), |parser| parser.defs());
        assert!(own.is_some_and(|definitions| definitions.len() > 8));
    }

    #[test]
    fn a_typo_finds_the_function() {
        assert_eq!(advice("lenght", 0).1[0], "length");
        assert_eq!(advice("mapp", 1).1[0], "map(a)");
        assert_eq!(advice("groupby", 1).1[0], "group_by(a)");
    }

    #[test]
    fn the_wrong_number_of_arguments_is_explained() {
        let (text, _) = advice("map", 0);
        assert_eq!(text, "it is called as `map(a)`");
    }

    #[test]
    fn the_environment_is_withheld() {
        assert!(natives().all(|(name, _, _)| name != "env"));
        assert!(advice("env", 0).0.contains("`args`"));
    }
}
