//! Finding a plugin's manifest in its bytes, before anything of it is compiled or run.
//!
//! The section may stand at the top, or in a module or component inside: which of them
//! depends on the tool that builds the plugin, and the same one may come to stand in
//! several places. Two that differ are refused: one reader would see this ceiling and
//! another that one.

use toolhost_policy::{MANIFEST_SECTION, Manifest, ManifestError};
use toolhost_tool::truncate_chars;
use wasmparser::{Parser, Payload};

use crate::error::LoadError;

/// The manifest of a plugin, if it has one.
pub(crate) fn find(bytes: &[u8]) -> Result<Option<Manifest>, LoadError> {
    let mut found: Option<&[u8]> = None;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|error| {
            LoadError::Malformed(truncate_chars(error.to_string(), MAX_MESSAGE_CHARS))
        })?;
        let Payload::CustomSection(section) = payload else {
            continue;
        };
        if section.name() != MANIFEST_SECTION {
            continue;
        }
        match found {
            Some(other) if other != section.data() => {
                return Err(LoadError::Manifest(ManifestError::Two));
            }
            _ => found = Some(section.data()),
        }
    }
    found
        .map(Manifest::parse)
        .transpose()
        .map_err(LoadError::Manifest)
}

/// Longest message of the parser.
const MAX_MESSAGE_CHARS: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &[u8] = br#"{"name": "x", "version": "1"}"#;

    /// A custom section: id 0, its size, the name with its length, the data.
    fn section(name: &str, data: &[u8]) -> Vec<u8> {
        let mut body = vec![u8::try_from(name.len()).unwrap()];
        body.extend(name.as_bytes());
        body.extend(data);
        let size = u8::try_from(body.len()).unwrap();
        assert!(size < 128, "one byte of LEB128");
        [vec![0, size], body].concat()
    }

    fn component(sections: &[Vec<u8>]) -> Vec<u8> {
        [b"\0asm\x0d\0\x01\0".to_vec(), sections.concat()].concat()
    }

    fn module(sections: &[Vec<u8>]) -> Vec<u8> {
        let module = [b"\0asm\x01\0\0\0".to_vec(), sections.concat()].concat();
        [vec![1, u8::try_from(module.len()).unwrap()], module].concat()
    }

    #[test]
    fn a_manifest_is_found_at_the_top_and_inside() {
        let manifest = section(MANIFEST_SECTION, MANIFEST);
        for plugin in [
            component(std::slice::from_ref(&manifest)),
            component(&[module(std::slice::from_ref(&manifest))]),
            component(&[module(std::slice::from_ref(&manifest)), manifest.clone()]),
        ] {
            assert_eq!(find(&plugin).unwrap().unwrap().name, "x");
        }
        let others = component(&[section("name", MANIFEST)]);
        assert!(find(&others).unwrap().is_none());
    }

    #[test]
    fn two_that_differ_are_refused() {
        let one = section(MANIFEST_SECTION, MANIFEST);
        let other = section(MANIFEST_SECTION, br#"{"name": "y", "version": "1"}"#);
        let told = find(&component(&[module(&[one]), other])).unwrap_err();
        assert!(matches!(told, LoadError::Manifest(ManifestError::Two)));
    }

    #[test]
    fn a_manifest_that_cannot_be_used_is_refused() {
        let told = find(&component(&[section(MANIFEST_SECTION, b"{}")])).unwrap_err();
        assert!(matches!(told, LoadError::Manifest(_)), "{told:?}");
        let cut = component(&[section(MANIFEST_SECTION, MANIFEST)]);
        let told = find(&cut[..cut.len() - 3]).unwrap_err();
        assert!(matches!(told, LoadError::Malformed(_)), "{told:?}");
    }
}
