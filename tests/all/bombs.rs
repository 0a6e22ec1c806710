//! Inputs that are small to send and costly to compile. Nothing in wasmtime limits
//! what compiling costs, so the pre-scan has to see each of these first, in
//! milliseconds. They are made here when a test wants them: committed, they
//! would be a hundred megabytes.
//!
//! A bomb in core WebAssembly is a `Module`: [`component`] wraps it, `finish` gives
//! the bare module. A bomb in the component itself comes as its bytes. All are valid
//! WebAssembly up to the parser's own limits, named where they are near, so that
//! only a limit of the host's own can refuse them.

use wasm_encoder::{
    BlockType, CodeSection, Component, ComponentExportKind, ComponentExportSection,
    ComponentImportSection, ComponentSection, ComponentSectionId, ComponentTypeRef,
    ComponentTypeSection, ComponentValType, ConstExpr, DataSection, ElementSection, Elements,
    ExportKind, ExportSection, Function, FunctionSection, InstanceSection, MemorySection,
    MemoryType, Module, ModuleArg, ModuleSection, NestedComponentSection, PrimitiveValType,
    RawSection, RefType, TableSection, TableType, TypeSection, ValType,
};

/// A component that holds `module`, never instantiated: compiling is what hurts.
pub(crate) fn component(module: &Module) -> Vec<u8> {
    let mut component = Component::new();
    component.section(&ModuleSection(module));
    component.finish()
}

/// The plugin `plugin` with `module` in it as well, which it never instantiates: the
/// scan finds the tools of a plugin, and the compiler everything else.
pub(crate) fn beside(plugin: &[u8], module: &Module) -> Vec<u8> {
    let mut with = plugin.to_vec();
    ModuleSection(module).append_to_component(&mut with);
    with
}

/// `n` functions that return at once: a few bytes each to send, a kilobyte and more
/// each to compile. Half a million took 19 s and 2.7 GB.
pub(crate) fn many_functions(n: u32) -> Module {
    functions(n, &Function::new([]))
}

/// `n` functions of 50,000 locals each, which a body declares in six bytes and
/// the compiler keeps in a table each.
pub(crate) fn many_locals(n: u32) -> Module {
    functions(n, &Function::new([(49_999, ValType::I64)]))
}

/// One function whose body is about `bytes` long, one sum with no place to cut it.
/// The parser's own limit is 7,654,321 bytes; above it the module is invalid.
pub(crate) fn enormous_body(bytes: usize) -> Module {
    let mut body = Function::new([(1, ValType::I32)]);
    let mut code = body.instructions();
    code.local_get(0);
    // Two bytes and one a round.
    for _ in 0..bytes / 3 {
        code.local_get(0).i32_add();
    }
    code.local_set(0);
    with_body(&body)
}

/// One jump table of `targets` targets, a byte each to send.
pub(crate) fn jump_table(targets: u32) -> Module {
    let mut body = Function::new([]);
    let targets = vec![0; targets as usize];
    body.instructions()
        .block(BlockType::Empty)
        .i32_const(0)
        .br_table(targets, 0)
        .end();
    with_body(&body)
}

/// `depth` blocks, each in the one before.
pub(crate) fn nested_blocks(depth: u32) -> Module {
    let mut body = Function::new([]);
    let mut code = body.instructions();
    for _ in 0..depth {
        code.block(BlockType::Empty);
    }
    for _ in 0..depth {
        code.end();
    }
    with_body(&body)
}

/// `n` names for one function.
pub(crate) fn many_exports(n: u32) -> Module {
    let (types, functions, code) = one_function(&Function::new([]));
    let mut exports = ExportSection::new();
    for number in 0..n {
        exports.export(&format!("e{number}"), ExportKind::Func, 0);
    }
    let mut module = Module::new();
    module
        .section(&types)
        .section(&functions)
        .section(&exports)
        .section(&code);
    module
}

/// `n` function types, no two the same.
pub(crate) fn many_types(n: u32) -> Module {
    let mut types = TypeSection::new();
    for number in 0..n {
        let params = (0..20).map(|bit| match number >> bit & 1 {
            0 => ValType::I32,
            _ => ValType::I64,
        });
        types.ty().function(params, []);
    }
    let mut module = Module::new();
    module.section(&types);
    module
}

