//! Where symbolic links lead that a guest makes.
//!
//! The sandbox follows no link out of a granted directory, but others do: people
//! and programs that work in the folder later. So a guest makes no link that could
//! lead them out. An absolute one is refused below this; here, one that goes up
//! with `..`. Where that would end depends on where the link is, and links are
//! moved, alone or with the directory they are in, and what they go through may be
//! a link itself. A link that only goes down stays inside wherever it is.

use std::path::{Component, Path};

/// Whether what a link holds goes up.
pub(super) fn climbs(link: &str) -> bool {
    Path::new(link)
        .components()
        .any(|part| part == Component::ParentDir)
}

/// The directory that a path is in, as it is written. Two that are written alike
/// are the same.
pub(super) fn parent(path: &str) -> Option<&Path> {
    Path::new(path).parent()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_up_climbs() {
        for up in ["..", "../secret", "a/../b", "a/../../b", "./..", "a/b/.."] {
            assert!(climbs(up), "{up}");
        }
        for down in ["a", "./a/b", "...", "a/..b", "..a", ""] {
            assert!(!climbs(down), "{down}");
        }
    }

    #[test]
    fn a_new_name_in_the_same_directory_is_no_move() {
        assert_eq!(parent("a/b"), parent("a/c"));
        assert_eq!(parent("b"), parent("c"));
        assert_ne!(parent("a/b"), parent("b"));
        assert_ne!(parent("a/.."), parent("b"));
    }
}
