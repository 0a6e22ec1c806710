//! Modules that are made to use a compiler up.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use toolhost::LoadLimits;
use toolhost_tests::host_program;

use super::{host, refusal, small_with, unscanned};
use crate::bombs;

/// Small to send, costly to compile. All of them are refused with the name of a limit, before anything is compiled.
#[test]
fn hostile_modules_are_refused_by_the_name_of_a_limit() {
    let dir = tempfile::tempdir().unwrap();
    let hostile = [
        ("functions", small_with(&bombs::many_functions(500_000))),
        ("body", small_with(&bombs::enormous_body(7_000_000))),
        ("br_table", small_with(&bombs::jump_table(1_000_000))),
        ("blocks", small_with(&bombs::nested_blocks(900_000))),
        ("exports", small_with(&bombs::many_exports(20_000))),
        ("tuples", bombs::nested_in(&bombs::doubling_tuples(18))),
    ];
    let mut compile = Command::new(host_program());
    compile.args(["compile", "--json", "--cache-dir"]);
    compile.arg(dir.path().join("cache"));
    for (name, bytes) in &hostile {
        let file = dir.path().join(format!("{name}.wasm"));
        fs::write(&file, bytes).unwrap();
        compile.arg(file);
    }
    let output = compile.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), hostile.len(), "{lines}");
    for line in lines.lines() {
        let told: Value = serde_json::from_str(line).unwrap();
        let cause = told["error"]["causes"][0].as_str().unwrap();
        assert!(
            cause.starts_with("the plugin is too large to load: "),
            "{line}"
        );
    }
}

/// The memory of this process is shared by all tests that run in it, so the story is
/// told by a process of its own.
#[test]
fn hostile_modules_cost_the_host_no_memory() {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "compiling::hostile::alone::hostile_modules"])
        .args(["--ignored", "--nocapture"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{output:#?}"
    );
}

/// What a process of its own does.
mod alone {
    use super::*;

    /// The most memory that this process ever had, in bytes.
    fn peak() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmHWM:"))
            .unwrap();
        let number: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        number << 10
    }

    /// Far less than compiling any of them takes.
    const FLAT: u64 = 64 << 20;

    /// Here the scan lets them pass, and the limits of the compiler have to do.
    #[tokio::test]
    #[ignore = "it is run by `hostile_modules_cost_the_host_no_memory`"]
    async fn hostile_modules() {
        let limits = LoadLimits {
            compile_memory: 512 << 20,
            compile_time: Duration::from_secs(10),
            ..unscanned()
        };
        let dir = tempfile::tempdir().unwrap();
        let host = host(Some(dir.path()), limits);
        let hostile: Vec<_> = [
            ("functions", bombs::many_functions(500_000)),
            ("blocks", bombs::nested_blocks(900_000)),
            ("loops", bombs::loops_in_loops(1_000, 3_000)),
            ("locals", bombs::many_locals(20_000)),
        ]
        .into_iter()
        .map(|(name, module)| (name, small_with(&module)))
        .collect();
        let before = peak();
        for (name, bytes) in hostile {
            let error = refusal(&host, name, bytes).await;
            let limit = error.limit().unwrap_or_else(|| panic!("{name}: {error}"));
            assert!(limit.name.starts_with("compile-"), "{name}: {limit:?}");
        }
        let more = peak() - before;
        assert!(more < FLAT, "{more} bytes more than {before}");
    }
}
