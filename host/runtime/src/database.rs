//! A file of `SQLite`, opened so that a process which is killed at any point
//! leaves a file that opens: writes go to the write-ahead log, each as a whole.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

/// How long another process may hold the file before a write fails.
const PATIENCE: Duration = Duration::from_secs(10);

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
/// owner only. `SQLite` gives the files beside it the same mode.
///
/// # Errors
///
/// In words, when the file cannot be opened, is another one, or has another
/// version.
pub(crate) fn open(path: &Path, layout: &Layout) -> Result<Connection, String> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| error.to_string())?;
    let mut connection = Connection::open(path).map_err(|error| error.to_string())?;
    set_up(&mut connection, layout).map_err(|error| match error {
        SetUp::Sqlite(error) => error.to_string(),
        SetUp::Other(message) => message,
    })?;
    Ok(connection)
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

fn set_up(connection: &mut Connection, layout: &Layout) -> Result<(), SetUp> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", layout.synchronous)?;
    let setup = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number = |name: &str| setup.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (kind, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        setup.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_new = kind == 0 && version == 0 && tables == 0;
    if is_new {
        setup.execute_batch(layout.tables)?;
        setup.pragma_update(None, "application_id", layout.kind)?;
        setup.pragma_update(None, "user_version", layout.version)?;
    } else if kind != i64::from(layout.kind) || version == 0 {
        return Err(SetUp::Other("the file is another database".into()));
    } else if version != layout.version {
        return Err(SetUp::Other(format!(
            "the file has version {version}, and this host reads version {}",
            layout.version
        )));
    }
    setup.commit()?;
    Ok(())
}
