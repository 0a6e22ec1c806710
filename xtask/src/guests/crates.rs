//! Components written in Rust: one crate, one component.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::repository::{Repository, Workspace};
use crate::{files, process, target};

use super::{Component, artifact};

/// A crate of a guest workspace.
pub(crate) struct Crate {
    /// The folder it lies in, which names the component.
    pub(crate) folder: String,
    /// The name that cargo knows it by.
    package: String,
}

/// The workspace's crates that are components.
pub(crate) fn list(repository: &Repository, workspace: Workspace) -> Result<Vec<Crate>> {
    Ok(parse(&repository.metadata(workspace)?))
}

/// Reads the crates from cargo's metadata. One without a `cdylib`, such as a
/// library that several guests share, is no component.
fn parse(metadata: &Value) -> Vec<Crate> {
    let packages = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let is_component = |package: &&Value| {
        let targets = package["targets"].as_array();
        targets.is_some_and(|targets| targets.iter().any(artifact::is_component))
    };
    packages
        .iter()
        .filter(is_component)
        .filter_map(|package| {
            Some(Crate {
                folder: artifact::folder_name(package)?,
                package: package["name"].as_str()?.to_owned(),
            })
        })
        .collect()
}

/// Compiles the crates and reads the components.
pub(crate) fn build(
    repository: &Repository,
    workspace: Workspace,
    crates: &[Crate],
    locked: bool,
) -> Result<Vec<Component>> {
    if crates.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = repository.cargo(workspace, "build");
    command.args(["--release", "--target", target::TRIPLE]);
    for one in crates {
        command.args(["--package", &one.package]);
    }
    if locked {
        command.arg("--locked");
    }
    eprintln!("$ {}", process::shell_line(&command));
    // Errors still come as text, on stderr; stdout tells where the files are.
    command.arg("--message-format=json-render-diagnostics");
    let mut cargo = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| process::cannot_start(&command))?;
    let stdout = cargo.stdout.take().context("cargo has no stdout")?;
    let mut components = Vec::new();
    for line in BufReader::new(stdout).lines() {
        if let Some((name, path)) = artifact::parse(&line?) {
            let bytes = files::read(Path::new(&path))?;
            components.push(Component { name, bytes });
        }
    }
    let status = cargo.wait()?;
    if !status.success() {
        bail!(process::failed(&command, status));
    }
    components.retain(|component| crates.iter().any(|one| one.folder == component.name));
    if let Some(lost) = crates.iter().find(|one| {
        components
            .iter()
            .all(|component| component.name != one.folder)
    }) {
        bail!("cargo built `{}` without naming a component", lost.package);
    }
    components.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_library_is_no_component() {
        let metadata = serde_json::json!({ "packages": [
            {
                "name": "toolhost-plugin-jq",
                "manifest_path": "/clone/plugins/jq/Cargo.toml",
                "targets": [{ "kind": ["cdylib", "rlib"] }, { "kind": ["test"] }],
            },
            {
                "name": "shared",
                "manifest_path": "/clone/plugins/shared/Cargo.toml",
                "targets": [{ "kind": ["lib"] }],
            },
        ]});
        let crates = parse(&metadata);
        assert_eq!(crates.len(), 1);
        assert_eq!(crates[0].folder, "jq");
        assert_eq!(crates[0].package, "toolhost-plugin-jq");
    }

    #[test]
    fn an_empty_workspace_has_no_crates() {
        assert!(parse(&serde_json::json!({ "packages": [] })).is_empty());
    }
}
