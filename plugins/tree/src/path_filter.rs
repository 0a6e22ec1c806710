//! The include and exclude globs of a call. They narrow what the ignore files
//! leave and never bring an ignored file back.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use toolhost_sdk::ToolError;

/// Most globs a call may give; each one costs time for every file.
const MAX_GLOBS: usize = 100;

/// Longest glob, in bytes.
const MAX_GLOB_BYTES: usize = 1000;

/// Tells which files a call wants.
#[derive(Debug, Clone)]
pub struct PathFilter {
    include: Option<Gitignore>,
    exclude: Gitignore,
}

impl PathFilter {
    /// Globs as in an ignore file: `*.rs` means files of that name in any
    /// directory, `src/**` those below `src`, `{a,b}` either. An include glob
    /// that begins with `!` excludes. Nothing to include means all files.
    /// `base` is cut off a glob that repeats the searched path.
    ///
    /// # Errors
    /// When a glob cannot be read, or there are too many.
    pub fn new(include: &[String], exclude: &[String], base: &Path) -> Result<Self, ToolError> {
        if include.len() + exclude.len() > MAX_GLOBS {
            let given = include.len() + exclude.len();
            return Err(invalid(format!(
                "at most {MAX_GLOBS} globs are taken, got {given}; use `{{a,b}}` in one glob"
            )));
        }
        let (negated, include): (Vec<&str>, Vec<&str>) = include
            .iter()
            .map(String::as_str)
            .partition(|glob| glob.starts_with('!'));
        let negated = negated.into_iter().map(|glob| &glob[1..]);
        let exclude: Vec<&str> = exclude.iter().map(String::as_str).chain(negated).collect();
        let include = if include.is_empty() {
            None
        } else {
            Some(compile(&include, base)?)
        };
        Ok(Self {
            include,
            exclude: compile(&exclude, base)?,
        })
    }

    /// Whether the file at `path`, relative to the searched path, is wanted.
    #[must_use]
    pub fn wants_file(&self, path: &Path) -> bool {
        let included =
            |globs: &Gitignore| globs.matched_path_or_any_parents(path, false).is_ignore();
        self.include.as_ref().is_none_or(included) && !self.exclude.matched(path, false).is_ignore()
    }

    /// Whether anything in the directory at `path` can be wanted.
    #[must_use]
    pub fn wants_directory(&self, path: &Path) -> bool {
        !self.exclude.matched(path, true).is_ignore()
    }
}

fn compile(globs: &[&str], base: &Path) -> Result<Gitignore, ToolError> {
    // Paths are matched relative to the searched path, so the root is empty.
    let mut builder = GitignoreBuilder::new("");
    for glob in globs {
        if glob.len() > MAX_GLOB_BYTES {
            return Err(invalid(format!(
                "a glob may have {MAX_GLOB_BYTES} bytes, got {}",
                glob.len()
            )));
        }
        let short = base.to_str().and_then(|base| glob.strip_prefix(base));
        let glob = short.filter(|rest| rest.starts_with('/')).unwrap_or(glob);
        // In an ignore file `#` begins a comment; here it is part of a name.
        let line = if glob.starts_with('#') {
            format!("\\{glob}")
        } else {
            (*glob).to_owned()
        };
        builder.add_line(None, &line).map_err(|error| {
            invalid(format!(
                "{error}; an example that works is `src/**/*.{{rs,toml}}`"
            ))
        })?;
    }
    builder.build().map_err(|error| invalid(error.to_string()))
}

fn invalid(message: String) -> ToolError {
    ToolError::new("InvalidGlobError", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(include: &[&str], exclude: &[&str]) -> PathFilter {
        let own = |globs: &[&str]| {
            globs
                .iter()
                .map(|&glob| glob.to_owned())
                .collect::<Vec<_>>()
        };
        PathFilter::new(&own(include), &own(exclude), Path::new("/repo")).unwrap()
    }

    #[test]
    fn includes_by_name_by_path_and_by_alternatives() {
        let cases = [
            ("*.rs", "src/deep/main.rs", true),
            ("*.rs", "src/main.toml", false),
            ("src/*.rs", "src/main.rs", true),
            ("src/*.rs", "src/deep/main.rs", false),
            ("src/**/*.rs", "src/deep/main.rs", true),
            ("*.{rs,toml}", "a/Cargo.toml", true),
            ("src", "src/deep/main.rs", true),
            ("/repo/src/*.rs", "src/main.rs", true),
            ("#notes.md", "#notes.md", true),
        ];
        for (glob, path, wanted) in cases {
            assert_eq!(
                filter(&[glob], &[]).wants_file(Path::new(path)),
                wanted,
                "{glob} {path}"
            );
        }
    }

    #[test]
    fn exclude_wins_and_an_exclamation_mark_excludes() {
        for filter in [
            filter(&["*.rs"], &["*_test.rs"]),
            filter(&["*.rs", "!*_test.rs"], &[]),
        ] {
            assert!(filter.wants_file(Path::new("a.rs")));
            assert!(!filter.wants_file(Path::new("a_test.rs")));
        }
    }

    #[test]
    fn an_excluded_directory_is_not_entered() {
        let filter = filter(&[], &["target/"]);
        assert!(!filter.wants_directory(Path::new("a/target")));
        assert!(filter.wants_directory(Path::new("a/targets")));
    }

    #[test]
    fn a_broken_glob_is_named() {
        let failure = PathFilter::new(&["a{b".to_owned()], &[], Path::new("/repo")).unwrap_err();
        assert!(failure.message.contains("a{b"), "{failure}");
    }
}
