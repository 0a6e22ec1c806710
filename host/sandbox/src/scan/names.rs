//! The names of what a plugin imports and exports, so that one for another host
//! is refused by name.

use toolhost_tool::truncate_chars;

use crate::CONTRACT_VERSION;
use crate::capability::sockets;
use crate::error::LoadError;

/// The contract's interfaces, without their version.
const TOOLS: &str = "toolhost:plugin/tools";
const CONTRACT: &str = "toolhost:plugin/";

/// Everything the host offers, in the form `package:name/`; the linker has the
/// exact interfaces.
const OFFERED: [&str; 12] = [
    "toolhost:plugin/calls",
    "toolhost:plugin/run",
    "toolhost:plugin/secrets",
    "toolhost:plugin/types",
    "wasi:cli/",
    "wasi:clocks/",
    "wasi:config/",
    "wasi:filesystem/",
    "wasi:http/",
    "wasi:io/",
    "wasi:keyvalue/",
    "wasi:random/",
];

/// Refuses what this host does not have.
pub(super) fn check_import(name: &str) -> Result<(), LoadError> {
    let (interface, version) = split_version(name).unwrap_or((name, ""));
    if interface.starts_with(CONTRACT) {
        check_version(version)?;
    }
    let wasi_version = !interface.starts_with("wasi:") || version.starts_with("0.2.");
    let offered = OFFERED
        .iter()
        .chain([&sockets::PACKAGE])
        .any(|prefix| interface.starts_with(prefix));
    if offered && wasi_version {
        return Ok(());
    }
    Err(LoadError::Import(truncate_chars(name.to_owned(), 200)))
}

/// Tells whether `name` is the interface of the tools.
pub(super) fn check_export(name: &str) -> Result<bool, LoadError> {
    let Some((interface, version)) = split_version(name) else {
        return Ok(false);
    };
    if interface.starts_with(CONTRACT) {
        check_version(version)?;
    }
    Ok(interface == TOOLS)
}

/// A plugin of the same minor version fits: within it the contract only grows.
fn check_version(found: &str) -> Result<(), LoadError> {
    let minor = |version: &str| version.rsplit_once('.').map(|(minor, _)| minor.to_owned());
    if minor(found) == minor(CONTRACT_VERSION) {
        return Ok(());
    }
    Err(LoadError::ContractVersion {
        found: truncate_chars(found.to_owned(), 50),
    })
}

fn split_version(name: &str) -> Option<(&str, &str)> {
    name.split_once('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_wasi_and_of_the_contract_pass() {
        for name in [
            "toolhost:plugin/run@0.1.0",
            "toolhost:plugin/run@0.1.7",
            "wasi:io/poll@0.2.0",
            "wasi:cli/stdout@0.2.12",
            "wasi:sockets/tcp@0.2.0",
        ] {
            assert!(check_import(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn an_import_of_another_host_is_refused_by_name() {
        for name in [
            "acme:custom/thing@1.0.0",
            "wasi:io/poll@0.3.0",
            "plain",
            "wasi:nn/x@0.2.0",
        ] {
            let error = check_import(name).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn another_version_of_the_contract_is_refused_by_number() {
        let error = check_import("toolhost:plugin/run@0.2.0").unwrap_err();
        assert!(error.to_string().contains("0.2.0") && error.to_string().contains("0.1.0"));
    }
}
