//! A look at a plugin's bytes before anything is compiled.
//!
//! Nothing in wasmtime limits what compiling costs: two megabytes of tiny
//! functions take longer and more memory than an honest JavaScript engine. So
//! what drives the cost is counted first, in one cheap pass that allocates
//! nothing. The same pass reads imports and exports, so that a plugin for
//! another host is refused by name before it is compiled.

use toolhost_policy::LoadLimits;
use toolhost_tool::truncate_chars;
use wasmparser::{Encoding, FunctionBody, Operator, Parser, Payload};

use crate::CONTRACT_VERSION;
use crate::capability::sockets;
use crate::error::LoadError;

const WASM_MAGIC: &[u8] = b"\0asm";

/// The contract's interfaces, without their version.
const TOOLS: &str = "toolhost:plugin/tools";
const CONTRACT: &str = "toolhost:plugin/";

/// Everything the host offers, in the form `package:name/`; the linker has the
/// exact interfaces.
const OFFERED: [&str; 8] = [
    "toolhost:plugin/run",
    "toolhost:plugin/types",
    "wasi:cli/",
    "wasi:clocks/",
    "wasi:filesystem/",
    "wasi:http/",
    "wasi:io/",
    "wasi:random/",
];

/// Looks at the bytes of a plugin.
pub(crate) fn scan(bytes: &[u8], limits: &LoadLimits) -> Result<(), LoadError> {
    check_kind(bytes)?;
    let mut scan = Scan {
        limits,
        counts: Counts::default(),
        depth: 0,
        tools: None,
    };
    for payload in Parser::new(0).parse_all(bytes) {
        scan.payload(payload.map_err(|error| malformed(&error))?)?;
    }
    match scan.tools {
        Some(()) => Ok(()),
        None => Err(LoadError::NoTools),
    }
}

fn check_kind(bytes: &[u8]) -> Result<(), LoadError> {
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
    imports: u64,
    exports: u64,
    branch_targets: u64,
    elements: u64,
    instances: u64,
    memories: u64,
    tables: u64,
}

struct Scan<'a> {
    limits: &'a LoadLimits,
    counts: Counts,
    /// How many components and modules the current payload lies in.
    depth: u64,
    tools: Option<()>,
}

