//! The order of rows, and the first of them in bounded memory.

use std::cmp::Ordering;

use super::Cells;
use super::spec::Sort;
use crate::failure::Failure;
use crate::names::find;
use crate::table::Table;
use crate::value::Value;

/// The cells that are kept at a time, in bytes.
const MAX_KEPT: usize = 48 * 1024 * 1024;
/// What a cell costs beside its text.
const CELL_COST: usize = 40;
/// How many rows more than wanted are kept before they are sorted and cut.
const SLACK: usize = 2000;

/// Columns to sort by.
pub(super) struct Order(Vec<(usize, bool)>);

impl Order {
    /// The columns of `sorts` among `names`.
    pub(super) fn compile(sorts: &[Sort], names: &[String]) -> Result<Self, Failure> {
        let find = |sort: &Sort| Ok((find(&sort.column, names)?, sort.descending));
        Ok(Self(
            sorts.iter().map(find).collect::<Result<_, Failure>>()?,
        ))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the current row is sorted by.
    pub(super) fn keys(&self, table: &mut Table) -> Vec<Value> {
        self.0
            .iter()
            .map(|(at, _)| Value::of(table.cell(*at).as_deref()))
            .collect()
    }

    fn compare(&self, a: &[Value], b: &[Value]) -> Ordering {
        let pairs = self.0.iter().zip(a.iter().zip(b));
        pairs
            .map(|((_, descending), (a, b))| directed(a, b, *descending))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// Sorts finished rows, whose columns are those the order was made for.
    pub(super) fn sort(&self, rows: &mut [Cells]) {
        if !self.is_empty() {
            rows.sort_by_cached_key(|row| Keyed {
                keys: self
                    .0
                    .iter()
                    .map(|(at, _)| Value::of(row[*at].as_deref()))
                    .collect(),
                order: self,
            });
        }
    }
}

/// Nulls stay last in either direction.
fn directed(a: &Value, b: &Value, descending: bool) -> Ordering {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => a.cmp(b),
        _ if descending => b.cmp(a),
        _ => a.cmp(b),
    }
}

/// Keys that know their order.
struct Keyed<'a> {
    keys: Vec<Value>,
    order: &'a Order,
}

impl Ord for Keyed<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order.compare(&self.keys, &other.keys)
    }
}

impl PartialOrd for Keyed<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Keyed<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Keyed<'_> {}

/// Keeps the first `wanted` rows of any number.
pub(super) struct Sorter<'a> {
    order: &'a Order,
    wanted: usize,
    rows: Vec<(Vec<Value>, Cells)>,
    bytes: usize,
    /// The first `wanted` rows are in order; only better ones follow.
    is_cut: bool,
}

impl<'a> Sorter<'a> {
    pub(super) fn new(order: &'a Order, wanted: usize) -> Self {
        Self {
            order,
            wanted,
            rows: Vec::new(),
            bytes: 0,
            is_cut: false,
        }
    }

    /// Whether a row with these keys may be among the first. Asked before its
    /// cells are copied: of a long table, most rows are not.
    pub(super) fn wants(&self, keys: &[Value]) -> bool {
        let last = if self.is_cut {
            self.rows.get(self.wanted - 1)
        } else {
            None
        };
        // One that sorts alike came first.
        last.is_none_or(|(last, _)| self.order.compare(keys, last).is_lt())
    }

    /// Takes a row.
    pub(super) fn push(&mut self, keys: Vec<Value>, cells: Cells) -> Result<(), Failure> {
        self.bytes += cost(&keys, &cells);
        self.rows.push((keys, cells));
        if self.rows.len() >= self.wanted + SLACK.max(self.wanted) || self.bytes > MAX_KEPT {
            self.cut();
        }
        if self.bytes > MAX_KEPT {
            return Err(Failure::too_large(format!(
                "the rows asked for take more than {MAX_KEPT} bytes: lower `limit` and `offset`, or `select` fewer columns"
            )));
        }
        Ok(())
    }

    fn cut(&mut self) {
        // Stable: rows that sort alike stay in the order of the table.
        self.rows.sort_by(|a, b| self.order.compare(&a.0, &b.0));
        self.rows.truncate(self.wanted);
        self.is_cut = self.rows.len() == self.wanted;
        self.bytes = self
            .rows
            .iter()
            .map(|(keys, cells)| cost(keys, cells))
            .sum();
    }

    /// Some of the rows, for a partial result.
    pub(super) fn first(&self, count: usize) -> Vec<&Cells> {
        self.rows
            .iter()
            .take(count)
            .map(|(_, cells)| cells)
            .collect()
    }

    /// The first rows, in order.
    pub(super) fn finish(mut self) -> Vec<Cells> {
        self.cut();
        self.rows.into_iter().map(|(_, cells)| cells).collect()
    }
}

fn cost(keys: &[Value], cells: &Cells) -> usize {
    let cells = cells
        .iter()
        .map(|cell| cell.as_ref().map_or(0, |text| text.len()));
    let keys = keys.iter().map(|key| {
        if let Value::Text(text) = key {
            text.len()
        } else {
            0
        }
    });
    cells.chain(keys).map(|length| length + CELL_COST).sum()
}
