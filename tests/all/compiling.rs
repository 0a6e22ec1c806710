//! Plugins that are compiled in a process of their own, as `host` does it: what one of
//! them takes there is limited, and is not the host's.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::{Error, Host, HostBuilder, LoadError, LoadLimits, PluginOptions};
use toolhost_tests::{guest, host_program, plugin};
use wasm_encoder::Module;

use crate::bombs;
use crate::support::call;

/// A plugin that compiles in a few milliseconds.
const SMALL: &str = "table-grow";

/// A host that keeps its compiled plugins in `dir`, or nowhere.
fn builder(dir: Option<&Path>) -> HostBuilder {
    Host::builder()
        .cache_dir(dir.map(Path::to_owned))
        .compiler(Some(host_program()))
}

fn host(dir: Option<&Path>, limits: LoadLimits) -> Host {
    let host = builder(dir).load_limits(limits).build();
    host.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Limits that let the compiler see everything.
fn unscanned() -> LoadLimits {
    let all = u64::MAX;
    LoadLimits {
        functions: all,
        body_bytes: all,
        nesting: all,
        branch_targets: all,
        types: all,
        exports: all,
        type_bytes: all,
        type_parts: all,
        work: all,
        function_work: all,
        ..LoadLimits::default()
    }
}

fn small_with(module: &Module) -> Vec<u8> {
    bombs::beside(&fs::read(guest(SMALL)).unwrap(), module)
}

async fn refusal(host: &Host, name: &str, bytes: Vec<u8>) -> LoadError {
    match host.load_bytes(name, bytes, PluginOptions::default()).await {
        Err(Error::Load { source, .. }) => *source,
        Err(error) => panic!("{name}: {error}"),
        Ok(_) => panic!("{name} was loaded"),
    }
}

#[tokio::test]
async fn a_plugin_is_compiled_elsewhere_and_called_here() {
    let dir = tempfile::tempdir().unwrap();
    for (dir, cached) in [
        (Some(dir.path()), false),
        (Some(dir.path()), true),
        (None, false),
        (None, false),
    ] {
        let host = host(dir, LoadLimits::default());
        let loaded = host.load(guest(SMALL), PluginOptions::default()).await;
        let loaded = loaded.unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(loaded.plugin.info().cached, cached, "{dir:?}");
        let tool = loaded.plugin.definitions()[0].name.clone();
        let result = call(&host, &tool, json!({"n": 1})).await;
        assert!(!result.is_error(), "{result:?}");
    }
    let left: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    assert_eq!(left.len(), 2, "the code and what it is: {left:?}");
}

/// Code of both ways is the same, so either finds the other's.
#[tokio::test]
async fn what_was_compiled_here_is_found_from_there() {
    let dir = tempfile::tempdir().unwrap();
    let here = Host::builder()
        .cache_dir(Some(dir.path().into()))
        .build()
        .unwrap();
    let first = here.load(guest(SMALL), PluginOptions::default()).await;
    assert!(!first.unwrap().plugin.info().cached);
    let there = host(Some(dir.path()), LoadLimits::default());
    let second = there.load(guest(SMALL), PluginOptions::default()).await;
    assert!(second.unwrap().plugin.info().cached);
}

/// What is cached needs no compiler, so it is no slower than without one.
#[tokio::test]
async fn a_cached_plugin_starts_no_compiler() {
    let dir = tempfile::tempdir().unwrap();
    let first = host(Some(dir.path()), LoadLimits::default());
    first
        .load(guest(SMALL), PluginOptions::default())
        .await
        .unwrap();
    let second = builder(Some(dir.path()))
        .compiler(Some("/no/such/program".into()))
        .build()
        .unwrap();
    let loaded = second.load(guest(SMALL), PluginOptions::default()).await;
    assert!(loaded.unwrap().plugin.info().cached);
    let error = second.load(plugin("jq"), PluginOptions::default()).await;
    let Err(Error::Load { source, .. }) = error else {
        panic!("it was compiled by nobody");
    };
    let said = source.to_string();
    assert!(said.contains("`/no/such/program` cannot compile"), "{said}");
}

#[tokio::test]
async fn a_compiler_that_takes_too_much_memory_is_ended() {
    let limits = LoadLimits {
        compile_memory: 128 << 20,
        ..unscanned()
    };
    let host = host(None, limits);
    let bytes = small_with(&bombs::many_functions(500_000));
    let error = refusal(&host, "functions", bytes).await;
    let hit = error.limit().unwrap_or_else(|| panic!("{error:?}"));
    assert_eq!(
        (hit.name.as_str(), hit.allowed),
        ("compile-memory", 128 << 20)
    );
    assert!(error.to_string().contains("`compile-memory`"), "{error}");
    assert!(error.hint().is_some());
    // The next plugin is compiled as if nothing had been.
    let loaded = host.load(guest(SMALL), PluginOptions::default()).await;
    assert!(loaded.is_ok());
}

#[tokio::test]
async fn a_compiler_that_takes_too_long_is_ended() {
    let limits = LoadLimits {
        compile_time: Duration::from_millis(300),
        ..unscanned()
    };
    let dir = tempfile::tempdir().unwrap();
    let host = host(Some(dir.path()), limits);
    let bytes = small_with(&bombs::many_loops(20_000, 1));
    let error = refusal(&host, "loops", bytes).await;
    let hit = error.limit().unwrap_or_else(|| panic!("{error:?}"));
    assert_eq!((hit.name.as_str(), hit.allowed), ("compile-time", 300));
    assert!(hit.used >= 300, "{hit:?}");
    let left = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left, 0, "nothing of it is kept");
}

