//! A look at a plugin's bytes before anything is compiled.
//!
//! Nothing in wasmtime limits what compiling costs: two megabytes of tiny
//! functions take longer and more memory than an honest JavaScript engine. So
//! what drives the cost is counted first, in one cheap pass that keeps no more
//! than the signatures of one module and the sizes of types. The same pass reads imports and exports, so that a plugin for
//! another host is refused by name before it is compiled.

mod body;
mod names;
mod types;
mod work;

use std::ops::Range;

use toolhost_policy::LoadLimits;
use toolhost_tool::truncate_chars;
use wasmparser::{
    ComponentExportSectionReader, ComponentImportSectionReader, ComponentInstance, ElementItems,
    ElementSectionReader, Encoding, Parser, Payload,
};

use crate::error::LoadError;
use body::Signatures;
use types::Types;
use work::Work;

const WASM_MAGIC: &[u8] = b"\0asm";

/// Looks at the bytes of a plugin.
pub(crate) fn scan(bytes: &[u8], limits: &LoadLimits) -> Result<(), LoadError> {
    check_kind(bytes)?;
    let mut scan = Scan {
        bytes,
        limits,
        counts: Counts::default(),
        depth: 0,
        module: Signatures::default(),
        types: Types::new(limits),
        work: Work::default(),
        has_tools: false,
    };
    for payload in Parser::new(0).parse_all(bytes) {
        scan.payload(payload.map_err(|error| malformed(&error))?)?;
    }
    scan.finish()
}

pub(crate) fn check_kind(bytes: &[u8]) -> Result<(), LoadError> {
    if bytes.is_empty() {
        return Err(LoadError::Empty);
    }
    if !bytes.starts_with(WASM_MAGIC) {
        if WASM_MAGIC.starts_with(bytes) {
            return Err(LoadError::Malformed(
                "it ends within the first four bytes".into(),
            ));
        }
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(8)]).into_owned();
        return Err(LoadError::NotWasm(format!("{start:?}")));
    }
    Ok(())
}

#[derive(Default)]
struct Counts {
    modules: u64,
    functions: u64,
    types: u64,
    type_bytes: u64,
    imports: u64,
    exports: u64,
    branch_targets: u64,
    elements: u64,
    data: u64,
    instances: u64,
    parts: u64,
    memories: u64,
    tables: u64,
    borders: u64,
}

struct Scan<'a> {
    bytes: &'a [u8],
    limits: &'a LoadLimits,
    counts: Counts,
    /// How many components and modules the current payload lies in.
    depth: u64,
    module: Signatures,
    types: Types<'a>,
    work: Work,
    has_tools: bool,
}

