//! Plugins that are compiled in a process of their own, as `host` does it: what one of
//! them takes there is limited, and is not the host's.

mod ahead;
mod hostile;
mod parallel;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
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
