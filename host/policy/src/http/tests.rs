//! Grants as operators type them and requests as plugins try them.

mod grants;
mod hostile;
mod properties;
mod requests;

use super::*;

fn grant(text: &str) -> HttpGrant {
    text.parse()
        .unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

fn private(text: &str) -> HttpGrant {
    grant(text).allow_private().unwrap()
}

fn allowed(grants: &[HttpGrant], method: &str, url: &str) -> bool {
    judge(grants, method, url).is_ok()
}

fn refusal(grants: &[HttpGrant], method: &str, url: &str) -> Refusal {
    judge(grants, method, url).unwrap_err()
}
