//! Several processes at once, processes that are killed, files that are no store,
//! and a store that never answers.

use std::fs;
use std::ops::RangeInclusive;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::policy::StorageScope;
use toolhost::{
    Bucket, EffectState, Grants, Host, KeyPage, KeyValueStore, PluginOptions, Quota, Slot,
    SqliteStore, StoreError, Stored, Swapped,
};

use super::Shelf;
use crate::cli::program::command;
use crate::support::{cache_dir, call_limited, error};
use toolhost_tests::guest;

#[test]
fn two_processes_count_and_nothing_is_lost() {
    let shelf = Shelf::new();
    for (tool, key) in [("increment", "added"), ("count", "swapped")] {
        let arguments = json!({ "key": key, "n": 300 });
        let start = || {
            let mut command = command(shelf.line(tool, &arguments, &[]));
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().unwrap()
        };
        let both = [start(), start()];
        for child in both {
            let ended = child.wait_with_output().unwrap();
            assert!(ended.status.success(), "{ended:?}");
        }
        let sum = shelf.ask("get", &json!({ "key": key }));
        assert_eq!(sum, json!({ "ok": "600" }), "{tool}");
    }
}

/// A process may be gone at any time, and the next one finds what was done.
#[test]
fn a_process_that_is_killed_leaves_a_store_that_opens() {
    let shelf = Shelf::new();
    for _ in 0..5 {
        let mut child = command(shelf.line("set_for_ever", &json!({}), &[]))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // It has begun to write once the log of writes is there.
        let started = Instant::now();
        let log = shelf.folder.path().join("state.db-wal");
        while fs::metadata(&log).map_or(0, |log| log.len()) < 100_000 {
            assert!(
                started.elapsed() < Duration::from_mins(1),
                "it writes nothing"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(log.exists(), "it was not killed while it wrote");

        let keys = shelf.ask("list", &json!({}))["ok"]["keys"].clone();
        let keys = keys.as_array().unwrap();
        let written = keys
            .iter()
            .rfind(|key| key.as_str().unwrap().starts_with("key-"));
        let value = shelf.ask("get", &json!({ "key": written.unwrap() }))["ok"].clone();
        assert!(value.as_str().unwrap().ends_with("xxx"), "{value}");
        shelf.ask("set", &json!({}));
        shelf.ask("fill", &json!({ "n": 3 }));
    }
}

#[test]
fn a_file_that_is_no_store_is_refused_and_stays_as_it_is() {
    let shelf = Shelf::new();
    fs::write(
        shelf.file(),
        "some notes of my own, and they are long enough",
    )
    .unwrap();
    let said = shelf
        .call("get", &json!({}), &[])
        .ends_with(2)
        .without_output();
    assert!(
        said.contains("cannot open the store") && said.contains("--storage-file"),
        "{said}"
    );
    let kept = fs::read_to_string(shelf.file()).unwrap();
    assert!(kept.starts_with("some notes"));
}

/// A store somewhere on a network that takes the question and never answers.
struct Silent(mpsc::Sender<()>);

impl Silent {
    fn wait<T>(&self) -> Result<T, StoreError> {
        let _ = self.0.send(());
        std::thread::sleep(Duration::from_secs(3));
        Err(StoreError::Failed("no answer".into()))
    }
}

impl KeyValueStore for Silent {
    fn get(&self, _: &Slot) -> Result<Option<Stored>, StoreError> {
        self.wait()
    }

    fn version(&self, _: &Slot) -> Result<Option<u64>, StoreError> {
        self.wait()
    }

    fn keys(&self, _: &Bucket, _: u64, _: usize) -> Result<KeyPage, StoreError> {
        self.wait()
    }

    fn set(&self, _: &Slot, _: &[u8], _: Quota) -> Result<(), StoreError> {
        self.wait()
    }

    fn delete(&self, _: &Slot) -> Result<bool, StoreError> {
        self.wait()
    }

    fn increment(
        &self,
        _: &Slot,
        _: i128,
        _: RangeInclusive<i128>,
        _: Quota,
    ) -> Result<i128, StoreError> {
        self.wait()
    }

    fn swap(&self, _: &Slot, _: Option<u64>, _: &[u8], _: Quota) -> Result<Swapped, StoreError> {
        self.wait()
    }
}

async fn host_on(store: impl KeyValueStore + 'static) -> Host {
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .storage(store)
        .build()
        .unwrap();
    let grants = Grants {
        storage: Some(StorageScope::Plugin),
        ..Grants::default()
    };
    let options = PluginOptions {
        grants,
        ..PluginOptions::default()
    };
    host.load(guest("store"), options).await.unwrap();
    host
}

/// The deadline of the call holds, and it is told that the write may still happen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_does_not_answer_holds_no_call_up() {
    let (asked, was_asked) = mpsc::channel();
    let host = host_on(Silent(asked)).await;
    for (tool, writes) in [
        ("set", true),
        ("increment", true),
        ("get", false),
        ("list", false),
    ] {
        let limits = serde_json::from_value(json!({ "wall-clock": "300ms" })).unwrap();
        let result = call_limited(&host, tool, json!({}), limits).await;
        was_asked.recv_timeout(Duration::from_secs(10)).unwrap();
        let error = error(&result);
        assert_eq!(error.name, "DeadlineExceededError", "{tool}: {error:?}");
        let states: Vec<_> = result.report.effects.iter().map(|one| one.state).collect();
        let expected = if writes {
            vec![EffectState::Possible]
        } else {
            vec![]
        };
        assert_eq!(states, expected, "{tool}");
    }
}

/// A write that the end of the call cuts short was done before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_before_a_bad_end_is_told_with_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let host = host_on(SqliteStore::open(folder.path().join("state.db")).unwrap()).await;
    for (how, name) in [
        ("trap", "GuestTrapError"),
        ("spin", "DeadlineExceededError"),
    ] {
        let limits: Value = json!({ "wall-clock": "2s", "fuel": 1_000_000_000_000_u64 });
        let limits = serde_json::from_value(limits).unwrap();
        let result = call_limited(&host, "set_then", json!({ "how": how }), limits).await;
        let error = error(&result);
        assert_eq!(error.name, name, "{error:?}");
        let effect = &result.report.effects[0];
        assert_eq!((effect.target.as_str(), effect.bytes), ("default/done", 3));
        assert_eq!(effect.state, EffectState::Confirmed);
        let read = call_limited(
            &host,
            "get",
            json!({ "key": "done" }),
            serde_json::from_value(json!({})).unwrap(),
        )
        .await;
        assert_eq!(crate::support::structured(&read), &json!({ "ok": "yes" }));
    }
}
