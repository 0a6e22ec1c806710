//! The manifest of a plugin: what it is, and the most it may ever be granted.
//!
//! Everything comes from `Cargo.toml`: the facts from `[package]`, the wants from
//! `[package.metadata.toolhost.wants]`. The host reads it from a custom section
//! of the component, without running any code of the plugin.

mod json;
mod wants;

use std::{env, fs};

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use toml::de::{DeTable, DeValue};

use self::json::Object;
use self::wants::Wants;
use crate::names::nearest;

/// The most bytes that the host reads.
const MAX_BYTES: usize = 64 * 1024;

/// What `[package.metadata.toolhost]` may hold.
const KEYS: [&str; 2] = ["name", "wants"];

/// Something wrong in `Cargo.toml`: where, as a byte offset, and what.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    at: usize,
    message: String,
}

impl Problem {
    fn new(at: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { at, message }
    }

    /// A sentence with the line in front.
    fn sentence(&self, text: &str) -> String {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        format!("plugin! reads Cargo.toml, line {line}: {}", self.message)
    }
}

/// What `[package]` says, with what it inherits from a workspace.
struct Package {
    name: String,
    facts: [(&'static str, String); 4],
}

impl Package {
    /// Cargo tells it to whatever it compiles, and compiles again when it changes.
    fn of_cargo() -> Self {
        let fact = |name| env::var(name).unwrap_or_default();
        Self {
            name: fact("CARGO_PKG_NAME"),
            facts: [
                ("version", fact("CARGO_PKG_VERSION")),
                ("license", fact("CARGO_PKG_LICENSE")),
                ("source", fact("CARGO_PKG_REPOSITORY")),
                ("description", fact("CARGO_PKG_DESCRIPTION")),
            ],
        }
    }
}

/// The code that puts the manifest into the component, or what is wrong with it.
pub(crate) fn expand() -> Result<TokenStream, Vec<String>> {
    let Ok(folder) = env::var("CARGO_MANIFEST_DIR") else {
        let sentence = "plugin! reads the manifest from Cargo.toml; build with cargo";
        return Err(vec![sentence.into()]);
    };
    let path = std::path::Path::new(&folder).join("Cargo.toml");
    let text = fs::read_to_string(&path)
        .map_err(|error| vec![format!("plugin! cannot read Cargo.toml: {error}")])?;
    let manifest = manifest(&Package::of_cargo(), &text).map_err(|problems| {
        let sentences = problems.iter().map(|problem| problem.sentence(&text));
        sentences.collect::<Vec<_>>()
    })?;
    Ok(section(&manifest))
}

fn section(manifest: &str) -> TokenStream {
    let length = manifest.len();
    let bytes = Literal::byte_string(manifest.as_bytes());
    quote! {
        // Cargo compiles anew when a file changes that was included; nothing of
        // it ends up in the component.
        const _: &str = ::core::include_str!(::core::concat!(
            ::core::env!("CARGO_MANIFEST_DIR"),
            "/Cargo.toml"
        ));

        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code, reason = "a section of its own is called unsafe")]
        const _: () = {
            #[used]
            #[unsafe(link_section = "toolhost:manifest")]
            static MANIFEST: [u8; #length] = *#bytes;
        };
    }
}

/// The manifest as JSON.
fn manifest(package: &Package, text: &str) -> Result<String, Vec<Problem>> {
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        vec![Problem::new(at, error.message())]
    })?;
    let mut problems = Vec::new();
    let mut name = package.name.clone();
    let mut wants = Wants::default();
    let metadata = inner(document.get_ref(), &["package", "metadata", "toolhost"]);
    for (key, value) in metadata.into_iter().flatten() {
        let at = key.span().start;
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("name", DeValue::String(own)) if !own.trim().is_empty() => name = own.to_string(),
            ("name", _) => problems.push(Problem::new(at, "`name` is a text, such as \"github\"")),
            ("wants", DeValue::Table(table)) => wants = Wants::read(table, &mut problems),
            ("wants", _) => problems.push(Problem::new(at, "`wants` is a table")),
            (other, _) => problems.push(Problem::new(at, unknown(other, &KEYS))),
        }
    }
    let mut json = Object::default();
    json.text("name", &name);
    let facts = package.facts.iter().filter(|(_, fact)| !fact.is_empty());
    facts.for_each(|(key, fact)| json.text(key, fact));
    json.raw("wants", &wants.to_json());
    let json = json.finish();
    if json.len() > MAX_BYTES {
        let message = format!("a manifest has at most {MAX_BYTES} bytes; say less");
        problems.push(Problem::new(0, message));
    }
    if problems.is_empty() {
        Ok(json)
    } else {
        Err(problems)
    }
}

