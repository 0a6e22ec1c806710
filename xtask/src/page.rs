//! What commands write into `docs/performance.md`, each between two markers of its own.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};

use crate::files;
use crate::repository::Repository;

/// The page.
pub(crate) const PATH: &str = "docs/performance.md";

/// A part of the page that a command writes.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    begin: &'static str,
    end: &'static str,
}

/// The figures of `cargo xtask bench`.
pub(crate) const FIGURES: Section = Section {
    begin: "<!-- figures: written by `cargo xtask bench` -->\n",
    end: "<!-- end of figures -->\n",
};

/// The table of `cargo xtask compare`.
pub(crate) const PEERS: Section = Section {
    begin: "<!-- peers: written by `cargo xtask compare` -->\n",
    end: "<!-- end of peers -->\n",
};

impl Section {
    /// Puts the text into the place of the last one.
    pub(crate) fn write(self, repository: &Repository, text: &str) -> Result<()> {
        let page = repository.root.join(PATH);
        let old = files::read_text(&page)?;
        let new = self.replaced(&old, text).with_context(|| {
            format!(
                "{PATH} has lost its markers; put these two lines where the text belongs:\n{}{}",
                self.begin, self.end
            )
        })?;
        files::write(&page, new)
    }

    fn replaced(self, page: &str, text: &str) -> Option<String> {
        let (before, rest) = page.split_once(self.begin)?;
        let (_, after) = rest.split_once(self.end)?;
        let mut new = before.to_owned();
        // Writing to a string cannot fail.
        let _ = write!(new, "{}{text}{}{after}", self.begin, self.end);
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_its_markers_is_replaced() {
        let page = |peers: &str| {
            let (figures, section) = (FIGURES, PEERS);
            format!(
                "# A\n{}1\n{}\n{}{peers}{}B\n",
                figures.begin, figures.end, section.begin, section.end
            )
        };
        assert_eq!(PEERS.replaced(&page("2\n"), "3\n"), Some(page("3\n")));
        let open = format!("{}2\n", PEERS.begin);
        assert_eq!(PEERS.replaced(&open, "3\n"), None);
    }
}
