//! The directories the operator granted, and what a path argument means among
//! them.
//!
//! The sandbox enforces the grants. This module only explains them: a path that
//! is out of reach gets a sentence that names what is in reach and the flag
//! that would grant the rest.

use std::fs;
use std::path::{Component, Path, PathBuf};

use toolhost_sdk::ToolError;

/// How many neighbours an error about a missing path names.
const MAX_NEIGHBOURS: usize = 12;

/// The directories that the plugin can reach, by the names it sees them under.
#[derive(Debug, Clone)]
pub struct Grants(Vec<PathBuf>);

/// Where a search starts: a file or directory, and the granted directory it is
/// in. Ignore files count from the granted directory downwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The granted directory.
    pub grant: PathBuf,
    /// The file or directory to look through.
    pub path: PathBuf,
}

impl Grants {
    /// The directories in `paths`.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(paths.into_iter().map(|path| plain(&path)).collect())
    }

    /// What the host granted to this instance.
    #[cfg(target_os = "wasi")]
    #[must_use]
    pub fn of_host() -> Self {
        let granted = wasip2::filesystem::preopens::get_directories();
        Self::new(granted.into_iter().map(|(_, path)| PathBuf::from(path)))
    }

    /// Outside a sandbox: the current directory.
    #[cfg(not(target_os = "wasi"))]
    #[must_use]
    pub fn of_host() -> Self {
        Self::new(std::env::current_dir())
    }

    /// The granted directories.
    #[must_use]
    pub fn directories(&self) -> &[PathBuf] {
        &self.0
    }

    /// The place that `path` means. A relative path counts from the granted
    /// directory when there is one only. Without a path it is every granted
    /// directory.
    ///
    /// # Errors
    /// When nothing is granted, when the path is outside every grant, or when
    /// there is nothing at the path.
    pub fn places(&self, path: Option<&str>) -> Result<Vec<Place>, ToolError> {
        if self.0.is_empty() {
            return Err(nothing_granted("ro"));
        }
        let Some(path) = path.map(str::trim).filter(|path| !path.is_empty()) else {
            return Ok(self
                .0
                .iter()
                .map(|grant| place(grant, grant.clone()))
                .collect());
        };
        let wanted = plain(Path::new(path));
        let place = self
            .find(&wanted)
            .ok_or_else(|| self.not_granted(path, "ro"))?;
        if fs::symlink_metadata(&place.path).is_err() {
            return Err(missing(&place));
        }
        if fs::metadata(&place.path).is_err() {
            return Err(dangling(path));
        }
        Ok(vec![place])
    }

    /// The one place that `path` names, which has to be there.
    ///
    /// # Errors
    /// As for [`places`](Self::places), and when the path is empty.
    pub fn existing(&self, path: &str) -> Result<Place, ToolError> {
        let mut places = match path.trim() {
            "" => Vec::new(),
            path => self.places(Some(path))?,
        };
        places.pop().ok_or_else(no_path)
    }

    /// The one place that `path` names, whether or not something is there: to
    /// write to it.
    ///
    /// # Errors
    /// When nothing is granted, or the path is empty or outside every grant.
    pub fn target(&self, path: &str) -> Result<Place, ToolError> {
        if self.0.is_empty() {
            return Err(nothing_granted("rw"));
        }
        match path.trim() {
            "" => Err(no_path()),
            path => {
                let place = self.find(&plain(Path::new(path)));
                place.ok_or_else(|| self.not_granted(path, "rw"))
            }
        }
    }

    /// The place of `wanted` below the innermost grant that holds it.
    fn find(&self, wanted: &Path) -> Option<Place> {
        let holder = self.0.iter().filter(|grant| wanted.starts_with(grant));
        if let Some(grant) = holder.max_by_key(|grant| grant.components().count()) {
            return Some(place(grant, wanted.to_path_buf()));
        }
        match self.0.as_slice() {
            [only] if wanted.is_relative() && !climbs(wanted) => {
                Some(place(only, plain(&only.join(wanted))))
            }
            _ => None,
        }
    }

    fn not_granted(&self, path: &str, access: &str) -> ToolError {
        let granted = list(
            self.0
                .iter()
                .map(|grant| grant.to_string_lossy().into_owned()),
        );
        let mount = plain(Path::new(path));
        let mount = if mount.has_root() {
            mount.to_string_lossy()
        } else {
            "GUEST".into()
        };
        ToolError::new(
            "PathNotGrantedError",
            format!(
                "`{path}` is outside the granted directories; use a path in {granted}, or have \
                 the operator grant it with `--dir HOST::{mount}:{access}`"
            ),
        )
    }
}

fn place(grant: &Path, path: PathBuf) -> Place {
    Place {
        grant: grant.to_path_buf(),
        path,
    }
}

fn nothing_granted(access: &str) -> ToolError {
    ToolError::new(
        "NothingGrantedError",
        format!(
            "no directory is granted to this plugin; the operator grants one with \
             `--dir HOST::GUEST:{access}`, for example `--dir .::/repo:{access}`"
        ),
    )
}

