//! What someone learns about a table they have never seen.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;

use super::*;
use crate::failure::FailureKind;
use crate::watch::Unwatched;

const SALES: &str = "\
day,city,amount,paid,zip
2024-01-01,Rome,10.50,yes,00100
2024-01-02,Oslo,3,no,00200
2024-01-03,Rome,,yes,00100
2024-01-04,Rome,7.25,yes,
";

fn of(text: &str) -> Profile {
    profile(&Source::text(text), &[], &Unwatched).expect("a profile")
}

#[test]
fn types_gaps_and_ranges() {
    let profile = of(SALES);
    assert_eq!(profile.rows, 4);
    let kinds: Vec<_> = profile
        .columns
        .iter()
        .map(|column| column.kind.as_str())
        .collect();
    assert_eq!(kinds, ["date", "text", "number", "boolean", "text"]);
    let amount = &profile.columns[2];
    assert_eq!((amount.nulls, amount.distinct), (1, Some(3)));
    assert_eq!(amount.min.as_ref().unwrap().get(), "3");
    assert_eq!(amount.max.as_ref().unwrap().get(), "10.50");
    assert!((amount.mean.unwrap() - 20.75 / 3.0).abs() < 1e-12);
    let day = &profile.columns[0];
    assert_eq!(day.max.as_ref().unwrap().get(), "\"2024-01-04\"");
    assert_eq!(
        profile.columns[1].top,
        [Frequent {
            value: "Rome".into(),
            count: 3
        }]
    );
}

#[test]
fn only_the_columns_that_are_asked_for() {
    let profile = profile(&Source::text(SALES), &["ZIP".into()], &Unwatched).unwrap();
    assert_eq!(profile.columns.len(), 1);
    assert_eq!(profile.columns[0].examples, ["00100", "00200"]);
}

#[test]
fn a_few_words_among_numbers_are_pointed_at() {
    let profile = of("n\n1\n2\n3\nn.a.\n5\n");
    assert_eq!(profile.columns[0].kind, "text");
    let note = profile.columns[0].note.as_deref().unwrap();
    assert!(
        note.starts_with(
            "4 of 5 values are of type integer; the first other one is `n.a.` in line 5"
        ),
        "{note}"
    );
}

#[test]
fn counting_stops_before_memory_does() {
    let mut text = String::from("id\n");
    for id in 0..20_000 {
        writeln!(text, "{id}").unwrap();
    }
    let column = &of(&text).columns[0];
    assert_eq!(
        (column.distinct, column.distinct_at_least),
        (None, Some(10_000))
    );
    assert!(column.top.is_empty());
}

#[test]
fn a_wide_table_is_described_in_part() {
    let names: Vec<_> = (0..300).map(|at| format!("c{at}")).collect();
    let profile = of(&format!("{}\n", names.join(",")));
    assert_eq!(profile.columns.len(), 200);
    assert!(profile.truncated.unwrap().contains("200 of 300"));
    assert_eq!(profile.columns[0].kind, "empty");
}

/// Looks on, and gives up after a while.
struct Onlooker {
    shown: RefCell<Vec<serde_json::Value>>,
    patience: Cell<u64>,
}

impl Watch for Onlooker {
    fn is_aborted(&self) -> bool {
        self.patience.set(self.patience.get() - 1);
        self.patience.get() == 0
    }

    fn show(&self, snapshot: serde_json::Value) -> bool {
        self.shown.borrow_mut().push(snapshot);
        true
    }
}

#[test]
fn a_long_table_shows_what_is_known_and_stops_when_asked() {
    let text = format!("n\n{}", "1\n".repeat(200_000));
    let onlooker = Onlooker {
        shown: RefCell::default(),
        patience: Cell::new(120),
    };
    let error = profile(&Source::text(&text), &[], &onlooker).unwrap_err();
    assert_eq!(error.kind, FailureKind::Aborted);
    let shown = onlooker.shown.borrow();
    assert_eq!(shown.len(), 2);
    assert_eq!(shown[1]["rowsRead"], 100_000);
    assert_eq!(shown[1]["columns"][0]["type"], "integer");
}
