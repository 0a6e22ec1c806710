//! What a process sees without opening anything.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use wasip2::cli::{environment, terminal_stdin, terminal_stdout};
use wasip2::random::{insecure_seed, random};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "env_vars",
        description: "Returns the environment variables.",
        properties: "{}",
        run: env_vars,
    },
    Tool {
        name: "args",
        description: "Returns the arguments of the program and its working directory.",
        properties: "{}",
        run: args,
    },
    Tool {
        name: "stdin",
        description: "Reads standard input to its end.",
        properties: "{}",
        run: stdin,
    },
    Tool {
        name: "terminals",
        description: "Says which standard streams are terminals.",
        properties: "{}",
        run: terminals,
    },
    Tool {
        name: "clocks",
        description: "Returns the wall clock, and how long a millisecond's sleep took.",
        properties: "{}",
        run: clocks,
    },
    Tool {
        name: "random",
        description: "Returns `n` random bytes in hexadecimal, and the seed of hash maps.",
        properties: r#"{"n":{"type":"integer","minimum":0,"maximum":65536,"default":16}}"#,
        run: random,
    },
];

fn env_vars(_: &Request) -> Answer {
    structured(
        environment::get_environment()
            .into_iter()
            .map(|(k, v)| (k, v.into()))
            .collect::<serde_json::Map<_, Value>>()
            .into(),
    )
}

fn args(_: &Request) -> Answer {
    structured(json!({
        "arguments": environment::get_arguments(),
        "initialDirectory": environment::initial_cwd(),
    }))
}

fn stdin(_: &Request) -> Answer {
    structured(said(std::io::read_to_string(std::io::stdin())))
}

fn terminals(_: &Request) -> Answer {
    structured(json!({
        "stdin": terminal_stdin::get_terminal_stdin().is_some(),
        "stdout": terminal_stdout::get_terminal_stdout().is_some(),
    }))
}

fn clocks(_: &Request) -> Answer {
    let started = Instant::now();
    std::thread::sleep(std::time::Duration::from_millis(1));
    let slept = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map(|since| since.as_secs());
    structured(json!({ "sleptUs": slept, "unixSeconds": said(now) }))
}

fn random(request: &Request) -> Answer {
    let bytes = random::get_random_bytes(request.number("n", 16));
    let hex = bytes
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<Vec<_>>()
        .concat();
    let seed = insecure_seed::insecure_seed();
    structured(json!({ "hex": hex, "seed": [seed.0.to_string(), seed.1.to_string()] }))
}
