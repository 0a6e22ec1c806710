//! What a plugin may be. The numbers come from real plugins, of which a Python one
//! is the largest (18 MB, the whole interpreter and its libraries), with room above
//! them; what they keep out is a file that is small and compiles for minutes.

use std::time::Duration;

/// What a plugin may be, checked before it is compiled, and what it may describe.
/// Counts are over all modules of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadLimits {
    /// Bytes of the file. Default: 64 MiB.
    pub plugin_bytes: u64,
    /// Modules and components inside the file. Default: 200.
    pub modules: u64,
    /// Functions; each costs compile time however small it is. Default: 150,000.
    pub functions: u64,
    /// Bytes of one function; compile time grows faster than they do. Default: 1 MiB.
    pub body_bytes: u64,
    /// Blocks inside each other in one function. Default: 4,000.
    pub nesting: u64,
    /// Targets of all branch tables: they multiply the edges that the compiler
    /// follows. Default: 500,000.
    pub branch_targets: u64,
    /// Types. Default: 20,000.
    pub types: u64,
    /// Imports. Default: 20,000.
    pub imports: u64,
    /// Exports. Default: 15,000.
    pub exports: u64,
    /// Bytes of the types of components. Default: 1 MiB.
    pub type_bytes: u64,
    /// Parts of one type of a component, all that it refers to among them; a type
    /// of a few bytes may have a million. Default: 10,000.
    pub type_parts: u64,
    /// Entries of all element segments. Default: 50,000.
    pub elements: u64,
    /// Data segments. Default: 50,000.
    pub data: u64,
    /// Core instances. Default: 1,000.
    pub instances: u64,
    /// Components that are instantiated inside the file. Default: 30.
    pub parts: u64,
    /// Functions that cross from a module to a component or back. Default: 2,000.
    pub borders: u64,
    /// Memories. Default: 100.
    pub memories: u64,
    /// Tables. Default: 200.
    pub tables: u64,
    /// Microseconds of one core that compiling all of it is estimated to take. An
    /// engine for JavaScript takes two thirds of it. Default: 45,000,000.
    pub work: u64,
    /// The same for one function, which no second core can help with; what it takes
    /// in memory grows alongside. Default: 3,000,000.
    pub function_work: u64,
    /// Bytes of memory that compiling may take, where it has a process of its own;
    /// elsewhere nothing measures it, and only the estimate above keeps it down.
    /// The largest honest plugin that was tried takes a quarter. Default: 2 GiB.
    pub compile_memory: u64,
    /// Time that compiling may take, where it has a process of its own. Estimates
    /// above it are no reason to refuse there: the process is ended instead.
    /// Default: 120 s.
    pub compile_time: Duration,
    /// Tools that the plugin may describe. Default: 256.
    pub tools: u64,
    /// Bytes of one schema. Default: 256 KiB.
    pub schema_bytes: u64,
    /// Bytes of one description. Default: 64 KiB.
    pub description_bytes: u64,
}

impl Default for LoadLimits {
    fn default() -> Self {
        Self {
            plugin_bytes: 64 << 20,
            modules: 200,
            functions: 150_000,
            body_bytes: 1 << 20,
            nesting: 4_000,
            branch_targets: 500_000,
            types: 20_000,
            imports: 20_000,
            exports: 15_000,
            type_bytes: 1 << 20,
            type_parts: 10_000,
            elements: 50_000,
            data: 50_000,
            instances: 1_000,
            parts: 30,
            borders: 2_000,
            memories: 100,
            tables: 200,
            work: 45_000_000,
            function_work: 3_000_000,
            compile_memory: 2 << 30,
            compile_time: Duration::from_mins(2),
            tools: 256,
            schema_bytes: 256 << 10,
            description_bytes: 64 << 10,
        }
    }
}
