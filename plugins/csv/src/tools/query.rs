//! `csv_query`.

use schemars::JsonSchema;
use serde::Deserialize;
use toolhost_sdk::{Context, ToolError, tool};

use super::profile::{nulls, yes};
use super::{Caller, delimiter};
use crate::dialect::Encoding;
use crate::query::{self, Aggregate, Answer, Condition, DEFAULT_LIMIT, Matching, Query, Sort};
use crate::source::Source;

/// Arguments of `csv_query`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CsvQueryArgs {
    /// The table itself. Give either `text` or `path`.
    #[serde(default)]
    pub text: Option<String>,
    /// A file in a directory granted to the tool.
    #[serde(default)]
    pub path: Option<String>,
    /// Which rows count; all of them when empty.
    #[serde(default)]
    pub filter: Vec<Condition>,
    /// Whether all conditions of `filter` have to hold, or any one of them.
    #[serde(default, rename = "match")]
    pub matching: Matching,
    /// The columns of single rows; all when empty. Not together with `groupBy`
    /// or `aggregate`.
    #[serde(default)]
    pub select: Vec<String>,
    /// Make one row of all rows that are alike in these columns.
    #[serde(default)]
    pub group_by: Vec<String>,
    /// What to tell about each group, or about all rows without `groupBy`. With
    /// `groupBy` alone the rows are counted.
    #[serde(default)]
    pub aggregate: Vec<Aggregate>,
    /// The order of the rows, the most important column first.
    #[serde(default)]
    pub sort: Vec<Sort>,
    /// How many rows to give.
    #[serde(default = "limit")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: usize,
    /// How many rows to pass over.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub offset: usize,
    /// Give cells as they stand in the table, never as numbers.
    #[serde(default)]
    pub as_text: bool,
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

fn limit() -> usize {
    DEFAULT_LIMIT
}

/// Answers a question about a CSV table of any size: filter rows, then select
/// columns, or group and aggregate (sums of decimals are exact), then sort and
/// cut. Use `csv_profile` first to learn the columns.
#[tool(title = "Query a CSV table", read_only, idempotent, open_world = false)]
pub(crate) fn csv_query(
    #[tool(args)] args: CsvQueryArgs,
    ctx: &Context,
) -> Result<Answer, ToolError> {
    let source = Source {
        text: args.text,
        path: args.path,
        delimiter: delimiter(args.delimiter),
        no_header: !args.header,
        encoding: args.encoding,
        nulls: Some(args.null_values),
    };
    let query = Query {
        filter: args.filter,
        matching: args.matching,
        select: args.select,
        group_by: args.group_by,
        aggregate: args.aggregate,
        sort: args.sort,
        limit: Some(args.limit),
        offset: Some(args.offset),
        as_text: args.as_text,
    };
    Ok(query::run(&source, &query, &Caller(ctx))?)
}
