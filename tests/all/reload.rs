//! A plugin's file changes while the host runs.

mod watched;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use toolhost::{
    Call, Error, ExecutionContext, Host, LimitsPatch, LoadError, PluginOptions, PluginWatch,
    Reload, Reply, Toolset, Turn, TurnOptions, TurnResult,
};
use toolhost_tests::guest;

use crate::support::{call, host};

/// A plugin with many tools, `ok` and `sleep` among them.
const MANY: &str = "misbehave";

/// One with a tool of another name.
const OTHER: &str = "table-grow";

/// A plugin in a folder of its own.
struct Story {
    host: Host,
    watch: PluginWatch,
    file: PathBuf,
    _dir: tempfile::TempDir,
}

impl Story {
    async fn begin(name: &str, options: PluginOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("plugin.wasm");
        fs::copy(guest(name), &file).unwrap();
        let host = host();
        let loaded = host.load(&file, options).await;
        let loaded = loaded.unwrap_or_else(|error| panic!("{error:?}"));
        Self {
            watch: PluginWatch::new(loaded).unwrap(),
            host,
            file,
            _dir: dir,
        }
    }

    async fn next(&mut self) -> Reload {
        let next = self.watch.next(&self.host);
        let next = tokio::time::timeout(Duration::from_secs(100), next).await;
        next.expect("something happens")
    }

