//! Describes 10,000 tools, each of them sound.

use guest_support::bindings::types::ToolDefinition;
use guest_support::named;

fn describe() -> Vec<ToolDefinition> {
    (0..10_000)
        .map(|number| named(&format!("tool_{number}")))
        .collect()
}

guest_support::plugin!(&[], describe());
