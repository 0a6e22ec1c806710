//! The regular expressions of a schema, tried one by one: so the one at fault can
//! be named, where the validator says only that some pattern is no "regex", and so
//! it is known how large each is, which the time of a match grows with.

use serde_json::json;

use super::{
    engine,
    error::SchemaError,
    graph::{Graph, Pattern},
    limits::SchemaLimits,
};
use crate::arguments::shorten;

/// Characters of an expression that a message repeats.
const PATTERN_SHOWN: usize = 100;

/// What an expression may contain and the linear-time engine does not have.
const LOOK_AROUND: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];

/// Characters written as `\cA` that an expression may have: for each the validator
/// reads the whole expression again.
const MAX_CONTROLS: usize = 16;

/// Steps of matching a byte of text with 1 KiB of an expression. A large one has more
/// states than its cache, and then runs without.
fn steps_per_kib(size: u64) -> u64 {
    if size <= 8 { 4 } else { 16 }
}

/// Checks the expressions of a schema and notes in its graph what matching them costs.
///
/// # Errors
/// When there are too many, or one cannot be compiled within the limit.
pub(super) fn check(graph: &mut Graph, limits: &SchemaLimits) -> Result<(), SchemaError> {
    if graph.patterns.len() > limits.patterns {
        return Err(SchemaError::TooManyPatterns {
            limit: limits.patterns,
        });
    }
    for Pattern {
        text,
        pointer,
        node,
        on_names,
    } in &graph.patterns
    {
        if text.matches("\\c").count() > MAX_CONTROLS {
            return Err(SchemaError::Pattern {
                pattern: shorten(text, PATTERN_SHOWN),
                at: pointer.clone(),
                problem: "has many control characters such as `\\cA`: write them as `\\x01`",
            });
        }
        let size = size(text, limits).ok_or_else(|| SchemaError::Pattern {
            pattern: shorten(text, PATTERN_SHOWN),
            at: pointer.clone(),
            problem: problem(text),
        })?;
        let steps = size * steps_per_kib(size);
        let node = &mut graph.nodes[*node];
        if *on_names {
            node.name_patterns += steps;
        } else {
            node.value_pattern += steps;
        }
    }
    Ok(())
}

/// The size of a compiled expression in KiB, rounded up to a power of two; `None`
/// when it is beyond the limit, or no expression.
fn size(pattern: &str, limits: &SchemaLimits) -> Option<u64> {
    let schema = json!({ "pattern": pattern });
    let fits = |pattern_bytes| {
        engine::build(
            &schema,
            &SchemaLimits {
                pattern_bytes,
                ..*limits
            },
        )
        .is_ok()
    };
    // What does not fit into the limit is not tried in smaller ones.
    fits(limits.pattern_bytes).then_some(())?;
    let sizes = std::iter::successors(Some(1_usize), |size| size.checked_mul(2));
    let largest = limits.pattern_bytes.div_ceil(1 << 10);
    let mut smaller = sizes.take_while(|size| *size < largest);
    Some(smaller.find(|size| fits(size << 10)).unwrap_or(largest) as u64)
}

fn problem(pattern: &str) -> &'static str {
    let pairs = pattern.as_bytes().windows(2);
    let has_reference = pairs
        .into_iter()
        .any(|pair| matches!(pair, [b'\\', b'1'..=b'9']));
    if LOOK_AROUND.iter().any(|start| pattern.contains(start)) {
        "uses look-around, which is not supported because its cost has no bound: write it without, \
         or check it in the plugin"
    } else if has_reference {
        "uses a back-reference, which is not supported because its cost has no bound: write it \
         without, or check it in the plugin"
    } else {
        "is not valid, or too large once its repetitions are written out"
    }
}
