//! What a function consists of, counted in one pass over its instructions.

use toolhost_policy::LoadLimits;
use wasmparser::{
    BlockType, CompositeInnerType, FunctionBody, Operator, RecGroup, SectionLimited, TypeRef,
};

use super::work::Body;
use super::{check, malformed};
use crate::error::LoadError;

/// Parameters and results of a function type. A type that is no function, or
/// not there, has none; the validator speaks of that later.
#[derive(Clone, Copy, Default)]
struct Arity {
    params: u32,
    results: u32,
}

impl Arity {
    fn values(self) -> u64 {
        u64::from(self.params) + u64::from(self.results)
    }
}

/// The functions of the module that is being read. Its tables have no more
/// entries than the limits on types, imports and functions allow.
#[derive(Default)]
pub(super) struct Signatures {
    types: Vec<Arity>,
    functions: Vec<u32>,
    imported: usize,
    /// Bodies that were read.
    bodies: usize,
}

impl Signatures {
    /// Adds a section of types and returns how many values they have in all.
    pub(super) fn types(
        &mut self,
        section: SectionLimited<'_, RecGroup>,
    ) -> Result<u64, LoadError> {
        let mut values = 0;
        for group in section {
            for ty in group.map_err(|error| malformed(&error))?.types() {
                let arity = match &ty.composite_type.inner {
                    CompositeInnerType::Func(ty) => Arity {
                        params: count(ty.params()),
                        results: count(ty.results()),
                    },
                    _ => Arity::default(),
                };
                values += arity.values();
                self.types.push(arity);
            }
        }
        Ok(values)
    }

    pub(super) fn import(&mut self, ty: TypeRef) {
        if let TypeRef::Func(ty) | TypeRef::FuncExact(ty) = ty {
            self.functions.push(ty);
            self.imported += 1;
        }
    }

    pub(super) fn functions(&mut self, section: SectionLimited<'_, u32>) -> Result<(), LoadError> {
        for ty in section {
            self.functions.push(ty.map_err(|error| malformed(&error))?);
        }
        Ok(())
    }

    /// Reads the next body. What it consists of costs the compiler more than its
    /// size says.
    pub(super) fn body(
        &mut self,
        body: &FunctionBody<'_>,
        limits: &LoadLimits,
    ) -> Result<Body, LoadError> {
        let own = self.function(count_up(self.imported + self.bodies));
        self.bodies += 1;
        let range = body.range();
        let mut counts = Body {
            bytes: range.end.saturating_sub(range.start) as u64,
            variables: u64::from(own.params),
            ..Body::default()
        };
        check("bytes in one function", counts.bytes, limits.body_bytes)?;
        for local in body
            .get_locals_reader()
            .map_err(|error| malformed(&error))?
        {
            let (locals, _) = local.map_err(|error| malformed(&error))?;
            counts.variables += u64::from(locals);
        }
        self.operators(body, own, &mut counts, limits)?;
        Ok(counts)
    }

    fn operators(
        &self,
        body: &FunctionBody<'_>,
        own: Arity,
        counts: &mut Body,
        limits: &LoadLimits,
    ) -> Result<(), LoadError> {
        // Which of the blocks around are loops; no longer than the limit on them.
        let mut around: Vec<bool> = Vec::new();
        let mut loops_around = 0_u64;
        let mut branches = 0_u64;
        // Which block a branch leaves is not followed: each is taken to carry as
        // many values as the widest.
        let mut widest = u64::from(own.results);
        let operators = body
            .get_operators_reader()
            .map_err(|error| malformed(&error))?;
        for operator in operators {
            let operator = operator.map_err(|error| malformed(&error))?;
            let is_loop = matches!(operator, Operator::Loop { .. });
            match operator {
                Operator::Block { blockty }
                | Operator::Loop { blockty }
                | Operator::If { blockty }
                | Operator::TryTable {
                    try_table: wasmparser::TryTable { ty: blockty, .. },
                } => {
                    around.push(is_loop);
                    let nesting = around.len() as u64;
                    check("nested blocks in one function", nesting, limits.nesting)?;
                    counts.loops += u64::from(is_loop);
                    loops_around += u64::from(is_loop);
                    counts.loop_depth = counts.loop_depth.max(loops_around);
                    counts.blocks += 1;
                    branches += 1;
                    widest = widest.max(self.block(blockty));
                }
                Operator::End => loops_around -= u64::from(around.pop() == Some(true)),
                Operator::Else | Operator::BrIf { .. } => {
                    counts.blocks += 1;
                    branches += 1;
                }
                Operator::Br { .. } | Operator::Return => branches += 1,
                Operator::BrTable { targets } => {
                    counts.targets += u64::from(targets.len());
                    branches += u64::from(targets.len()) + 1;
                }
                Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                    counts.values += 1 + self.function(function_index).values();
                }
                Operator::CallIndirect { type_index, .. }
                | Operator::ReturnCallIndirect { type_index, .. } => {
                    counts.indirect_calls += 1;
                    counts.values += 1 + self.ty(type_index).values();
                }
                _ => {}
            }
        }
        // One value a branch is what compilers write, and is in the price of a
        // block.
        counts.values += branches.saturating_mul(widest.saturating_sub(1));
        Ok(())
    }

    fn block(&self, ty: BlockType) -> u64 {
        match ty {
            BlockType::Empty => 0,
            BlockType::Type(_) => 1,
            BlockType::FuncType(ty) => self.ty(ty).values(),
        }
    }

    fn function(&self, index: u32) -> Arity {
        self.functions
            .get(index as usize)
            .map_or(Arity::default(), |ty| self.ty(*ty))
    }

    fn ty(&self, index: u32) -> Arity {
        self.types.get(index as usize).copied().unwrap_or_default()
    }
}

fn count<T>(items: &[T]) -> u32 {
    count_up(items.len())
}

fn count_up(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
