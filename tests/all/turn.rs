//! All calls of one message, run together: through `host turn` with real guests,
//! and through the library where a story needs tools of its own.

mod aborts;
mod approvals;
mod events;
mod hooks;
mod interrupts;
mod journals;
mod messages;
mod order;
mod permissions;
mod retries;
mod states;
mod waits;
mod words;
