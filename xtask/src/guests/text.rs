//! Components written by hand, in the text form of WebAssembly.
//!
//! A file that starts with `;; template: NAME` holds only the part that is its
//! own. It goes into `NAME.template` of the same folder, in the place of the line
//! [`PLACE`], so that the long types of the contract are written once.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::files;

use super::Component;

/// The line of a template that is replaced.
const PLACE: &str = ";; the guest";

/// How the first line of a file that has a template begins.
const TEMPLATE: &str = ";; template: ";

/// The text files of a folder, which need not exist.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = files::list(folder)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "wat"));
    Ok(paths)
}

/// The name of the component that the file becomes.
pub(crate) fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Turns the text into a binary.
///
/// It is checked for its grammar only: a guest may well be meant to be refused.
pub(crate) fn assemble(path: &Path) -> Result<Component> {
    let text = files::read_text(path)?;
    let whole = match text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(TEMPLATE))
    {
        Some(template) => {
            let template = path
                .with_file_name(template.trim())
                .with_extension("template");
            fill(&files::read_text(&template)?, &text)
                .with_context(|| format!("`{}` is no template", template.display()))?
        }
        None => text,
    };
    let bytes = wat::Parser::new()
        .parse_str(Some(path), &whole)
        .context("a guest cannot be assembled")?;
    Ok(Component {
        name: name(path),
        bytes,
    })
}

/// Puts a text into its place in a template.
fn fill(template: &str, text: &str) -> Result<String> {
    let mut lines: Vec<&str> = template.lines().collect();
    let mut places = lines.iter_mut().filter(|line| line.trim() == PLACE);
    match (places.next(), places.next()) {
        (Some(place), None) => *place = text,
        _ => bail!("it must have the line `{PLACE}` exactly once"),
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_component_of_its_name() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-wat-{}", std::process::id()));
        files::create_folder(&folder)?;
        files::write(&folder.join("start_loops.wat"), "(component)")?;
        files::write(&folder.join("README.md"), "")?;
        let paths = list(&folder)?;
        assert_eq!(paths.len(), 1);
        let component = assemble(&paths[0])?;
        assert_eq!(component.name, "start_loops");
        assert_eq!(component.bytes, b"\0asm\x0d\0\x01\0");
        files::remove_folder(&folder)
    }

    #[test]
    fn a_text_goes_into_its_template() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-template-{}", std::process::id()));
        files::create_folder(&folder)?;
        files::write(
            &folder.join("plugin.template"),
            "(component\n  ;; the guest\n)",
        )?;
        let guest = folder.join("empty.wat");
        files::write(&guest, ";; template: plugin\n(core module)")?;
        let own = wat::parse_str("(component (core module))")?;
        assert_eq!(assemble(&guest)?.bytes, own);
        files::remove_folder(&folder)
    }

    #[test]
    fn a_template_has_one_place() {
        assert!(fill("(component)", "x").is_err());
        assert!(fill(";; the guest\n;; the guest", "x").is_err());
    }

    #[test]
    fn a_mistake_is_shown_with_its_place() -> Result<()> {
        let file = std::env::temp_dir().join(format!("xtask-bad-{}.wat", std::process::id()));
        files::write(&file, "(component\n  (instanse))")?;
        let Err(error) = assemble(&file) else {
            panic!("`instanse` was accepted");
        };
        let text = format!("{error:#}");
        assert!(text.contains(":2:"), "{text}");
        std::fs::remove_file(&file)?;
        Ok(())
    }
}
