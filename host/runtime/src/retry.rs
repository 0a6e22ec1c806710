//! Running a tool again after a failure that may pass.
//!
//! Retried is what the tool itself calls retryable, as often as its definition
//! allows. Limits, refusals, bad arguments and aborts are not: they would end the
//! same way again. All attempts share one deadline, that of the call.

use std::time::{Duration, Instant};

use toolhost_tool::{CallError, ErrorKind};

/// The most retries of one call, whatever the tool's definition says.
const MAX_RETRIES: u32 = 10;

/// The longest wait before the second attempt.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// The longest wait before any attempt.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// How often and until when a call is tried.
#[derive(Debug)]
pub(crate) struct Retries {
    left: u32,
    failed: u32,
    deadline: Instant,
}

impl Retries {
    /// `allowed` is what the tool's definition says, `time` what the call may
    /// take in all.
    pub(crate) fn new(allowed: u32, time: Duration) -> Self {
        let now = Instant::now();
        Self {
            left: allowed.min(MAX_RETRIES),
            failed: 0,
            // A limit of centuries is a limit that nobody reaches.
            deadline: now
                .checked_add(time)
                .unwrap_or(now + Duration::from_hours(24 * 365)),
        }
    }

    /// How many attempts failed so far.
    pub(crate) fn failed(&self) -> u32 {
        self.failed
    }

    /// Milliseconds until the deadline.
    pub(crate) fn time_left_ms(&self) -> u64 {
        let left = self.deadline.saturating_duration_since(Instant::now());
        u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
    }

    /// How long to wait before the next attempt after `error`; `None` when there
    /// is none.
    pub(crate) fn next(&mut self, error: &CallError) -> Option<Duration> {
        if self.left == 0 || !may_pass(error) {
            return None;
        }
        let wait = wait(self.failed, random());
        if Instant::now() + wait >= self.deadline {
            return None;
        }
        self.left -= 1;
        self.failed += 1;
        Some(wait)
    }
}

fn may_pass(error: &CallError) -> bool {
    let own = matches!(error.kind, ErrorKind::Execution | ErrorKind::Mcp);
    own && error.retryable && !error.propagate
}

/// Doubles from attempt to attempt; the random part, from half of it to all of
/// it, keeps calls that failed together from coming back together. `random` is
/// between 0 and 1.
fn wait(failed: u32, random: f64) -> Duration {
    let longest = FIRST_WAIT
        .saturating_mul(2_u32.saturating_pow(failed))
        .min(LONGEST_WAIT);
    longest.mul_f64(0.5 + 0.5 * random)
}

/// Between 0 and 1. Without the system's random bytes there is no jitter, and no
/// harm.
fn random() -> f64 {
    let mut byte = [255];
    let _ = getrandom::fill(&mut byte);
    f64::from(byte[0]) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retryable() -> CallError {
        let mut error = CallError::new(ErrorKind::Execution, "BusyError", "t", "later");
        error.retryable = true;
        error
    }

    #[test]
    fn a_failure_that_may_pass_is_retried_as_often_as_allowed() {
        let mut retries = Retries::new(2, Duration::from_mins(1));
        assert!(retries.next(&retryable()).is_some());
        assert!(retries.next(&retryable()).is_some());
        assert_eq!(retries.next(&retryable()), None);
        assert_eq!(retries.failed(), 2);
    }

    #[test]
    fn what_would_end_the_same_way_again_is_not() {
        let mut retries = Retries::new(9, Duration::from_mins(1));
        for kind in [
            ErrorKind::Sandbox,
            ErrorKind::Denied,
            ErrorKind::Validation,
            ErrorKind::Aborted,
        ] {
            let error = CallError {
                kind,
                ..retryable()
            };
            assert_eq!(retries.next(&error), None, "{kind:?}");
        }
        let mut final_error = retryable();
        final_error.retryable = false;
        assert_eq!(retries.next(&final_error), None);
    }

    #[test]
    fn no_attempt_begins_after_the_deadline() {
        let mut retries = Retries::new(9, Duration::from_millis(10));
        assert_eq!(retries.next(&retryable()), None);
    }

    #[test]
    fn waits_grow_and_stay_within_bounds() {
        assert_eq!(wait(0, 0.0), Duration::from_millis(50));
        assert_eq!(wait(0, 1.0), Duration::from_millis(100));
        assert_eq!(wait(2, 1.0), Duration::from_millis(400));
        assert_eq!(wait(40, 1.0), LONGEST_WAIT);
    }
}
