//! How long a request may take at each step. A guest may ask for less than the
//! limits allow, not for more.

use std::time::{Duration, Instant};

use toolhost_policy::Limits;
use wasmtime_wasi_http::{Error, RequestOptions};

use super::tally::{Limit, Tally};

/// How long one step may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) time: Duration,
    /// The guest asked for this little itself.
    wished: bool,
}

impl Patience {
    fn new(limit: Duration, wish: Option<Duration>) -> Self {
        match wish {
            Some(wish) if wish < limit => Self {
                time: wish,
                wished: true,
            },
            _ => Self {
                time: limit,
                wished: false,
            },
        }
    }

    /// When it is over, counted from `start`.
    pub(super) fn until(self, start: Instant) -> Instant {
        // A time that no clock reaches is one that is never over.
        let end = start.checked_add(self.time);
        end.unwrap_or(start + Duration::from_hours(24 * 365))
    }

    /// What the guest is told once the time is over. A limit is reported, a wish of
    /// the guest is its own affair.
    pub(super) fn is_over(self, limit: Limit, tally: &Tally) -> Error {
        if self.wished {
            limit.error(&tally.limits)
        } else {
            tally.exceeded(limit)
        }
    }
}

/// How long each step of a request may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) connect: Patience,
    pub(super) first_byte: Patience,
    pub(super) between_bytes: Patience,
}

impl Times {
    pub(super) fn new(limits: &Limits, options: Option<RequestOptions>) -> Self {
        let RequestOptions {
            connect_timeout,
            first_byte_timeout,
            between_bytes_timeout,
        } = options.unwrap_or_default();
        Self {
            connect: Patience::new(limits.http_connect, connect_timeout),
            first_byte: Patience::new(limits.http_first_byte, first_byte_timeout),
            between_bytes: Patience::new(limits.http_between_bytes, between_bytes_timeout),
        }
    }
}

#[cfg(test)]
mod tests {
    use toolhost_policy::Redactor;

    use super::*;

    #[test]
    fn a_guest_may_be_less_patient_and_not_more() {
        let wish = RequestOptions {
            connect_timeout: Some(Duration::from_secs(1)),
            first_byte_timeout: Some(Duration::MAX),
            between_bytes_timeout: None,
        };
        let limits = Limits::default();
        let times = Times::new(&limits, Some(wish));
        assert_eq!(times.connect.time, Duration::from_secs(1));
        assert_eq!(times.first_byte.time, limits.http_first_byte);
        assert_eq!(times.between_bytes.time, limits.http_between_bytes);

        let tally = Tally::new(&limits, Redactor::default());
        times.connect.is_over(Limit::Connect, &tally);
        assert!(tally.denials().is_empty(), "its own wish is no limit");
        times.first_byte.is_over(Limit::FirstByte, &tally);
        assert_eq!(tally.denials()[0].target, "http-first-byte");
    }
}
