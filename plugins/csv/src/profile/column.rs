//! One column while it is profiled. Memory stays bounded whatever is in it.

use std::cmp::Ordering;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::number::Number;
use crate::value::{Kind, Value};

/// How many different values of one column are counted.
const MAX_DISTINCT: usize = 10_000;
/// The bytes that the counted values of all columns take together.
const MAX_MEMORY: usize = 32 * 1024 * 1024;
/// What an entry costs beside its text.
const ENTRY_COST: usize = 64;
/// How many example values and frequent values are told.
const MAX_TOLD: usize = 5;
/// How much of a value is told, in characters.
const MAX_SHOWN: usize = 60;

/// What is in a column.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ColumnProfile {
    /// The name, made unique and made up where the header has none.
    pub name: String,
    /// `integer`, `number`, `boolean`, `date`, `datetime`, `text`, or `empty`:
    /// what all cells that are not null are.
    #[serde(rename = "type")]
    pub kind: String,
    /// How many cells are null or missing.
    pub nulls: u64,
    /// How many different values there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct: Option<usize>,
    /// In place of `distinct` when there are too many to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_at_least: Option<usize>,
    /// The smallest value: a number, or text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub min: Option<Box<RawValue>>,
    /// The largest value: a number, or text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub max: Option<Box<RawValue>>,
    /// The mean of a column of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// The standard deviation of a column of numbers (of the sample).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stddev: Option<f64>,
    /// The most frequent values, when values repeat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<Frequent>,
    /// The first different values.
    pub examples: Vec<String>,
    /// What keeps the column from being of one type, such as a few words among
    /// numbers, and where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A value and how often it is there.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
pub struct Frequent {
    /// The value.
    pub value: String,
    /// How many cells hold it.
    pub count: u64,
}

/// The bytes that all columns use for counting values.
#[derive(Default)]
pub(super) struct Memory(usize);

/// A column that is being read.
pub(super) struct Column {
    at: usize,
    name: String,
    nulls: u64,
    /// How many cells of each kind, and the first of them with its line.
    kinds: [(u64, Option<(String, u64)>); Kind::ALL.len()],
    counts: HashMap<Box<str>, u64, RandomState>,
    /// Values are no longer counted.
    is_full: bool,
    examples: Vec<String>,
    numbers: Moments,
    smallest: Option<Value>,
    largest: Option<Value>,
}

/// Mean and spread, updated value by value (Welford's method).
#[derive(Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let distance = value - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (value - self.mean);
    }
}

impl Column {
    pub(super) fn new(at: usize, name: &str) -> Self {
        Self {
            at,
            name: name.to_owned(),
            nulls: 0,
            kinds: Default::default(),
            counts: HashMap::default(),
            is_full: false,
            examples: Vec::new(),
            numbers: Moments::default(),
            smallest: None,
            largest: None,
        }
    }

