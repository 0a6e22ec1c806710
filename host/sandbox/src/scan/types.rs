//! The size of component types, counted as the compiler walks them: a tuple of
//! two tuples of two tuples is a few bytes a level in the file and twice as much
//! to walk with each.
//!
//! Only what the file says in so many words is followed: types of the same scope
//! and of those around it. A type that comes out of an instance counts as one
//! part; how often such types cross a border is limited as well.

use toolhost_policy::LoadLimits;
use wasmparser::{
    ComponentAlias, ComponentDefinedType, ComponentExternalKind, ComponentFuncType,
    ComponentOuterAliasKind, ComponentType, ComponentTypeDeclaration, ComponentTypeRef,
    ComponentValType, InstanceTypeDeclaration, TypeBounds,
};

use super::check;
use crate::error::LoadError;

/// Most instance and component types inside others. The parser calls itself for
/// each, so a file of 15 KB could overflow the stack of the host.
const MAX_NESTED: u64 = 200;

/// Looks for types inside types before the parser does. A type begins inside of
/// another with these two bytes, "here is a type" and "of an instance" or "of a
/// component"; names and numbers may hold them too, so there may be fewer levels.
pub(super) fn check_nesting(section: &[u8]) -> Result<(), LoadError> {
    let nested = section
        .windows(2)
        .filter(|bytes| matches!(bytes, [0x01, 0x41 | 0x42]));
    check("types inside types", nested.count() as u64, MAX_NESTED)
}

/// What nothing is known of.
const UNKNOWN: u64 = 1;

/// The sizes of the types in each scope, the innermost last.
pub(super) struct Types<'a> {
    limits: &'a LoadLimits,
    scopes: Vec<Vec<u64>>,
    largest: u64,
}

impl<'a> Types<'a> {
    pub(super) fn new(limits: &'a LoadLimits) -> Self {
        Self {
            limits,
            scopes: Vec::new(),
            largest: UNKNOWN,
        }
    }

    /// Parts of the largest type.
    pub(super) fn largest(&self) -> u64 {
        self.largest
    }

    /// A component or module begins.
    pub(super) fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// It ends.
    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// A type is defined.
    pub(super) fn define(&mut self, ty: &ComponentType<'_>) -> Result<(), LoadError> {
        let size = self.size(ty)?;
        self.push(size)
    }

    /// An alias is made; only one of a type adds to the types.
    pub(super) fn alias(&mut self, alias: &ComponentAlias<'_>) -> Result<(), LoadError> {
        match *alias {
            ComponentAlias::Outer {
                kind: ComponentOuterAliasKind::Type,
                count,
                index,
            } => self.push(self.at(count, index)),
            ComponentAlias::InstanceExport {
                kind: ComponentExternalKind::Type,
                ..
            } => self.push(UNKNOWN),
            _ => Ok(()),
        }
    }

    /// Something is imported or declared; only a type adds to the types.
    pub(super) fn refer(&mut self, ty: &ComponentTypeRef) -> Result<(), LoadError> {
        match ty {
            ComponentTypeRef::Type(_) => self.push(self.referred(ty)),
            _ => Ok(()),
        }
    }

    /// Something is exported; only a type adds to the types.
    pub(super) fn export(
        &mut self,
        kind: ComponentExternalKind,
        index: u32,
    ) -> Result<(), LoadError> {
        match kind {
            ComponentExternalKind::Type => self.push(self.at(0, index)),
            _ => Ok(()),
        }
    }

