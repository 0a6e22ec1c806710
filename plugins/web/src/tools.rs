//! The tools as the model sees them.

pub mod fetch;
pub mod request;

/// 30 seconds.
fn default_timeout() -> u32 {
    30_000
}

fn default_redirects() -> u32 {
    10
}

/// 2 MiB.
fn default_bytes() -> u32 {
    2 * 1024 * 1024
}

fn default_chars() -> u32 {
    50_000
}
