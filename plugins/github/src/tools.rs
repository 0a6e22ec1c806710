//! The tools as the model sees them.

pub mod comment;
pub mod files;
pub mod issues;
pub mod search;

/// The first page of a list.
fn first() -> u32 {
    1
}

/// Entries on a page of a list.
fn twenty() -> u32 {
    20
}

/// The number of the next page, when there is one.
fn next_page(page: u32, has_more: bool) -> Option<u32> {
    has_more.then(|| page.saturating_add(1))
}

#[cfg(test)]
mod tests;
