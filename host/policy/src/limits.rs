//! What one call of a plugin may use. All limits are on by default, over every
//! part of a call: instantiation, hooks, `execute` and what is dropped after it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Size, Span};

/// Protects the CPU: about a second of a tight loop.
const FUEL: u64 = 5_000_000_000;
/// Protects whoever waits for the result, from a slow peer or a sleep too.
const WALL_CLOCK: Duration = Duration::from_secs(30);
/// Lets a cancelled plugin put things in order before it is ended.
const GRACE: Duration = Duration::from_millis(250);
/// Protects the host's memory from the guest's.
const MEMORY: u64 = 256 << 20;
/// Protects the model's context, and the host that parses the result.
const OUTPUT: u64 = 1 << 20;
/// Protects the reader of partial results; each is a snapshot of its own.
const PARTIAL: u64 = 256 << 10;
/// Protects whoever keeps logs.
const LOG: u64 = 256 << 10;
/// Protects the host from copying what the guest only claims to have.
const HOST_CALL_BYTES: u64 = 8 << 20;
/// Protects the host from work that costs the guest no fuel.
const HOST_CALLS: u64 = 1_000_000;
/// Protects the host's table of handles (files, streams, pollables).
const RESOURCES: u32 = 10_000;
/// Protects instantiation; a Python plugin has some thirty.
const INSTANCES: u32 = 200;
/// Protects address space: each memory reserves gigabytes of it.
const MEMORIES: u32 = 20;
/// Protects instantiation.
const TABLES: u32 = 200;
/// Protects the host's memory: tables lie outside of the guest's.
const TABLE_ELEMENTS: u64 = 100_000;
/// Protects the host's source of randomness.
const RANDOM_BYTES: u64 = 1 << 20;
/// Protects the host from headers that are larger than any body.
const HTTP_FIELDS: u64 = 64 << 10;

/// What one call may use.
///
/// The stack is not among them: it is a constant of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of the guest. Default: 5,000,000,000.
    pub fuel: u64,
    /// Time from the start of the call to its end, waiting included. Default: 30 s.
    pub wall_clock: Duration,
    /// Time a plugin has to return once its call is cancelled. Default: 250 ms.
    pub grace: Duration,
    /// Bytes of all memories and tables together. Default: 256 MiB.
    pub memory: u64,
    /// Bytes of the result. Default: 1 MiB.
    pub output: u64,
    /// Bytes of one partial result. Default: 256 KiB.
    pub partial: u64,
    /// Bytes of all log lines together, stdout and stderr among them. Default: 256 KiB.
    pub log: u64,
    /// Bytes that cross in one call of the host. Default: 8 MiB.
    pub host_call_bytes: u64,
    /// Calls of the host. Default: 1,000,000.
    pub host_calls: u64,
    /// Handles open at a time. Default: 10,000.
    pub resources: u32,
    /// Core instances. Default: 200.
    pub instances: u32,
    /// Linear memories. Default: 20.
    pub memories: u32,
    /// Tables. Default: 200.
    pub tables: u32,
    /// Elements of all tables together. Default: 100,000, which is also what one table of the
    /// pool can hold.
    pub table_elements: u64,
    /// Random bytes asked for at a time. Default: 1 MiB.
    pub random_bytes: u64,
    /// Bytes of the header fields of one HTTP message. Default: 64 KiB.
    pub http_fields: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: FUEL,
            wall_clock: WALL_CLOCK,
            grace: GRACE,
            memory: MEMORY,
            output: OUTPUT,
            partial: PARTIAL,
            log: LOG,
            host_call_bytes: HOST_CALL_BYTES,
            host_calls: HOST_CALLS,
            resources: RESOURCES,
            instances: INSTANCES,
            memories: MEMORIES,
            tables: TABLES,
            table_elements: TABLE_ELEMENTS,
            random_bytes: RANDOM_BYTES,
            http_fields: HTTP_FIELDS,
        }
    }
}

