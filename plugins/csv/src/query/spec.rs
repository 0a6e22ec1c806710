//! What is asked of a table. The comments are what a model reads in the schema.

use schemars::JsonSchema;
use serde::Deserialize;

/// A question about a table. Everything may be left out.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Query {
    /// Which rows count.
    pub filter: Vec<Condition>,
    /// Whether all conditions have to hold, or one.
    #[serde(rename = "match")]
    pub matching: Matching,
    /// Which columns of single rows are given; all when empty.
    pub select: Vec<String>,
    /// Columns whose values make the groups.
    pub group_by: Vec<String>,
    /// What is told about each group, or about all rows.
    pub aggregate: Vec<Aggregate>,
    /// The order, the most important column first.
    pub sort: Vec<Sort>,
    /// How many rows are given.
    pub limit: Option<usize>,
    /// How many rows are passed over.
    pub offset: Option<usize>,
    /// Cells are text as they stand in the table, never numbers.
    pub as_text: bool,
}

/// A condition on one column. A null cell meets `isNull` and nothing else.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// How the cell is compared with `value`.
    pub op: Operator,
    /// What the cell is compared with: text, a number or a boolean; a list of
    /// them for `in` and `notIn`; nothing for `isNull` and `notNull`. Numbers
    /// compare by size; dates such as `2024-01-31` compare as text.
    #[serde(default)]
    pub value: Option<serde_json::Value>,
    /// Upper and lower case are the same.
    #[serde(default)]
    pub ignore_case: bool,
}

/// How a cell is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Operator {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Lte,
    /// Greater.
    Gt,
    /// Greater or equal.
    Gte,
    /// One of a list.
    In,
    /// None of a list.
    NotIn,
    /// Contains the text.
    Contains,
    /// Does not contain the text.
    NotContains,
    /// Begins with the text.
    StartsWith,
    /// Ends with the text.
    EndsWith,
    /// Contains a match of the regular expression.
    Matches,
    /// Is null or missing.
    IsNull,
    /// Is neither.
    NotNull,
}

/// How conditions go together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Matching {
    /// All have to hold.
    #[default]
    All,
    /// One is enough.
    Any,
}

/// One figure about a group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Aggregate {
    /// The figure.
    pub op: Function,
    /// The column it is about. `count` can do without: it then counts rows.
    #[serde(default)]
    pub column: Option<String>,
    /// What it is called in the answer; `sum_price` for example when absent.
    #[serde(default, rename = "as")]
    pub name: Option<String>,
}

/// A figure about a group. Nulls do not count; `sum`, `mean` and `median` pass
/// over what is not a number, with a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Function {
    /// How many rows, or how many cells that are not null.
    Count,
    /// How many different values.
    CountDistinct,
    /// The exact sum.
    Sum,
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The first value in the table.
    First,
    /// The last value in the table.
    Last,
}

/// One column of the order. Numbers come by size and before text, nulls last.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sort {
    /// The column: of the table, or of the answer when there are groups.
    pub column: String,
    /// The largest first.
    #[serde(default)]
    pub descending: bool,
}
