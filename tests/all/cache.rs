//! Compiled plugins on disk: used when they are sound, rebuilt without a word when
//! they are not, and never taken from a folder that others can write.

use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use toolhost::{Cache, Host, PluginOptions};
use toolhost_tests::{guest, host_program};

use crate::support::call;

/// A plugin that compiles in a few milliseconds.
const SMALL: &str = "table-grow";

fn host(dir: &Path) -> Host {
    let host = Host::builder().cache_dir(Some(dir.into())).build();
    host.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Loads and calls a plugin; tells whether it was found compiled.
async fn cached(dir: &Path, name: &str) -> bool {
    let host = host(dir);
    let loaded = host
        .load(guest(name), PluginOptions::default())
        .await
        .unwrap_or_else(|error| panic!("{error:?}"));
    let tool = loaded.plugin.definitions()[0].name.clone();
    let result = call(&host, &tool, json!({"n": 1})).await;
    assert!(!result.is_error(), "{name}: {result:?}");
    loaded.plugin.info().cached
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    found.sort();
    found
}

fn code(dir: &Path) -> PathBuf {
    files(dir, "cwasm").first().expect("an entry").clone()
}

#[tokio::test]
async fn the_second_load_finds_the_first_ones_work() {
    let dir = tempfile::tempdir().unwrap();
    assert!(!cached(dir.path(), SMALL).await);
    assert!(cached(dir.path(), SMALL).await);
    assert!(files(dir.path(), "lock").is_empty() && files(dir.path(), "part").is_empty());
    let entries = Cache::open(dir.path()).unwrap().entries().unwrap();
    assert_eq!((entries.len(), entries[0].name.as_str()), (1, SMALL));
}

/// Whatever happens to the code of an entry, the plugin works and the entry is
/// sound again.
async fn is_rebuilt(what: &str, spoil: impl Fn(&Path)) {
    let dir = tempfile::tempdir().unwrap();
    cached(dir.path(), SMALL).await;
    spoil(&code(dir.path()));
    assert!(!cached(dir.path(), SMALL).await, "{what}: it was used");
    assert!(
        cached(dir.path(), SMALL).await,
        "{what}: it was not rebuilt"
    );
}

#[tokio::test]
async fn an_entry_that_is_not_sound_is_rebuilt() {
    is_rebuilt("empty", |code| fs::write(code, "").unwrap()).await;
    is_rebuilt("text", |code| fs::write(code, "not code").unwrap()).await;
    is_rebuilt("cut short", |code| {
        let bytes = fs::read(code).unwrap();
        fs::write(code, &bytes[..bytes.len() / 2]).unwrap();
    })
    .await;
    is_rebuilt("one byte short", |code| {
        let bytes = fs::read(code).unwrap();
        fs::write(code, &bytes[..bytes.len() - 1]).unwrap();
    })
    .await;
    is_rebuilt("zeros", |code| {
        let length = fs::metadata(code).unwrap().len();
        fs::write(code, vec![0; usize::try_from(length).unwrap()]).unwrap();
    })
    .await;
    is_rebuilt("others may write", |code| {
        fs::set_permissions(code, Permissions::from_mode(0o666)).unwrap();
    })
    .await;
    is_rebuilt("a link", |code| {
        let elsewhere = code.with_extension("moved");
        fs::rename(code, &elsewhere).unwrap();
        symlink(elsewhere, code).unwrap();
    })
    .await;
    is_rebuilt("a pipe", |code| {
        fs::remove_file(code).unwrap();
        assert!(Command::new("mkfifo").arg(code).status().unwrap().success());
    })
    .await;
    is_rebuilt("gone", |code| fs::remove_file(code).unwrap()).await;
}

/// The code of another plugin under this one's name is sound code that would do
/// something else.
#[tokio::test]
async fn the_code_of_another_plugin_is_not_taken_for_this_one() {
    let dir = tempfile::tempdir().unwrap();
    cached(dir.path(), "multi-memory").await;
    let other = code(dir.path());
    cached(dir.path(), SMALL).await;
    let all = files(dir.path(), "cwasm");
    let own = all.iter().find(|path| **path != other).unwrap();
    fs::copy(&other, own).unwrap();
    assert!(!cached(dir.path(), SMALL).await);
    assert!(cached(dir.path(), SMALL).await);
}

#[tokio::test]
async fn a_sidecar_with_absurd_values_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    cached(dir.path(), SMALL).await;
    let sidecar = files(dir.path(), "json").first().unwrap().clone();
    let digest = fs::read_to_string(&sidecar).unwrap();
    let digest = &serde_json::from_str::<serde_json::Value>(&digest).unwrap()["digest"];
    for text in [
        String::new(),
        "[]".into(),
        json!({"digest": digest, "name": "x".repeat(100), "bytes": u64::MAX}).to_string(),
        "[".repeat(60_000),
        format!("{{\"name\": \"{}\"}}", "x".repeat(100_000)),
    ] {
        fs::write(&sidecar, &text).unwrap();
        assert!(cached(dir.path(), SMALL).await);
        let entries = Cache::open(dir.path()).unwrap().entries().unwrap();
        let real = fs::metadata(code(dir.path())).unwrap().len();
        assert!(entries.iter().all(|entry| entry.bytes == real));
    }
}

