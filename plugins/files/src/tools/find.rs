//! `list_directory`, `glob` and `grep`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolhost_plugin_tree::budget::Budget;
use toolhost_plugin_tree::findings::{Findings, Report};
use toolhost_plugin_tree::grants::{Grants, Place};
use toolhost_plugin_tree::listing::{FileList, Listing};
use toolhost_plugin_tree::query::{Case, Query};
use toolhost_plugin_tree::search::Search;
use toolhost_plugin_tree::text;
use toolhost_plugin_tree::walk::WalkOptions;
use toolhost_sdk::{Context, Output, ToolError, tool};

use crate::directory::{self, DirectoryPage};
use crate::failure::explain;

/// Most entries of a page.
const MAX_ENTRIES: u32 = 1000;

/// Most files of `glob`.
const MAX_FILES: u32 = 5000;

/// Most results of `grep`.
const MAX_RESULTS: u32 = 2000;

/// Most lines of context on each side of a match.
const MAX_CONTEXT: u32 = 20;

/// Lists what is in a directory: names, kinds and sizes, hidden ones too.
/// Without `path` it is the granted directory, or the list of them.
#[tool(title = "List a directory", read_only, idempotent, open_world = false)]
pub(crate) fn list_directory(
    /// The directory, such as `/repo/src`.
    path: Option<&str>,
    /// How many entries to pass over.
    #[tool(default = 0)]
    offset: u32,
    /// Most entries.
    #[tool(default = 200)]
    #[schemars(range(min = 1, max = 1000))]
    limit: u32,
) -> Result<Output<DirectoryPage>, ToolError> {
    let grants = Grants::of_host();
    let place = match (path, grants.directories()) {
        (Some(path), _) => grants.existing(path)?,
        (None, [only]) => Place {
            grant: only.clone(),
            path: only.clone(),
        },
        (None, many) => {
            // Says what is missing when nothing is granted.
            grants.places(None)?;
            let page = DirectoryPage::of_grants(many);
            let text = page.text();
            return Ok(Output::of(page).content(text));
        }
    };
    if !place.path.is_dir() {
        let message = format!(
            "`{}` is no directory; `read_file` reads files",
            place.path.display()
        );
        return Err(ToolError::new("NotADirectoryError", message));
    }
    let limit = limit.clamp(1, MAX_ENTRIES) as usize;
    let page = directory::read(&place.path, offset as usize, limit)
        .map_err(|error| explain("read", &place, &error))?;
    let text = page.text();
    Ok(Output::of(page).content(text))
}

/// Finds files by their names, with their sizes, by path. Skips hidden files and
/// what `.gitignore` and `.ignore` files name.
#[tool(
    title = "Find files by name",
    read_only,
    idempotent,
    open_world = false
)]
pub(crate) fn glob(
    /// Which files: `*.rs` (in any directory), `src/**/*.{ts,tsx}` (below
    /// `path`).
    #[schemars(length(min = 1, max = 1000))]
    pattern: &str,
    /// Where to look, such as `/repo/src`; all granted directories when left
    /// out.
    path: Option<&str>,
    /// Most files.
    #[tool(default = 500)]
    #[serde(rename = "maxResults")]
    #[schemars(range(min = 1, max = 5000))]
    max_results: u32,
    /// Also hidden files and those that ignore files name.
    #[tool(default)]
    all: bool,
    ctx: &Context,
) -> Result<Output<FileList>, ToolError> {
    let listing = Listing {
        include: vec![pattern.to_owned()],
        walk: everything(all),
        max_results: max_results.clamp(1, MAX_FILES) as usize,
        ..Listing::default()
    };
    let places = Grants::of_host().places(path)?;
    let list = listing.run(places, &Budget::new(ctx))?;
    let text = text::file_list(&list);
    Ok(Output::of(list).content(text))
}

