//! Which calls a soak makes: of a thousand so many of each kind, and how each kind
//! has to end.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use toolhost::permission::Permissions;
use toolhost::policy::{Size, Span};
use toolhost::{Grants, LimitsPatch, PluginOptions};

/// What is done with a call once it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Waited for.
    Wait,
    /// Cancelled at once.
    Cancel,
    /// Given up: its future is dropped.
    Drop,
}

/// Calls that differ in nothing but their id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// What it is, for the table.
    pub(super) name: &'static str,
    /// Calls of this kind in [`SHARES`] calls.
    pub(super) share: usize,
    /// The tool.
    pub(super) tool: &'static str,
    /// Its arguments, as text.
    pub(super) arguments: &'static str,
    /// Limits of its own.
    pub(super) limits: fn() -> LimitsPatch,
    /// What is done with it.
    pub(super) manner: Manner,
    /// The error it has to end in; `None` when it has to work.
    pub(super) error: Option<&'static str>,
}

const fn good(
    share: usize,
    name: &'static str,
    tool: &'static str,
    arguments: &'static str,
) -> Kind {
    Kind {
        name,
        share,
        tool,
        arguments,
        limits: LimitsPatch::default,
        manner: Manner::Wait,
        error: None,
    }
}

const fn bad(
    share: usize,
    name: &'static str,
    tool: &'static str,
    arguments: &'static str,
    error: &'static str,
) -> Kind {
    Kind {
        error: Some(error),
        ..good(share, name, tool, arguments)
    }
}

const fn limited(kind: Kind, limits: fn() -> LimitsPatch) -> Kind {
    Kind { limits, ..kind }
}

const fn ended(kind: Kind, manner: Manner) -> Kind {
    Kind { manner, ..kind }
}

const INVALID: &str = "ToolArgumentsValidationError";
const TRAP: &str = "GuestTrapError";
const LATE: &str = "DeadlineExceededError";
const ABORTED: &str = "ToolAbortedError";

/// All kinds.
pub(super) const KINDS: [Kind; 25] = [
    good(200, "add", "add", r#"{"a": 2, "b": 3}"#),
    good(100, "calc", "calc", r#"{"expression": "3 ft 4 in to cm"}"#),
    good(
        60,
        "jq",
        "jq",
        r#"{"filter": ".a | add", "input": {"a": [1, 2, 3]}}"#,
    ),
    good(
        40,
        "partial results",
        "flood_partials",
        r#"{"n": 20, "bytes": 500}"#,
    ),
    good(40, "log lines", "flood_log", r#"{"n": 20, "bytes": 200}"#),
    good(30, "handles left open", "leak_resources", r#"{"n": 200}"#),
    good(
        20,
        "directories left open",
        "leak_resources",
        r#"{"n": 50, "kind": "directories"}"#,
    ),
    good(10, "large result", "flood_output", r#"{"bytes": 500000}"#),
    bad(
        80,
        "invalid number",
        "add",
        r#"{"a": "two", "b": 3}"#,
        INVALID,
    ),
    bad(
        30,
        "invalid field",
        "calc",
        r#"{"expresion": "1"}"#,
        INVALID,
    ),
    bad(10, "broken JSON", "add", r#"{"a": 2, "b"#, INVALID),
    bad(80, "unknown tool", "ad", r"{}", "ToolNotFoundError"),
    bad(80, "denied", "abort", r"{}", "ToolDeniedError"),
    bad(30, "panic", "panic", r"{}", TRAP),
    bad(20, "unreachable", "unreachable", r"{}", TRAP),
    bad(10, "trap after partials", "partial_then_trap", r"{}", TRAP),
    bad(20, "stack overflow", "recurse", r"{}", "StackOverflowError"),
    bad(
        10,
        "tool's own error",
        "huge_error",
        r#"{"bytes": 5000}"#,
        "HugeError",
    ),
    bad(
        10,
        "output too large",
        "flood_output",
        r#"{"bytes": 3000000}"#,
        "OutputLimitError",
    ),
    limited(
        bad(40, "out of fuel", "spin", r"{}", "FuelExhaustedError"),
        little_fuel,
    ),
    limited(
        bad(20, "out of memory", "alloc", r"{}", "MemoryLimitError"),
        little_memory,
    ),
    limited(
        bad(20, "sleeps too long", "sleep", r"{}", LATE),
        little_time,
    ),
    limited(bad(10, "spins too long", "spin", r"{}", LATE), little_time),
    ended(
        bad(20, "cancelled", "block_on_signal", r"{}", ABORTED),
        Manner::Cancel,
    ),
    ended(bad(10, "given up", "sleep", r"{}", ABORTED), Manner::Drop),
];

/// The shares of all kinds together.
pub(super) const SHARES: u64 = 1_000;

/// Neighbours in a soak are of different kinds: a step through the shares that
/// meets each of them once.
const STEP: u64 = 617;

/// The kind of the call `number`, as its place in [`KINDS`].
pub(super) fn kind_of(number: u64) -> usize {
    let mut place = usize::try_from((number % SHARES) * STEP % SHARES).unwrap_or(0);
    for (index, kind) in KINDS.iter().enumerate() {
        match place.checked_sub(kind.share) {
            Some(rest) => place = rest,
            None => return index,
        }
    }
    0
}

fn little_fuel() -> LimitsPatch {
    LimitsPatch {
        fuel: Some(1_000_000),
        ..LimitsPatch::default()
    }
}

fn little_memory() -> LimitsPatch {
    LimitsPatch {
        memory: Some(Size::from_bytes(4 << 20)),
        ..LimitsPatch::default()
    }
}

fn little_time() -> LimitsPatch {
    LimitsPatch {
        wall_clock: Some(Span::new(Duration::from_millis(3))),
        ..LimitsPatch::default()
    }
}

/// A rule that denies the tool `abort`.
pub(super) fn permissions() -> Result<Permissions> {
    Ok(serde_json::from_value(json!({
        "rules": [{"action": "deny", "tool": "abort", "reason": "it would end badly"}],
    }))?)
}

/// One folder, so that calls hold descriptors.
pub(super) fn granted(folder: &Path) -> Result<PluginOptions> {
    let grant = format!("{}::/work:ro", folder.display());
    let grants = Grants {
        dirs: vec![grant.parse()?],
        ..Grants::default()
    };
    Ok(PluginOptions {
        grants,
        ..PluginOptions::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_called_as_often_as_its_share_says() {
        let mut counts = [0; KINDS.len()];
        for number in 5_000..5_000 + SHARES {
            counts[kind_of(number)] += 1;
        }
        assert_eq!(counts, KINDS.map(|kind| kind.share));
    }
}