impl Limits {
    /// The budget of `describe`: enough for a language runtime to start (Python's
    /// takes 13 MiB) and list its tools, no more.
    #[must_use]
    pub fn describe() -> Self {
        Self {
            fuel: 1_000_000_000,
            wall_clock: Duration::from_secs(2),
            memory: 64 << 20,
            output: 8 << 20,
            partial: 0,
            log: 64 << 10,
            // Hundreds of tools with long schemas come in one answer.
            host_call_bytes: 32 << 20,
            host_calls: 10_000,
            resources: 100,
            random_bytes: 64 << 10,
            http_fields: 0,
            ..Self::default()
        }
    }

    /// These limits with those of the patch in their place.
    ///
    /// ```
    /// use toolhost_policy::{Limits, LimitsPatch, Size};
    ///
    /// let patch = LimitsPatch { memory: Some(Size::from_bytes(64 << 20)), ..LimitsPatch::default() };
    /// let limits = Limits::default().with(&patch)?;
    /// assert_eq!(limits.memory, 64 << 20);
    /// assert_eq!(limits.fuel, Limits::default().fuel);
    /// # Ok::<(), toolhost_policy::LimitsError>(())
    /// ```
    ///
    /// # Errors
    /// When a limit is zero with which no call could run at all.
    pub fn with(self, patch: &LimitsPatch) -> Result<Self, LimitsError> {
        let LimitsPatch {
            fuel,
            wall_clock,
            grace,
            memory,
            output,
            partial,
            log,
            host_call_bytes,
            host_calls,
            resources,
            instances,
            memories,
            tables,
            table_elements,
            random_bytes,
            http_fields,
        } = *patch;
        let bytes = |size: Option<Size>, otherwise| size.map_or(otherwise, Size::bytes);
        Self {
            fuel: fuel.unwrap_or(self.fuel),
            wall_clock: wall_clock.map_or(self.wall_clock, Span::get),
            grace: grace.map_or(self.grace, Span::get),
            memory: bytes(memory, self.memory),
            output: bytes(output, self.output),
            partial: bytes(partial, self.partial),
            log: bytes(log, self.log),
            host_call_bytes: bytes(host_call_bytes, self.host_call_bytes),
            host_calls: host_calls.unwrap_or(self.host_calls),
            resources: resources.unwrap_or(self.resources),
            instances: instances.unwrap_or(self.instances),
            memories: memories.unwrap_or(self.memories),
            tables: tables.unwrap_or(self.tables),
            table_elements: table_elements.unwrap_or(self.table_elements),
            random_bytes: bytes(random_bytes, self.random_bytes),
            http_fields: bytes(http_fields, self.http_fields),
        }
        .checked()
    }

    /// Refuses what can only be a mistake. That nothing may be logged or handed out
    /// is a wish one can have; that no instruction may run is not.
    fn checked(self) -> Result<Self, LimitsError> {
        let zero = [
            ("fuel", self.fuel == 0),
            ("wall-clock", self.wall_clock.is_zero()),
            ("memory", self.memory == 0),
            ("output", self.output == 0),
            ("host-call-bytes", self.host_call_bytes == 0),
            ("instances", self.instances == 0),
            ("memories", self.memories == 0),
        ];
        match zero.iter().find(|(_, is_zero)| *is_zero) {
            Some((name, _)) => Err(LimitsError::Zero { name }),
            None => Ok(self),
        }
    }
}

/// Limits that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitsError {
    /// A limit is zero with which no call could run.
    #[error("the limit `{name}` is 0, so no call could run: leave it out to have the default")]
    Zero {
        /// Its name in the configuration.
        name: &'static str,
    },
}

