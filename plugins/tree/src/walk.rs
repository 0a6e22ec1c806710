//! The files of a place, in the order of their paths, without those that
//! ignore files hide.
//!
//! The walk begins at the granted directory even when a directory below it is
//! searched, because the ignore files on the way down count too. (The `ignore`
//! crate would look for them itself, but needs canonical paths, which a sandbox
//! does not have.) Symbolic links are not followed, so no loop can arise.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::{DirEntry, WalkBuilder};

use crate::budget::{Budget, Stop};
use crate::crowd::Crowd;
use crate::grants::Place;
use crate::path_filter::PathFilter;

/// What a walk shows besides ordinary files.
#[derive(Debug, Clone, Copy, Default)]
pub struct WalkOptions {
    /// Files that ignore files name.
    pub ignored: bool,
    /// Files and directories whose name begins with a dot, `.git` excepted.
    pub hidden: bool,
    /// How many directories deep, from the place; `None` is without limit.
    pub max_depth: Option<usize>,
}

/// A file or directory that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What the system said, with the path.
    pub reason: String,
}

/// What is said of something that could not be read, in words that say what is
/// missing from the result.
pub(crate) fn unreadable_note(reason: &str) -> String {
    let reason: String = reason.chars().take(300).collect();
    // The system ends a listing at such a name, and does not say where.
    if reason.contains("Illegal byte sequence") {
        return "a directory holds a file name that is not UTF-8: it was listed only up to there, so files may be missing \
                from this result; rename that file, or search a directory below by `path`"
            .to_owned();
    }
    if reason.contains("allocation limit") {
        let path = reason.split(": configured").next().unwrap_or_default();
        return format!("could not search {path}: it has a line of more than 16 MiB");
    }
    format!("could not read {reason}")
}

/// The paths of the files of a place, as far as a budget lasts.
pub struct Files<'a> {
    budget: &'a Budget<'a>,
    stopped: Option<Stop>,
    crowd: Arc<Crowd>,
    /// `None`: the place has too many entries.
    walk: Option<ignore::Walk>,
    place: Place,
    options: WalkOptions,
    filter: Arc<PathFilter>,
    /// Whether the walk has come to the place itself.
    arrived: bool,
}

impl<'a> Files<'a> {
    /// All files of `place` that `options` and `filter` let through.
    #[must_use]
    pub fn new(
        place: Place,
        options: WalkOptions,
        filter: PathFilter,
        budget: &'a Budget<'a>,
    ) -> Self {
        let room = budget.entries_left();
        let mut files = Self {
            budget,
            stopped: None,
            crowd: Arc::new(Crowd::new(room)),
            walk: None,
            place,
            options,
            filter: Arc::new(filter),
            arrived: false,
        };
        let Place { grant, path } = &files.place;
        // A walk does not follow a link, unless it begins there. Where the way to the
        // place leads through too many entries, it begins there too.
        let from_above = grant != path && !path.is_symlink() && files.crowd.lets_in(grant);
        budget.spend_entries(room - files.crowd.room());
        if from_above {
            files.walk = Some(files.walk(&files.place.grant));
        } else {
            files.begin_at_place();
        }
        files
    }

    fn begin_at_place(&mut self) {
        self.arrived = true;
        let (place, room) = (&self.place.path, self.budget.entries_left());
        self.crowd.set_room(room);
        self.walk = self.crowd.lets_in(place).then(|| self.walk(place));
        if self.walk.is_none() {
            self.crowd.leave_out(place);
        }
        self.budget.spend_entries(room - self.crowd.room());
    }

    /// The next entry, paid for.
    fn entry(&mut self) -> Option<Result<DirEntry, ignore::Error>> {
        let room = self.budget.entries_left();
        self.crowd.set_room(room);
        let next = self.walk.as_mut()?.next();
        let counted = room - self.crowd.room();
        // Also what is passed over costs something, and there may be no end of it.
        if next.is_some() {
            self.stopped = self.budget.stop();
        }
        self.budget
            .spend_entries(counted + u64::from(next.is_some()));
        next
    }