/// The arguments of `grep`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrepArgs {
    /// What to look for in each line: a regular expression in Rust syntax
    /// (`fn \w+_test`, `TODO|FIXME`; no look-around, no backreferences), or plain
    /// text with `fixedStrings`.
    pub pattern: String,
    /// File or directory to search, such as `/repo/src`; all granted directories
    /// when left out.
    #[serde(default)]
    pub path: Option<String>,
    /// Only files that match this glob, such as `*.rs` or `*.{ts,tsx}`.
    #[serde(default)]
    pub include: Option<String>,
    /// What to report: each matching line, only the files, or the number of
    /// matching lines in each file.
    #[serde(default)]
    pub output: Report,
    /// Whether upper and lower case differ; `smart`: only if the pattern has an
    /// upper-case letter.
    #[serde(default)]
    pub case: Case,
    /// Take the pattern as plain text, not as a regular expression.
    #[serde(default)]
    pub fixed_strings: bool,
    /// Lines to show before and after each match.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub context: u32,
    /// Most matching lines, or files with the other outputs.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 2000))]
    pub max_results: u32,
    /// Also hidden files and those that ignore files name.
    #[serde(default)]
    pub all: bool,
}

fn hundred() -> u32 {
    100
}

/// Searches the contents of text files for a regular expression or plain text.
/// Gives path, line number and text of each matching line. Skips binary files,
/// hidden files and what `.gitignore` and `.ignore` files name.
#[tool(title = "Search in files", read_only, idempotent, open_world = false)]
pub(crate) fn grep(
    #[tool(args)] args: GrepArgs,
    ctx: &Context,
) -> Result<Output<Findings>, ToolError> {
    let search = Search {
        query: Query {
            pattern: args.pattern,
            case: args.case,
            fixed_strings: args.fixed_strings,
            word: false,
        },
        include: args.include.into_iter().collect(),
        exclude: Vec::new(),
        walk: everything(args.all),
        report: args.output,
        context: args.context.min(MAX_CONTEXT) as usize,
        max_results: args.max_results.clamp(1, MAX_RESULTS) as usize,
    };
    let places = Grants::of_host().places(args.path.as_deref())?;
    let findings = search.run(places, &Budget::new(ctx))?;
    let text = text::findings(&findings);
    Ok(Output::of(findings).content(text))
}

fn everything(all: bool) -> WalkOptions {
    WalkOptions {
        ignored: all,
        hidden: all,
        max_depth: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::testing;

    use super::*;

    // Outside a sandbox the granted directory is the one of this crate.

    #[test]
    fn a_directory_is_listed() {
        let listed = testing::call::<ListDirectoryTool>(json!({ "path": "src" })).unwrap();
        assert!(
            listed.text().contains("tools/\ntools.rs ("),
            "{}",
            listed.text()
        );
        let top = testing::call::<ListDirectoryTool>(json!({ "limit": 1 })).unwrap();
        assert_eq!(top.structured.unwrap()["nextOffset"], 1);
        let error =
            testing::call::<ListDirectoryTool>(json!({ "path": "src/lib.rs" })).unwrap_err();
        assert!(error.message.contains("`read_file`"), "{error}");
    }

    #[test]
    fn files_are_found_by_name_and_by_content() {
        let found = testing::call::<GlobTool>(json!({ "pattern": "fin*.rs" })).unwrap();
        assert_eq!(found.structured.unwrap()["total"], 1);
        let arguments = json!({ "pattern": "files_are_found_by\\w+", "include": "*.rs" });
        let found = testing::call::<GrepTool>(arguments).unwrap();
        assert!(
            found.text().contains("1 matching line in 1 file"),
            "{}",
            found.text()
        );
    }

    #[test]
    fn tools_that_look_say_so() {
        for definition in [
            testing::definition::<ListDirectoryTool>(),
            testing::definition::<GlobTool>(),
            testing::definition::<GrepTool>(),
        ] {
            assert_eq!(definition.annotations.read_only, Some(true));
            assert!(!definition.behaviour.edits_files);
        }
    }
}
