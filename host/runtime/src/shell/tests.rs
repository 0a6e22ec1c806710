//! Commands that are granted, agreed to, refused, too slow and too loud.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost_tool::permission::{Action, Permissions};
use toolhost_tool::{Approval, Call, CallError, ExecutionContext, Outcome};

use super::*;
use crate::host::Host;
use crate::result::CallResult;

fn granted(commands: &[&str], folder: &Path) -> ShellGrant {
    let globs = commands.iter().map(|text| Glob::new(*text).unwrap());
    ShellGrant {
        commands: globs.collect(),
        folder: folder.into(),
        ..ShellGrant::default()
    }
}

async fn call(grant: ShellGrant, command: &str, context: ExecutionContext) -> CallResult {
    let host = Host::builder().cache_dir(None).build().unwrap();
    host.register(shell(grant).unwrap()).unwrap();
    host.call(
        Call::new("1", "shell", json!({ "command": command })),
        context,
    )
    .await
}

fn agreed() -> ExecutionContext {
    ExecutionContext {
        approval: Some(Approval::default()),
        ..ExecutionContext::default()
    }
}

fn failed(result: &CallResult) -> &CallError {
    result.outcome.as_ref().expect_err("the call fails")
}

#[tokio::test]
async fn a_granted_command_runs_when_a_person_agreed() {
    let folder = tempfile::tempdir().unwrap();
    let grant = ShellGrant {
        env: BTreeMap::from([
            ("WHO".into(), "ada".into()),
            ("PATH".into(), "/usr/bin:/bin".into()),
        ]),
        ..granted(&["echo *"], folder.path())
    };
    let line = "echo $WHO $HOME; pwd; echo no >&2; exit 3";
    let ran = call(grant, line, agreed()).await.to_json()["result"].clone();
    let stdout = format!("ada\n{}\n", folder.path().canonicalize().unwrap().display());
    assert_eq!(
        ran,
        json!({"exitCode": 3, "stdout": stdout, "stderr": "no\n", "truncated": false})
    );
}

#[tokio::test]
async fn nothing_runs_unasked_or_ungranted() {
    let folder = tempfile::tempdir().unwrap();
    let waits = call(
        granted(&["*"], folder.path()),
        "touch x",
        ExecutionContext::default(),
    )
    .await;
    assert!(matches!(waits.outcome, Ok(Outcome::Suspended(_))));
    for (commands, line) in [
        (&[][..], "touch x"),
        (&["ls*"], "touch x"),
        (&["*"], "touch x\ntouch y"),
    ] {
        let refused = call(granted(commands, folder.path()), line, agreed()).await;
        assert_eq!(failed(&refused).name, "ToolDeniedError", "{line}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_rule_that_allows_it_is_no_agreement() {
    let folder = tempfile::tempdir().unwrap();
    let rules = json!({"rules": [{"action": Action::Allow, "tool": "shell"}]});
    let permissions: Permissions = serde_json::from_value(rules).unwrap();
    let builder = Host::builder().cache_dir(None).permissions(permissions);
    let host = builder.build().unwrap();
    host.register(shell(granted(&["*"], folder.path())).unwrap())
        .unwrap();
    let arguments: Value = json!({"command": "touch x"});
    let refused = host
        .call(
            Call::new("1", "shell", arguments),
            ExecutionContext::default(),
        )
        .await;
    assert!(failed(&refused).message.contains("agreed"), "{refused:?}");
}

#[tokio::test]
async fn a_slow_command_is_killed_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let grant = ShellGrant {
        time: Duration::from_millis(300),
        ..granted(&["*"], folder.path())
    };
    let line = "(sleep 2; touch late) & sleep 60";
    let slow = call(grant, line, agreed()).await;
    assert_eq!(failed(&slow).name, "ShellTimeoutError");
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert!(!folder.path().join("late").exists());
}

#[tokio::test]
async fn a_command_that_leaves_others_behind_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let started = Instant::now();
    let ran = call(
        granted(&["*"], folder.path()),
        "sleep 20 & echo done",
        agreed(),
    )
    .await;
    assert_eq!(ran.to_json()["result"]["stdout"], "done\n");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn endless_output_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let grant = granted(&["*"], folder.path());
    let loud = call(grant, "yes | head -c 10000000", agreed())
        .await
        .to_json()["result"]
        .clone();
    assert_eq!(loud["truncated"], true);
    assert_eq!(loud["stdout"].as_str().unwrap().len(), 64 << 10);
}