#[test]
fn a_folder_that_others_can_write_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("cache");
    fs::create_dir(&dir).unwrap();
    for mode in [0o777, 0o770, 0o702] {
        fs::set_permissions(&dir, Permissions::from_mode(mode)).unwrap();
        let error = Cache::open(&dir).unwrap_err();
        assert!(error.to_string().contains(&format!("{mode:o}")), "{error}");
    }
    fs::set_permissions(&dir, Permissions::from_mode(0o755)).unwrap();
    assert!(Cache::open(&dir).is_ok());
    // Somebody could move it away and put their own in its place.
    fs::set_permissions(root.path(), Permissions::from_mode(0o777)).unwrap();
    assert!(Cache::open(&dir).is_err());
    fs::set_permissions(root.path(), Permissions::from_mode(0o1777)).unwrap();
    assert!(Cache::open(&dir).is_ok(), "as in `/tmp`");
    fs::write(root.path().join("file"), "").unwrap();
    let file = Cache::open(&root.path().join("file")).unwrap_err();
    assert!(file.to_string().contains("not a folder"), "{file}");
}

#[test]
fn a_link_to_a_folder_is_followed_once() {
    let root = tempfile::tempdir().unwrap();
    let (real, link) = (root.path().join("real"), root.path().join("link"));
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    let cache = Cache::open(&link).unwrap();
    assert_eq!(cache.dir(), real.canonicalize().unwrap());
}

/// What cannot be kept costs time, never the call.
#[tokio::test]
async fn a_folder_that_takes_no_files_costs_no_call() {
    let dir = tempfile::tempdir().unwrap();
    let host = host(dir.path());
    // A folder stands where the file would be, for root too.
    cached(dir.path(), SMALL).await;
    let code = code(dir.path());
    fs::remove_file(&code).unwrap();
    fs::create_dir(&code).unwrap();
    let loaded = host.load(guest(SMALL), PluginOptions::default()).await;
    assert!(!loaded.unwrap().plugin.info().cached);
    assert!(Cache::open(dir.path()).unwrap().clear().is_ok());
}

#[tokio::test]
async fn clearing_leaves_plugins_that_are_in_use() {
    let dir = tempfile::tempdir().unwrap();
    cached(dir.path(), SMALL).await;
    let host = host(dir.path());
    let loaded = host
        .load(guest(SMALL), PluginOptions::default())
        .await
        .unwrap();
    assert!(loaded.plugin.info().cached);
    assert!(host.cache().unwrap().clear().unwrap() > 10_000);
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none());
    let tool = loaded.plugin.definitions()[0].name.clone();
    assert!(!call(&host, &tool, json!({"n": 1})).await.is_error());
    assert!(!cached(dir.path(), SMALL).await);
}

