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
    /// Bytes of the growth that was last granted, to be taken back if wasmtime
    /// then cannot do it.
    granted: u64,
    refused: Option<LimitHit>,
}

impl Memory {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            limits: *limits,
            held: 0,
            peak: 0,
            table_elements: 0,
            granted: 0,
            refused: None,
        }
    }

    /// The most bytes that were held at once.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// The last growth that was refused. The guest saw a failed allocation;
    /// when it then traps, this is why.
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
        self.granted = bytes;
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

impl ResourceLimiter for Memory {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(self.grow(desired.saturating_sub(current) as u64))
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.held = self.held.saturating_sub(std::mem::take(&mut self.granted));
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
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

    fn table_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        let bytes = std::mem::take(&mut self.granted);
        self.held = self.held.saturating_sub(bytes);
        self.table_elements = self
            .table_elements
            .saturating_sub(bytes / TABLE_ELEMENT_BYTES);
        Ok(())
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
    fn a_growth_that_failed_is_given_back() {
        let mut memory = memory(100);
        assert!(memory.memory_growing(0, 80, None).unwrap());
        memory
            .memory_grow_failed(wasmtime::Error::msg("no pages"))
            .unwrap();
        assert!(memory.memory_growing(0, 100, None).unwrap());
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