impl Scan<'_> {
    fn payload(&mut self, payload: Payload<'_>) -> Result<(), LoadError> {
        match payload {
            Payload::Version { num, encoding, .. } => self.version(num, encoding),
            Payload::End(_) => {
                self.depth = self.depth.saturating_sub(1);
                self.types.leave();
                Ok(())
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => self.count(
                |counts| &mut counts.modules,
                1,
                "modules",
                self.limits.modules,
            ),
            Payload::TypeSection(_)
            | Payload::ImportSection(_)
            | Payload::FunctionSection(_)
            | Payload::TableSection(_)
            | Payload::MemorySection(_)
            | Payload::ExportSection(_)
            | Payload::ElementSection(_)
            | Payload::DataSection(_)
            | Payload::CodeSectionEntry(_) => self.in_module(payload),
            _ => self.in_component(payload),
        }
    }

    fn in_module(&mut self, payload: Payload<'_>) -> Result<(), LoadError> {
        let limits = self.limits;
        match payload {
            Payload::TypeSection(section) => {
                self.count(|c| &mut c.types, section.count(), "types", limits.types)?;
                let values = self.module.types(section)?;
                self.work.type_values(values, limits)
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    self.count(|c| &mut c.imports, 1, "imports", limits.imports)?;
                    self.module
                        .import(import.map_err(|error| malformed(&error))?.ty);
                }
                Ok(())
            }
            Payload::FunctionSection(section) => {
                let functions = section.count();
                self.count(
                    |c| &mut c.functions,
                    functions,
                    "functions",
                    limits.functions,
                )?;
                self.module.functions(section)
            }
            Payload::TableSection(section) => {
                self.count(|c| &mut c.tables, section.count(), "tables", limits.tables)
            }
            Payload::MemorySection(section) => {
                let memories = section.count();
                self.count(|c| &mut c.memories, memories, "memories", limits.memories)
            }
            Payload::ExportSection(section) => self.count(
                |c| &mut c.exports,
                section.count(),
                "exports",
                limits.exports,
            ),
            Payload::ElementSection(section) => self.elements(section),
            Payload::DataSection(section) => self.count(
                |c| &mut c.data,
                section.count(),
                "data segments",
                limits.data,
            ),
            Payload::CodeSectionEntry(body) => {
                let body = self.module.body(&body, limits)?;
                let targets = u32::try_from(body.targets).unwrap_or(u32::MAX);
                self.count(
                    |c| &mut c.branch_targets,
                    targets,
                    "branch-table targets",
                    limits.branch_targets,
                )?;
                self.work.function(&body, limits)
            }
            _ => Ok(()),
        }
    }

    fn elements(&mut self, section: ElementSectionReader<'_>) -> Result<(), LoadError> {
        for segment in section {
            let entries = match segment.map_err(|error| malformed(&error))?.items {
                ElementItems::Functions(items) => items.count(),
                ElementItems::Expressions(_, items) => items.count(),
            };
            let limit = self.limits.elements;
            // A segment without entries costs as well.
            let entries = entries.max(1);
            self.count(|c| &mut c.elements, entries, "table entries", limit)?;
            self.work.elements(u64::from(entries), self.limits)?;
        }
        Ok(())
    }

    fn in_component(&mut self, payload: Payload<'_>) -> Result<(), LoadError> {
        let limits = self.limits;
        match payload {
            Payload::CoreTypeSection(section) => {
                self.type_bytes(&section.range())?;
                self.count(|c| &mut c.types, section.count(), "types", limits.types)
            }
            Payload::ComponentTypeSection(section) => {
                self.type_bytes(&section.range())?;
                let bytes = self.bytes.get(section.range()).unwrap_or_default();
                types::check_nesting(bytes)?;
                self.count(|c| &mut c.types, section.count(), "types", limits.types)?;
                for ty in section {
                    self.types.define(&ty.map_err(|error| malformed(&error))?)?;
                }
                Ok(())
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section {
                    self.types
                        .alias(&alias.map_err(|error| malformed(&error))?)?;
                }
                Ok(())
            }
            Payload::InstanceSection(section) => {
                let instances = section.count();
                self.count(
                    |c| &mut c.instances,
                    instances,
                    "instances",
                    limits.instances,
                )
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section {
                    let instance = instance.map_err(|error| malformed(&error))?;
                    if matches!(instance, ComponentInstance::Instantiate { .. }) {
                        self.count(|c| &mut c.parts, 1, "instances of components", limits.parts)?;
                    }
                }
                Ok(())
            }
            Payload::ComponentCanonicalSection(section) => self.count(
                |c| &mut c.borders,
                section.count(),
                "functions between components",
                limits.borders,
            ),
            Payload::ComponentImportSection(section) => self.imports(section),
            Payload::ComponentExportSection(section) => self.exports(section),
            _ => Ok(()),
        }
    }

    fn imports(&mut self, section: ComponentImportSectionReader<'_>) -> Result<(), LoadError> {
        let limit = self.limits.imports;
        self.count(|c| &mut c.imports, section.count(), "imports", limit)?;
        for import in section {
            let import = import.map_err(|error| malformed(&error))?;
            if self.depth == 1 {
                names::check_import(import.name.name)?;
            }
            self.types.refer(&import.ty)?;
        }
        Ok(())
    }

    fn exports(&mut self, section: ComponentExportSectionReader<'_>) -> Result<(), LoadError> {
        let limit = self.limits.exports;
        self.count(|c| &mut c.exports, section.count(), "exports", limit)?;
        for export in section {
            let export = export.map_err(|error| malformed(&error))?;
            if self.depth == 1 {
                self.export(export.name.name)?;
            }
            self.types.export(export.kind, export.index)?;
        }
        Ok(())
    }

    fn version(&mut self, version: u16, encoding: Encoding) -> Result<(), LoadError> {
        self.depth += 1;
        self.types.enter();
        self.module = Signatures::default();
        match encoding {
            Encoding::Module if self.depth == 1 => Err(LoadError::CoreModule),
            Encoding::Component if self.depth == 1 && version != 0xd => {
                Err(LoadError::BinaryVersion(version))
            }
            _ => Ok(()),
        }
    }

    fn export(&mut self, name: &str) -> Result<(), LoadError> {
        self.has_tools |= names::check_export(name)?;
        Ok(())
    }

    /// Types are read into memory where they are many times as large.
    fn type_bytes(&mut self, range: &Range<usize>) -> Result<(), LoadError> {
        self.counts.type_bytes += range.end.saturating_sub(range.start) as u64;
        check(
            "bytes of types",
            self.counts.type_bytes,
            self.limits.type_bytes,
        )
    }

    /// What is known only when everything was read.
    fn finish(mut self) -> Result<(), LoadError> {
        let Counts { borders, parts, .. } = self.counts;
        let steps = self.types.largest();
        self.work.borders(borders, steps, parts, self.limits)?;
        if self.has_tools {
            Ok(())
        } else {
            Err(LoadError::NoTools)
        }
    }

    fn count(
        &mut self,
        counter: impl FnOnce(&mut Counts) -> &mut u64,
        more: u32,
        what: &'static str,
        allowed: u64,
    ) -> Result<(), LoadError> {
        let counter = counter(&mut self.counts);
        *counter += u64::from(more);
        check(what, *counter, allowed)
    }
}

fn check(what: &'static str, used: u64, allowed: u64) -> Result<(), LoadError> {
    if used > allowed {
        Err(LoadError::TooLarge {
            what,
            allowed,
            used,
        })
    } else {
        Ok(())
    }
}

fn malformed(error: &wasmparser::BinaryReaderError) -> LoadError {
    LoadError::Malformed(truncate_chars(error.to_string(), 300))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_wasm_is_told_by_its_first_bytes() {
        let text = scan(b"#!/bin/sh", &LoadLimits::default()).unwrap_err();
        assert!(matches!(text, LoadError::NotWasm(start) if start.contains("#!/bin")));
        assert!(matches!(
            scan(b"", &LoadLimits::default()),
            Err(LoadError::Empty)
        ));
        assert!(matches!(
            scan(b"\0as", &LoadLimits::default()),
            Err(LoadError::Malformed(_))
        ));
        let module = scan(b"\0asm\x01\0\0\0", &LoadLimits::default());
        assert!(matches!(module, Err(LoadError::CoreModule)));
    }
}
