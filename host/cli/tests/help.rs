//! The help is the first thing one sees. The stories of using `host` are in
//! `tests/all/cli`; this file also has cargo build the program for them.

use std::process::Command;

fn help(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_host"))
        .args(args)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_command_is_listed_with_what_it_does() {
    let help = help(&["--help"]);
    for line in [
        "  run          Run one tool of a plugin\n",
        "  turn         Run all tool calls of one assistant message\n",
        "  bench        Measure what a call of a tool costs\n",
        "  inspect      Show what a plugin has: its tools, their parameters, what it wants and imports\n",
        "  policy       Say what a plugin may do, and which line decides\n",
        "  tools        Print the definitions of all tools of some plugins as JSON\n",
        "  compile      Compile plugins ahead of time\n",
        "  new          Write a plugin project that builds and runs as it is\n",
        "  cache        List or clear the compiled plugins that are kept\n",
        "  completions  Print a script that completes commands and flags in a shell\n",
    ] {
        assert!(help.contains(line), "{line:?} is not in\n{help}");
    }
}

#[test]
fn every_command_has_an_example() {
    for command in [
        "run",
        "turn",
        "bench",
        "inspect",
        "policy",
        "tools",
        "compile",
        "new",
        "completions",
    ] {
        let help = help(&[command, "--help"]);
        let (_, examples) = help
            .split_once("\nExamples:\n")
            .expect("there are examples");
        assert!(
            examples.starts_with(&format!("  host {command} ")),
            "{help}"
        );
    }
}

#[test]
fn no_line_is_too_long_for_a_terminal() {
    for command in [
        "run",
        "turn",
        "bench",
        "inspect",
        "policy",
        "tools",
        "compile",
        "new",
        "cache",
        "completions",
    ] {
        for line in help(&[command, "--help"]).lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
