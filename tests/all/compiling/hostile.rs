//! Modules that are made to use a compiler up.

use std::fs;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use toolhost::LoadLimits;
use toolhost_tests::host_program;

use super::{host, refusal, small_with, unscanned};
use crate::bombs;

/// Small to send, costly to compile, each with the limit that it is over.
fn hostile() -> [(&'static str, &'static str, Vec<u8>); 6] {
    let with = |module| small_with(&module);
    let body = "bytes in one function";
    [
        (
            "functions",
            "functions",
            with(bombs::many_functions(500_000)),
        ),
        ("body", body, with(bombs::enormous_body(7_000_000))),
        (
            "br_table",
            "branch-table targets",
            with(bombs::jump_table(1_000_000)),
        ),
        ("blocks", body, with(bombs::nested_blocks(900_000))),
        ("exports", "exports", with(bombs::many_exports(20_000))),
        (
            "tuples",
            "parts of one type",
            bombs::nested_in(&bombs::doubling_tuples(18)),
        ),
    ]
}

/// All of them are refused with the name of a limit, before anything is compiled.
#[test]
fn hostile_modules_are_refused_by_the_name_of_a_limit() {
    let dir = tempfile::tempdir().unwrap();
    let mut compile = Command::new(host_program());
    compile.args(["compile", "--json", "--cache-dir"]);
    compile.arg(dir.path().join("cache"));
    let mut expected = Vec::new();
    for (name, limit, bytes) in hostile() {
        let file = dir.path().join(name).with_extension("wasm");
        fs::write(&file, bytes).unwrap();
        compile.arg(&file);
        expected.push((file.display().to_string(), limit));
    }
    let output = compile.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines.lines().count(), expected.len(), "{lines}");
    for line in lines.lines() {
        let told: Value = serde_json::from_str(line).unwrap();
        let error = &told["error"];
        assert_eq!(error["name"], "PluginLoadError", "{line}");
        let cause = error["causes"][0].as_str().unwrap();
        assert!(
            cause.starts_with("the plugin is too large to load: "),
            "{line}"
        );
        let file = expected.iter().find(|(file, _)| told["file"] == **file);
        assert_eq!(error["limit"]["name"], file.unwrap().1, "{line}");
        assert!(error["limit"]["used"].as_u64() > error["limit"]["allowed"].as_u64());
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

    /// The scan sees them; and where it lets some pass, the limits of the compiler have
    /// to do.
    #[tokio::test]
    #[ignore = "it is run by `hostile_modules_cost_the_host_no_memory`"]
    async fn hostile_modules() {
        let limits = LoadLimits {
            compile_memory: 512 << 20,
            compile_time: Duration::from_secs(10),
            ..unscanned()
        };
        let dir = tempfile::tempdir().unwrap();
        let careful = host(Some(dir.path()), LoadLimits::default());
        let careless = host(Some(dir.path()), limits);
        let scanned = hostile();
        let compiled = [
            ("functions", bombs::many_functions(500_000)),
            ("blocks", bombs::nested_blocks(900_000)),
            ("loops", bombs::loops_in_loops(1_000, 3_000)),
            ("locals", bombs::many_locals(20_000)),
        ]
        .map(|(name, module)| (name, small_with(&module)));
        let before = peak();
        for (name, _, bytes) in scanned {
            let error = refusal(&careful, name, bytes).await;
            assert!(error.limit().is_some(), "{name}: {error}");
        }
        for (name, bytes) in compiled {
            let error = refusal(&careless, name, bytes).await;
            let limit = error.limit().unwrap_or_else(|| panic!("{name}: {error}"));
            assert!(limit.name.starts_with("compile-"), "{name}: {limit:?}");
        }
        let more = peak() - before;
        println!("{more} bytes more than {before}");
        assert!(more < FLAT, "{more} bytes more than {before}");
    }
}
