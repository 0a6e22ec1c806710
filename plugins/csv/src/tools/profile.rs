//! `csv_profile`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolhost_sdk::{Context, ToolError, tool};

use super::{Caller, delimiter};
use crate::dialect::Encoding;
use crate::profile::{self, Profile};
use crate::source::{DEFAULT_NULLS, Source};

/// Arguments of `csv_profile`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CsvProfileArgs {
    /// The table itself. Give either `text` or `path`.
    #[serde(default)]
    pub text: Option<String>,
    /// A file in a directory granted to the tool.
    #[serde(default)]
    pub path: Option<String>,
    /// The columns to describe; all (up to 200) when empty.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The character between cells, `\t` for a tab; found out by itself when
    /// absent.
    #[serde(default)]
    pub delimiter: Option<String>,
    /// Whether the first record holds the names of the columns. Without a header
    /// they are called `column_1`, `column_2` …
    #[serde(default = "yes")]
    pub header: bool,
    /// The encoding of the file.
    #[serde(default)]
    pub encoding: Encoding,
    /// What stands for a missing value.
    #[serde(default = "nulls")]
    pub null_values: Vec<String>,
}

pub(super) fn yes() -> bool {
    true
}

pub(super) fn nulls() -> Vec<String> {
    DEFAULT_NULLS.map(String::from).to_vec()
}

/// Describes a CSV table of any size: how many rows, and for each column its
/// type, gaps, range, mean, distinct and frequent values, and examples. Start
/// here with a table you have not seen, then ask `csv_query`.
#[tool(
    title = "Profile a CSV table",
    read_only,
    idempotent,
    open_world = false
)]
pub(crate) fn csv_profile(
    #[tool(args)] args: CsvProfileArgs,
    ctx: &Context,
) -> Result<Profile, ToolError> {
    let source = Source {
        text: args.text,
        path: args.path,
        delimiter: delimiter(args.delimiter),
        no_header: !args.header,
        encoding: args.encoding,
        nulls: Some(args.null_values),
    };
    Ok(profile::profile(&source, &args.columns, &Caller(ctx))?)
}
