//! Building components: the plugins, and the guests of the integration tests.
//!
//! Each is a crate whose folder gives the component its name. Where a test needs
//! a component that no compiler would write, it is a file of text in
//! `tests/guests/wat` and is only assembled here.

mod artifact;
mod crates;
mod manifest;
mod text;

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::files;
use crate::repository::{Repository, Workspace};
use crate::target;

use self::crates::Crate;

/// What kind of components to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The tools that come with the host.
    Plugins,
    /// The guests of the integration tests.
    Guests,
}

impl Kind {
    /// The cargo workspace of the crates.
    pub(crate) fn workspace(self) -> Workspace {
        match self {
            Self::Plugins => Workspace::Plugins,
            Self::Guests => Workspace::Guests,
        }
    }

    /// The folder below the target folder that receives the components.
    pub(crate) fn output(self, repository: &Repository) -> PathBuf {
        repository.target.join(self.workspace().name())
    }
}

/// A component that has been built.
struct Component {
    name: String,
    bytes: Vec<u8>,
}

/// `cargo xtask plugins` and `cargo xtask guests`.
pub(crate) fn command(repository: &Repository, kind: Kind, names: &[String]) -> Result<()> {
    target::ensure(repository)?;
    build(repository, kind, names, false)
}

/// Builds the named components, or all, and puts them where they belong.
///
/// With `locked`, a lock file that is out of date is an error.
pub(crate) fn build(
    repository: &Repository,
    kind: Kind,
    names: &[String],
    locked: bool,
) -> Result<()> {
    if !repository.has(kind.workspace()) {
        bail!(
            "there is no `{}`: is this clone complete?",
            kind.workspace().manifest()
        );
    }
    let folder = repository.folder(kind.workspace());
    let mut crates = crates::list(repository, kind.workspace())?;
    let mut texts = text::list(&folder.join("wat"))?;
    let available = names_of(&crates, &texts)?;
    if let Some(unknown) = names.iter().find(|name| !available.contains(name)) {
        bail!(
            "there is no `{unknown}` in `{}`, which has: {}",
            repository.shown(&folder),
            available.join(", ")
        );
    }
    if !names.is_empty() {
        crates.retain(|one| names.contains(&one.folder));
        texts.retain(|path| names.contains(&text::name(path)));
    }
    let mut components = crates::build(repository, kind.workspace(), &crates, locked)?;
    for path in &texts {
        components.push(text::assemble(path)?);
    }
    if kind == Kind::Plugins {
        manifest::check(&components)?;
    }
    deliver(repository, kind, &components)
}

/// The names of all components; no two may share one.
fn names_of(crates: &[Crate], texts: &[PathBuf]) -> Result<Vec<String>> {
    let mut names: Vec<String> = crates.iter().map(|one| one.folder.clone()).collect();
    names.extend(texts.iter().map(|path| text::name(path)));
    names.sort();
    let mut neighbours = names.iter().zip(names.iter().skip(1));
    if let Some((name, _)) = neighbours.find(|(one, next)| one == next) {
        bail!("two components are called `{name}`: rename one");
    }
    Ok(names)
}

/// Writes the components that have changed, so that the others keep their time,
/// and says what there is.
fn deliver(repository: &Repository, kind: Kind, components: &[Component]) -> Result<()> {
    let folder = kind.output(repository);
    files::create_folder(&folder)?;
    let mut changed = 0;
    for Component { name, bytes } in components {
        let path = folder.join(name).with_added_extension("wasm");
        if files::write_if_changed(&path, bytes)? {
            changed += 1;
            let size = bytes.len().div_ceil(1024);
            eprintln!("{size:>6} KiB  {}", repository.shown(&path));
        }
    }
    let total = components.len();
    let folder = repository.shown(&folder);
    eprintln!("{total} in `{folder}`, {changed} of them new or changed");
    Ok(())
}