fn run(dir: &Path, name: &str) -> Command {
    let mut command = Command::new(host_program());
    command
        .args(["inspect", "--json", "--cache-dir"])
        .arg(dir)
        .arg(guest(name))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The others wait for the first.
#[test]
fn processes_that_start_together_compile_a_plugin_once() {
    let dir = tempfile::tempdir().unwrap();
    let processes: Vec<_> = (0..3)
        .map(|_| run(dir.path(), "contract").spawn().unwrap())
        .collect();
    let mut compiled = 0;
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let page: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        compiled += usize::from(page["cached"] == false);
    }
    assert_eq!(compiled, 1);
    assert_eq!(files(dir.path(), "cwasm").len(), 1);
    assert!(files(dir.path(), "part").is_empty());
}

#[test]
fn a_process_that_was_killed_while_it_compiled_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = run(dir.path(), "contract").spawn().unwrap();
    let waited = Instant::now();
    while files(dir.path(), "lock").is_empty() && waited.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let second = run(dir.path(), "contract").output().unwrap();
    assert!(second.status.success(), "{second:?}");
    assert_eq!(files(dir.path(), "cwasm").len(), 1);
    assert!(files(dir.path(), "lock").is_empty());
}

/// Somebody who compiles the same plugin and does not get on: a process that was
/// stopped. Also starts a process that waits for it, and returns what that one says.
fn waiting(dir: &Path) -> (File, Child, String) {
    assert!(run(dir, SMALL).output().unwrap().status.success());
    let code = code(&dir.canonicalize().unwrap());
    fs::remove_file(&code).unwrap();
    let lock = code.with_extension("lock");
    let held = File::create(&lock).unwrap();
    held.lock().unwrap();
    let mut waiting = run(dir, SMALL).spawn().unwrap();
    let mut said = String::new();
    let stderr = waiting.stderr.take().unwrap();
    BufReader::new(stderr).read_line(&mut said).unwrap();
    let start = format!(
        "note: waiting for whoever compiles the same plugin and holds `{}`, at most ",
        lock.display()
    );
    assert!(said.starts_with(&start), "{said}");
    (held, waiting, said)
}

#[test]
fn a_process_that_waits_for_another_says_for_what_and_goes_on_after_it() {
    let dir = tempfile::tempdir().unwrap();
    let (held, waiting, _) = waiting(dir.path());
    drop(held);
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(files(dir.path(), "cwasm").len(), 1);
}

#[test]
fn a_process_that_waits_for_another_can_be_interrupted() {
    let dir = tempfile::tempdir().unwrap();
    let (_held, waiting, said) = waiting(dir.path());
    assert!(said.ends_with("it is safe to interrupt this\n"), "{said}");
    let id = waiting.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.unwrap().success());
    let output = waiting.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(files(dir.path(), "cwasm").is_empty() && files(dir.path(), "part").is_empty());
}

/// Nothing that lies in the place of the lock holds a load up.
#[tokio::test]
async fn a_pipe_in_the_place_of_the_lock_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    cached(dir.path(), SMALL).await;
    let code = code(dir.path());
    fs::remove_file(&code).unwrap();
    let lock = code.with_extension("lock");
    assert!(
        Command::new("mkfifo")
            .arg(&lock)
            .status()
            .unwrap()
            .success()
    );
    let started = Instant::now();
    assert!(!cached(dir.path(), SMALL).await);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn without_a_home_the_program_still_runs_a_plugin() {
    for home in [None, Some(""), Some("relative")] {
        let mut command = Command::new(host_program());
        command
            .arg("inspect")
            .arg(guest(SMALL))
            .current_dir(tempfile::tempdir().unwrap().path())
            .env_remove("XDG_CACHE_HOME")
            .env_remove("HOME");
        if let Some(home) = home {
            command.env("HOME", home);
        }
        let here = tempfile::tempdir().unwrap();
        let output = command.current_dir(here.path()).output().unwrap();
        assert!(output.status.success(), "{home:?}: {output:?}");
        let left = fs::read_dir(here.path()).unwrap().count();
        assert_eq!(left, 0, "{home:?} put something into the current folder");
    }
}
