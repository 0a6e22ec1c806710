//! A command in a process group of its own, which ends with whoever waits for it.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{self, Child, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// A command to run.
pub(super) struct Command {
    /// For `sh -c`.
    pub(super) line: String,
    pub(super) folder: PathBuf,
    pub(super) env: BTreeMap<String, String>,
    /// Bytes to keep of each stream; the rest is read and dropped.
    pub(super) output: usize,
}

/// How a command ended.
pub(super) struct Ended {
    /// Absent when a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
}

/// What was written to a stream.
#[derive(Default)]
pub(super) struct Stream {
    pub(super) kept: Vec<u8>,
    pub(super) is_cut: bool,
}

impl Command {
    /// Runs it; `None` when it takes longer than `time`. Dropping the future kills
    /// it.
    pub(super) async fn run(self, time: Duration) -> io::Result<Option<Ended>> {
        let group = Arc::new(Group::default());
        let killer = KillOnDrop(Arc::clone(&group));
        let work = tokio::task::spawn_blocking(move || self.block(&group));
        let ended = tokio::time::timeout(time, work).await;
        // Also those that the command left behind.
        drop(killer);
        match ended {
            Ok(joined) => joined.map_err(io::Error::other)?.map(Some),
            Err(_) => Ok(None),
        }
    }

    fn block(self, group: &Group) -> io::Result<Ended> {
        let mut command = process::Command::new("sh");
        command
            .args(["-c", &self.line])
            .current_dir(&self.folder)
            .env_clear()
            .envs(&self.env)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = group.start(&mut command)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let stdout = reader(stdout, self.output);
        let stderr = reader(stderr, self.output);
        let status = child.wait()?;
        // A process that the command left running may hold the pipes open.
        group.kill();
        Ok(Ended {
            code: status.code(),
            stdout: joined(stdout),
            stderr: joined(stderr),
        })
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>, keep: usize) -> JoinHandle<Stream> {
    thread::spawn(move || pipe.map(|pipe| read(pipe, keep)).unwrap_or_default())
}

fn joined(reader: JoinHandle<Stream>) -> Stream {
    reader.join().unwrap_or_default()
}

/// Reads to the end, so that the command is never held up by a full pipe.
fn read(mut pipe: impl Read, keep: usize) -> Stream {
    let mut stream = Stream::default();
    let mut buffer = [0; 8 << 10];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => return stream,
            Ok(count) => {
                let room = keep.saturating_sub(stream.kept.len());
                let kept = buffer.get(..count.min(room)).unwrap_or_default();
                stream.kept.extend_from_slice(kept);
                stream.is_cut |= count > room;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return stream,
        }
    }
}

/// The process group of a command.
#[derive(Default)]
struct Group(Mutex<State>);

#[derive(Default)]
struct State {
    leader: Option<Pid>,
    /// Nobody waits any more: what has not started shall not.
    is_over: bool,
}

impl Group {
    fn start(&self, command: &mut process::Command) -> io::Result<Child> {
        let mut state = self.state();
        if state.is_over {
            return Err(io::Error::other("the call has ended"));
        }
        let child = command.spawn()?;
        state.leader = Pid::from_raw(i32::try_from(child.id()).unwrap_or(0));
        Ok(child)
    }

    /// Kills what is left of the group. Only the first time: later the number may
    /// be another group's.
    fn kill(&self) {
        let mut state = self.state();
        state.is_over = true;
        if let Some(leader) = state.leader.take() {
            // Nobody left to kill is no error.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Every change under the lock is one assignment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct KillOnDrop(Arc<Group>);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.kill();
    }
}