/// A program that is no compiler, and one that breaks, are told as such.
#[tokio::test]
async fn a_program_that_does_not_compile_is_told() {
    for (program, said) in [("true", "compiled"), ("false", "exit status: 1")] {
        let host = builder(None)
            .compiler(Some(program.into()))
            .build()
            .unwrap();
        let error = refusal(&host, program, fs::read(guest(SMALL)).unwrap()).await;
        assert!(error.to_string().contains(said), "{program}: {error}");
    }
}

#[tokio::test]
async fn what_the_compiler_refuses_is_told_in_its_own_words() {
    let here = Host::builder().cache_dir(None).build().unwrap();
    let there = host(None, LoadLimits::default());
    let bytes = fs::read(guest("proposal-threads")).unwrap();
    let one = refusal(&here, "here", bytes.clone()).await;
    let other = refusal(&there, "there", bytes).await;
    assert!(matches!(one, LoadError::Compile(_)), "{one:?}");
    assert_eq!(one.to_string(), other.to_string());
}

/// Estimates are rounded up: where the compiler has limits of its own, they refuse
/// only what could never come to an end.
#[tokio::test]
async fn an_estimate_refuses_less_where_the_compiler_is_limited() {
    let limits = LoadLimits {
        work: 1,
        function_work: 1,
        ..LoadLimits::default()
    };
    let here = Host::builder()
        .cache_dir(None)
        .load_limits(limits)
        .build()
        .unwrap();
    let bytes = fs::read(guest(SMALL)).unwrap();
    let refused = refusal(&here, "here", bytes.clone()).await;
    assert!(matches!(refused, LoadError::TooLarge { .. }), "{refused:?}");
    let there = host(None, limits);
    let loaded = there
        .load_bytes("there", bytes, PluginOptions::default())
        .await;
    assert!(loaded.is_ok());
    let hopeless = small_with(&bombs::loops_in_loops(1_000, 3_000));
    let refused = refusal(&there, "hopeless", hopeless).await;
    assert!(matches!(refused, LoadError::TooLarge { .. }), "{refused:?}");
}

