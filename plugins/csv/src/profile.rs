//! What is in a table: for each column its type, gaps, range and values.

mod column;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use crate::source::Source;
use crate::table::Table;
use crate::watch::{Pace, Watch};
use column::{Column, Memory};

pub use column::{ColumnProfile, Frequent};

/// How many columns a profile describes.
const MAX_COLUMNS: usize = 200;
/// How many columns a partial result names.
const COLUMNS_IN_PARTIAL: usize = 50;

/// What is in a table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// How many rows there are, the header aside.
    pub rows: u64,
    /// The character between cells.
    pub delimiter: char,
    /// The columns, in their order.
    pub columns: Vec<ColumnProfile>,
    /// What is odd about the table, and what to do about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Why not everything is told, and how to get at the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<String>,
}

/// Profiles the table in `source`: the columns called `wanted`, or all.
///
/// # Errors
/// The table cannot be read, or has no such column.
pub fn profile(source: &Source, wanted: &[String], watch: &dyn Watch) -> Result<Profile, Failure> {
    let mut table = Table::open(source)?;
    let (chosen, truncated) = choose(&table, wanted)?;
    let mut columns: Vec<_> = chosen
        .iter()
        .map(|at| Column::new(*at, &table.names()[*at]))
        .collect();
    let mut memory = Memory::default();
    let mut pace = Pace::new(watch);
    while table.next_row()? {
        let line = table.line();
        for column in &mut columns {
            match table.cell(column.at()) {
                Some(cell) => column.add(&cell, line, &mut memory),
                None => column.add_null(),
            }
        }
        let rows = table.rows();
        pace.step(rows, || {
            let known = columns.iter().take(COLUMNS_IN_PARTIAL);
            json!({ "rowsRead": rows, "columns": known.map(Column::summary).collect::<Vec<_>>() })
        })?;
    }
    Ok(Profile {
        rows: table.rows(),
        delimiter: table.delimiter(),
        columns: columns.into_iter().map(Column::finish).collect(),
        warnings: table.warnings(),
        truncated,
    })
}

/// Which columns are described, and what to say when these are not all.
fn choose(table: &Table, wanted: &[String]) -> Result<(Vec<usize>, Option<String>), Failure> {
    let mut chosen: Vec<usize> = if wanted.is_empty() {
        (0..table.names().len()).collect()
    } else {
        wanted
            .iter()
            .map(|name| table.column(name))
            .collect::<Result<_, _>>()?
    };
    if chosen.len() <= MAX_COLUMNS {
        return Ok((chosen, None));
    }
    let note = format!(
        "the first {MAX_COLUMNS} of {} columns are described: name others in `columns`",
        chosen.len()
    );
    chosen.truncate(MAX_COLUMNS);
    Ok((chosen, Some(note)))
}

#[cfg(test)]
mod tests;
