//! How long a request, its redirects and its response may take together.

use std::time::{Duration, Instant};

use super::error::{Error, ErrorKind};

/// The end of the time for all of a request; never, unless the caller set one.
/// The limits of the host hold beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Deadline(Option<End>);

#[derive(Debug, Clone, Copy)]
struct End {
    at: Instant,
    allowed: Duration,
}

impl Deadline {
    pub(super) fn after(allowed: Option<Duration>) -> Self {
        // A time that no clock reaches is one that is never over.
        Self(allowed.and_then(|allowed| {
            let at = Instant::now().checked_add(allowed)?;
            Some(End { at, allowed })
        }))
    }

    /// The time that is left; none when there is no end.
    ///
    /// # Errors
    /// When none is left.
    pub(super) fn left(self) -> Result<Option<Duration>, Error> {
        let Some(end) = self.0 else {
            return Ok(None);
        };
        let left = end.at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.is_over());
        }
        Ok(Some(left))
    }

    /// What is said once the time is over.
    pub(super) fn is_over(self) -> Error {
        let allowed = self.0.map_or(0, |end| end.allowed.as_millis());
        Error::new(
            ErrorKind::Timeout,
            format!("there was no complete answer within {allowed} ms"),
        )
        .in_own_time()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_only_where_an_end_is_set() {
        assert_eq!(Deadline::after(None).left(), Ok(None));
        assert_eq!(Deadline::after(Some(Duration::MAX)).left(), Ok(None));
        let hour = Deadline::after(Some(Duration::from_hours(1))).left();
        assert!(hour.unwrap() > Some(Duration::from_mins(1)));
        let over = Deadline::after(Some(Duration::ZERO)).left().unwrap_err();
        assert_eq!(over.kind(), ErrorKind::Timeout);
        assert!(!over.is_retryable(), "it would take its time again");
    }
}