impl Scan<'_> {
    fn payload(&mut self, payload: Payload<'_>) -> Result<(), LoadError> {
        let (counts, limits) = (&mut self.counts, self.limits);
        match payload {
            Payload::Version { num, encoding, .. } => return self.version(num, encoding),
            Payload::End(_) => self.depth = self.depth.saturating_sub(1),
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                add(&mut counts.modules, 1, "modules", limits.modules)?;
            }
            Payload::FunctionSection(section) => {
                add(
                    &mut counts.functions,
                    section.count(),
                    "functions",
                    limits.functions,
                )?;
            }
            Payload::TypeSection(section) => {
                add(&mut counts.types, section.count(), "types", limits.types)?;
            }
            Payload::CoreTypeSection(section) => {
                add(&mut counts.types, section.count(), "types", limits.types)?;
            }
            Payload::ComponentTypeSection(section) => {
                add(&mut counts.types, section.count(), "types", limits.types)?;
            }
            Payload::ImportSection(section) => {
                add(
                    &mut counts.imports,
                    section.count(),
                    "imports",
                    limits.imports,
                )?;
            }
            Payload::ExportSection(section) => {
                add(
                    &mut counts.exports,
                    section.count(),
                    "exports",
                    limits.exports,
                )?;
            }
            Payload::ElementSection(section) => {
                add(
                    &mut counts.elements,
                    section.count(),
                    "element segments",
                    limits.elements,
                )?;
            }
            Payload::InstanceSection(section) => {
                add(
                    &mut counts.instances,
                    section.count(),
                    "instances",
                    limits.instances,
                )?;
            }
            Payload::MemorySection(section) => {
                add(
                    &mut counts.memories,
                    section.count(),
                    "memories",
                    limits.memories,
                )?;
            }
            Payload::TableSection(section) => {
                add(&mut counts.tables, section.count(), "tables", limits.tables)?;
            }
            Payload::CodeSectionEntry(body) => self.body(&body)?,
            Payload::ComponentImportSection(section) => {
                add(
                    &mut counts.imports,
                    section.count(),
                    "imports",
                    limits.imports,
                )?;
                if self.depth == 1 {
                    for import in section {
                        check_import(import.map_err(|error| malformed(&error))?.name.name)?;
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                add(
                    &mut counts.exports,
                    section.count(),
                    "exports",
                    limits.exports,
                )?;
                if self.depth == 1 {
                    for export in section {
                        self.export(export.map_err(|error| malformed(&error))?.name.name)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn version(&mut self, version: u16, encoding: Encoding) -> Result<(), LoadError> {
        self.depth += 1;
        match encoding {
            Encoding::Module if self.depth == 1 => Err(LoadError::CoreModule),
            Encoding::Component if self.depth == 1 && version != 0xd => {
                Err(LoadError::BinaryVersion(version))
            }
            _ => Ok(()),
        }
    }

    fn export(&mut self, name: &str) -> Result<(), LoadError> {
        let Some((interface, version)) = split_version(name) else {
            return Ok(());
        };
        if interface.starts_with(CONTRACT) {
            check_version(version)?;
        }
        if interface == TOOLS {
            self.tools = Some(());
        }
        Ok(())
    }

    /// Time and memory of the compiler grow faster than a function's size, and
    /// with the depth of its blocks and the edges of its branch tables.
    fn body(&mut self, body: &FunctionBody<'_>) -> Result<(), LoadError> {
        let bytes = body.range().len() as u64;
        check("bytes in one function", bytes, self.limits.body_bytes)?;
        let mut nesting = 0_u64;
        let operators = body
            .get_operators_reader()
            .map_err(|error| malformed(&error))?;
        for operator in operators {
            match operator.map_err(|error| malformed(&error))? {
                Operator::Block { .. }
                | Operator::Loop { .. }
                | Operator::If { .. }
                | Operator::TryTable { .. } => {
                    nesting += 1;
                    check(
                        "nested blocks in one function",
                        nesting,
                        self.limits.nesting,
                    )?;
                }
                Operator::End => nesting = nesting.saturating_sub(1),
                Operator::BrTable { targets } => add(
                    &mut self.counts.branch_targets,
                    targets.len(),
                    "branch-table targets",
                    self.limits.branch_targets,
                )?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn add(count: &mut u64, more: u32, what: &'static str, allowed: u64) -> Result<(), LoadError> {
    *count += u64::from(more);
    check(what, *count, allowed)
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

fn check_import(name: &str) -> Result<(), LoadError> {
    let (interface, version) = split_version(name).unwrap_or((name, ""));
    if interface.starts_with(CONTRACT) {
        check_version(version)?;
    }
    let wasi_version = !interface.starts_with("wasi:") || version.starts_with("0.2.");
    let offered = OFFERED
        .iter()
        .chain([&sockets::PACKAGE])
        .any(|prefix| interface.starts_with(prefix));
    if offered && wasi_version {
        return Ok(());
    }
    Err(LoadError::Import(truncate_chars(name.to_owned(), 200)))
}

/// A plugin of the same minor version fits: within it the contract only grows.
fn check_version(found: &str) -> Result<(), LoadError> {
    let minor = |version: &str| version.rsplit_once('.').map(|(minor, _)| minor.to_owned());
    if minor(found) == minor(CONTRACT_VERSION) {
        return Ok(());
    }
    Err(LoadError::ContractVersion {
        found: truncate_chars(found.to_owned(), 50),
    })
}

fn split_version(name: &str) -> Option<(&str, &str)> {
    name.split_once('@')
}

fn malformed(error: &wasmparser::BinaryReaderError) -> LoadError {
    LoadError::Malformed(truncate_chars(error.to_string(), 300))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_wasi_and_of_the_contract_pass() {
        for name in [
            "toolhost:plugin/run@0.1.0",
            "toolhost:plugin/run@0.1.7",
            "wasi:io/poll@0.2.0",
            "wasi:cli/stdout@0.2.12",
            "wasi:sockets/tcp@0.2.0",
        ] {
            assert!(check_import(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn an_import_of_another_host_is_refused_by_name() {
        for name in [
            "acme:custom/thing@1.0.0",
            "wasi:io/poll@0.3.0",
            "plain",
            "wasi:nn/x@0.2.0",
        ] {
            let error = check_import(name).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn another_version_of_the_contract_is_refused_by_number() {
        let error = check_import("toolhost:plugin/run@0.2.0").unwrap_err();
        assert!(error.to_string().contains("0.2.0") && error.to_string().contains("0.1.0"));
    }

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
