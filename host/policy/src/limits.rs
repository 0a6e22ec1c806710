//! What one call of a plugin may use. All limits are on by default, over every
//! part of a call: instantiation, hooks, `execute` and what is dropped after it.

mod patch;

use std::time::Duration;

use crate::{Size, Span};
pub use patch::LimitsPatch;

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
/// Protects whoever reads along, from a tool that sends without end.
const EMITTED: u32 = 10_000;
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
/// Protects the host from tools that call one another in a circle: each level
/// holds a sandbox.
const CALL_DEPTH: u32 = 4;
/// Protects everybody from a tool that calls others without end.
const NESTED_CALLS: u32 = 100;
/// Protects the host from headers that are larger than any body.
const HTTP_FIELDS: u64 = 64 << 10;
/// Protects the host from messages of a thousand tiny headers.
const HTTP_FIELD_COUNT: u32 = 100;
/// Protects whoever is called from a plugin that never stops.
const HTTP_REQUESTS: u32 = 100;
/// Protects the host's sockets and buffers.
const HTTP_CONCURRENT: u32 = 10;
/// Protects the network, and bounds what a plugin can carry away.
const HTTP_REQUEST_BYTES: u64 = 16 << 20;
/// Protects the network and the host from a server that never ends.
const HTTP_RESPONSE_BYTES: u64 = 64 << 20;
/// Protects a call from names and hosts that do not answer.
const HTTP_CONNECT: Duration = Duration::from_secs(10);
/// Protects a call from a server that takes a request and says nothing.
const HTTP_FIRST_BYTE: Duration = Duration::from_secs(20);
/// Protects a call from a response that stalls.
const HTTP_BETWEEN_BYTES: Duration = Duration::from_secs(10);
/// Protects the disk.
const WRITTEN_BYTES: u64 = 64 << 20;
/// Protects the disk, which runs out of names too.
const CREATED_FILES: u32 = 1_000;
/// Protects whoever reads a file later; a hole costs its writer nothing.
const FILE_SIZE: u64 = 64 << 20;
/// Protects the host's file descriptors, of which a process may have no more than
/// 1,024 for all calls.
const OPEN_FILES: u32 = 200;
/// Protects the database from stores of nothing but keys.
const STORAGE_KEYS: u64 = 10_000;
/// Protects the database, which all plugins share.
const STORAGE_BYTES: u64 = 16 << 20;
/// Protects the host, which holds a value as a whole.
const STORAGE_VALUE: u64 = 1 << 20;
/// Protects the database's index.
const STORAGE_KEY: u64 = 1 << 10;

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
    /// Partial results and events of a call, counted together. Default: 10,000.
    pub emitted: u32,
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
    /// Header fields of one HTTP message. Default: 100.
    pub http_field_count: u32,
    /// HTTP requests of a call. Default: 100.
    pub http_requests: u32,
    /// HTTP requests at a time: until their response is read to its end or dropped.
    /// Default: 10.
    pub http_concurrent: u32,
    /// Bytes of all HTTP requests of a call together, as they are sent: headers and
    /// framing among them, TLS not. Default: 16 MiB.
    pub http_request_bytes: u64,
    /// Bytes of all HTTP responses of a call together, as they come: headers and framing
    /// among them, TLS not. The host unpacks nothing: a compressed body counts as
    /// it is, and what a plugin makes of it is bounded by its own memory.
    /// Default: 64 MiB.
    pub http_response_bytes: u64,
    /// Time to look up a host, connect to it and agree on TLS. Default: 10 s.
    pub http_connect: Duration,
    /// Time until the head of a response is there, from the last byte that was sent.
    /// Default: 20 s.
    pub http_first_byte: Duration,
    /// Time between two pieces of a response. Default: 10 s.
    pub http_between_bytes: Duration,
    /// How deep calls of other tools may nest; 0 allows none. Default: 4.
    pub call_depth: u32,
    /// Calls of other tools that a call may make, those that they make in turn
    /// among them. Default: 100.
    pub nested_calls: u32,
    /// Bytes written to files, holes that are skipped among them. Default: 64 MiB.
    pub written_bytes: u64,
    /// Files, directories and links made. Default: 1,000.
    pub created_files: u32,
    /// Bytes that a file may have once it was written to. Default: 64 MiB.
    pub file_size: u64,
    /// Files and directories open at a time. Default: 200.
    pub open_files: u32,
    /// Keys of one store, in all its buckets. Default: 10,000.
    pub storage_keys: u64,
    /// Bytes of one store, keys and values together. Default: 16 MiB.
    pub storage_bytes: u64,
    /// Bytes of one value of a store. Default: 1 MiB.
    pub storage_value: u64,
    /// Bytes of one key of a store, or of the name of a bucket. Default: 1 KiB.
    pub storage_key: u64,
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
            emitted: EMITTED,
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
            http_field_count: HTTP_FIELD_COUNT,
            http_requests: HTTP_REQUESTS,
            http_concurrent: HTTP_CONCURRENT,
            http_request_bytes: HTTP_REQUEST_BYTES,
            http_response_bytes: HTTP_RESPONSE_BYTES,
            http_connect: HTTP_CONNECT,
            http_first_byte: HTTP_FIRST_BYTE,
            http_between_bytes: HTTP_BETWEEN_BYTES,
            call_depth: CALL_DEPTH,
            nested_calls: NESTED_CALLS,
            written_bytes: WRITTEN_BYTES,
            created_files: CREATED_FILES,
            file_size: FILE_SIZE,
            open_files: OPEN_FILES,
            storage_keys: STORAGE_KEYS,
            storage_bytes: STORAGE_BYTES,
            storage_value: STORAGE_VALUE,
            storage_key: STORAGE_KEY,
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
            emitted: 0,
            log: 64 << 10,
            // Hundreds of tools with long schemas come in one answer.
            host_call_bytes: 32 << 20,
            host_calls: 10_000,
            resources: 100,
            random_bytes: 64 << 10,
            http_fields: 0,
            http_requests: 0,
            call_depth: 0,
            nested_calls: 0,
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
            emitted,
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
            http_field_count,
            http_requests,
            http_concurrent,
            http_request_bytes,
            http_response_bytes,
            http_connect,
            http_first_byte,
            http_between_bytes,
            call_depth,
            nested_calls,
            written_bytes,
            created_files,
            file_size,
            open_files,
            storage_keys,
            storage_bytes,
            storage_value,
            storage_key,
        } = *patch;
        let bytes = |size: Option<Size>, otherwise| size.map_or(otherwise, Size::bytes);
        let time = |span: Option<Span>, otherwise| span.map_or(otherwise, Span::get);
        Self {
            fuel: fuel.unwrap_or(self.fuel),
            wall_clock: time(wall_clock, self.wall_clock),
            grace: time(grace, self.grace),
            memory: bytes(memory, self.memory),
            output: bytes(output, self.output),
            partial: bytes(partial, self.partial),
            emitted: emitted.unwrap_or(self.emitted),
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
            http_field_count: http_field_count.unwrap_or(self.http_field_count),
            http_requests: http_requests.unwrap_or(self.http_requests),
            http_concurrent: http_concurrent.unwrap_or(self.http_concurrent),
            http_request_bytes: bytes(http_request_bytes, self.http_request_bytes),
            http_response_bytes: bytes(http_response_bytes, self.http_response_bytes),
            http_connect: time(http_connect, self.http_connect),
            http_first_byte: time(http_first_byte, self.http_first_byte),
            http_between_bytes: time(http_between_bytes, self.http_between_bytes),
            call_depth: call_depth.unwrap_or(self.call_depth),
            nested_calls: nested_calls.unwrap_or(self.nested_calls),
            written_bytes: bytes(written_bytes, self.written_bytes),
            created_files: created_files.unwrap_or(self.created_files),
            file_size: bytes(file_size, self.file_size),
            open_files: open_files.unwrap_or(self.open_files),
            storage_keys: storage_keys.unwrap_or(self.storage_keys),
            storage_bytes: bytes(storage_bytes, self.storage_bytes),
            storage_value: bytes(storage_value, self.storage_value),
            storage_key: bytes(storage_key, self.storage_key),
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