/// `n` data segments of one byte, all for the same place. The parser's own limit is
/// 100,000.
pub(crate) fn many_data_segments(n: u32) -> Module {
    let mut memories = MemorySection::new();
    memories.memory(memory(1));
    let mut data = DataSection::new();
    for _ in 0..n {
        data.active(0, &ConstExpr::i32_const(0), [1]);
    }
    let mut module = Module::new();
    module.section(&memories).section(&data);
    module
}

/// One element segment of `n` entries for a table of as many.
pub(crate) fn many_elements(n: u32) -> Module {
    let (types, functions, code) = one_function(&Function::new([]));
    let mut tables = TableSection::new();
    tables.table(table(n));
    let mut elements = ElementSection::new();
    let entries = Elements::Functions(vec![0; n as usize].into());
    elements.active(None, &ConstExpr::i32_const(0), entries);
    let mut module = Module::new();
    module
        .section(&types)
        .section(&functions)
        .section(&tables)
        .section(&elements)
        .section(&code);
    module
}

/// A memory that wants `pages` pages of 64 KiB from its first moment; 65,536 are
/// all that 32 bits can address.
pub(crate) fn huge_memory(pages: u64) -> Module {
    let mut memories = MemorySection::new();
    memories.memory(memory(pages));
    let mut module = Module::new();
    module.section(&memories);
    module
}

/// A component that imports a function whose parameter is a tuple of two tuples
/// of two tuples …, `depth` deep: a few bytes a level, and 2^`depth` strings once
/// the type is walked. Above 18 the parser's own limit on the size of a type may
/// refuse it.
pub(crate) fn doubling_tuples(depth: u32) -> Vec<u8> {
    let mut types = ComponentTypeSection::new();
    types.defined_type().primitive(PrimitiveValType::String);
    for level in 0..depth {
        let inner = ComponentValType::Type(level);
        types.defined_type().tuple([inner, inner]);
    }
    types
        .function()
        .params([("bomb", ComponentValType::Type(depth))])
        .result(None);
    let mut imports = ComponentImportSection::new();
    imports.import("explode", ComponentTypeRef::Func(depth + 1));
    let mut component = Component::new();
    component.section(&types).section(&imports);
    component.finish()
}

/// A component of `n` record types, no two the same.
pub(crate) fn many_component_types(n: u32) -> Vec<u8> {
    let mut types = ComponentTypeSection::new();
    let text = ComponentValType::Primitive(PrimitiveValType::String);
    for number in 0..n {
        types
            .defined_type()
            .record([(format!("f{number}").as_str(), text)]);
    }
    let mut component = Component::new();
    component.section(&types);
    component.finish()
}

/// A component that instantiates one module, of a memory of `pages` pages, `n` times:
/// small limits per memory add up. The parser's own limit is 1,000.
pub(crate) fn many_instances(n: u32, pages: u64) -> Vec<u8> {
    let mut component = Component::new();
    component.section(&ModuleSection(&huge_memory(pages)));
    let mut instances = InstanceSection::new();
    for _ in 0..n {
        instances.instantiate(0, std::iter::empty::<(&str, ModuleArg)>());
    }
    component.section(&instances);
    component.finish()
}

/// `depth` components, each in the one before. The parser's own limit is 1,000.
pub(crate) fn nested_components(depth: u32) -> Vec<u8> {
    let mut inner = Component::new();
    for _ in 0..depth {
        let mut outer = Component::new();
        outer.section(&NestedComponentSection(&inner));
        inner = outer;
    }
    inner.finish()
}

/// A type of an instance inside another, `depth` times: three bytes a level in the
/// file, and a call of itself for the parser.
pub(crate) fn nested_types(depth: u32) -> Vec<u8> {
    let mut ty = vec![0x42, 0];
    for _ in 0..depth {
        ty.splice(0..0, [0x42, 1, 1]);
    }
    ty.insert(0, 1);
    let mut component = Component::new();
    component.section(&RawSection {
        id: ComponentSectionId::Type.into(),
        data: &ty,
    });
    component.finish()
}

/// A component that exports one function type under `n` names.
pub(crate) fn many_component_exports(n: u32) -> Vec<u8> {
    let mut types = ComponentTypeSection::new();
    types.defined_type().primitive(PrimitiveValType::U32);
    let mut exports = ComponentExportSection::new();
    for number in 0..n {
        exports.export(format!("e{number}"), ComponentExportKind::Type, 0, None);
    }
    let mut component = Component::new();
    component.section(&types).section(&exports);
    component.finish()
}

