//! One process compiles a plugin, the others wait for it.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

/// How much longer another process is waited for than compiling may take: it writes,
/// too, and may have waited for a core. One that takes longer was stopped, and the
/// work is done twice then.
const PATIENCE: Duration = Duration::from_secs(10);

/// A wait that is longer than this is told: a process that was stopped may be at its
/// other end.
const SILENCE: Duration = Duration::from_secs(2);

/// How often the lock is tried. A wait without end cannot be left.
const INTERVAL: Duration = Duration::from_millis(20);

/// Held while a plugin is compiled. A killed process gives it up as well.
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Waits until nobody else has it. `None` when that takes too long or the
    /// folder takes no locks.
    pub(super) fn wait(path: &Path, compile_time: Duration) -> Option<Self> {
        let patience = compile_time.saturating_add(PATIENCE);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            // A pipe in its place would be waited for, a link would be followed.
            .custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits().cast_signed())
            .open(path)
            .ok()?;
        let started = Instant::now();
        let mut is_told = false;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(fs::TryLockError::WouldBlock) if started.elapsed() < patience => {
                    if !is_told && started.elapsed() >= SILENCE {
                        is_told = true;
                        tell(path, patience);
                    }
                    thread::sleep(INTERVAL);
                }
                Err(_) => return None,
            }
        }
        Some(Self {
            path: path.into(),
            _file: file,
        })
    }
}

/// Says what is waited for.
fn tell(path: &Path, patience: Duration) {
    tracing::info!(
        "waiting for whoever compiles the same plugin and holds `{}`, at most {} s; it is safe to \
         interrupt this",
        path.display(),
        patience.as_secs(),
    );
}

impl Drop for Lock {
    /// Who waits has the file open and goes on when it is closed; who comes later
    /// finds the plugin compiled.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
