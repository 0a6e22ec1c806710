//! Tools with names that no tool may have, between two good ones. The bad ones are
//! left out with a warning each; the good ones work.

use guest_support::bindings::types::ToolDefinition;
use guest_support::{Answer, Request, Tool, named, text};

const TOOLS: &[Tool] = &[
    Tool {
        name: "good_before",
        description: "",
        properties: "{}",
        run: good,
    },
    Tool {
        name: "good_after",
        description: "",
        properties: "{}",
        run: good,
    },
    Tool {
        name: "twice",
        description: "",
        properties: "{}",
        run: good,
    },
];

fn good(request: &Request) -> Answer {
    text(request.call.tool_name.clone())
}

fn describe() -> Vec<ToolDefinition> {
    let longest = "a".repeat(64);
    let too_long = "a".repeat(65);
    let names = [
        "good_before",
        "",
        &longest,
        &too_long,
        "two words",
        "naïve",
        "line\nbreak",
        "nul\0inside",
        "../../escape",
        "\u{1b}[31mred",
        "a\u{202e}b",
        "twice",
        "twice",
        "good_after",
    ];
    names.into_iter().map(named).collect()
}

guest_support::plugin!(TOOLS, describe());
