//! What a plugin may be. The numbers come from real plugins, of which a Python one
//! is the largest (18 MB, the whole interpreter and its libraries), with room above
//! them; what they keep out is a file that is small and compiles for minutes.

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
    /// Element segments. Default: 20,000.
    pub elements: u64,
    /// Core instances. Default: 1,000.
    pub instances: u64,
    /// Memories. Default: 100.
    pub memories: u64,
    /// Tables. Default: 200.
    pub tables: u64,
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
            elements: 20_000,
            instances: 1_000,
            memories: 100,
            tables: 200,
            tools: 256,
            schema_bytes: 256 << 10,
            description_bytes: 64 << 10,
        }
    }
}
