//! Many plugins at once: side by side, and each digest once, whoever asks for it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;
use tokio::task::JoinSet;
use toolhost::{Host, LoadLimits, PluginOptions};
use toolhost_tests::{guest, host_program};

use super::{SMALL, builder, host};

/// A compiler that begins when as many others have come: one that waits for the end of
/// another would wait for ever. It is written by a process of its own, for a file that
/// any thread here has open for writing cannot be run.
fn that_waits_for(others: usize, folder: &Path) -> PathBuf {
    let (come, program) = (folder.join("come"), folder.join("compiler"));
    fs::create_dir(&come).unwrap();
    let text = format!(
        "#!/bin/sh\n: > '{come}'/$$\n\
         until [ $(ls '{come}' | wc -l) -ge {others} ]; do sleep 0.01; done\n\
         exec '{host}' \"$@\"\n",
        come = come.display(),
        host = host_program().display(),
    );
    let write = r#"printf %s "$1" > "$2"; chmod 700 "$2""#;
    let status = Command::new("sh")
        .args(["-c", write, "sh", &text])
        .arg(&program)
        .status();
    assert!(status.unwrap().success());
    program
}

#[tokio::test]
async fn plugins_are_compiled_side_by_side() {
    if thread::available_parallelism().unwrap().get() == 1 {
        // As many at once as there are cores.
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let host = builder(None)
        .compiler(Some(that_waits_for(2, folder.path())))
        .build()
        .unwrap();
    let mut loads = JoinSet::new();
    for name in [SMALL, "multi-memory"] {
        let host = host.clone();
        loads.spawn(async move { host.load(guest(name), PluginOptions::default()).await });
    }
    while let Some(loaded) = loads.join_next().await {
        loaded.unwrap().unwrap();
    }
    assert_eq!(host.definitions().len(), 2);
}

/// How often a plugin was compiled for those who loaded it at the same time.
async fn compiled(host: &Host, times: usize) -> usize {
    let mut loads = JoinSet::new();
    for _ in 0..times {
        let host = host.clone();
        loads.spawn(async move { host.open(guest("contract"), PluginOptions::default()).await });
    }
    let mut compiled = 0;
    while let Some(loaded) = loads.join_next().await {
        compiled += usize::from(!loaded.unwrap().unwrap().plugin.info().cached);
    }
    compiled
}

#[tokio::test]
async fn who_loads_a_plugin_at_the_same_time_has_it_compiled_once() {
    let dir = tempfile::tempdir().unwrap();
    let host = host(Some(dir.path()), LoadLimits::default());
    assert_eq!(compiled(&host, 6).await, 1);
    assert_eq!(compiled(&host, 2).await, 0);
}

/// Starts a process that compiles `files` into the cache in `dir`.
fn start(dir: &Path, files: &[PathBuf]) -> Child {
    Command::new(host_program())
        .args(["compile", "--json", "--cache-dir"])
        .arg(dir)
        .args(files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Two services that start with one empty cache, each with the same three plugins, one
/// of them under two names.
#[test]
fn processes_that_start_with_the_same_empty_cache_compile_each_digest_once() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let copy = folder.path().join("copy.wasm");
    fs::copy(guest("contract"), &copy).unwrap();
    let mut files = vec![copy];
    files.extend(["contract", "misbehave", SMALL].map(guest));
    let processes: Vec<Child> = (0..3).map(|_| start(&cache, &files)).collect();
    let mut compiled = Vec::new();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed.lines().count(), files.len(), "{printed}");
        for line in printed.lines() {
            let told: Value = serde_json::from_str(line).unwrap();
            if told["cached"] == false {
                compiled.push(told["digest"].as_str().unwrap().to_owned());
            }
        }
    }
    let digests: BTreeSet<_> = compiled.iter().collect();
    assert_eq!((compiled.len(), digests.len()), (3, 3), "{compiled:?}");
}
