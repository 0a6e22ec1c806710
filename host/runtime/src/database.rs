//! A file of `SQLite`, opened so that a process which is killed at any point
//! leaves a file that opens: writes go to the write-ahead log, each as a whole.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

/// How long another process may hold the file before a write fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// What a file has in it.
pub(crate) struct Layout {
    /// Tells files of one kind from those of another, in the file's
    /// `application_id`.
    pub(crate) kind: i32,
    /// The version of the tables, in the file's `user_version`.
    pub(crate) version: i64,
    /// How they are made.
    pub(crate) tables: &'static str,
    /// When a write counts as done: `NORMAL` survives the end of the process,
    /// `FULL` that of the machine.
    pub(crate) synchronous: &'static str,
}

/// Opens the file at `path`, and makes it when it is not there, readable by its
/// owner only. `SQLite` gives the files beside it the same mode. Waits for as long as
/// `patience` for a process that holds the file; writes wait for [`PATIENCE`].
///
/// # Errors
///
/// In words, when the file cannot be opened, is another one, or has another
/// version.
pub(crate) fn open(path: &Path, layout: &Layout, patience: Duration) -> Result<Connection, String> {
    // Opening a pipe waits for whoever holds its other end.
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err("it is a folder: name a file".into()),
        Ok(found) if !found.is_file() => {
            return Err("it is not a regular file: name one, or one that is not there yet".into());
        }
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| error.to_string())?;
    let mut connection = Connection::open(path).map_err(|error| error.to_string())?;
    set_up(&mut connection, layout, patience).map_err(|error| match error {
        SetUp::Sqlite(error) if is_locked(&error) => {
            "another process has it locked: try again when that has ended, or name another file"
                .to_owned()
        }
        SetUp::Sqlite(error) => error.to_string(),
        SetUp::Other(message) => message,
    })?;
    Ok(connection)
}

fn is_locked(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

enum SetUp {
    Sqlite(rusqlite::Error),
    Other(String),
}

impl From<rusqlite::Error> for SetUp {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn set_up(connection: &mut Connection, layout: &Layout, patience: Duration) -> Result<(), SetUp> {
    connection.busy_timeout(patience)?;
    log_writes_ahead(connection, patience)?;
    connection.pragma_update(None, "synchronous", layout.synchronous)?;
    // A file that is as it should be is only looked at: then nobody is waited for.
    if is_new(connection, layout)? {
        let setup = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have made it meanwhile.
        if is_new(&setup, layout)? {
            setup.execute_batch(layout.tables)?;
            setup.pragma_update(None, "application_id", layout.kind)?;
            setup.pragma_update(None, "user_version", layout.version)?;
        }
        setup.commit()?;
    }
    connection.busy_timeout(PATIENCE)?;
    Ok(())
}

/// Two processes that change a new file to the write-ahead log at one time could wait
/// for each other, so `SQLite` refuses one of them at once, whatever its timeout.
fn log_writes_ahead(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    let started = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if is_locked(&error) && started.elapsed() < patience => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

/// Whether nothing is in the file yet.
fn is_new(connection: &Connection, layout: &Layout) -> Result<bool, SetUp> {
    // One statement, so that all of it is read at one time.
    let (kind, version, tables): (i64, i64, i64) = connection.query_row(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_application_id, pragma_user_version",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    if kind == 0 && version == 0 && tables == 0 {
        Ok(true)
    } else if kind != i64::from(layout.kind) || version == 0 {
        Err(SetUp::Other("the file is another database".into()))
    } else if version != layout.version {
        Err(SetUp::Other(format!(
            "the file has version {version}, and this host reads version {}",
            layout.version
        )))
    } else {
        Ok(false)
    }
}