    /// Where it stands in the table.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn add_null(&mut self) {
        self.nulls += 1;
    }

    pub(super) fn add(&mut self, cell: &str, line: u64, memory: &mut Memory) {
        let number = Number::parse(cell);
        let kind = Kind::with(cell, number);
        let (count, first) = &mut self.kinds[kind as usize];
        *count += 1;
        if first.is_none() {
            *first = Some((shown(cell), line));
        }
        if let Some(number) = number {
            self.numbers.add(number.to_f64());
        }
        self.stretch(cell, number);
        self.count(cell, memory);
    }

    /// Moves the smallest and the largest value.
    fn stretch(&mut self, cell: &str, number: Option<Number>) {
        // Long texts are compared by their beginning, which is all that is told.
        let cell = &cell[..cell.floor_char_boundary(4 * MAX_SHOWN)];
        let beyond = |value: &Option<Value>, order: Ordering| {
            value
                .as_ref()
                .is_none_or(|value| value.cmp_cell(cell, number) == order)
        };
        if beyond(&self.smallest, Ordering::Less) {
            self.smallest = Some(Value::of(Some(cell)));
        }
        if beyond(&self.largest, Ordering::Greater) {
            self.largest = Some(Value::of(Some(cell)));
        }
    }

    fn count(&mut self, cell: &str, memory: &mut Memory) {
        if let Some(count) = self.counts.get_mut(cell) {
            *count += 1;
            return;
        }
        if self.is_full {
            return;
        }
        let cost = cell.len() + ENTRY_COST;
        if self.counts.len() == MAX_DISTINCT || memory.0 + cost > MAX_MEMORY {
            self.is_full = true;
            return;
        }
        memory.0 += cost;
        self.counts.insert(cell.into(), 1);
        if self.examples.len() < MAX_TOLD {
            self.examples.push(shown(cell));
        }
    }

    /// The kind that covers all cells; none when all are null.
    fn kind(&self) -> Option<Kind> {
        let seen = Kind::ALL
            .into_iter()
            .filter(|kind| self.kinds[*kind as usize].0 > 0);
        seen.reduce(Kind::join)
    }

    /// What a partial result tells.
    pub(super) fn summary(&self) -> serde_json::Value {
        json!({
            "name": shown(&self.name),
            "type": self.kind().map_or("empty", Kind::word),
            "nulls": self.nulls,
        })
    }

    pub(super) fn finish(self) -> ColumnProfile {
        let kind = self.kind();
        let is_number = matches!(kind, Some(Kind::Integer | Kind::Number));
        let enough = self.numbers.count > 1.0;
        ColumnProfile {
            kind: kind.map_or("empty", Kind::word).into(),
            nulls: self.nulls,
            distinct: (!self.is_full).then_some(self.counts.len()),
            distinct_at_least: self.is_full.then_some(self.counts.len()),
            min: self.smallest.as_ref().and_then(told),
            max: self.largest.as_ref().and_then(told),
            mean: is_number.then_some(self.numbers.mean),
            stddev: (is_number && enough)
                .then(|| (self.numbers.squares / (self.numbers.count - 1.0)).sqrt()),
            top: self.top(),
            note: kind.and_then(|kind| self.note(kind)),
            examples: self.examples,
            name: self.name,
        }
    }

    /// The most frequent values. Nothing when counting had to stop: a value
    /// that came later could be more frequent.
    fn top(&self) -> Vec<Frequent> {
        let mut top: Vec<_> = self
            .counts
            .iter()
            .filter(|(_, count)| **count > 1 && !self.is_full)
            .collect();
        top.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let told = top.into_iter().take(MAX_TOLD);
        told.map(|(value, count)| Frequent {
            value: shown(value),
            count: *count,
        })
        .collect()
    }

    /// For a column of text that is mostly something else: what is in the way.
    fn note(&self, kind: Kind) -> Option<String> {
        let all: u64 = self.kinds.iter().map(|(count, _)| count).sum();
        let main = Kind::ALL
            .into_iter()
            .max_by_key(|kind| self.kinds[*kind as usize].0)?;
        let count = self.kinds[main as usize].0;
        if kind != Kind::Text || main == Kind::Text || count * 10 < all * 7 {
            return None;
        }
        let others = Kind::ALL
            .into_iter()
            .filter(|other| main.join(*other) == Kind::Text);
        let first = others
            .filter_map(|other| self.kinds[other as usize].1.as_ref())
            .min_by_key(|(_, line)| *line)?;
        Some(format!(
            "{count} of {all} values are of type {}; the first other one is `{}` in line {}: if it stands for nothing, name it in `nullValues`",
            main.word(),
            first.0,
            first.1
        ))
    }
}

/// A value as JSON: a number, or the beginning of a text.
fn told(value: &Value) -> Option<Box<RawValue>> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => serde_json::to_string(&shown(text)).ok()?,
        Value::Null => return None,
    };
    RawValue::from_string(text).ok()
}

/// The beginning of a value.
fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
