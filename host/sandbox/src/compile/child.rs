//! The host's side of compiling in a process of its own: start it, feed it, end it
//! in time, and tell from facts how it ended.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use toolhost_policy::LoadLimits;
use toolhost_tool::{LimitHit, truncate_chars};
use wasmtime::Engine;

use super::Job;
use super::order::{NO_MEMORY, NO_ROOM, Order, REFUSED, UNABLE, fit};
use super::places::Places;
use crate::error::LoadError;

/// Threads of one compiler: each holds memory of its own, so that a plugin's limit
/// would depend on the machine otherwise.
const MAX_THREADS: usize = 8;

/// The longest pause between two looks at a process.
const MAX_PAUSE: Duration = Duration::from_millis(20);

/// Most bytes that are read of what a compiler says.
const MAX_SAID_BYTES: u64 = 16 * 1024;

/// Longest sentence about a failure that is passed on.
const MAX_SAID_CHARS: usize = 500;

/// How Rust's own words begin when an allocation is refused. They are of the
/// program, not of the plugin.
const NO_ALLOCATION: &str = "memory allocation of ";

/// A program that compiles when it is asked to.
pub(crate) struct Compiler {
    program: PathBuf,
    fast: bool,
    threads: usize,
    places: Places,
}

/// Whether the code could be written.
pub(super) enum Written {
    Whole,
    NoRoom,
}

/// How a process came to its end.
enum End {
    Itself(ExitStatus),
    Late(Duration),
    GivenUp,
}

impl Compiler {
    /// Compiles by starting `program`, with Winch if `fast`.
    pub(crate) fn new(program: PathBuf, fast: bool) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            program,
            fast,
            threads: cores.min(MAX_THREADS),
            places: Places::new(cores),
        }
    }

    /// What the scan refuses before a process is started. Estimates of work are
    /// rounded up and may refuse an honest plugin, so they only keep out here what
    /// would surely be ended for its time. Counts stay as they are: the host itself
    /// links what was compiled, and types are walked there too.
    pub(super) fn scan_limits(&self, limits: &LoadLimits) -> LoadLimits {
        let time = u64::try_from(limits.compile_time.as_micros()).unwrap_or(u64::MAX);
        LoadLimits {
            work: limits.work.max(time.saturating_mul(self.threads as u64)),
            function_work: limits.function_work.max(time),
            ..*limits
        }
    }

    /// Compiles a plugin and writes its code to `out`. Waits for a place first.
    pub(super) fn compile(
        &self,
        engine: &Engine,
        job: &Job<'_>,
        out: &File,
    ) -> Result<Written, LoadError> {
        let Some(_place) = self.places.take(job.wanted) else {
            return Err(given_up());
        };
        let mut child = self
            .start(fit(engine), job, out)
            .map_err(|error| self.unable(&error.to_string()))?;
        let end = attend(&mut child, job).map_err(|error| self.unable(&error.to_string()))?;
        let said = said(&mut child);
        match end {
            End::Itself(status) => self.ended(status, &said, job.limits),
            End::Late(used) => Err(late(job.limits.compile_time, used)),
            End::GivenUp => Err(given_up()),
        }
    }

    fn start(&self, fit: u64, job: &Job<'_>, out: &File) -> io::Result<Child> {
        let limits = job.limits;
        let seconds = limits.compile_time.as_secs().saturating_add(1);
        let order = Order {
            length: job.bytes.len() as u64,
            memory: limits.compile_memory,
            processor_seconds: seconds.saturating_mul(self.threads as u64),
            fast: self.fast,
            fit,
        };
        Command::new(&self.program)
            .args(order.words())
            // Nothing of the host's is for it: no secret, no folder, no Ctrl-C.
            .env_clear()
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(out.try_clone()?)
            .stderr(Stdio::piped())
            .spawn()
    }

    fn ended(
        &self,
        status: ExitStatus,
        said: &str,
        limits: &LoadLimits,
    ) -> Result<Written, LoadError> {
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        match code {
            Some(0) => return Ok(Written::Whole),
            Some(REFUSED) => return Err(LoadError::Compile(said.to_owned())),
            Some(NO_MEMORY) => return Err(no_memory(limits)),
            Some(NO_ROOM) => return Ok(Written::NoRoom),
            Some(UNABLE) => return Err(self.unable(said)),
            _ => {}
        }
        if said.contains(NO_ALLOCATION) {
            return Err(no_memory(limits));
        }
        let signal = |signal: Signal| status.signal() == Some(signal.as_raw());
        if signal(Signal::XCPU) {
            return Err(late(limits.compile_time, limits.compile_time));
        }
        if signal(Signal::XFSZ) {
            return Ok(Written::NoRoom);
        }
        let because = if said.is_empty() {
            "it said nothing"
        } else {
            said
        };
        Err(LoadError::Compile(format!(
            "the compiler broke on it ({status}): {because}"
        )))
    }

    fn unable(&self, why: &str) -> LoadError {
        let program = self.program.display();
        LoadError::Internal(format!("`{program}` cannot compile: {why}"))
    }
}

/// Gives a process its plugin and waits for its end, which comes in time.
fn attend(child: &mut Child, job: &Job<'_>) -> io::Result<End> {
    let started = Instant::now();
    let stdin = child.stdin.take();
    thread::scope(|scope| {
        // A process that does not read is ended like any other that is late; one that
        // ends early is told by how it ended.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(job.bytes)));
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(End::Itself(status));
            }
            let used = started.elapsed();
            let end = if job.wanted.is_given_up() {
                End::GivenUp
            } else if used >= job.limits.compile_time {
                End::Late(used)
            } else {
                thread::sleep(pause);
                pause = (pause * 2).min(MAX_PAUSE);
                continue;
            };
            child.kill()?;
            child.wait()?;
            return Ok(end);
        }
    })
}

/// What a process said that has ended. Nobody else has the other end of the pipe, so
/// this does not wait.
fn said(child: &mut Child) -> String {
    let mut said = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        // What cannot be read is not said.
        let _ = stderr.take(MAX_SAID_BYTES).read_to_end(&mut said);
    }
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    truncate_chars(said, MAX_SAID_CHARS)
}

fn no_memory(limits: &LoadLimits) -> LoadError {
    let allowed = limits.compile_memory;
    LoadError::CompileMemory(LimitHit {
        name: "compile-memory".into(),
        allowed,
        used: allowed.saturating_add(1),
    })
}

fn late(allowed: Duration, used: Duration) -> LoadError {
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    LoadError::CompileTime(LimitHit {
        name: "compile-time".into(),
        allowed: milliseconds(allowed),
        used: milliseconds(used),
    })
}

fn given_up() -> LoadError {
    LoadError::Internal("nobody waits for the plugin any more".into())
}
