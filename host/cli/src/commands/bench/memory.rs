//! What one live sandbox costs in memory: many are made and held, and the resident
//! memory of the process is compared.

use toolhost::Plugin;

/// Sandboxes to hold. More would even out more noise, and not fit a small machine
/// for large plugins.
pub(super) const HELD: usize = 50;

/// Resident bytes of a sandbox that was made and not called yet. `None` where the
/// system does not tell.
pub(super) async fn per_sandbox(plugin: &Plugin) -> Option<u64> {
    // What is made first stays with the process: the pool's bookkeeping and slots.
    let before = resident()?;
    let held = plugin.hold(HELD).await.ok()?;
    let after = resident()?;
    let count = u64::try_from(held.len()).ok()?.max(1);
    drop(held);
    Some(after.saturating_sub(before) / count)
}

/// Resident bytes of this process.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}

/// Of the systems that have `/proc/self/statm` and run a pool, all but few use it.
const PAGE_BYTES: u64 = 4096;
