//! An estimate of what compiling a plugin costs.
//!
//! What makes a compiler slow is not how large a file is but what it multiplies:
//! blocks with blocks, variables with the loops they live through, values with
//! the calls that pass them. A few kilobytes of the wrong kind take minutes and
//! gigabytes. So each of these products has a price, found by compiling files
//! that consist of nothing else, and a plugin may cost only so much in all and
//! in one function. Prices are rounded up: they are for refusing, not for
//! predicting.

use toolhost_policy::LoadLimits;

use super::check;
use crate::error::LoadError;

/// Prices in nanoseconds of one core.
mod price {
    /// A function, however small, with the entry that the host calls it by.
    pub(super) const FUNCTION: u64 = 100_000;
    /// A byte of code.
    pub(super) const BYTE: u64 = 1_000;
    /// A local variable.
    pub(super) const LOCAL: u64 = 100;
    /// Each pair of blocks in one function: some passes are quadratic.
    pub(super) const BLOCK_PAIR: u64 = 15;
    /// A variable that lives through a loop.
    pub(super) const VARIABLE_IN_LOOP: u64 = 15_000;
    /// So many loops inside each other double the price of each variable in them.
    pub(super) const DEPTH_DOUBLES: u64 = 200;
    /// A variable at a target of a branch table.
    pub(super) const VARIABLE_AT_TARGET: u64 = 5_000;
    /// So many variables at targets double the price of each: memory grows
    /// with the square of them.
    pub(super) const TARGETS_DOUBLE: u64 = 100_000;
    /// A parameter or result that is passed; a call as well.
    pub(super) const VALUE: u64 = 10_000;
    /// A parameter or result of a type: entries are compiled for each type.
    pub(super) const TYPE_VALUE: u64 = 100_000;
    /// An entry of an element segment: what is in a table needs an entry too.
    pub(super) const ELEMENT: u64 = 60_000;
    /// A step through the type of a function that crosses a component's border.
    pub(super) const TYPE_STEP: u64 = 150;
    /// The same step between two components, where code is made for it.
    pub(super) const ADAPTER_STEP: u64 = 40_000;
}

/// Blocks that the compiler makes of a loop: its head asks for the fuel.
const BLOCKS_OF_LOOP: u64 = 6;

/// Blocks that the compiler makes of an indirect call.
const BLOCKS_OF_INDIRECT_CALL: u64 = 4;

/// Variables that every function has: the fuel, the instance and such.
const OWN_VARIABLES: u64 = 4;

/// What one function consists of.
#[derive(Default)]
pub(super) struct Body {
    pub(super) bytes: u64,
    /// Variables: parameters and locals.
    pub(super) variables: u64,
    /// Blocks, arms and conditional branches.
    pub(super) blocks: u64,
    pub(super) loops: u64,
    /// Loops inside each other.
    pub(super) loop_depth: u64,
    pub(super) indirect_calls: u64,
    /// Targets of its branch tables.
    pub(super) targets: u64,
    /// Calls, with the parameters and results of each, and those of its blocks
    /// at each branch.
    pub(super) values: u64,
}

impl Body {
    fn nanoseconds(&self) -> u64 {
        let variables = self.variables.saturating_add(OWN_VARIABLES);
        let blocks = self.blocks
            + self.loops * BLOCKS_OF_LOOP
            + self.indirect_calls * BLOCKS_OF_INDIRECT_CALL;
        let loop_price = price::VARIABLE_IN_LOOP * (1 + self.loop_depth / price::DEPTH_DOUBLES);
        let at_targets = variables.saturating_mul(self.targets);
        let target_price =
            price::VARIABLE_AT_TARGET.saturating_mul(1 + at_targets / price::TARGETS_DOUBLE);
        [
            (1, price::FUNCTION),
            (self.bytes, price::BYTE),
            (self.variables, price::LOCAL),
            (blocks.saturating_mul(blocks), price::BLOCK_PAIR),
            (variables.saturating_mul(self.loops), loop_price),
            (at_targets, target_price),
            (self.values, price::VALUE),
        ]
        .into_iter()
        .fold(0, |sum: u64, (count, price)| {
            sum.saturating_add(count.saturating_mul(price))
        })
    }
}

/// The sum over all of a plugin.
#[derive(Default)]
pub(super) struct Work {
    nanoseconds: u64,
}

impl Work {
    pub(super) fn function(&mut self, body: &Body, limits: &LoadLimits) -> Result<(), LoadError> {
        let cost = body.nanoseconds();
        check(
            "µs of estimated compiling for one function",
            cost / 1_000,
            limits.function_work,
        )?;
        self.add(1, cost, limits)
    }

    pub(super) fn type_values(&mut self, count: u64, limits: &LoadLimits) -> Result<(), LoadError> {
        self.add(count, price::TYPE_VALUE, limits)
    }

    pub(super) fn elements(&mut self, count: u64, limits: &LoadLimits) -> Result<(), LoadError> {
        self.add(count, price::ELEMENT, limits)
    }

    /// `functions` that cross a border, whose types have up to `steps` parts, in
    /// a plugin that puts `parts` components together.
    pub(super) fn borders(
        &mut self,
        functions: u64,
        steps: u64,
        parts: u64,
        limits: &LoadLimits,
    ) -> Result<(), LoadError> {
        let walks = functions.saturating_mul(steps);
        self.add(walks, price::TYPE_STEP, limits)?;
        let adapters = walks.saturating_mul(copies(parts));
        self.add(adapters, price::ADAPTER_STEP, limits)
    }

    fn add(&mut self, count: u64, price: u64, limits: &LoadLimits) -> Result<(), LoadError> {
        let more = count.saturating_mul(price);
        self.nanoseconds = self.nanoseconds.saturating_add(more);
        check(
            "µs of estimated compiling",
            self.nanoseconds / 1_000,
            limits.work,
        )
    }
}

/// How many components there can be once `parts` instantiations are carried
/// out: one that instantiates another three times, which instantiates a third
/// three times, and so on, is the most. A plugin of a usual toolchain has two, which
/// only rename its exports.
fn copies(parts: u64) -> u64 {
    match parts {
        0..=3 => 0,
        _ => 3_u64.saturating_pow(u32::try_from(parts.div_ceil(3)).unwrap_or(u32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cost_more_than_their_number() {
        let body = |blocks| Body {
            blocks,
            ..Body::default()
        };
        let (small, large) = (body(10_000).nanoseconds(), body(20_000).nanoseconds());
        assert!(large > 3 * small, "{small} {large}");
    }

    #[test]
    fn absurd_numbers_do_not_wrap() {
        let body = Body {
            variables: u64::MAX,
            targets: u64::MAX,
            values: u64::MAX,
            ..Body::default()
        };
        assert_eq!(body.nanoseconds(), u64::MAX);
        assert!(copies(u64::MAX) > 1 << 60);
    }

    #[test]
    fn a_plugin_of_two_parts_pays_for_no_adapters() {
        let limits = LoadLimits::default();
        assert!(Work::default().borders(500, 1_000, 2, &limits).is_ok());
        assert!(Work::default().borders(500, 1_000, 30, &limits).is_err());
    }
}
