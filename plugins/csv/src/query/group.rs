//! Groups of rows and the figures about each.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::Cells;
use super::aggregate::{Figure, Memory};
use super::spec::{Aggregate, Function, Query};
use crate::failure::Failure;
use crate::table::Table;

/// How many groups there are at most.
const MAX_GROUPS: usize = 50_000;
/// How many figures all groups have together.
const MAX_FIGURES: usize = 500_000;
/// The bytes that the values of all groups take together.
const MAX_KEYS: usize = 16 * 1024 * 1024;

/// All groups so far.
pub(super) struct Groups {
    keys: Vec<(String, usize)>,
    plans: Vec<Plan>,
    /// Where a group stands in `all`, by its key.
    places: HashMap<Box<[u8]>, usize, RandomState>,
    all: Vec<Group>,
    key_bytes: usize,
    /// The key of the current row, kept for its room.
    key: Vec<u8>,
    memory: Memory,
}

struct Group {
    values: Cells,
    figures: Vec<Figure>,
}

/// One column of figures.
struct Plan {
    function: Function,
    /// `None` counts rows.
    at: Option<usize>,
    name: String,
    /// How many cells were no numbers, and the first of them with its line.
    skipped: (u64, Option<(String, u64)>),
}

impl Groups {
    pub(super) fn compile(query: &Query, table: &Table) -> Result<Self, Failure> {
        let mut keys: Vec<(String, usize)> = Vec::new();
        for name in &query.group_by {
            let at = table.column(name)?;
            keys.push((table.names()[at].clone(), at));
        }
        let counted = [Aggregate {
            op: Function::Count,
            column: None,
            name: None,
        }];
        let aggregates = if query.aggregate.is_empty() {
            &counted[..]
        } else {
            &query.aggregate[..]
        };
        let mut plans: Vec<Plan> = Vec::new();
        for aggregate in aggregates {
            let plan = Plan::compile(aggregate, table)?;
            let taken = plans.iter().any(|other| other.name == plan.name)
                || keys.iter().any(|(name, _)| *name == plan.name);
            if taken {
                let message = format!(
                    "two columns of the answer are called `{}`: name one of them with `as`",
                    plan.name
                );
                return Err(Failure::arguments(message));
            }
            plans.push(plan);
        }
        let mut groups = Self {
            keys,
            plans,
            places: HashMap::default(),
            all: Vec::new(),
            key_bytes: 0,
            key: Vec::new(),
            memory: Memory::default(),
        };
        if groups.keys.is_empty() {
            // One group of everything, also when there is nothing in it.
            groups.open(&[], Vec::new())?;
        }
        Ok(groups)
    }

    /// The columns of the answer.
    pub(super) fn names(&self) -> Vec<String> {
        let keys = self.keys.iter().map(|(name, _)| name.clone());
        keys.chain(self.plans.iter().map(|plan| plan.name.clone()))
            .collect()
    }

    /// Takes the current row.
    pub(super) fn add(&mut self, table: &mut Table) -> Result<(), Failure> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        for (_, at) in &self.keys {
            let cell = table.cell(*at);
            // The length keeps neighbouring values apart, and null from nothing.
            let length = cell.as_ref().map_or(usize::MAX, |cell| cell.len());
            key.extend_from_slice(&length.to_le_bytes());
            key.extend_from_slice(cell.as_deref().unwrap_or_default().as_bytes());
        }
        let place = if let Some(place) = self.places.get(key.as_slice()) {
            *place
        } else {
            let cells = self
                .keys
                .iter()
                .map(|(_, at)| table.cell(*at).map(|cell| Box::from(&*cell)));
            let cells = cells.collect();
            self.open(&key, cells)?
        };
        self.key = key;
        let line = table.line();
        for (plan, figure) in self.plans.iter_mut().zip(&mut self.all[place].figures) {
            let Some(at) = plan.at else {
                figure.count();
                continue;
            };
            let Some(cell) = table.cell(at) else { continue };
            if !figure.add(&cell, &mut self.memory)? {
                plan.skipped.0 += 1;
                plan.skipped
                    .1
                    .get_or_insert_with(|| (crate::failure::excerpt(&cell), line));
            }
        }
        Ok(())
    }

    /// A new group; its place.
    fn open(&mut self, key: &[u8], values: Cells) -> Result<usize, Failure> {
        self.key_bytes += 2 * key.len();
        let figures = (self.all.len() + 1) * self.plans.len();
        if self.all.len() == MAX_GROUPS || self.key_bytes > MAX_KEYS || figures > MAX_FIGURES {
            return Err(Failure::too_large(format!(
                "there are more than {} groups: filter first, group by a column with fewer values, or look at the values with `csv_profile`",
                self.all.len()
            )));
        }
        let place = self.all.len();
        let figures = self
            .plans
            .iter()
            .map(|plan| Figure::new(plan.function))
            .collect();
        self.all.push(Group { values, figures });
        self.places.insert(key.into(), place);
        Ok(place)
    }

    /// What was passed over, in sentences.
    pub(super) fn warnings(&self) -> Vec<String> {
        let told = self.plans.iter().filter_map(|plan| {
            let (count, first) = &plan.skipped;
            let (cell, line) = first.as_ref()?;
            Some(format!(
                "`{}` left out {count} cells that are not numbers (first: `{cell}` in line {line})",
                plan.name
            ))
        });
        told.collect()
    }

    /// Some of the groups, for a partial result.
    pub(super) fn first(&self, count: usize) -> Vec<Cells> {
        self.all.iter().take(count).map(Group::cells).collect()
    }

    /// All groups, in the order in which they first appeared.
    pub(super) fn finish(self) -> Vec<Cells> {
        self.all.iter().map(Group::cells).collect()
    }
}

impl Group {
    fn cells(&self) -> Cells {
        let figures = self.figures.iter().map(Figure::value);
        self.values.iter().cloned().chain(figures).collect()
    }
}

impl Plan {
    fn compile(aggregate: &Aggregate, table: &Table) -> Result<Self, Failure> {
        let at = aggregate
            .column
            .as_ref()
            .map(|name| table.column(name))
            .transpose()?;
        if at.is_none() && aggregate.op != Function::Count {
            let message = format!("the aggregate `{}` needs a `column`", word(aggregate.op));
            return Err(Failure::arguments(message));
        }
        let name = aggregate.name.clone().unwrap_or_else(|| match at {
            Some(at) => format!("{}_{}", word(aggregate.op), table.names()[at]),
            None => word(aggregate.op).into(),
        });
        Ok(Self {
            function: aggregate.op,
            at,
            name,
            skipped: (0, None),
        })
    }
}

/// What a function is called, in the schema and in the answer.
fn word(function: Function) -> &'static str {
    match function {
        Function::Count => "count",
        Function::CountDistinct => "countDistinct",
        Function::Sum => "sum",
        Function::Mean => "mean",
        Function::Median => "median",
        Function::Min => "min",
        Function::Max => "max",
        Function::First => "first",
        Function::Last => "last",
    }
}
