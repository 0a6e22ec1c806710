//! What a plugin may do is what it asks for and the operator grants, and both can read
//! why. The plugins are guests with a manifest added to their bytes, as an SDK adds it.

mod ceiling;
mod explaining;
mod manifests;
mod pins;
mod settings;

use std::fs;
use std::path::Path;

use toolhost::policy::MANIFEST_SECTION;
use toolhost_tests::guest;
use wasm_encoder::{ComponentSection, CustomSection};

/// Writes the guest `name` with manifests at its end to `FILE` and gives back its path
/// as one types it.
fn with_manifests(name: &str, manifests: &[&[u8]], file: &Path) -> String {
    let mut bytes = fs::read(guest(name)).unwrap();
    for manifest in manifests {
        let section = CustomSection {
            name: MANIFEST_SECTION.into(),
            data: (*manifest).into(),
        };
        section.append_to_component(&mut bytes);
    }
    fs::write(file, bytes).unwrap();
    file.display().to_string()
}

/// The guest `name` with a manifest that wants this.
fn wanting(name: &str, wants: &str, file: &Path) -> String {
    let manifest = format!(r#"{{"name": "{name}", "version": "1.0.0", "wants": {wants}}}"#);
    with_manifests(name, &[manifest.as_bytes()], file)
}
