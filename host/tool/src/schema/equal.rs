//! When two values are the same to a schema: numbers by what they amount to, objects
//! in any order. Nothing is copied for it, as `enum` and `uniqueItems` compare values
//! of any size, often.

use std::{
    collections::HashSet,
    hash::{BuildHasher, Hash, Hasher, RandomState},
};

use jsonschema::json::cmp;
use serde_json::{Number, Value};

use crate::json::{Items, Part, Seen};

/// Up to so many items are compared one with another; hashing them costs more.
const FEW_ITEMS: usize = 15;

/// Whether two values are the same. Recurses as deep as both are.
pub(super) fn equal(one: Part<'_>, other: Part<'_>) -> bool {
    match (one.see(), other.see()) {
        (Seen::Null, Seen::Null) => true,
        (Seen::Bool(one), Seen::Bool(other)) => one == other,
        (Seen::Number(one), Seen::Number(other)) => equal_numbers(one, other),
        (Seen::String(one), Seen::String(other)) => one == other,
        (Seen::Array(one), Seen::Array(other)) => {
            one.len() == other.len() && one.zip(other).all(|(one, other)| equal(one, other))
        }
        (Seen::Object(one), Seen::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| {
                    let other = other.get(name);
                    other.is_some_and(|other| equal(one, other))
                })
        }
        _ => false,
    }
}

fn equal_numbers(one: &Number, other: &Number) -> bool {
    if one == other {
        return true;
    }
    if !one.is_f64() && !other.is_f64() {
        return false;
    }
    let value = |number: &Number| Value::Number(number.clone());
    cmp::equal(&value(one), &value(other))
}

/// Whether no two items are the same.
pub(super) fn all_differ(items: Items<'_>) -> bool {
    if items.len() > FEW_ITEMS {
        let keys = RandomState::new();
        let mut met = HashSet::with_capacity_and_hasher(items.len(), keys.clone());
        return items
            .map(|part| Same { part, keys: &keys })
            .all(|item| met.insert(item));
    }
    let mut left = items;
    while let Some(item) = left.next() {
        if left.clone().any(|other| equal(item, other)) {
            return false;
        }
    }
    true
}

/// A value in a set: the same ones have the same hash.
struct Same<'a> {
    part: Part<'a>,
    /// Random, so that nobody can choose values of the same hash.
    keys: &'a RandomState,
}

impl PartialEq for Same<'_> {
    fn eq(&self, other: &Self) -> bool {
        equal(self.part, other.part)
    }
}

impl Eq for Same<'_> {}

impl Hash for Same<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let same = |part| Same { part, ..*self };
        match self.part.see() {
            Seen::Null => state.write_u8(0),
            Seen::Bool(value) => value.hash(state),
            Seen::Number(number) => hash_number(number, state),
            Seen::String(text) => text.hash(state),
            Seen::Array(items) => items.for_each(|item| same(item).hash(state)),
            Seen::Object(members) => {
                // The sum does not depend on the order.
                let members = members
                    .iter()
                    .map(|(name, member)| self.keys.hash_one((name, same(member))));
                state.write_u64(members.fold(0, u64::wrapping_add));
            }
        }
    }
}

/// Integers to the last digit: of those beyond 2⁵³ thousands are one float, and a set
/// of values that all have the same hash compares each with each. A float without a
/// fraction is the integer that it equals, `-0.0` is `0`.
fn hash_number<H: Hasher>(number: &Number, state: &mut H) {
    let integer = number.as_i64().map(i128::from);
    let integer = integer.or_else(|| number.as_u64().map(i128::from));
    let float = number.as_f64().unwrap_or_default();
    match integer {
        Some(integer) => integer.hash(state),
        None if float.fract() == 0.0 && float.abs() < LARGE => {
            #[expect(clippy::cast_possible_truncation, reason = "it has no fraction")]
            (float as i128).hash(state);
        }
        None => float.to_bits().hash(state),
    }
}

/// No integer that is read is as large.
const LARGE: f64 = 18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Pairs of the same values.
    fn same() -> Vec<(Value, Value)> {
        vec![
            (json!(3), json!(3.0)),
            (json!(0), json!(-0.0)),
            (json!(u64::MAX), json!(u64::MAX)),
            (json!(1_u64 << 63), json!(9_223_372_036_854_775_808.0)),
            (json!(i64::MIN), json!(-9_223_372_036_854_775_808.0)),
            (json!(1e300), json!(1e300)),
            (json!([1, {"a": 1}]), json!([1.0, {"a": 1.0}])),
            (json!({"a": 1, "b": [2]}), json!({"b": [2], "a": 1})),
            (json!("é"), json!("\u{e9}")),
        ]
    }

    #[test]
    fn numbers_are_what_they_amount_to_and_objects_have_no_order() {
        for (one, other) in same() {
            assert!(equal((&one).into(), (&other).into()), "{one} {other}");
        }
        let different = [
            (json!(1), json!(true)),
            (json!("1"), json!(1)),
            (
                json!(9_007_199_254_740_993_u64),
                json!(9_007_199_254_740_992.0),
            ),
            (json!([1, 2]), json!([2, 1])),
            (json!([1]), json!([1, 2])),
            (json!({"a": 1}), json!({"b": 1})),
            (json!({"a": null}), json!({"b": null})),
            (json!({}), json!([])),
        ];
        for (one, other) in different {
            assert!(!equal((&one).into(), (&other).into()), "{one} {other}");
        }
    }

    /// What costs time in a set is values of one hash: there must be none that a text
    /// can bring.
    #[test]
    fn neighbours_of_any_size_have_hashes_of_their_own() {
        let keys = RandomState::new();
        let numbers =
            (0..2_000).map(|n| json!([u64::MAX - n, { "n": i64::MIN + n.cast_signed() }]));
        let hashes: HashSet<u64> = numbers
            .map(|number| {
                let part = (&number).into();
                keys.hash_one(Same { part, keys: &keys })
            })
            .collect();
        assert_eq!(hashes.len(), 2_000);
    }

    #[test]
    fn equal_items_are_found_among_few_and_among_many() {
        for fillers in [0, FEW_ITEMS - 2, FEW_ITEMS - 1, FEW_ITEMS, 1000] {
            let mut items: Vec<Value> = (0..fillers).map(|n| json!({"n": [n]})).collect();
            let differ = |items: &[Value]| all_differ(Items::Tree(items.iter()));
            assert!(differ(&items));
            for (one, other) in same() {
                items.insert(0, one);
                assert!(differ(&items), "{items:?}");
                items.push(other);
                assert!(!differ(&items), "{items:?}");
                items.pop();
                items.remove(0);
            }
        }
    }
}