fn no_path() -> ToolError {
    ToolError::new(
        "PathNotFoundError",
        "the path is empty: name a file or directory",
    )
}

/// The sandbox does not follow a link out of a granted directory.
fn dangling(path: &str) -> ToolError {
    ToolError::new(
        "PathNotFoundError",
        format!(
            "`{path}` is a link to something that does not exist or is not granted; use the path \
             it leads to, if that is granted"
        ),
    )
}

/// Says what is there instead, so that the next call can be right.
fn missing(place: &Place) -> ToolError {
    let path = place.path.to_string_lossy();
    let nearest = place
        .path
        .ancestors()
        .skip(1)
        .find(|parent| parent.is_dir());
    let parent = nearest
        .filter(|parent| parent.starts_with(&place.grant))
        .unwrap_or(&place.grant);
    let mut names: Vec<String> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .take(1000)
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let more = names.len().saturating_sub(MAX_NEIGHBOURS);
    names.truncate(MAX_NEIGHBOURS);
    let parent = parent.to_string_lossy();
    let there = match (names.is_empty(), more) {
        (true, _) => format!("`{parent}` is empty or cannot be read"),
        (_, 0) => format!("`{parent}` holds {}", list(names)),
        (_, more) => format!("`{parent}` holds {} and {more} more", list(names)),
    };
    ToolError::new(
        "PathNotFoundError",
        format!("no file or directory `{path}`; {there}"),
    )
}

fn list(names: impl IntoIterator<Item = String>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// `path` without `.` and with `..` taken back where it can be.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            Component::ParentDir if out.has_root() => {}
            other => out.push(other),
        }
    }
    if out.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        out
    }
}

fn climbs(path: &Path) -> bool {
    path.components().next() == Some(Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(names: &[&str]) -> Grants {
        Grants::new(names.iter().map(PathBuf::from))
    }

    #[test]
    fn without_a_grant_the_error_says_how_to_give_one() {
        let failure = granted(&[]).places(Some("/repo")).unwrap_err();
        assert_eq!(failure.name, "NothingGrantedError");
        assert!(failure.message.contains("--dir .::/repo:ro"), "{failure}");
    }

    #[test]
    fn a_path_outside_names_the_grants_and_the_flag() {
        let failure = granted(&["/repo", "/data"])
            .places(Some("/etc/passwd"))
            .unwrap_err();
        assert_eq!(failure.name, "PathNotGrantedError");
        assert!(failure.message.contains("`/repo`, `/data`"), "{failure}");
        assert!(
            failure.message.contains("`--dir HOST::/etc/passwd:ro`"),
            "{failure}"
        );
    }

    #[test]
    fn a_place_to_write_need_not_be_there() {
        let grants = granted(&["/repo"]);
        let target = grants.target("/repo/new/file.txt").unwrap();
        assert_eq!(target.path, PathBuf::from("/repo/new/file.txt"));
        assert_eq!(
            grants.target("new.txt").unwrap().path,
            PathBuf::from("/repo/new.txt")
        );
        let failure = grants.target("/out/file.txt").unwrap_err();
        assert!(failure.message.ends_with(":rw`"), "{failure}");
        assert!(
            granted(&[])
                .target("/a")
                .unwrap_err()
                .message
                .contains("--dir .::/repo:rw")
        );
        assert_eq!(grants.target(" ").unwrap_err().name, "PathNotFoundError");
        assert_eq!(grants.existing("").unwrap_err().name, "PathNotFoundError");
    }

    #[test]
    fn dots_cannot_step_over_a_grant_with_a_similar_name() {
        for outside in ["/repo/../etc", "/repository", "../etc", "/repo/./../../etc"] {
            let failure = granted(&["/repo"]).places(Some(outside)).unwrap_err();
            assert_eq!(failure.name, "PathNotGrantedError", "{outside}");
        }
    }

    #[test]
    fn a_relative_path_counts_from_the_only_grant() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("src")).unwrap();
        let grants = Grants::new([root.path().to_path_buf()]);
        let places = grants.places(Some("./src/")).unwrap();
        assert_eq!(places, [place(root.path(), root.path().join("src"))]);
    }

    #[test]
    fn the_innermost_grant_holds_the_path() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("inner");
        fs::create_dir_all(inner.join("deep")).unwrap();
        let grants = Grants::new([root.path().to_path_buf(), inner.clone()]);
        let path = inner.join("deep");
        assert_eq!(grants.places(path.to_str()).unwrap(), [place(&inner, path)]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_explained() {
        let root = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/no/such/file", root.path().join("link")).unwrap();
        let failure = Grants::new([root.path().to_path_buf()])
            .places(Some("link"))
            .unwrap_err();
        assert!(failure.message.contains("`link` is a link"), "{failure}");
    }

    #[test]
    fn a_missing_path_is_answered_with_what_is_there() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("README.md"), "").unwrap();
        let grants = Grants::new([root.path().to_path_buf()]);
        let failure = grants.places(Some("src/main.rs")).unwrap_err();
        assert_eq!(failure.name, "PathNotFoundError");
        assert!(failure.message.ends_with("holds `README.md`"), "{failure}");
    }
}