/// The table at the end of `path`, if there is one.
fn inner<'a, 'i>(table: &'a DeTable<'i>, path: &[&str]) -> Option<&'a DeTable<'i>> {
    let Some((first, rest)) = path.split_first() else {
        return Some(table);
    };
    let (_, value) = table.iter().find(|(key, _)| key.get_ref() == first)?;
    match value.get_ref() {
        DeValue::Table(table) => inner(table, rest),
        _ => None,
    }
}

/// A sentence about a key that nobody reads.
fn unknown(key: &str, known: &[&str]) -> String {
    if let Some(nearest) = nearest(key, known) {
        return format!("`{key}` is not known here; did you mean `{nearest}`?");
    }
    let known = known.join("`, `");
    format!("`{key}` is not known here; there are `{known}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Package {
        Package {
            name: "toolhost-plugin-maps".into(),
            facts: [
                ("version", "0.1.0".into()),
                ("license", String::new()),
                ("source", "https://example.com/maps".into()),
                ("description", "Draws \"maps\"\u{1}".into()),
            ],
        }
    }

    fn said(text: &str) -> Vec<String> {
        let problems = manifest(&package(), text).unwrap_err();
        let sentences = problems.iter().map(|problem| problem.sentence(text));
        sentences.collect()
    }

    #[test]
    fn a_plugin_that_says_nothing_wants_nothing() {
        let written = manifest(&package(), "[package]\nname = \"x\"\n").unwrap();
        let expected = concat!(
            r#"{"name":"toolhost-plugin-maps","version":"0.1.0","source":"https://example.com/maps","#,
            r#""description":"Draws \"maps\"\u0001","wants":{}}"#
        );
        assert_eq!(written, expected);
    }

    #[test]
    fn it_may_have_a_shorter_name() {
        let written = manifest(&package(), "[package.metadata.toolhost]\nname = \"maps\"").unwrap();
        assert!(written.starts_with(r#"{"name":"maps","#), "{written}");
    }

    #[test]
    fn every_mistake_is_told_with_its_line() {
        let text = "[package]\n\n[package.metadata.toolhost]\nwant = {}\nname = 7\n";
        let expected = [
            "plugin! reads Cargo.toml, line 5: `name` is a text, such as \"github\"",
            "plugin! reads Cargo.toml, line 4: `want` is not known here; did you mean `wants`?",
        ];
        assert_eq!(said(text), expected);
        let broken = said("[package]\nname = \n");
        assert!(broken[0].starts_with("plugin! reads Cargo.toml, line 2: "));
    }

    #[test]
    fn a_manifest_has_an_end() {
        let why = format!("why = \"{}\"", "x".repeat(500));
        let names: Vec<_> = (0..64)
            .map(|number| format!("{{ name = \"A{number}\", {why} }}"))
            .collect();
        let names = names.join(",");
        let text =
            format!("[package.metadata.toolhost.wants]\nenv = [{names}]\nsecrets = [{names}]\n");
        assert!(said(&text)[0].contains("at most 65536 bytes"));
    }
}
