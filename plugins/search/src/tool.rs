//! The two tools as the model sees them: their arguments, defaults and bounds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::{Context, Output, ToolError, tool};

use toolhost_plugin_tree::budget::Budget;
use toolhost_plugin_tree::findings::{Findings, Report};
use toolhost_plugin_tree::grants::Grants;
use toolhost_plugin_tree::listing::{FileList, Listing};
use toolhost_plugin_tree::query::{Case, Query};
use toolhost_plugin_tree::search::Search;
use toolhost_plugin_tree::text;
use toolhost_plugin_tree::walk::WalkOptions;

/// Most lines of context on each side of a match.
const MAX_CONTEXT: u32 = 20;

/// Most results of a search.
const MAX_RESULTS: u32 = 2000;

/// Most files of a list.
const MAX_LISTED: u32 = 5000;

/// The arguments of `search`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an argument with a name"
)]
pub struct SearchArgs {
    /// What to look for in each line: a regular expression in Rust syntax
    /// (`fn \w+_test`, `TODO|FIXME`; no look-around, no backreferences), or plain
    /// text with `fixedStrings`.
    pub pattern: String,
    /// File or directory to search, such as `/repo/src`. All granted
    /// directories when left out.
    #[serde(default)]
    pub path: Option<String>,
    /// Only files that match one of these globs, such as `*.rs` (in any
    /// directory), `src/**/*.{ts,tsx}` (below `path`).
    #[serde(default)]
    pub include: Vec<String>,
    /// No files or directories that match one of these globs, such as
    /// `*.min.js` or `vendor/`.
    #[serde(default)]
    pub exclude: Vec<String>,
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
    /// Match whole words only.
    #[serde(default)]
    pub word: bool,
    /// Lines to show before and after each match.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub context: u32,
    /// Most matching lines, or files with the other outputs.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 2000))]
    pub max_results: u32,
    /// Also search files that ignore files such as `.gitignore` name.
    #[serde(default)]
    pub ignored: bool,
    /// Also search files and directories whose name begins with a dot.
    #[serde(default)]
    pub hidden: bool,
}

/// The arguments of `list_files`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListFilesArgs {
    /// Directory to list, such as `/repo/src`. All granted directories when left
    /// out.
    #[serde(default)]
    pub path: Option<String>,
    /// Only files that match one of these globs, such as `*.rs` (in any
    /// directory), `src/**/*.{ts,tsx}` (below `path`).
    #[serde(default)]
    pub include: Vec<String>,
    /// No files or directories that match one of these globs, such as
    /// `*.min.js` or `vendor/`.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// How many directories deep to look; 1 is `path` itself. All when left out.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub max_depth: Option<u32>,
    /// Most files.
    #[serde(default = "five_hundred")]
    #[schemars(range(min = 1, max = 5000))]
    pub max_results: u32,
    /// Also list files that ignore files such as `.gitignore` name.
    #[serde(default)]
    pub ignored: bool,
    /// Also list files and directories whose name begins with a dot.
    #[serde(default)]
    pub hidden: bool,
}

/// Searches the contents of text files in the granted directories for a regular
/// expression or plain text. Skips binary files, hidden files and what
/// `.gitignore` and `.ignore` files name. Gives path, line number, column and
/// text of each matching line, or only the files with `output`.
#[tool(title = "Search in files", read_only, idempotent)]
pub(crate) fn search(
    #[tool(args)] args: SearchArgs,
    ctx: &Context,
) -> Result<Output<Findings>, ToolError> {
    let places = Grants::of_host().places(args.path.as_deref())?;
    let search = Search {
        query: Query {
            pattern: args.pattern,
            case: args.case,
            fixed_strings: args.fixed_strings,
            word: args.word,
        },
        include: args.include,
        exclude: args.exclude,
        walk: WalkOptions {
            ignored: args.ignored,
            hidden: args.hidden,
            max_depth: None,
        },
        report: args.output,
        context: args.context.min(MAX_CONTEXT) as usize,
        max_results: args.max_results.clamp(1, MAX_RESULTS) as usize,
    };
    let findings = search.run(places, &Budget::new(ctx))?;
    let text = text::findings(&findings);
    Ok(Output::of(findings).content(text))
}

/// Lists the files below a granted directory with their sizes, by path. Skips
/// hidden files and what `.gitignore` and `.ignore` files name. Use it to see
/// what there is, or to find files by name.
#[tool(title = "List files", read_only, idempotent)]
pub(crate) fn list_files(
    #[tool(args)] args: ListFilesArgs,
    ctx: &Context,
) -> Result<Output<FileList>, ToolError> {
    let places = Grants::of_host().places(args.path.as_deref())?;
    let listing = Listing {
        include: args.include,
        exclude: args.exclude,
        walk: WalkOptions {
            ignored: args.ignored,
            hidden: args.hidden,
            max_depth: args.max_depth.map(|depth| depth.max(1) as usize),
        },
        max_results: args.max_results.clamp(1, MAX_LISTED) as usize,
    };
    let list = listing.run(places, &Budget::new(ctx))?;
    let text = text::file_list(&list);
    Ok(Output::of(list).content(text))
}

fn hundred() -> u32 {
    100
}

fn five_hundred() -> u32 {
    500
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::testing;

    use super::*;

    // Outside a sandbox the granted directory is the one of this crate.

    #[test]
    fn a_model_searches_with_a_pattern_alone() {
        let output =
            testing::call::<SearchTool>(json!({ "pattern": "a_model_searches\\w+" })).unwrap();
        let found = output.structured.clone().unwrap();
        assert!(
            found["matches"][0]["path"]
                .as_str()
                .unwrap()
                .ends_with("src/tool.rs"),
            "{found}"
        );
        assert_eq!(found["truncated"], false);
        assert!(
            output.text().contains("1 matching line in 1 file"),
            "{}",
            output.text()
        );
    }

    #[test]
    fn every_argument_is_taken() {
        let arguments = json!({
            "pattern": "EVERY_ARGUMENT", "path": "src", "include": ["*.rs"], "exclude": ["walk.rs"], "output": "counts",
            "case": "insensitive", "fixedStrings": true, "word": false, "context": 2, "maxResults": 5, "ignored": true,
            "hidden": true,
        });
        let found = testing::call::<SearchTool>(arguments)
            .unwrap()
            .structured
            .unwrap();
        assert_eq!(found["files"][0]["matches"], 2, "{found}");
    }

    #[test]
    fn files_are_found_by_name() {
        let output = testing::call::<ListFilesTool>(json!({ "include": ["tool.rs"] })).unwrap();
        assert_eq!(output.structured.unwrap()["total"], 1);
    }

    #[test]
    fn a_wrong_pattern_is_the_models_to_mend() {
        let error = testing::call::<SearchTool>(json!({ "pattern": "a{2,1}" })).unwrap_err();
        assert_eq!(error.name, "InvalidPatternError");
    }

    #[test]
    fn the_schema_tells_defaults_and_bounds() {
        let schema = testing::definition::<SearchTool>().input_schema;
        assert_eq!(schema["required"], json!(["pattern"]));
        assert_eq!(schema["properties"]["maxResults"]["default"], 100);
        assert_eq!(schema["properties"]["maxResults"]["maximum"], MAX_RESULTS);
        assert_eq!(schema["properties"]["context"]["maximum"], MAX_CONTEXT);
        let schema = testing::definition::<ListFilesTool>().input_schema;
        assert_eq!(schema["properties"]["maxResults"]["maximum"], MAX_LISTED);
    }
}
