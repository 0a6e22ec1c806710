//! A journal in one `SQLite` file. Every note is one transaction in the write-ahead
//! log: a process that is killed at any point leaves a file that opens.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};

use super::{CallKey, Journal, JournalError, Known};
use crate::approval::now;
use crate::database::{self, Layout, PATIENCE};

/// A result that was shown is not forgotten, whatever happens to the machine.
const LAYOUT: Layout = Layout {
    kind: 0,
    version: 1,
    tables: TABLES,
    synchronous: "FULL",
};

const TABLES: &str = "
    CREATE TABLE calls (
        session TEXT NOT NULL,
        id TEXT NOT NULL,
        tool TEXT NOT NULL,
        arguments TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        result TEXT,
        noted_at INTEGER NOT NULL,
        PRIMARY KEY (session, id)
    ) STRICT, WITHOUT ROWID;
";

/// A journal in one `SQLite` file.
#[derive(Debug)]
pub struct SqliteJournal {
    connection: Mutex<Connection>,
}

impl SqliteJournal {
    /// Opens the journal at `path`, and makes it when it is not there.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, is no journal, or one of another version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let connection = database::open(path.as_ref(), &LAYOUT, PATIENCE)
            .map_err(|message| JournalError { message })?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic left open was rolled back when it was
        // dropped.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for SqliteJournal {
    fn find(&self, key: &CallKey) -> Result<Known, JournalError> {
        let row: Option<(String, String, Option<String>)> = self
            .connection()
            .prepare("SELECT tool, arguments, result FROM calls WHERE session = ?1 AND id = ?2")?
            .query_row(params![key.session, key.tool_call_id], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        Ok(match row {
            Some((tool, arguments, _))
                if tool != key.tool_name || arguments != key.arguments.to_string() =>
            {
                Known::Other
            }
            None | Some((_, _, None)) => Known::Unfinished,
            Some((_, _, Some(result))) => Known::Finished(result),
        })
    }

    fn start(&self, key: &CallKey) -> Result<u32, JournalError> {
        let attempts: u32 = self
            .connection()
            .prepare(
                "INSERT INTO calls (session, id, tool, arguments, attempts, noted_at)
                 VALUES (?1, ?2, ?3, ?4, 1, ?5)
                 ON CONFLICT DO UPDATE SET attempts = attempts + 1, noted_at = ?5
                 RETURNING attempts",
            )?
            .query_row(
                params![
                    key.session,
                    key.tool_call_id,
                    key.tool_name,
                    key.arguments.to_string(),
                    seconds()
                ],
                |row| row.get(0),
            )?;
        Ok(attempts - 1)
    }

    fn pause(&self, key: &CallKey) -> Result<(), JournalError> {
        self.connection()
            .prepare(
                "UPDATE calls SET attempts = attempts - 1, noted_at = ?3
                 WHERE session = ?1 AND id = ?2 AND attempts > 0",
            )?
            .execute(params![key.session, key.tool_call_id, seconds()])?;
        Ok(())
    }

    fn finish(&self, key: &CallKey, result: &str) -> Result<(), JournalError> {
        self.connection()
            .prepare(
                "INSERT INTO calls (session, id, tool, arguments, attempts, result, noted_at)
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6)
                 ON CONFLICT DO UPDATE SET result = ?5, noted_at = ?6",
            )?
            .execute(params![
                key.session,
                key.tool_call_id,
                key.tool_name,
                key.arguments.to_string(),
                result,
                seconds()
            ])?;
        Ok(())
    }
}

fn seconds() -> i64 {
    i64::try_from(now()).unwrap_or(i64::MAX)
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        Self {
            message: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::arguments_digest;

    fn key(id: &str, arguments: &str) -> CallKey {
        CallKey {
            session: String::new(),
            tool_call_id: id.into(),
            tool_name: "pay".into(),
            arguments: arguments_digest(Some(arguments)),
        }
    }

    #[test]
    fn a_call_is_known_from_its_start_to_its_end() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let journal = SqliteJournal::open(file.path()).unwrap();
        let paid = key("a", r#"{"n":1}"#);
        assert_eq!(journal.find(&paid).unwrap(), Known::Unfinished);
        assert_eq!(journal.start(&paid).unwrap(), 0);
        assert_eq!(journal.start(&paid).unwrap(), 1);
        journal.pause(&paid).unwrap();
        assert_eq!(journal.start(&paid).unwrap(), 1);
        journal.finish(&paid, "{}").unwrap();
        drop(journal);

        let journal = SqliteJournal::open(file.path()).unwrap();
        assert_eq!(journal.find(&paid).unwrap(), Known::Finished("{}".into()));
        assert_eq!(journal.find(&key("a", r#"{"n":2}"#)).unwrap(), Known::Other);
        let elsewhere = CallKey {
            session: "s".into(),
            ..paid
        };
        assert_eq!(journal.find(&elsewhere).unwrap(), Known::Unfinished);
    }

    #[test]
    fn another_file_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "some notes of my own, and they are long enough").unwrap();
        let error = SqliteJournal::open(file.path()).unwrap_err();
        assert!(error.to_string().contains("not a database"), "{error}");

        let file = tempfile::NamedTempFile::new().unwrap();
        let other = Connection::open(file.path()).unwrap();
        other
            .execute_batch("CREATE TABLE mine (id INTEGER)")
            .unwrap();
        let error = SqliteJournal::open(file.path()).unwrap_err();
        assert!(error.to_string().contains("another database"), "{error}");
    }
}