/// A component around another, whose own imports nobody asks about.
pub(crate) fn nested_in(inner: &[u8]) -> Vec<u8> {
    let mut component = Component::new();
    component.section(&RawSection {
        id: ComponentSectionId::Component.into(),
        data: inner,
    });
    component.finish()
}

/// A function of `n` loops of `depth` each: some passes of the compiler look at
/// each pair of blocks.
pub(crate) fn many_loops(n: u32, depth: u32) -> Module {
    let mut body = Function::new([]);
    let mut code = body.instructions();
    for _ in 0..n {
        for _ in 0..depth {
            code.loop_(BlockType::Empty);
        }
        for _ in 0..depth {
            code.end();
        }
    }
    with_body(&body)
}

/// One function in which `variables` variables live through `depth` loops, each
/// in the one before.
pub(crate) fn loops_in_loops(variables: u32, depth: u32) -> Module {
    let mut body = Function::new([(variables, ValType::I64)]);
    let mut code = body.instructions();
    for _ in 0..depth {
        code.loop_(BlockType::Empty);
    }
    for variable in 0..variables {
        code.local_get(variable)
            .i64_const(1)
            .i64_add()
            .local_set(variable);
    }
    for _ in 0..depth {
        code.i32_const(1).br_if(0).end();
    }
    with_body(&body)
}

/// `calls` calls, two bytes each, of a function that takes and returns `values`
/// values. The parser's own limit is 1,000 values.
pub(crate) fn wide_calls(values: u32, calls: u32) -> Module {
    let mut body = Function::new([]);
    let mut code = body.instructions();
    for value in 0..values {
        code.local_get(value);
    }
    for _ in 0..calls {
        code.call(0);
    }
    with_wide_body(values, &body)
}

/// `blocks` blocks that take and return `values` values each.
pub(crate) fn wide_blocks(values: u32, blocks: u32) -> Module {
    let mut body = Function::new([]);
    let mut code = body.instructions();
    for value in 0..values {
        code.local_get(value);
    }
    for _ in 0..blocks {
        code.block(BlockType::FunctionType(0))
            .i32_const(1)
            .br_if(0)
            .end();
    }
    with_wide_body(values, &body)
}

/// `n` function types of `values` parameters and results: code is made for each.
pub(crate) fn wide_types(values: u32, n: u32) -> Module {
    let mut types = TypeSection::new();
    for number in 0..n {
        let params = (0..values).map(|bit| {
            if bit < 20 && number >> bit & 1 == 1 {
                ValType::I32
            } else {
                ValType::I64
            }
        });
        let results = (0..values).map(|_| ValType::I64);
        types.ty().function(params, results);
    }
    let mut module = Module::new();
    module.section(&types);
    module
}

/// A module of one function that takes and returns `values` values.
fn with_wide_body(values: u32, body: &Function) -> Module {
    let mut body = body.clone();
    body.instructions().end();
    let wide = || (0..values).map(|_| ValType::I64);
    let mut types = TypeSection::new();
    types.ty().function(wide(), wide());
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut code = CodeSection::new();
    code.function(&body);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&code);
    module
}

fn memory(minimum: u64) -> MemoryType {
    MemoryType {
        minimum,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    }
}

fn table(minimum: u32) -> TableType {
    TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: minimum.into(),
        maximum: None,
        shared: false,
    }
}

/// A module of one function.
fn with_body(body: &Function) -> Module {
    functions(1, body)
}

/// A module of `n` functions with the same body, which is not ended yet.
fn functions(n: u32, body: &Function) -> Module {
    let mut body = body.clone();
    body.instructions().end();
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for _ in 0..n {
        functions.function(0);
        code.function(&body);
    }
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&code);
    module
}

/// The sections of one function, for modules that need others between them.
fn one_function(body: &Function) -> (TypeSection, FunctionSection, CodeSection) {
    let mut body = body.clone();
    body.instructions().end();
    let mut types = TypeSection::new();
    types.ty().function([], []);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut code = CodeSection::new();
    code.function(&body);
    (types, functions, code)
}
