//! How much a schema may be. A schema comes from a plugin, so it is hostile until
//! shown otherwise: a few hundred bytes of `$ref` and `allOf` can ask for more work
//! than there is time in the universe.

use crate::json::{JsonLimits, MAX_DEPTH};

/// Limits of one schema and of checking values against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaLimits {
    /// Bytes of the schema's text; protects compile time. Default: 256 KiB.
    pub bytes: usize,
    /// Arrays and objects inside each other in the schema; protects the stack of
    /// the compiler. Default: 64.
    pub depth: usize,
    /// JSON values in the schema; protects memory, as a compiled keyword takes far
    /// more of it than its text. Default: 20,000.
    pub values: usize,
    /// Regular expressions in the schema. Default: 64.
    pub patterns: usize,
    /// Compiled size of one regular expression, and of the cache with which it
    /// runs; protects memory and the time of a match, which grows with it.
    /// Default: 128 KiB.
    pub pattern_bytes: usize,
    /// Schemas that apply to one and the same value once every `$ref`, `allOf`,
    /// `anyOf` … is followed; protects from schemas that double with every step.
    /// Default: 10,000.
    pub applied: u64,
    /// The longest such chain; protects the stack of the validator. Default: 64.
    pub chain: usize,
    /// Steps for checking one value: one schema applied to one part of the value, a
    /// value compared, 64 bytes of text read; a name looked up is 16 of them, a byte
    /// of text matched with 1 KiB of regular expression 4. Default: 20,000,000, a
    /// fraction of a second.
    pub steps: u64,
    /// Steps inside alternatives for working out what is wrong with a value that
    /// does not match, which cost far more each. Default: 20,000.
    pub explain_steps: u64,
    /// Values that filled-in defaults may add to one value. Default: 50,000.
    pub defaults: usize,
    /// Limits of the values that are checked.
    pub value: JsonLimits,
}

impl Default for SchemaLimits {
    fn default() -> Self {
        Self {
            bytes: 256 << 10,
            depth: 64,
            values: 20_000,
            patterns: 64,
            pattern_bytes: 128 << 10,
            applied: 10_000,
            chain: 64,
            steps: 20_000_000,
            explain_steps: 20_000,
            defaults: 50_000,
            value: JsonLimits::default(),
        }
    }
}

impl SchemaLimits {
    /// The limits of the schema's own text.
    pub(super) fn text(&self) -> JsonLimits {
        JsonLimits {
            bytes: self.bytes,
            depth: self.depth.min(MAX_DEPTH),
            values: self.values,
        }
    }
}