    /// Why they ended before all were seen, if they did.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// A walk from `start` that enters only what leads to the place or is below it.
    fn walk(&self, start: &Path) -> ignore::Walk {
        let goal = self.place.path.clone();
        let (filter, crowd) = (Arc::clone(&self.filter), Arc::clone(&self.crowd));
        let options = self.options;
        let above = goal
            .strip_prefix(start)
            .map_or(0, |way| way.components().count());
        WalkBuilder::new(start)
            .parents(false)
            .git_global(false)
            .require_git(false)
            .hidden(!options.hidden)
            .ignore(!options.ignored)
            .git_ignore(!options.ignored)
            .git_exclude(!options.ignored)
            .max_depth(options.max_depth.map(|depth| above.saturating_add(depth)))
            .follow_links(false)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .filter_entry(move |entry| {
                leads_on(entry, &goal, &filter) && lets_in(entry, &goal, &crowd)
            })
            .build()
    }

    /// The path, if the entry is a file of the place.
    fn file(&mut self, entry: &DirEntry) -> Option<PathBuf> {
        let below = entry.path().strip_prefix(&self.place.path).ok()?;
        self.arrived = true;
        let named_itself = below.as_os_str().is_empty();
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        // A link that was named itself is followed; others are not.
        let is_file = is_file || (named_itself && entry.path().is_file());
        let wanted = is_file && (named_itself || self.filter.wants_file(below));
        wanted.then(|| entry.path().to_path_buf())
    }
}

impl Iterator for Files<'_> {
    type Item = Result<PathBuf, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(directory) = self.crowd.next_left_out() {
                return Some(Err(too_large(&directory)));
            }
            let next = self.entry();
            if self.stopped.is_some() {
                return None;
            }
            match next {
                Some(Ok(entry)) => {
                    if let Some(path) = self.file(&entry) {
                        return Some(Ok(path));
                    }
                }
                Some(Err(error)) => {
                    return Some(Err(Unreadable {
                        reason: error.to_string(),
                    }));
                }
                None if self.crowd.has_left_out() => {}
                // The place is ignored or hidden, or the way to it leads through too
                // many entries. It was asked for by name, so it is looked through all
                // the same.
                None if !self.arrived => {
                    self.begin_at_place();
                }
                None => return None,
            }
        }
    }
}

fn too_large(directory: &Path) -> Unreadable {
    let reason = format!(
        "{}: it has more entries than are left of the 65,000 that one call looks at; name what is \
         in it by `path`",
        directory.display()
    );
    Unreadable { reason }
}

fn leads_on(entry: &DirEntry, goal: &Path, filter: &PathFilter) -> bool {
    let Ok(below) = entry.path().strip_prefix(goal) else {
        return goal.starts_with(entry.path());
    };
    let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
    if !is_directory || below.as_os_str().is_empty() {
        return true;
    }
    entry.file_name() != ".git" && filter.wants_directory(below)
}

