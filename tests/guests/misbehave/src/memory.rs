//! Growing linear memory. `guests/wat` has the components with several memories.

use guest_support::{Answer, Request, Tool, structured};
use serde_json::json;
use std::arch::wasm32::{memory_grow, memory_size};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "alloc",
        description: "Allocates and touches `chunk` bytes again and again until it is refused, then aborts as Rust does.",
        properties: r#"{"chunk":{"type":"integer","minimum":1,"default":1048576}}"#,
        run: alloc,
    },
    Tool {
        name: "alloc_once",
        description: "Allocates and touches `bytes` at once; aborts as Rust does when refused.",
        properties: r#"{"bytes":{"type":"integer","minimum":0,"default":1073741824}}"#,
        run: alloc_once,
    },
    Tool {
        name: "alloc_exact",
        description: "Grows memory to exactly `pages` pages of 64 KiB and returns; a refusal is a value.",
        properties: r#"{"pages":{"type":"integer","minimum":0,"default":64}}"#,
        run: alloc_exact,
    },
    Tool {
        name: "alloc_then_spin",
        description: "Grows memory until it is refused, takes that well and loops for ever: two limits in one call.",
        properties: "{}",
        run: alloc_then_spin,
    },
];

const PAGE: usize = 64 * 1024;

fn alloc(request: &Request) -> Answer {
    let chunk = request.size("chunk", 1 << 20).max(1);
    let mut kept = Vec::new();
    loop {
        kept.push(vec![1u8; chunk]);
        std::hint::black_box(&kept);
    }
}

fn alloc_once(request: &Request) -> Answer {
    let block = std::hint::black_box(vec![1u8; request.size("bytes", 0)]);
    structured(json!({ "bytes": block.len() }))
}

fn alloc_exact(request: &Request) -> Answer {
    let wanted = request.size("pages", 0);
    let before = memory_size::<0>();
    let refused = wanted > before && memory_grow::<0>(wanted - before) == usize::MAX;
    let pages = memory_size::<0>();
    structured(json!({ "pages": pages, "bytes": pages as u64 * PAGE as u64, "refused": refused }))
}

fn alloc_then_spin(_: &Request) -> Answer {
    while memory_grow::<0>(1) != usize::MAX {}
    guest_support::spin()
}
