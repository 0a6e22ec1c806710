//! One figure about one group, while rows come in.

use std::cmp::Ordering;
use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::spec::Function;
use crate::failure::Failure;
use crate::number::Number;
use crate::value::Value;

/// The bytes that different values and medians take in all groups together.
const MAX_MEMORY: usize = 48 * 1024 * 1024;
/// What a kept text costs beside its length.
const TEXT_COST: usize = 48;

/// The bytes in use by all figures.
#[derive(Default)]
pub(super) struct Memory(usize);

impl Memory {
    fn take(&mut self, bytes: usize) -> Result<(), Failure> {
        self.0 += bytes;
        if self.0 > MAX_MEMORY {
            return Err(Failure::too_large(
                "there are too many values to keep for `countDistinct`, `median`, `first` or `last`: filter first, or use fewer groups",
            ));
        }
        Ok(())
    }
}

/// A figure about a group.
pub(super) enum Figure {
    Count(u64),
    Distinct(HashSet<Box<str>, RandomState>),
    Sum(Option<Number>),
    Mean(Option<Number>, u64),
    Median(Vec<Number>),
    Min(Option<Value>),
    Max(Option<Value>),
    First(Option<Box<str>>),
    Last(Option<Box<str>>),
}

impl Figure {
    pub(super) fn new(function: Function) -> Self {
        match function {
            Function::Count => Self::Count(0),
            Function::CountDistinct => Self::Distinct(HashSet::default()),
            Function::Sum => Self::Sum(None),
            Function::Mean => Self::Mean(None, 0),
            Function::Median => Self::Median(Vec::new()),
            Function::Min => Self::Min(None),
            Function::Max => Self::Max(None),
            Function::First => Self::First(None),
            Function::Last => Self::Last(None),
        }
    }

    /// Counts a row.
    pub(super) fn count(&mut self) {
        if let Self::Count(count) = self {
            *count += 1;
        }
    }

    /// Takes a cell that is not null. False when it is no number and had to be.
    pub(super) fn add(&mut self, cell: &str, memory: &mut Memory) -> Result<bool, Failure> {
        match self {
            Self::Count(count) => *count += 1,
            Self::Distinct(seen) => {
                if !seen.contains(cell) {
                    memory.take(cell.len() + TEXT_COST)?;
                    seen.insert(cell.into());
                }
            }
            Self::Min(least) => keep(least, cell, memory, Ordering::Less)?,
            Self::Max(most) => keep(most, cell, memory, Ordering::Greater)?,
            Self::First(first) => {
                if first.is_none() {
                    memory.take(cell.len() + TEXT_COST)?;
                    *first = Some(cell.into());
                }
            }
            Self::Last(last) => {
                let old = last.as_ref().map_or(0, |text| text.len() + TEXT_COST);
                memory.0 -= old;
                memory.take(cell.len() + TEXT_COST)?;
                *last = Some(cell.into());
            }
            Self::Sum(_) | Self::Mean(..) | Self::Median(_) => {
                let Some(number) = Number::parse(cell) else {
                    return Ok(false);
                };
                self.add_number(number, memory)?;
            }
        }
        Ok(true)
    }

    fn add_number(&mut self, number: Number, memory: &mut Memory) -> Result<(), Failure> {
        let plus = |sum: &Option<Number>| Some(sum.map_or(number, |sum| sum.plus(number)));
        match self {
            Self::Sum(sum) => *sum = plus(sum),
            Self::Mean(sum, count) => {
                *sum = plus(sum);
                *count += 1;
            }
            Self::Median(numbers) => {
                memory.take(size_of::<Number>())?;
                numbers.push(number);
            }
            _ => {}
        }
        Ok(())
    }

    /// The figure as it stands; null when there was nothing to make it from.
    pub(super) fn value(&self) -> Option<Box<str>> {
        let text = match self {
            Self::Count(count) => count.to_string(),
            Self::Distinct(seen) => seen.len().to_string(),
            Self::Sum(sum) => sum.as_ref()?.to_string(),
            #[expect(
                clippy::cast_precision_loss,
                reason = "a table has fewer rows than that"
            )]
            Self::Mean(sum, count) => {
                Number::Float(sum.as_ref()?.to_f64() / *count as f64).to_string()
            }
            Self::Median(numbers) => median(numbers)?.to_string(),
            Self::Min(value) | Self::Max(value) => match value.as_ref()? {
                Value::Number(number) => number.to_string(),
                Value::Text(text) => return Some(text.clone()),
                Value::Null => return None,
            },
            Self::First(text) | Self::Last(text) => return text.clone(),
        };
        Some(text.into())
    }
}

/// Puts the cell in place of what was kept, if it is better.
fn keep(
    kept: &mut Option<Value>,
    cell: &str,
    memory: &mut Memory,
    better: Ordering,
) -> Result<(), Failure> {
    let number = Number::parse(cell);
    if kept
        .as_ref()
        .is_none_or(|kept| kept.cmp_cell(cell, number) == better)
    {
        // Never given back: extremes change rarely.
        memory.take(if number.is_none() { cell.len() } else { 0 })?;
        *kept = Some(Value::of(Some(cell)));
    }
    Ok(())
}

fn median(numbers: &[Number]) -> Option<Number> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = sorted[sorted.len() / 2 - 1];
    if lower == upper {
        return Some(upper);
    }
    Some(Number::Float(f64::midpoint(lower.to_f64(), upper.to_f64())))
}
