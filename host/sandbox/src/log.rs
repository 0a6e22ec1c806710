//! The log of one call: what the guest writes through `run.log`, to stdout and
//! to stderr, cut to the log limit. Nothing of it reaches the host's own
//! streams.
//!
//! Secrets are taken out before anything is cut into lines or to a limit: half a
//! secret would not be found any more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolhost_policy::{RedactStream, Redactor};
use toolhost_tool::{LogLevel, LogLine, LogSource};

/// Longest line of stdout or stderr; longer ones are split, so that a guest
/// that never writes a line break cannot grow the buffer for one.
const MAX_LINE_BYTES: usize = 8 * 1024;

/// What a line costs beside its text, so that empty lines are not free.
const LINE_OVERHEAD_BYTES: usize = 16;

/// How much of the end of stderr is kept for the message of a panic, apart from
/// the log, which may be full when the guest panics.
const STDERR_TAIL_BYTES: usize = 4 * 1024;

/// Shared by the store of a call and the streams it handed to its guest.
#[derive(Clone)]
pub(crate) struct Log(Arc<Mutex<Buffer>>);

#[derive(Default)]
struct Buffer {
    lines: Vec<LogLine>,
    bytes: usize,
    limit: usize,
    dropped_bytes: u64,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    stderr_tail: Vec<u8>,
    redactor: Redactor,
    /// What stdout and stderr go through, when there are secrets.
    streams: Option<(RedactStream, RedactStream)>,
}