/// Limits to put in the place of others; those that are absent stay as they are.
///
/// In a file the names have dashes (`wall-clock`), sizes and times are written as
/// [`Size`] and [`Span`] are, and an unknown name is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct LimitsPatch {
    /// See [`Limits::fuel`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// See [`Limits::wall_clock`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_clock: Option<Span>,
    /// See [`Limits::grace`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grace: Option<Span>,
    /// See [`Limits::memory`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// See [`Limits::output`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Size>,
    /// See [`Limits::partial`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Size>,
    /// See [`Limits::log`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<Size>,
    /// See [`Limits::host_call_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_call_bytes: Option<Size>,
    /// See [`Limits::host_calls`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_calls: Option<u64>,
    /// See [`Limits::resources`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<u32>,
    /// See [`Limits::instances`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instances: Option<u32>,
    /// See [`Limits::memories`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memories: Option<u32>,
    /// See [`Limits::tables`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<u32>,
    /// See [`Limits::table_elements`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_elements: Option<u64>,
    /// See [`Limits::random_bytes`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_bytes: Option<Size>,
    /// See [`Limits::http_fields`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_fields: Option<Size>,
}

impl LimitsPatch {
    /// This patch, and what it leaves open from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            fuel: self.fuel.or(other.fuel),
            wall_clock: self.wall_clock.or(other.wall_clock),
            grace: self.grace.or(other.grace),
            memory: self.memory.or(other.memory),
            output: self.output.or(other.output),
            partial: self.partial.or(other.partial),
            log: self.log.or(other.log),
            host_call_bytes: self.host_call_bytes.or(other.host_call_bytes),
            host_calls: self.host_calls.or(other.host_calls),
            resources: self.resources.or(other.resources),
            instances: self.instances.or(other.instances),
            memories: self.memories.or(other.memories),
            tables: self.tables.or(other.tables),
            table_elements: self.table_elements.or(other.table_elements),
            random_bytes: self.random_bytes.or(other.random_bytes),
            http_fields: self.http_fields.or(other.http_fields),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_a_call_come_before_the_file() {
        let flags = LimitsPatch {
            fuel: Some(7),
            ..LimitsPatch::default()
        };
        let file = LimitsPatch {
            fuel: Some(9),
            grace: Some("1s".parse().unwrap()),
            log: Some("1k".parse().unwrap()),
            ..LimitsPatch::default()
        };

        let limits = Limits::default().with(&flags.or(file)).unwrap();

        let expected = Limits {
            fuel: 7,
            grace: Duration::from_secs(1),
            log: 1000,
            ..Limits::default()
        };
        assert_eq!(limits, expected);
    }

    #[test]
    fn a_zero_with_which_nothing_runs_is_a_mistake() {
        let patch = LimitsPatch {
            fuel: Some(0),
            ..LimitsPatch::default()
        };
        assert_eq!(
            Limits::default().with(&patch).unwrap_err().to_string(),
            "the limit `fuel` is 0, so no call could run: leave it out to have the default"
        );
        let patch = LimitsPatch {
            wall_clock: Some("0s".parse().unwrap()),
            ..LimitsPatch::default()
        };
        assert!(Limits::default().with(&patch).is_err());
    }

    #[test]
    fn a_zero_that_one_can_want_is_kept() {
        let none = Some(Size::from_bytes(0));
        let patch = LimitsPatch {
            grace: Some("0s".parse().unwrap()),
            log: none,
            partial: none,
            host_calls: Some(0),
            ..LimitsPatch::default()
        };

        let limits = Limits::default().with(&patch).unwrap();
        assert_eq!(
            (limits.grace, limits.log, limits.host_calls),
            (Duration::ZERO, 0, 0)
        );
    }

    #[test]
    fn describing_takes_less_than_a_call() {
        let (describe, call) = (Limits::describe(), Limits::default());

        assert!(describe.fuel < call.fuel && describe.wall_clock < call.wall_clock);
        assert!(describe.memory < call.memory && describe.host_calls < call.host_calls);
        assert_eq!(describe.with(&LimitsPatch::default()), Ok(describe));
    }
}
