//! What is said between the host and the process that compiles for it: the words it
//! is started with, and how it ends. The plugin goes to its stdin, the code comes out
//! of its stdout, and a sentence about a failure out of its stderr.

use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};

use wasmtime::Engine;

/// The first word of the command line of that process.
const COMMAND: &str = "__compile";

/// The plugin cannot be compiled; stderr says why.
pub(super) const REFUSED: u8 = 10;
/// The system refused the compiler memory.
pub(super) const NO_MEMORY: u8 = 11;
/// What was compiled cannot be written.
pub(super) const NO_ROOM: u8 = 12;
/// The process cannot do what it was asked, whatever the plugin; stderr says why.
pub(super) const UNABLE: u8 = 13;

/// What a process is to compile, and with how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// Bytes of the plugin.
    pub(super) length: u64,
    /// Bytes of memory.
    pub(super) memory: u64,
    /// Seconds of processor time: an end for a process whose host is gone.
    pub(super) processor_seconds: u64,
    /// Whether Winch compiles it.
    pub(super) fast: bool,
    /// What the code has to fit: [`fit`] of the engine that will run it.
    pub(super) fit: u64,
}

/// An order with words that it cannot have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

/// What code has to have in common with an engine to run in it. It differs when the
/// program that compiles is another build than the one that asks.
pub(super) fn fit(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

impl Order {
    /// The words of the command line.
    pub(super) fn words(&self) -> [String; 6] {
        [
            COMMAND.into(),
            self.length.to_string(),
            self.memory.to_string(),
            self.processor_seconds.to_string(),
            u8::from(self.fast).to_string(),
            self.fit.to_string(),
        ]
    }

    /// Reads the words after the program's name. `None` when they are no order.
    pub(super) fn read(
        mut words: impl Iterator<Item = OsString>,
    ) -> Option<Result<Self, Unreadable>> {
        if words.next()?.as_os_str() != OsStr::new(COMMAND) {
            return None;
        }
        let mut number = || words.next()?.to_str()?.parse::<u64>().ok();
        let mut order = || {
            Some(Self {
                length: number()?,
                memory: number()?,
                processor_seconds: number()?,
                fast: number()? == 1,
                fit: number()?,
            })
        };
        Some(order().ok_or(Unreadable))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_was_written() {
        let order = Order {
            length: 1,
            memory: 2,
            processor_seconds: 3,
            fast: true,
            fit: 5,
        };
        let read = Order::read(order.words().into_iter().map(OsString::from));
        assert_eq!(read, Some(Ok(order)));
    }

    #[test]
    fn other_command_lines_are_no_orders() {
        let read = |line: &str| Order::read(line.split_whitespace().map(OsString::from));
        assert_eq!(read(""), None);
        assert_eq!(read("run __compile 1 2 3 0 5"), None);
        assert_eq!(read("__compile 1 2"), Some(Err(Unreadable)));
        assert_eq!(read("__compile 1 2 x 0 5"), Some(Err(Unreadable)));
    }
}