impl Log {
    /// An empty log that keeps up to `limit` bytes, without secrets.
    pub(crate) fn new(limit: u64, redactor: Redactor) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let streams = (!redactor.is_empty()).then(|| (redactor.stream(), redactor.stream()));
        Self(Arc::new(Mutex::new(Buffer {
            limit,
            redactor,
            streams,
            ..Buffer::default()
        })))
    }

    /// A line written through `run.log`.
    pub(crate) fn line(&self, level: LogLevel, message: &str) {
        let mut buffer = self.lock();
        let redactor = buffer.redactor.clone();
        buffer.push(level, LogSource::Log, &redactor.redact_text(message));
    }

    /// Bytes written to stdout or stderr, in chunks of any size.
    pub(crate) fn write(&self, source: LogSource, bytes: &[u8]) {
        let mut buffer = self.lock();
        match buffer.stream(source).map(|stream| stream.push(bytes)) {
            Some(clean) => buffer.write(source, &clean),
            None => buffer.write(source, bytes),
        }
    }

    /// The last thing written to stderr.
    pub(crate) fn stderr_tail(&self) -> String {
        let mut buffer = self.lock();
        buffer.finish(LogSource::Stderr);
        String::from_utf8_lossy(&buffer.stderr_tail).into_owned()
    }

    /// The lines, and how many bytes did not fit.
    pub(crate) fn take(&self) -> (Vec<LogLine>, u64) {
        let mut buffer = self.lock();
        for source in [LogSource::Stdout, LogSource::Stderr] {
            buffer.finish(source);
            let rest = std::mem::take(buffer.pending(source));
            if !rest.is_empty() {
                buffer.push_bytes(source, &rest);
            }
        }
        (std::mem::take(&mut buffer.lines), buffer.dropped_bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Buffer> {
        // A panic while a line is pushed leaves a buffer that is still a log.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buffer {
    fn pending(&mut self, source: LogSource) -> &mut Vec<u8> {
        match source {
            LogSource::Stderr => &mut self.stderr,
            LogSource::Stdout | LogSource::Log => &mut self.stdout,
        }
    }

    fn stream(&mut self, source: LogSource) -> Option<&mut RedactStream> {
        let (stdout, stderr) = self.streams.as_mut()?;
        Some(match source {
            LogSource::Stderr => stderr,
            LogSource::Stdout | LogSource::Log => stdout,
        })
    }

    /// Writes what was held back in case a secret followed.
    fn finish(&mut self, source: LogSource) {
        if let Some(rest) = self.stream(source).map(RedactStream::finish) {
            self.write(source, &rest);
        }
    }

    fn write(&mut self, source: LogSource, bytes: &[u8]) {
        if source == LogSource::Stderr {
            keep_tail(&mut self.stderr_tail, bytes);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            for part in piece.chunks(MAX_LINE_BYTES) {
                self.pending(source).extend_from_slice(part);
                if part.ends_with(b"\n") || self.pending(source).len() >= MAX_LINE_BYTES {
                    let line = std::mem::take(self.pending(source));
                    self.push_bytes(source, line.strip_suffix(b"\n").unwrap_or(&line));
                }
            }
        }
    }

    fn push_bytes(&mut self, source: LogSource, line: &[u8]) {
        let level = match source {
            LogSource::Stderr => LogLevel::Warn,
            LogSource::Stdout | LogSource::Log => LogLevel::Info,
        };
        self.push(level, source, &String::from_utf8_lossy(line));
    }

    fn push(&mut self, level: LogLevel, source: LogSource, message: &str) {
        let cost = message.len() + LINE_OVERHEAD_BYTES;
        if self.bytes + cost > self.limit {
            self.dropped_bytes = self.dropped_bytes.saturating_add(message.len() as u64);
            return;
        }
        self.bytes += cost;
        self.lines.push(LogLine {
            level,
            source,
            message: message.to_owned(),
        });
    }
}

fn keep_tail(tail: &mut Vec<u8>, bytes: &[u8]) {
    let new = &bytes[bytes.len().saturating_sub(STDERR_TAIL_BYTES)..];
    let excess = (tail.len() + new.len()).saturating_sub(STDERR_TAIL_BYTES);
    tail.drain(..excess);
    tail.extend_from_slice(new);
}

#[cfg(test)]
mod tests {
    use toolhost_policy::SecretValue;

    use super::*;

    fn messages(log: &Log) -> Vec<String> {
        log.take().0.into_iter().map(|line| line.message).collect()
    }

    #[test]
    fn chunks_of_stdout_become_lines() {
        let log = Log::new(1_000, Redactor::default());
        for chunk in ["he", "llo\nwor", "ld\n", "rest"] {
            log.write(LogSource::Stdout, chunk.as_bytes());
        }
        assert_eq!(messages(&log), ["hello", "world", "rest"]);
    }

    #[test]
    fn a_flood_is_cut_and_counted() {
        let log = Log::new(1_000, Redactor::default());
        for _ in 0..1_000 {
            log.line(LogLevel::Info, &"x".repeat(84));
        }
        let (lines, dropped) = log.take();
        assert_eq!((lines.len(), dropped), (10, 990 * 84));
    }

    #[test]
    fn a_line_without_end_is_split() {
        let log = Log::new(1 << 20, Redactor::default());
        log.write(LogSource::Stderr, &vec![b'x'; 3 * MAX_LINE_BYTES + 1]);
        let lengths: Vec<usize> = messages(&log).iter().map(String::len).collect();
        assert_eq!(lengths, [MAX_LINE_BYTES, MAX_LINE_BYTES, MAX_LINE_BYTES, 1]);
    }

    #[test]
    fn the_end_of_stderr_survives_a_full_log() {
        let log = Log::new(0, Redactor::default());
        log.write(LogSource::Stderr, &vec![b'x'; 10_000]);
        log.write(LogSource::Stderr, b"panicked");
        assert!(log.stderr_tail().ends_with("xpanicked"));
        assert_eq!(log.stderr_tail().len(), STDERR_TAIL_BYTES);
    }

    #[test]
    fn a_secret_is_taken_out_before_lines_are_cut() {
        let value = SecretValue::new("correct-horse".to_owned()).unwrap();
        let log = Log::new(1 << 20, Redactor::new([("token", &value)]));
        log.line(LogLevel::Info, "the key is correct-horse");
        for chunk in ["correct", "-horse\ncorr", "upt\ncorrect-h"] {
            log.write(LogSource::Stdout, chunk.as_bytes());
        }
        let almost_a_line = "x".repeat(MAX_LINE_BYTES - 5);
        log.write(LogSource::Stderr, almost_a_line.as_bytes());
        log.write(LogSource::Stderr, b"correct-horse");
        assert!(log.stderr_tail().ends_with("xx[REDACTED]"));
        let messages = messages(&log);
        assert_eq!(messages[0], "the key is [REDACTED]");
        assert_eq!(messages[1..3], ["[REDACTED]", "corrupt"]);
        assert!(!messages.concat().contains("horse"), "{messages:?}");
    }
}
