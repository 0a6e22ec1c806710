//! Counting tests while their output goes by.

use std::fmt;
use std::io::{self, Read as _};
use std::process::{Command, ExitStatus, Stdio};

/// How the last line of every test program begins.
const RESULT: &str = "test result: ";

/// Longer lines are no results; their end is passed through but not kept.
const MAX_LINE: usize = 1024;

/// The sum over all test programs that were watched.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// The line that is being written.
    line: Vec<u8>,
}

impl Tally {
    /// Runs a program and counts, passing its stdout on to `sink` the moment it comes.
    pub(crate) fn watch(
        &mut self,
        command: &mut Command,
        sink: &mut impl io::Write,
    ) -> io::Result<ExitStatus> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut buffer = [0; 8192];
        if let Some(mut output) = child.stdout.take() {
            loop {
                let length = match output.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(length) => length,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error),
                };
                sink.write_all(&buffer[..length])?;
                sink.flush()?;
                self.feed(&buffer[..length]);
            }
        }
        child.wait()
    }

    /// Takes a piece of output, which may end in the middle of a line.
    fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                self.count(&String::from_utf8_lossy(&line));
            } else if self.line.len() < MAX_LINE {
                self.line.push(byte);
            }
        }
    }

    /// Adds the counts of a line such as `test result: ok. 5 passed; 0 failed; …`.
    fn count(&mut self, line: &str) {
        let Some((_, counts)) = line
            .strip_prefix(RESULT)
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        let count = |what: &str| {
            let found = counts.split("; ").find_map(|part| part.strip_suffix(what));
            found
                .and_then(|number| number.trim().parse().ok())
                .unwrap_or(0)
        };
        self.passed += count(" passed");
        self.failed += count(" failed");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "running 3 tests\ntest a ... ok\n\n\
        test result: ok. 41 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n\
        test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";

    #[test]
    fn all_programs_are_added_up() {
        let mut tally = Tally::default();
        tally.feed(OUTPUT.as_bytes());
        assert_eq!(tally.to_string(), "42 passed, 2 failed");
    }

    #[test]
    fn a_line_may_arrive_in_pieces() {
        let mut tally = Tally::default();
        for byte in OUTPUT.as_bytes() {
            tally.feed(&[*byte]);
        }
        assert_eq!((tally.passed, tally.failed), (42, 2));
    }

    #[test]
    fn what_tests_print_is_not_counted() {
        let mut tally = Tally::default();
        tally.feed(b"note: test result: ok. 9 passed; 9 failed\n9 passed, 9 failed\n");
        tally.feed(b"test result: nonsense\ntest result: ok. many passed; \xff failed;\n");
        assert_eq!(tally.to_string(), "0 passed, 0 failed");
    }

    #[test]
    fn a_program_is_watched_to_its_end() -> io::Result<()> {
        let mut tally = Tally::default();
        let script = "echo 'test result: ok. 7 passed; 0 failed; 0 ignored'; exit 101";
        // To memory: on the real stdout, whoever runs this test would count along.
        let mut seen = Vec::new();
        let status = tally.watch(Command::new("sh").args(["-c", script]), &mut seen)?;
        assert_eq!(status.code(), Some(101));
        assert_eq!(tally.passed, 7);
        assert!(seen.ends_with(b"0 ignored\n"));
        Ok(())
    }
}
