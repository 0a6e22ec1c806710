//! `host run --watch`: somebody writes a tool, and sees what each build does.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use toolhost_tests::{guest, host_program, scratch_dir};

use super::{put, rebuild};

/// Longer than a compile takes on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(100);

/// A running `host`, and the lines that it prints and says.
struct Watching {
    child: Child,
    printed: BufReader<ChildStdout>,
    said: Receiver<String>,
}

impl Watching {
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(host_program())
            .args(args)
            .env("XDG_CACHE_HOME", scratch_dir("cli-cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("host runs");
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let (say, said) = channel();
        thread::spawn(move || {
            stderr
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| say.send(line))
        });
        let printed = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Self {
            child,
            printed,
            said,
        }
    }

    fn prints(&mut self, expected: &str) {
        let mut line = String::new();
        self.printed.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), expected);
    }

    /// Reads what is said until a line has `part` in it.
    fn says(&self, part: &str) {
        let mut so_far = Vec::new();
        loop {
            let line = self.said.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("not said: {part}\n{so_far:#?}"));
            if line.contains(part) {
                return;
            }
            so_far.push(line);
        }
    }

    fn press_ctrl_c(&self) {
        let id = self.child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &id]).status();
        assert!(kill.unwrap().success());
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_call_is_made_again_after_each_build_until_ctrl_c() {
    let dir = tempfile::tempdir().unwrap();
    let (plugin, arguments) = (dir.path().join("tool.wasm"), dir.path().join("args.json"));
    fs::copy(guest("misbehave"), &plugin).unwrap();
    fs::write(&arguments, r#"{"number": 1}"#).unwrap();
    let (file, at) = (
        plugin.display().to_string(),
        format!("@{}", arguments.display()),
    );
    let line = [
        "run", "--watch", "--plugin", &file, "--tool", "ok", "--args", &at,
    ];
    let mut host = Watching::start(&line);
    host.prints(r#"{"number":1}"#);
    host.says("to change; Ctrl-C ends");

    fs::write(&arguments, r#"{"number": 2}"#).unwrap();
    rebuild(&plugin);
    host.says("the plugin has changed: running the call again");
    host.prints(r#"{"number":2}"#);

    // A build that went wrong is told, and the watching goes on.
    put("other-version", &plugin);
    host.says("error: cannot load the plugin");
    host.says("the plugin of before stays");

    // So is a call that fails: the tool is not there any more.
    put("table-grow", &plugin);
    host.says("error: ToolNotFoundError");
    host.says("to change; Ctrl-C ends");
    put("misbehave", &plugin);
    host.prints(r#"{"number":2}"#);
    host.says("to change; Ctrl-C ends");

    host.press_ctrl_c();
    host.says("interrupted");
    assert_eq!(host.child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    host.printed.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}
