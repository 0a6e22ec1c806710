//! How large a native tool's result is, counted without writing it down.

use std::io;

use serde::Serialize;
use toolhost_policy::Limits;
use toolhost_sandbox::{Failure, LimitKind};
use toolhost_tool::{ContentBlock, LimitHit, Output};

/// The bytes of `value` as JSON text.
pub(crate) fn json_bytes(value: &impl Serialize) -> u64 {
    let mut counter = Counter(0);
    // Nothing but the value itself can fail here, and then it is refused later.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// Refuses an output that is larger than the limit `output`.
pub(crate) fn check_output(output: &Output, limits: &Limits) -> Result<(), Failure> {
    let json = |value: &Option<serde_json::Value>| value.as_ref().map_or(0, json_bytes);
    let used = content_bytes(&output.content)
        + output.model_view.as_deref().map_or(0, content_bytes)
        + json(&output.structured)
        + json(&output.custom_data);
    check(used, limits)
}

/// Refuses content that is larger than the limit `output`.
pub(crate) fn check_content(content: &[ContentBlock], limits: &Limits) -> Result<(), Failure> {
    check(content_bytes(content), limits)
}

fn check(used: u64, limits: &Limits) -> Result<(), Failure> {
    if used <= limits.output {
        return Ok(());
    }
    let hit = LimitHit {
        name: "output".into(),
        allowed: limits.output,
        used,
    };
    Err(Failure::Limit(LimitKind::Output, hit))
}

fn content_bytes(content: &[ContentBlock]) -> u64 {
    let bytes = content.iter().map(|block| match block {
        ContentBlock::Text { text } => text.len() as u64,
        block => block
            .bytes()
            .map_or_else(|| json_bytes(block), |bytes| bytes.len() as u64),
    });
    bytes.sum()
}

struct Counter(u64);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
