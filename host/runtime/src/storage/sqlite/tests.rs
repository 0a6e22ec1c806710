//! The store by itself: namespaces, pages, quotas, swaps.

use std::sync::Arc;

use super::*;
use toolhost_policy::StorageScope::{self, Plugin, Principal, Session};

const QUOTA: Quota = Quota {
    keys: 100,
    bytes: 10_000,
};

fn store() -> (SqliteStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("deep/er/state.db")).unwrap();
    (store, folder)
}

fn bucket(plugin: &str, scope: StorageScope, owner: &str, name: &str) -> Bucket {
    Bucket {
        namespace: Arc::new(Namespace {
            plugin: plugin.into(),
            scope,
            owner: owner.into(),
        }),
        name: name.into(),
    }
}

fn slot(key: &str) -> Slot {
    in_bucket(&bucket("todo", Plugin, "", "default"), key)
}

fn in_bucket(bucket: &Bucket, key: &str) -> Slot {
    Slot {
        bucket: bucket.clone(),
        key: key.into(),
    }
}

fn value(store: &SqliteStore, slot: &Slot) -> Option<Vec<u8>> {
    store.get(slot).unwrap().map(|stored| stored.value)
}

#[test]
fn no_namespace_sees_another() {
    let (store, _folder) = store();
    let buckets = [
        bucket("todo", Plugin, "", "default"),
        bucket("todo", Plugin, "", "other"),
        bucket("todo", Session, "a", "default"),
        bucket("todo", Session, "b", "default"),
        bucket("todo", Principal, "a", "default"),
        bucket("todo2", Plugin, "", "default"),
        bucket("todo\0x", Plugin, "", "default"),
        bucket("TODO", Plugin, "", "default"),
    ];
    for (index, bucket) in buckets.iter().enumerate() {
        let text = index.to_string();
        store
            .set(&in_bucket(bucket, "key"), text.as_bytes(), QUOTA)
            .unwrap();
    }
    for (index, bucket) in buckets.iter().enumerate() {
        let found = value(&store, &in_bucket(bucket, "key")).unwrap();
        assert_eq!(found, index.to_string().as_bytes(), "{bucket:?}");
        assert_eq!(store.keys(bucket, 0, 10).unwrap().keys, ["key"]);
    }
}

#[test]
fn any_text_is_a_key_and_no_two_are_the_same() {
    let (store, _folder) = store();
    let long = "k".repeat(1_000);
    let keys = [
        "",
        "a",
        "A",
        "a\0",
        "a\0b",
        "a/b",
        "../a",
        "/etc/passwd",
        "ä",
        "a\u{308}",
        "%",
        "_",
        "'",
        "\u{feff}",
        "1",
        "01",
        &long,
    ];
    for key in keys {
        assert_eq!(value(&store, &slot(key)), None, "{key:?}");
        store.set(&slot(key), key.as_bytes(), QUOTA).unwrap();
    }
    for key in keys {
        assert_eq!(value(&store, &slot(key)).unwrap(), key.as_bytes());
    }
    assert_eq!(store.keys(&slot("").bucket, 0, 100).unwrap().keys, keys);
}

#[test]
fn pages_show_each_key_once_while_others_come_and_go() {
    let (store, _folder) = store();
    let keys: Vec<String> = (0..25).map(|number| format!("k{number}")).collect();
    for key in &keys {
        store.set(&slot(key), b"", QUOTA).unwrap();
    }
    let bucket = slot("").bucket;
    let first = store.keys(&bucket, 0, 10).unwrap();
    assert_eq!(first.keys, keys[..10]);
    store.delete(&slot("k3")).unwrap();
    store.set(&slot("k12"), b"changed", QUOTA).unwrap();
    let second = store.keys(&bucket, first.next.unwrap(), 10).unwrap();
    assert_eq!(second.keys, keys[10..20]);
    let last = store.keys(&bucket, second.next.unwrap(), 10).unwrap();
    assert_eq!((last.keys, last.next), (keys[20..].to_vec(), None));
    assert_eq!(store.keys(&bucket, u64::MAX, 10).unwrap().keys.len(), 0);
}

