//! Every plugin of ours says what it wants, as any plugin should.

use anyhow::{Result, bail};

use super::Component;

/// The name of the section that holds a manifest, as it stands in a component:
/// behind its own length.
const SECTION: &[u8] = b"\x11toolhost:manifest";

/// Makes sure that each component has a manifest.
pub(super) fn check(components: &[Component]) -> Result<()> {
    let without = components.iter().find(|one| !has_manifest(&one.bytes));
    if let Some(Component { name, .. }) = without {
        bail!(
            "the plugin `{name}` has no manifest: `toolhost_sdk::plugin!` writes one from \
             `[package.metadata.toolhost.wants]` in its `Cargo.toml`"
        );
    }
    Ok(())
}

/// Whether the bytes have the section. What is in it is for the host to judge.
fn has_manifest(component: &[u8]) -> bool {
    let mut windows = component.windows(SECTION.len());
    windows.any(|window| window == SECTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(bytes: &[u8]) -> [Component; 1] {
        let name = "maps".into();
        let bytes = bytes.to_vec();
        [Component { name, bytes }]
    }

    #[test]
    fn a_plugin_without_a_manifest_is_told_how_to_get_one() {
        let error = check(&component(b"\0asm")).unwrap_err().to_string();
        assert!(error.starts_with("the plugin `maps` has no manifest"));
        let with = [b"\0asm\0\x14".as_slice(), SECTION, b"{}"].concat();
        assert!(check(&component(&with)).is_ok());
    }
}