    fn push(&mut self, size: u64) -> Result<(), LoadError> {
        check("parts of one type", size, self.limits.type_parts)?;
        self.largest = self.largest.max(size);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(size);
        }
        Ok(())
    }

    fn at(&self, outward: u32, index: u32) -> u64 {
        let scope = self.scopes.iter().rev().nth(outward as usize);
        let size = scope.and_then(|scope| scope.get(index as usize));
        size.copied().unwrap_or(UNKNOWN)
    }

    fn size(&mut self, ty: &ComponentType<'_>) -> Result<u64, LoadError> {
        Ok(match ty {
            ComponentType::Defined(ty) => self.defined(ty),
            ComponentType::Func(ty) => self.function(ty),
            ComponentType::Resource { .. } => UNKNOWN,
            ComponentType::Instance(declarations) => {
                self.enter();
                let mut size = UNKNOWN;
                for declaration in declarations {
                    size = size.saturating_add(self.declaration(declaration)?);
                }
                self.leave();
                size
            }
            ComponentType::Component(declarations) => {
                self.enter();
                let mut size = UNKNOWN;
                for declaration in declarations {
                    size = size.saturating_add(self.component_declaration(declaration)?);
                }
                self.leave();
                size
            }
        })
    }

    fn declaration(&mut self, declaration: &InstanceTypeDeclaration<'_>) -> Result<u64, LoadError> {
        match declaration {
            InstanceTypeDeclaration::CoreType(_) => {}
            InstanceTypeDeclaration::Type(ty) => self.define(ty)?,
            InstanceTypeDeclaration::Alias(alias) => self.alias(alias)?,
            InstanceTypeDeclaration::Export { ty, .. } => {
                self.refer(ty)?;
                return Ok(self.referred(ty));
            }
        }
        Ok(0)
    }

    fn component_declaration(
        &mut self,
        declaration: &ComponentTypeDeclaration<'_>,
    ) -> Result<u64, LoadError> {
        match declaration {
            ComponentTypeDeclaration::CoreType(_) => {}
            ComponentTypeDeclaration::Type(ty) => self.define(ty)?,
            ComponentTypeDeclaration::Alias(alias) => self.alias(alias)?,
            ComponentTypeDeclaration::Export { ty, .. } => {
                self.refer(ty)?;
                return Ok(self.referred(ty));
            }
            ComponentTypeDeclaration::Import(import) => {
                self.refer(&import.ty)?;
                return Ok(self.referred(&import.ty));
            }
        }
        Ok(0)
    }

    fn referred(&self, ty: &ComponentTypeRef) -> u64 {
        match *ty {
            ComponentTypeRef::Func(index)
            | ComponentTypeRef::Instance(index)
            | ComponentTypeRef::Component(index)
            | ComponentTypeRef::Type(TypeBounds::Eq(index)) => self.at(0, index),
            ComponentTypeRef::Value(ty) => self.value(ty),
            ComponentTypeRef::Module(_) | ComponentTypeRef::Type(TypeBounds::SubResource) => {
                UNKNOWN
            }
        }
    }

    fn function(&self, ty: &ComponentFuncType<'_>) -> u64 {
        let values = ty.params.iter().map(|(_, ty)| *ty).chain(ty.result);
        self.sum(values)
    }

    fn defined(&self, ty: &ComponentDefinedType<'_>) -> u64 {
        use ComponentDefinedType as Ty;
        match ty {
            Ty::Primitive(_) | Ty::Own(_) | Ty::Borrow(_) => UNKNOWN,
            Ty::Record(fields) => self.sum(fields.iter().map(|(_, ty)| *ty)),
            Ty::Variant(cases) => {
                let payloads = self.sum(cases.iter().filter_map(|case| case.ty));
                payloads.saturating_add(cases.len() as u64)
            }
            Ty::Tuple(types) => self.sum(types.iter().copied()),
            Ty::Flags(names) | Ty::Enum(names) => (names.len() as u64).max(UNKNOWN),
            Ty::List(ty) | Ty::Option(ty) => self.sum([*ty]),
            // Each of its elements is a value of its own when it is passed.
            Ty::FixedLengthList(ty, length) => {
                self.sum([*ty]).saturating_mul(u64::from(*length).max(1))
            }
            Ty::Map(key, value) => self.sum([*key, *value]),
            Ty::Result { ok, err } => self.sum(ok.iter().chain(err).copied()),
            Ty::Future(ty) | Ty::Stream(ty) => self.sum(ty.iter().copied()),
        }
    }

    fn sum(&self, types: impl IntoIterator<Item = ComponentValType>) -> u64 {
        types
            .into_iter()
            .fold(UNKNOWN, |sum, ty| sum.saturating_add(self.value(ty)))
    }

    fn value(&self, ty: ComponentValType) -> u64 {
        match ty {
            ComponentValType::Primitive(_) => UNKNOWN,
            ComponentValType::Type(index) => self.at(0, index),
        }
    }
}
