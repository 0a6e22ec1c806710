//! The memory limit of one call: the **sum** over all its memories and tables.
//! wasmtime's own limiter counts each memory apart, which a guest gets around
//! by having several.

use toolhost_policy::Limits;
use toolhost_tool::LimitHit;
use wasmtime::ResourceLimiter;

/// What one element of a table costs the host.
const TABLE_ELEMENT_BYTES: u64 = size_of::<usize>() as u64;

/// Counts what the memories and tables of a store hold.
pub(crate) struct Memory {
    limits: Limits,
    held: u64,
    peak: u64,
    table_elements: u64,
    /// The growth that was refused, until a later one is granted.
    refused: Option<LimitHit>,
}

impl Memory {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            limits: *limits,
            held: 0,
            peak: 0,
            table_elements: 0,
            refused: None,
        }
    }

    /// The most bytes that were held at once.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// The growth that was refused, if none was granted since. The guest saw a
    /// failed allocation; when it then traps, this is most likely why.
    pub(crate) fn refused(&self) -> Option<&LimitHit> {
        self.refused.as_ref()
    }

    fn grow(&mut self, bytes: u64) -> bool {
        let wanted = self.held.saturating_add(bytes);
        if wanted > self.limits.memory {
            self.refuse("memory", self.limits.memory, wanted);
            return false;
        }
        self.held = wanted;
        self.refused = None;
        self.peak = self.peak.max(wanted);
        true
    }

    fn refuse(&mut self, name: &str, allowed: u64, used: u64) {
        self.refused = Some(LimitHit {
            name: name.into(),
            allowed,
            used,
        });
    }
}

/// What was granted is never taken back, also when wasmtime then cannot do it:
/// it tells of failed growths that it never asked for, and a guest that brings
/// them about would be credited with memory that it still holds. A growth beyond
/// the maximum that the guest set itself would fail, so it is not granted.
impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        Ok(self.grow(desired.saturating_sub(current) as u64))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        let added = desired.saturating_sub(current) as u64;
        let elements = self.table_elements.saturating_add(added);
        if elements > self.limits.table_elements {
            self.refuse("table-elements", self.limits.table_elements, elements);
            return Ok(false);
        }
        let granted = self.grow(added.saturating_mul(TABLE_ELEMENT_BYTES));
        if granted {
            self.table_elements = elements;
        }
        Ok(granted)
    }

    fn instances(&self) -> usize {
        self.limits.instances as usize
    }

    fn tables(&self) -> usize {
        self.limits.tables as usize
    }

    fn memories(&self) -> usize {
        self.limits.memories as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: u64) -> Memory {
        Memory::new(&Limits {
            memory: bytes,
            table_elements: 10,
            ..Limits::default()
        })
    }

    #[test]
    fn the_limit_is_over_all_memories_together() {
        let mut memory = memory(100);
        assert!(memory.memory_growing(0, 60, None).unwrap());
        assert!(!memory.memory_growing(0, 60, None).unwrap());
        let refused = memory.refused().unwrap();
        assert_eq!((refused.allowed, refused.used), (100, 120));
    }

    #[test]
    fn growing_to_exactly_the_limit_works() {
        let mut memory = memory(100);
        assert!(memory.memory_growing(0, 40, None).unwrap());
        assert!(memory.memory_growing(40, 100, None).unwrap());
        assert_eq!(memory.peak(), 100);
        assert!(memory.refused().is_none());
    }

    #[test]
    fn failing_growths_free_nothing() {
        let mut memory = memory(100);
        assert!(memory.memory_growing(0, 80, None).unwrap());
        for _ in 0..10 {
            // wasmtime says so of a growth beyond what 32 bits can address,
            // without having asked.
            memory
                .memory_grow_failed(wasmtime::Error::msg("too large"))
                .unwrap();
            memory
                .table_grow_failed(wasmtime::Error::msg("too large"))
                .unwrap();
        }
        assert!(!memory.memory_growing(0, 80, None).unwrap());
    }

    #[test]
    fn a_growth_beyond_the_guests_own_maximum_costs_nothing() {
        let mut memory = memory(100);
        assert!(!memory.memory_growing(0, 80, Some(79)).unwrap());
        assert!(memory.refused().is_none());
        assert!(memory.memory_growing(0, 100, Some(100)).unwrap());
    }

    #[test]
    fn a_refusal_that_was_survived_is_forgotten() {
        let mut memory = memory(100);
        assert!(!memory.memory_growing(0, 101, None).unwrap());
        assert!(memory.refused().is_some());
        assert!(memory.memory_growing(0, 50, None).unwrap());
        assert!(memory.refused().is_none());
    }

    #[test]
    fn tables_count_by_elements_and_by_bytes() {
        let mut few = memory(1_000);
        assert!(!few.table_growing(0, 11, None).unwrap());
        assert_eq!(few.refused().unwrap().name, "table-elements");
        let mut small = memory(32);
        assert!(!small.table_growing(0, 5, None).unwrap());
        assert_eq!(small.refused().unwrap().name, "memory");
    }
}
