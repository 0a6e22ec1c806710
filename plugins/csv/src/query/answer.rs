//! Rows on their way out: cut to size, with numbers as numbers.

use std::borrow::Borrow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Cells, Window};
use crate::failure::Failure;
use crate::number::Number;

/// How many rows a partial result shows.
pub(super) const ROWS_IN_PARTIAL: usize = 20;
/// The size of all rows of an answer, in bytes: far below what the host takes,
/// and more than a model should read.
const MAX_BYTES: usize = 256 * 1024;

/// The answer to a query.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// What the cells of each row are, in their order.
    pub columns: Vec<String>,
    /// The rows: each a list of cells. A column of numbers holds numbers, every
    /// other one text; what is missing is null.
    #[schemars(with = "Vec<Vec<Option<serde_json::Value>>>")]
    pub rows: Vec<Box<RawValue>>,
    /// How many rows of the table were read.
    pub rows_read: u64,
    /// How many of them met the filter.
    pub rows_matched: u64,
    /// Why not everything is told, and how to get at the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<String>,
    /// What is odd about the table, and what to do about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Finished rows, in order.
pub(super) struct Rows {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Cells>,
}

impl Rows {
    /// The part of the rows that was asked for, as far as it fits.
    pub(super) fn cut(self, window: Window, as_text: bool) -> Result<Answer, Failure> {
        let all = self.rows.len();
        let rows: Vec<_> = self
            .rows
            .into_iter()
            .skip(window.offset)
            .take(window.limit)
            .collect();
        let is_number: Vec<bool> = (0..self.names.len())
            .map(|at| !as_text && is_number(&rows, at))
            .collect();
        let mut answer = Answer {
            columns: self.names,
            ..Answer::default()
        };
        let mut bytes = 0;
        for row in &rows {
            let text = written(row, &is_number);
            bytes += text.len() + 1;
            if bytes > MAX_BYTES {
                let so_far = answer.rows.len();
                if so_far == 0 {
                    return Err(Failure::too_large(format!(
                        "one row is longer than {MAX_BYTES} bytes: `select` fewer columns"
                    )));
                }
                answer.truncated = Some(format!(
                    "stopped after {so_far} of {} rows, {MAX_BYTES} bytes: `select` fewer columns, or go on with `offset` {}",
                    rows.len(),
                    window.offset + so_far
                ));
                return Ok(answer);
            }
            let row = RawValue::from_string(text);
            answer.rows.push(
                row.map_err(|error| Failure::table(format!("a row cannot be written: {error}")))?,
            );
        }
        if all > window.offset + window.limit {
            answer.truncated = Some(format!(
                "there are more rows than the {} given: raise `limit`, or go on with `offset` {}",
                rows.len(),
                window.offset + window.limit
            ));
        }
        Ok(answer)
    }
}

/// Rows for a partial result.
pub(super) fn shown(rows: &[impl Borrow<Cells>]) -> Vec<serde_json::Value> {
    let width = rows.first().map_or(0, |row| row.borrow().len());
    let is_number: Vec<bool> = (0..width).map(|at| is_number(rows, at)).collect();
    let written = rows.iter().map(|row| written(row.borrow(), &is_number));
    written
        .filter_map(|row| serde_json::from_str(&row).ok())
        .collect()
}

/// Whether all cells of a column are numbers, and at least one is.
fn is_number(rows: &[impl Borrow<Cells>], at: usize) -> bool {
    let mut cells = rows
        .iter()
        .filter_map(|row| row.borrow()[at].as_deref())
        .peekable();
    cells.peek().is_some() && cells.all(|cell| Number::parse(cell).is_some())
}

/// A row as a JSON array.
fn written(row: &Cells, is_number: &[bool]) -> String {
    let cells = row
        .iter()
        .zip(is_number)
        .map(|(cell, is_number)| match cell {
            None => "null".to_owned(),
            Some(cell) if *is_number => {
                Number::parse(cell).map_or("null".into(), |number| number.to_string())
            }
            // Text always has a form in JSON.
            Some(cell) => serde_json::to_string(cell).unwrap_or_default(),
        });
    format!("[{}]", cells.collect::<Vec<_>>().join(","))
}
