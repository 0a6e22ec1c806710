//! Burning fuel and stack.

use guest_support::{Answer, Request, Tool, structured};
use std::hint::black_box;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "spin",
        description: "Loops for ever without a host call.",
        properties: "{}",
        run: spin,
    },
    Tool {
        name: "work",
        description: "Loops `rounds` times, then returns: for counting fuel.",
        properties: r#"{"rounds":{"type":"integer","minimum":0,"default":1000}}"#,
        run: work,
    },
    Tool {
        name: "recurse",
        description: "Recurses `depth` times in frames that live on the native stack alone.",
        properties: r#"{"depth":{"type":"integer","minimum":0,"default":1000000000}}"#,
        run: recurse,
    },
    Tool {
        name: "recurse_frames",
        description: "Recurses `depth` times in frames that also use the stack in linear memory; its end reads as an access out of bounds.",
        properties: r#"{"depth":{"type":"integer","minimum":0,"default":1000000000}}"#,
        run: recurse_frames,
    },
];

fn spin(_: &Request) -> Answer {
    guest_support::spin()
}

fn work(request: &Request) -> Answer {
    let mut sum = 0u64;
    for round in 0..request.number("rounds", 1000) {
        sum = black_box(sum.wrapping_add(round));
    }
    structured(sum.into())
}

fn recurse(request: &Request) -> Answer {
    structured(deeper(request.number("depth", 0)).into())
}

/// Neither a tail call nor an accumulation, so that it stays a recursion; nothing
/// in it has an address, so that no frame is kept in linear memory.
#[inline(never)]
fn deeper(depth: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    deeper(depth - 1).wrapping_mul(31).rotate_left(7) ^ depth
}

fn recurse_frames(request: &Request) -> Answer {
    structured(deeper_with_frame(request.number("depth", 0)).into())
}

#[inline(never)]
fn deeper_with_frame(depth: u64) -> u64 {
    let frame = black_box([depth; 16]);
    if depth == 0 {
        return 1;
    }
    deeper_with_frame(depth - 1).wrapping_mul(31) ^ frame[3]
}
