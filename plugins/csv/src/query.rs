//! Rows and groups out of a table: filter, then either select or group, then
//! sort, then cut.

mod aggregate;
mod answer;
mod condition;
mod group;
mod order;
mod spec;

use serde_json::json;

use crate::failure::Failure;
use crate::source::Source;
use crate::table::Table;
use crate::watch::{Pace, Watch};
use answer::Rows;
use condition::Tests;
use group::Groups;
use order::{Order, Sorter};

pub use answer::Answer;
pub use spec::{Aggregate, Condition, Function, Matching, Operator, Query, Sort};

/// How many rows there are in an answer when the caller sets no limit.
pub const DEFAULT_LIMIT: usize = 100;
/// The highest limit a caller can set.
pub const MAX_LIMIT: usize = 10_000;
/// How many rows can be passed over.
pub const MAX_OFFSET: usize = 100_000;

/// Cells of one row of an answer; `None` is a null.
type Cells = Vec<Option<Box<str>>>;

/// Which part of all rows is wanted.
#[derive(Clone, Copy)]
struct Window {
    offset: usize,
    limit: usize,
}

impl Window {
    fn of(query: &Query) -> Result<Self, Failure> {
        let offset = query.offset.unwrap_or(0);
        if offset > MAX_OFFSET {
            let message =
                format!("`offset` is at most {MAX_OFFSET}: filter, or sort the other way round");
            return Err(Failure::arguments(message));
        }
        Ok(Self {
            offset,
            limit: query.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT),
        })
    }

    /// How many rows have to be kept; one more than are given, to know whether
    /// there are more.
    fn kept(self) -> usize {
        self.offset + self.limit + 1
    }
}

/// Answers `query` about the table in `source`.
///
/// # Errors
/// The table cannot be read, a column is not there, the parts of the query do
/// not go together, or the answer would need too much memory.
pub fn run(source: &Source, query: &Query, watch: &dyn Watch) -> Result<Answer, Failure> {
    let window = Window::of(query)?;
    let mut table = Table::open(source)?;
    let tests = Tests::compile(&query.filter, query.matching, &table)?;
    if query.group_by.is_empty() && query.aggregate.is_empty() {
        select(&mut table, &tests, query, window, watch)
    } else {
        group(&mut table, &tests, query, window, watch)
    }
}

/// Rows as they are, or some of their columns.
fn select(
    table: &mut Table,
    tests: &Tests,
    query: &Query,
    window: Window,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    let columns = chosen(query, table)?;
    let names: Vec<String> = columns
        .iter()
        .map(|at| table.names()[*at].clone())
        .collect();
    let order = Order::compile(&query.sort, table.names())?;
    let mut sorter = Sorter::new(&order, window.kept());
    let mut pace = Pace::new(watch);
    let mut matched = 0_usize;
    let mut stopped = false;
    while table.next_row()? {
        if tests.hold(table) {
            matched += 1;
            let keys = order.keys(table);
            if sorter.wants(&keys) {
                let cells = columns
                    .iter()
                    .map(|at| table.cell(*at).map(|cell| Box::from(&*cell)));
                let cells = cells.collect();
                sorter.push(keys, cells)?;
            }
            // Without an order the first rows are as good as any.
            if order.is_empty() && matched == window.kept() {
                stopped = true;
                break;
            }
        }
        let rows = table.rows();
        pace.step(rows, || {
            let first = answer::shown(&sorter.first(answer::ROWS_IN_PARTIAL));
            json!({ "rowsRead": rows, "rowsMatched": matched, "columns": names, "rows": first })
        })?;
    }
    let mut answer = Rows {
        names,
        rows: sorter.finish(),
    }
    .cut(window, query.as_text)?;
    answer.rows_read = table.rows();
    answer.rows_matched = matched as u64;
    if stopped {
        answer.rows_matched -= 1;
        // Unless the size of the answer stopped it before.
        if answer.rows.len() == window.limit {
            answer.truncated = Some(stopped_early(window));
        }
    }
    answer.warnings = table.warnings();
    Ok(answer)
}

/// The columns that are given.
fn chosen(query: &Query, table: &Table) -> Result<Vec<usize>, Failure> {
    if query.select.is_empty() {
        return Ok((0..table.names().len()).collect());
    }
    query.select.iter().map(|name| table.column(name)).collect()
}

fn stopped_early(window: Window) -> String {
    format!(
        "more rows match, reading stopped after {}: raise `limit` (at most {MAX_LIMIT}), go on with `offset`, or count them all with `aggregate`",
        window.offset + window.limit
    )
}

/// One row for each group.
fn group(
    table: &mut Table,
    tests: &Tests,
    query: &Query,
    window: Window,
    watch: &dyn Watch,
) -> Result<Answer, Failure> {
    if !query.select.is_empty() {
        let message = "`select` names columns of single rows: with `groupBy` or `aggregate` the answer has the columns named there, so leave `select` out";
        return Err(Failure::arguments(message));
    }
    let mut groups = Groups::compile(query, table)?;
    // An unknown column to sort by is told before a long file is read.
    let order = Order::compile(&query.sort, &groups.names())?;
    let mut pace = Pace::new(watch);
    let mut matched = 0_u64;
    while table.next_row()? {
        if tests.hold(table) {
            matched += 1;
            groups.add(table)?;
        }
        let rows = table.rows();
        pace.step(rows, || {
            let first = answer::shown(&groups.first(answer::ROWS_IN_PARTIAL));
            let names = groups.names();
            json!({ "rowsRead": rows, "rowsMatched": matched, "columns": names, "rows": first })
        })?;
    }
    let names = groups.names();
    let mut warnings = table.warnings();
    warnings.extend(groups.warnings());
    let mut rows = groups.finish();
    order.sort(&mut rows);
    let mut answer = Rows { names, rows }.cut(window, query.as_text)?;
    answer.rows_read = table.rows();
    answer.rows_matched = matched;
    answer.warnings = warnings;
    Ok(answer)
}

#[cfg(test)]
mod tests;