/// Whether the walk gets through an entry that leads on.
fn lets_in(entry: &DirEntry, goal: &Path, crowd: &Crowd) -> bool {
    let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
    if !is_directory || crowd.lets_in(entry.path()) {
        return true;
    }
    // Above the place it is gone round, and for the place itself tried once more.
    if entry.path() != goal && entry.path().starts_with(goal) {
        crowd.leave_out(entry.path());
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A project with ignored, hidden and nested files.
    fn project() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [
            (".gitignore", "target/\n*.log\n"),
            (".git/config", "x"),
            (".github/ci.yml", "x"),
            ("README.md", "x"),
            ("src/.ignore", "generated.rs\n"),
            ("src/generated.rs", "x"),
            ("src/main.rs", "x"),
            ("src/run.log", "x"),
            ("target/out.rs", "x"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn files(root: &Path, path: &str, options: WalkOptions) -> Vec<String> {
        let place = Place {
            grant: root.to_path_buf(),
            path: root.join(path),
        };
        let filter = PathFilter::new(&[], &[], &place.path).unwrap();
        let ctx = toolhost_sdk::Context::fake().build();
        Files::new(place, options, filter, &Budget::new(&ctx))
            .map(|file| {
                file.unwrap()
                    .strip_prefix(root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .collect()
    }

    /// A directory that is in the way is gone round, one that would be looked through
    /// is told.
    #[test]
    fn a_directory_with_too_many_entries_is_left_out_and_told() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("many/few")).unwrap();
        fs::write(root.path().join("many/few/a"), "").unwrap();
        fs::write(root.path().join("z"), "").unwrap();
        for number in 0..5_000 {
            fs::write(root.path().join(format!("many/{number}")), "").unwrap();
        }
        let found = |path: &str| {
            let place = Place {
                grant: root.path().to_path_buf(),
                path: root.path().join(path),
            };
            let filter = PathFilter::new(&[], &[], &place.path).unwrap();
            let ctx = toolhost_sdk::Context::fake().build();
            let budget = Budget::new(&ctx);
            budget.spend_entries(budget.entries_left() - 4_000);
            let files = Files::new(place, WalkOptions::default(), filter, &budget);
            files
                .map(|file| {
                    file.map_or_else(|error| error.reason, |path| path.display().to_string())
                })
                .collect::<Vec<_>>()
        };
        let all = found("");
        assert!(all[0].ends_with("/z") && all.len() == 2, "{all:?}");
        assert!(all[1].contains("many: it has more entries"), "{all:?}");
        let many = found("many");
        assert!(many[0].contains("many: it has more entries"), "{many:?}");
        assert_eq!(many.len(), 1);
        for path in ["many/few", "many/few/a"] {
            let few = found(path);
            assert!(few[0].ends_with("many/few/a") && few.len() == 1, "{few:?}");
        }
    }

    #[test]
    fn notes_say_what_is_missing() {
        let note = unreadable_note("Illegal byte sequence (os error 25)");
        assert!(
            note.contains("not UTF-8") && note.contains("missing"),
            "{note}"
        );
        let note = unreadable_note("/s/a.txt: configured allocation limit (16777216) exceeded");
        assert_eq!(
            note,
            "could not search /s/a.txt: it has a line of more than 16 MiB"
        );
        assert_eq!(
            unreadable_note("/s/b: denied"),
            "could not read /s/b: denied"
        );
    }

    #[test]
    fn ignored_and_hidden_files_stay_out() {
        let root = project();
        assert_eq!(
            files(root.path(), "", WalkOptions::default()),
            ["README.md", "src/main.rs"]
        );
    }

    #[test]
    fn an_ignore_file_above_the_searched_directory_counts() {
        let root = project();
        assert_eq!(
            files(root.path(), "src", WalkOptions::default()),
            ["src/main.rs"]
        );
    }

    #[test]
    fn an_ignored_or_hidden_place_is_searched_when_it_is_named() {
        let root = project();
        assert_eq!(
            files(root.path(), "target", WalkOptions::default()),
            ["target/out.rs"]
        );
        assert_eq!(
            files(root.path(), ".github", WalkOptions::default()),
            [".github/ci.yml"]
        );
        assert_eq!(
            files(root.path(), "src/run.log", WalkOptions::default()),
            ["src/run.log"]
        );
    }

    #[test]
    fn ignored_and_hidden_files_come_when_asked_for_but_git_stays_out() {
        let root = project();
        let all = WalkOptions {
            ignored: true,
            hidden: true,
            max_depth: None,
        };
        let found = files(root.path(), "", all);
        assert!(found.contains(&"target/out.rs".to_owned()), "{found:?}");
        assert!(found.contains(&".github/ci.yml".to_owned()), "{found:?}");
        assert!(!found.contains(&".git/config".to_owned()), "{found:?}");
    }

    #[test]
    fn depth_counts_from_the_searched_directory() {
        let root = project();
        fs::create_dir(root.path().join("src/deep")).unwrap();
        fs::write(root.path().join("src/deep/a.rs"), "x").unwrap();
        let flat = WalkOptions {
            max_depth: Some(1),
            ..WalkOptions::default()
        };
        assert_eq!(files(root.path(), "", flat), ["README.md"]);
        assert_eq!(files(root.path(), "src", flat), ["src/main.rs"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_is_named_is_followed() {
        let root = project();
        std::os::unix::fs::symlink("src", root.path().join("link")).unwrap();
        let expected = ["link/main.rs", "link/run.log"];
        assert_eq!(files(root.path(), "link", WalkOptions::default()), expected);
        let expected = ["link/main.rs"];
        assert_eq!(
            files(root.path(), "link/main.rs", WalkOptions::default()),
            expected
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_ends() {
        let root = project();
        std::os::unix::fs::symlink(root.path(), root.path().join("src/loop")).unwrap();
        std::os::unix::fs::symlink("self", root.path().join("self")).unwrap();
        assert_eq!(
            files(root.path(), "", WalkOptions::default()),
            ["README.md", "src/main.rs"]
        );
    }
}
