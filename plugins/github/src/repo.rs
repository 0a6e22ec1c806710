//! The name of a repository, and paths in one.

use toolhost_sdk::ToolError;

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repo {
    /// Who it belongs to.
    pub owner: String,
    /// Its own name.
    pub name: String,
}

impl Repo {
    /// Reads `owner/name`; the URL of a repository does as well.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(text: &str) -> Result<Self, ToolError> {
        let text = text.trim();
        let path = match text.split_once("://") {
            Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
            None => text,
        };
        let path = path.trim_end_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        match path.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => Ok(Self {
                owner: owner.to_owned(),
                name: name.to_owned(),
            }),
            _ => {
                let shown: String = text.chars().take(100).collect();
                let shown = shown.escape_debug();
                Err(wrong(format!(
                    "`{shown}` is no repository: write `owner/name`"
                )))
            }
        }
    }
}

impl std::fmt::Display for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=100).contains(&name.len()) && name.bytes().all(fits) && name != "." && name != ".."
}

/// The parts of a path in a repository; none for its root.
///
/// # Errors
/// When it leads out of the repository.
pub fn parts(path: &str) -> Result<Vec<&str>, ToolError> {
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    if parts.contains(&"..") {
        return Err(wrong(format!(
            "`{path}` has `..` in it: write the path from the root"
        )));
    }
    Ok(parts)
}

fn wrong(message: String) -> ToolError {
    ToolError::new("GitHubArgumentError", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_has_an_owner_and_a_name() {
        for text in [
            "ada/engine",
            "https://github.com/ada/engine.git",
            " ada/engine/ ",
        ] {
            assert_eq!(
                Repo::read(text).unwrap().to_string(),
                "ada/engine",
                "{text}"
            );
        }
        for text in [
            "engine",
            "ada/engine/issues",
            "ada/..",
            "../x",
            "a b/c",
            "ada/",
            "ada/e?x",
            "",
        ] {
            let error = Repo::read(text).unwrap_err();
            assert!(error.message.ends_with("write `owner/name`"), "{text}");
        }
    }

    #[test]
    fn a_path_stays_in_its_repository() {
        assert_eq!(parts("/src//lib.rs").unwrap(), ["src", "lib.rs"]);
        assert!(parts("").unwrap().is_empty() && parts("./").unwrap().is_empty());
        assert!(parts("src/../../x").is_err());
    }
}