#[test]
fn a_store_holds_no_more_than_it_may_and_can_shrink() {
    let (store, _folder) = store();
    let quota = Quota { keys: 2, bytes: 60 };
    store.set(&slot("a"), &[0; 10], quota).unwrap();
    store.set(&slot("b"), &[0; 10], quota).unwrap();
    let limit = |ended: Result<(), StoreError>| match ended {
        Err(StoreError::Full { limit, .. }) => limit,
        other => panic!("{other:?}"),
    };
    assert_eq!(limit(store.set(&slot("c"), b"", quota)), "storage-keys");
    let too_much = store.set(&slot("a"), &[0; 100], quota);
    assert_eq!(limit(too_much), "storage-bytes");
    assert_eq!(value(&store, &slot("a")), Some(vec![0; 10]));

    // It was allowed more before.
    let less = Quota { keys: 1, bytes: 5 };
    store.set(&slot("a"), &[0; 9], less).unwrap();
    assert!(store.set(&slot("a"), &[0; 10], less).is_err());
    assert!(store.delete(&slot("a")).unwrap());
    assert!(!store.delete(&slot("a")).unwrap());
    store.set(&slot("c"), &[0; 44], quota).unwrap_err();
    store.set(&slot("c"), &[0; 30], quota).unwrap();
}

#[test]
fn numbers_are_counted_and_what_is_no_number_stays() {
    let (store, _folder) = store();
    let add = |key: &str, delta, range| store.increment(&slot(key), delta, range, QUOTA);
    assert_eq!(add("n", 5, 0..=100).unwrap(), 5);
    assert_eq!(add("n", -7, -100..=100).unwrap(), -2);
    assert_eq!(value(&store, &slot("n")).unwrap(), b"-2");
    assert!(matches!(add("n", 1, 0..=100), Err(StoreError::Unusable(_))));
    assert!(add("n", i128::MAX, i128::MIN..=i128::MAX).is_ok());
    assert!(add("n", i128::MAX, i128::MIN..=i128::MAX).is_err());
    for odd in [&b"seven"[..], b"", b" 1", b"1.5", b"\xff"] {
        store.set(&slot("odd"), odd, QUOTA).unwrap();
        assert!(add("odd", 1, 0..=100).is_err(), "{odd:?}");
        assert_eq!(value(&store, &slot("odd")).unwrap(), odd);
    }
}

#[test]
fn a_swap_happens_only_when_nobody_was_there_meanwhile() {
    let (store, _folder) = store();
    let swap = |seen, value: &[u8]| store.swap(&slot("a"), seen, value, QUOTA).unwrap();
    assert_eq!(swap(None, b"1"), Swapped::Done);
    assert!(matches!(swap(None, b"2"), Swapped::Changed(Some(_))));
    let seen = store.version(&slot("a")).unwrap();
    // The same value again is a change too.
    store.set(&slot("a"), b"1", QUOTA).unwrap();
    let Swapped::Changed(Some(now)) = swap(seen, b"2") else {
        panic!("it was swapped");
    };
    assert_eq!(now.value, b"1");
    assert_eq!(swap(Some(now.version), b"2"), Swapped::Done);
    store.delete(&slot("a")).unwrap();
    assert_eq!(swap(Some(now.version), b"3"), Swapped::Changed(None));
}

#[test]
fn two_stores_on_one_file_count_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.db");
    let count = || {
        let store = SqliteStore::open(&path).unwrap();
        for _ in 0..200 {
            store.increment(&slot("n"), 1, 0..=1_000, QUOTA).unwrap();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(count);
        scope.spawn(count);
    });
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(value(&store, &slot("n")).unwrap(), b"400");
}

#[test]
fn another_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    crate::SqliteJournal::open(&path).unwrap();
    let error = SqliteStore::open(&path).unwrap_err().to_string();
    assert!(error.contains("another database"), "{error}");
    let error = SqliteStore::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("cannot open the store"), "{error}");
}

/// A process that writes keeps nobody from opening the file; one that holds all of it
/// does, and is told.
#[test]
fn a_file_that_another_process_holds_is_waited_for_and_then_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.db");
    drop(SqliteStore::open(&path).unwrap());
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    SqliteStore::open_within(&path, Duration::ZERO).unwrap();
    other.execute_batch("COMMIT").unwrap();
    drop(other);

    let path = folder.path().join("held.db");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = SqliteStore::open_within(&path, Duration::from_millis(20)).unwrap_err();
    assert!(
        error.message.contains("another process has it locked"),
        "{error}"
    );
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for path in [folder.path(), &pipe] {
        let error = SqliteStore::open(path).unwrap_err();
        assert!(error.message.contains("name "), "{error}");
    }
}
