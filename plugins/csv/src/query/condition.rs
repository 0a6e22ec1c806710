//! Conditions, ready to be put to each row.

use std::cmp::Ordering;

use regex_lite::{Regex, RegexBuilder};
use serde_json::Value as Json;

use super::spec::{Condition, Matching, Operator};
use crate::failure::Failure;
use crate::number::Number;
use crate::table::Table;

/// The memory a compiled regular expression may take, in bytes.
const MAX_REGEX: usize = 1 << 20;

/// All conditions of a query.
pub(super) struct Tests {
    tests: Vec<Test>,
    matching: Matching,
}

struct Test {
    at: usize,
    check: Check,
    ignore_case: bool,
}

/// What the cell is put to; nulls are dealt with before.
enum Check {
    IsNull,
    NotNull,
    /// The cell's place beside the operand is one of these.
    Compare(&'static [Ordering], Operand),
    /// It is, or is not, one of these.
    Among(Vec<Operand>, bool),
    /// It contains, or does not, this text.
    Contains(String, bool),
    StartsWith(String),
    EndsWith(String),
    Matches(Box<Regex>),
}

struct Operand {
    text: String,
    number: Option<Number>,
}

impl Tests {
    pub(super) fn compile(
        conditions: &[Condition],
        matching: Matching,
        table: &Table,
    ) -> Result<Self, Failure> {
        let tests = conditions
            .iter()
            .map(|condition| Test::compile(condition, table));
        Ok(Self {
            tests: tests.collect::<Result<_, _>>()?,
            matching,
        })
    }

    /// Whether the current row counts.
    pub(super) fn hold(&self, table: &mut Table) -> bool {
        match self.matching {
            Matching::All => self.tests.iter().all(|test| test.holds(table)),
            Matching::Any => {
                self.tests.is_empty() || self.tests.iter().any(|test| test.holds(table))
            }
        }
    }
}

impl Test {
    fn compile(condition: &Condition, table: &Table) -> Result<Self, Failure> {
        use Ordering::{Equal, Greater, Less};
        let at = table.column(&condition.column)?;
        let ignore_case = condition.ignore_case || matches!(condition.value, Some(Json::Bool(_)));
        let folded = |text: String| {
            if ignore_case {
                text.to_lowercase()
            } else {
                text
            }
        };
        let text = || Ok(folded(single(condition)?));
        let operand = || text().map(Operand::new);
        let check = match condition.op {
            Operator::IsNull => Check::IsNull,
            Operator::NotNull => Check::NotNull,
            Operator::Eq => Check::Compare(&[Equal], operand()?),
            Operator::Ne => Check::Compare(&[Less, Greater], operand()?),
            Operator::Lt => Check::Compare(&[Less], operand()?),
            Operator::Lte => Check::Compare(&[Less, Equal], operand()?),
            Operator::Gt => Check::Compare(&[Greater], operand()?),
            Operator::Gte => Check::Compare(&[Greater, Equal], operand()?),
            Operator::In | Operator::NotIn => {
                let operands = list(condition)?.into_iter().map(folded).map(Operand::new);
                Check::Among(operands.collect(), condition.op == Operator::In)
            }
            Operator::Contains => Check::Contains(text()?, true),
            Operator::NotContains => Check::Contains(text()?, false),
            Operator::StartsWith => Check::StartsWith(text()?),
            Operator::EndsWith => Check::EndsWith(text()?),
            Operator::Matches => {
                Check::Matches(Box::new(regex(&single(condition)?, condition.ignore_case)?))
            }
        };
        Ok(Self {
            at,
            check,
            ignore_case,
        })
    }

    fn holds(&self, table: &mut Table) -> bool {
        let Some(cell) = table.cell(self.at) else {
            return matches!(self.check, Check::IsNull);
        };
        if self.ignore_case && !matches!(self.check, Check::Matches(_)) {
            return self.check.holds(&cell.to_lowercase());
        }
        self.check.holds(&cell)
    }
}

impl Check {
    fn holds(&self, cell: &str) -> bool {
        match self {
            Self::IsNull => false,
            Self::NotNull => true,
            Self::Compare(places, operand) => operand.place(cell, places),
            Self::Among(operands, wanted) => {
                operands
                    .iter()
                    .any(|operand| operand.place(cell, &[Ordering::Equal]))
                    == *wanted
            }
            Self::Contains(text, wanted) => cell.contains(text.as_str()) == *wanted,
            Self::StartsWith(text) => cell.starts_with(text.as_str()),
            Self::EndsWith(text) => cell.ends_with(text.as_str()),
            Self::Matches(regex) => regex.is_match(cell),
        }
    }
}

impl Operand {
    fn new(text: String) -> Self {
        let number = Number::parse(&text);
        Self { text, number }
    }

    /// Whether the cell stands in one of these places beside the operand. A
    /// word is neither less nor greater than a number, only different.
    fn place(&self, cell: &str, places: &[Ordering]) -> bool {
        let order = match (self.number, Number::parse(cell)) {
            (Some(operand), Some(cell)) => cell.cmp(&operand),
            (Some(_), None) => return places.len() == 2 && !places.contains(&Ordering::Equal),
            (None, _) => cell.cmp(self.text.as_str()),
        };
        places.contains(&order)
    }
}

/// The one value of a condition, as text.
fn single(condition: &Condition) -> Result<String, Failure> {
    match &condition.value {
        None | Some(Json::Null) => Err(Failure::arguments(format!(
            "the condition on `{}` needs a `value`; for cells without one use `isNull` or `notNull`",
            condition.column
        ))),
        Some(value) => scalar(value).ok_or_else(|| {
            Failure::arguments(format!(
                "`value` of the condition on `{}` is one text, number or boolean; for a list use `in` or `notIn`",
                condition.column
            ))
        }),
    }
}

/// The values of a condition with a list.
fn list(condition: &Condition) -> Result<Vec<String>, Failure> {
    let values = match &condition.value {
        Some(Json::Array(values)) => values.iter().map(scalar).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    values.ok_or_else(|| {
        Failure::arguments(format!(
            "`value` of the condition on `{}` is a list of texts, numbers or booleans",
            condition.column
        ))
    })
}

fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_owned()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn regex(pattern: &str, ignore_case: bool) -> Result<Regex, Failure> {
    let built = RegexBuilder::new(pattern)
        .case_insensitive(ignore_case)
        .size_limit(MAX_REGEX)
        .build();
    built.map_err(|error| {
        let pattern = crate::failure::excerpt(pattern);
        Failure::arguments(format!(
            "`{pattern}` is no regular expression: {error}; to find it as it stands use `contains`"
        ))
    })
}