    /// Looks for a while, and finds nothing to say.
    async fn nothing_happens(&mut self) {
        let started = Instant::now();
        while started.elapsed() < Duration::from_millis(800) {
            let told = self.watch.check(&self.host).await;
            assert!(told.is_none(), "{told:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn kept(&mut self) -> Error {
        match self.next().await {
            Reload::Kept(error) => error,
            other => panic!("{other:?}"),
        }
    }

    async fn replaced(&mut self) {
        let told = self.next().await;
        assert!(matches!(told, Reload::Replaced), "{told:?}");
    }

    fn has(&self, tool: &str) -> bool {
        self.host.tool(tool).is_ok()
    }

    async fn works(&self, tool: &str) {
        let result = call(&self.host, tool, json!({})).await;
        assert!(!result.is_error(), "{result:?}");
    }
}

/// As a linker does it: another file is moved into its place.
fn put(name: &str, file: &Path) {
    let new = file.with_extension("new");
    fs::copy(guest(name), &new).unwrap();
    fs::rename(new, file).unwrap();
}

/// Another file with the same tools.
fn rebuild(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    bytes.extend([0, 6, 4, b'n', b'o', b't', b'e', b'!']);
    fs::write(file, bytes).unwrap();
}

fn only_tool(watch: &PluginWatch) -> String {
    watch.plugin().plugin.definitions()[0].name.clone()
}

#[tokio::test]
async fn a_changed_plugin_is_picked_up_between_calls() {
    let mut story = Story::begin(MANY, PluginOptions::default()).await;
    story.works("ok").await;
    story.nothing_happens().await;
    put(OTHER, &story.file);
    story.replaced().await;
    assert!(!story.has("ok"), "it is gone with its plugin");
    let tool = only_tool(&story.watch);
    let result = call(&story.host, &tool, json!({"n": 1})).await;
    assert!(!result.is_error(), "{result:?}");
    // And back, by writing into the file itself.
    fs::copy(guest(MANY), &story.file).unwrap();
    story.replaced().await;
    story.works("ok").await;
    assert!(!story.has(&tool));
}

#[tokio::test]
async fn the_same_bytes_are_the_same_plugin() {
    let mut story = Story::begin(OTHER, PluginOptions::default()).await;
    let before = story.watch.plugin().plugin.clone();
    put(OTHER, &story.file);
    story.nothing_happens().await;
    assert!(story.watch.plugin().plugin.is(&before));
}

#[tokio::test]
async fn a_broken_plugin_leaves_the_old_one_serving_and_says_so() {
    let mut story = Story::begin(MANY, PluginOptions::default()).await;
    put("other-import", &story.file);
    let Error::Load { source, .. } = story.kept().await else {
        panic!("it is not about the file");
    };
    assert!(source.to_string().contains("acme:custom/thing"), "{source}");
    story.works("ok").await;
    // It is said once.
    story.nothing_happens().await;
    fs::remove_file(&story.file).unwrap();
    let Error::Load { source, .. } = story.kept().await else {
        panic!("it is not about the file");
    };
    assert!(matches!(*source, LoadError::Read { .. }), "{source:?}");
    story.works("ok").await;
    put(OTHER, &story.file);
    story.replaced().await;
}

#[tokio::test]
async fn a_half_written_file_is_not_picked_up() {
    let mut story = Story::begin(OTHER, PluginOptions::default()).await;
    let bytes = fs::read(guest(MANY)).unwrap();
    for part in [0, bytes.len() / 3, bytes.len() / 2] {
        fs::write(&story.file, &bytes[..part]).unwrap();
        story.nothing_happens().await;
    }
    fs::write(&story.file, &bytes).unwrap();
    story.replaced().await;
    story.works("ok").await;
}

#[tokio::test]
async fn a_call_in_flight_ends_on_the_plugin_it_began_with() {
    let mut story = Story::begin(MANY, PluginOptions::default()).await;
    let sleep = Call::new("call-1", "sleep", json!({"ms": 2_500}));
    let running = story
        .host
        .start(sleep, ExecutionContext::default(), LimitsPatch::default());
    // It has found its tool when it is in the guest.
    tokio::time::sleep(Duration::from_millis(500)).await;
    put(OTHER, &story.file);
    story.replaced().await;
    assert!(!story.has("sleep"));
    let result = running.result().await;
    assert!(!result.is_error(), "{result:?}");
}

#[tokio::test]
async fn what_was_approved_for_the_old_plugin_is_asked_again() {
    let mut story = Story::begin("contract", PluginOptions::default()).await;
    let calls = vec![Call::new("a", "always_asks", json!({}))];
    let turn = story
        .host
        .run_turn(Turn::new(calls), TurnOptions::default());
    let Ok(TurnResult::Suspended(turn)) = turn.await else {
        panic!("it did not ask");
    };
    let yes = turn.pending().next().unwrap().decide(Reply::Approve {
        note: None,
        by: None,
        arguments: None,
    });
    rebuild(&story.file);
    story.replaced().await;
    let ended = story
        .host
        .resume_turn(&turn, vec![yes], TurnOptions::default())
        .await
        .unwrap();
    let TurnResult::Suspended(again) = ended else {
        panic!("it ran: {ended:?}");
    };
    assert!(again.pending().next().unwrap().asked_again.is_some());
}

#[tokio::test]
async fn a_new_tool_cannot_take_the_name_of_another_plugins() {
    let mut story = Story::begin(MANY, PluginOptions::default()).await;
    story
        .host
        .load(guest(OTHER), PluginOptions::default())
        .await
        .unwrap();
    put(OTHER, &story.file);
    let error = story.kept().await;
    assert!(matches!(error, Error::DuplicateTool { .. }), "{error:?}");
    story.works("ok").await;
}

#[tokio::test]
async fn a_pinned_plugin_is_never_replaced_by_another() {
    let bytes = fs::read(guest(OTHER)).unwrap();
    let options = PluginOptions {
        sha256: Some(toolhost::Digest::of(&bytes)),
        ..PluginOptions::default()
    };
    let mut story = Story::begin(OTHER, options).await;
    rebuild(&story.file);
    let Error::Load { source, .. } = story.kept().await else {
        panic!("it is not about the file");
    };
    assert!(matches!(*source, LoadError::Digest { .. }), "{source:?}");
    assert!(story.has(&only_tool(&story.watch)));
}

/// A program that chose names and tools itself says what comes in their place.
#[tokio::test]
async fn a_toolset_is_replaced_at_once_or_not_at_all() {
    let host = host();
    let old = host
        .open(guest(MANY), PluginOptions::default())
        .await
        .unwrap();
    host.register(
        Toolset::from(&old)
            .filter(|tool| tool.name == "ok")
            .prefix("old_"),
    )
    .unwrap();
    let new = host
        .open(guest(OTHER), PluginOptions::default())
        .await
        .unwrap();
    let bad = Toolset::from(&new).combine(Toolset::from(&new));
    assert!(host.replace(&old, bad).is_err());
    assert!(host.tool("old_ok").is_ok(), "nothing has changed");
    host.replace(&old, Toolset::from(&new).prefix("new_"))
        .unwrap();
    let names: Vec<_> = host
        .definitions()
        .into_iter()
        .map(|tool| tool.name)
        .collect();
    assert_eq!(names.len(), new.tools.len());
    assert!(
        names.iter().all(|name| name.starts_with("new_")),
        "{names:?}"
    );
}

#[tokio::test]
async fn a_plugin_from_memory_has_no_file_to_follow() {
    let bytes = fs::read(guest(OTHER)).unwrap();
    let host = host();
    let loaded = host
        .load_bytes("memory", bytes, PluginOptions::default())
        .await;
    let loaded = loaded.unwrap();
    let error = host.reload(&loaded).await.err().expect("there is no file");
    assert!(matches!(&error, Error::NoFile { plugin } if plugin == "memory"));
    assert!(error.hint().is_some());
    assert!(PluginWatch::new(loaded).is_err());
}