/// Whoever stops waiting stops the compiler as well.
#[tokio::test]
async fn a_load_that_is_given_up_stops_its_compiler() {
    let dir = tempfile::tempdir().unwrap();
    let host = host(Some(dir.path()), unscanned());
    let bytes = small_with(&bombs::many_loops(20_000, 1));
    let load = host.load_bytes("loops", bytes, PluginOptions::default());
    assert!(
        tokio::time::timeout(Duration::from_millis(500), load)
            .await
            .is_err()
    );
    // Its file is gone when it has ended.
    let started = Instant::now();
    while fs::read_dir(dir.path()).unwrap().next().is_some() {
        assert!(started.elapsed() < Duration::from_secs(30), "it goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// What the issue of such files says of them: small to send, costly to compile. All of
/// them are refused with the name of a limit, before anything is compiled.
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
        .args(["--exact", "compiling::alone::hostile_modules"])
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

/// `host compile`: ahead of time, into the cache that `host run` looks into.
mod ahead {
    use super::*;

    fn compile(cache: &Path, more: &[&str]) -> Output {
        Command::new(host_program())
            .args(["compile", "--cache-dir"])
            .arg(cache)
            .args(more)
            .output()
            .unwrap()
    }

    #[test]
    fn a_plugin_is_compiled_once_and_found_by_the_first_call() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("cache");
        let (one, two) = (guest(SMALL), guest("multi-memory"));
        let (one, two) = (one.display().to_string(), two.display().to_string());
        let output = compile(&cache, &[&one, &two]);
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed.lines().count(), 2, "{printed}");
        for file in [&one, &two] {
            let line = printed.lines().find(|line| line.starts_with(file.as_str()));
            assert!(line.unwrap().contains(": compiled in "), "{printed}");
        }
        let again = compile(&cache, &[&one]);
        let printed = String::from_utf8(again.stdout).unwrap();
        assert!(
            printed.contains(": was compiled already, 1 tool, sha256:"),
            "{printed}"
        );

        let inspect = Command::new(host_program())
            .args(["inspect", "--json", "--cache-dir"])
            .arg(&cache)
            .arg(&two)
            .output()
            .unwrap();
        let page: Value = serde_json::from_slice(&inspect.stdout).unwrap();
        assert_eq!(page["cached"], true, "{page:#}");
    }

    #[test]
    fn one_bad_plugin_keeps_no_other_from_it() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("cache");
        let (bad, good) = (guest("other-import"), guest(SMALL));
        let (bad, good) = (bad.display().to_string(), good.display().to_string());
        let output = compile(&cache, &[&bad, &good]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let (printed, said) = (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        assert!(printed.starts_with(&good), "{printed}");
        assert!(
            said.starts_with("error: cannot load the plugin `"),
            "{said}"
        );
    }

    /// The fast compiler is for one plugin that its operator named, and a host that
    /// has none says so.
    #[test]
    fn a_plugin_that_is_compiled_fast_is_marked() {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("host.toml");
        let text = format!(
            "[cache]\ndir = 'cache'\n[plugins.mine]\npath = '{}'\nfast-compile = true\n",
            guest(SMALL).display()
        );
        fs::write(&config, text).unwrap();
        let inspect = |what: &str| {
            let inspect = Command::new(host_program())
                .args(["inspect", "--json", what, "--config"])
                .arg(&config)
                .output()
                .unwrap();
            assert!(inspect.status.success(), "{inspect:?}");
            serde_json::from_slice::<Value>(&inspect.stdout).unwrap()
        };
        let named = inspect("mine");
        let warned = named["warnings"].to_string().contains("`fast-compile`");
        assert_ne!(named["fastCompiled"].as_bool(), Some(warned), "{named:#}");
        let by_file = inspect(&guest(SMALL).display().to_string());
        assert_eq!(by_file["fastCompiled"], false);
        assert_eq!(by_file["warnings"], json!([]));
    }
}
