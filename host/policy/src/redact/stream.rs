//! Redacting a text that comes in pieces. What may be the beginning of a secret
//! is held back until it is clear, so a secret that is cut in two is found too.

use std::ops::Range;

use super::scan::Scan;
use super::{BLOCK_BYTES, REDACTED, Redactor};

/// Redacts a text piece by piece. Any way to cut a text gives the same result.
///
/// It holds back no more than the longest form of a secret, times what encoding
/// can add to it; most of the time nothing.
///
/// ```
/// use toolhost_policy::{Redactor, SecretValue};
///
/// let token = SecretValue::new("correct-horse".to_owned())?;
/// let mut stream = Redactor::new([("github", &token)]).stream();
/// assert_eq!(stream.push(b"key: correct"), b"key: ");
/// assert_eq!(stream.push(b"-horse!"), b"[REDACTED]!");
/// assert_eq!(stream.finish(), b"");
/// # Ok::<(), toolhost_policy::SecretError>(())
/// ```
pub struct RedactStream {
    redactor: Redactor,
    scan: Option<Scan>,
    /// What was read and not handed out, from `from` on.
    held: Vec<u8>,
    from: u64,
    /// Whether a secret becomes as many asterisks as it has bytes.
    masks: bool,
    /// What is to be replaced and was not yet, in order, none in another.
    spans: Vec<Span>,
    /// Up to here the text is already replaced.
    replaced: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: u64,
    end: u64,
}

impl RedactStream {
    pub(super) fn new(redactor: Redactor) -> Self {
        Self {
            scan: redactor.matcher().map(Scan::new),
            redactor,
            held: Vec::new(),
            from: 0,
            masks: false,
            spans: Vec::new(),
            replaced: 0,
        }
    }

    /// The same with as many asterisks as a secret has bytes in its place: for
    /// texts whose length was told before.
    #[must_use]
    pub fn masking(self) -> Self {
        Self {
            masks: true,
            ..self
        }
    }

    /// A stream like this one, at the start of another text.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Self {
            masks: self.masks,
            ..Self::new(self.redactor.clone())
        }
    }

    /// Takes the next piece and returns what is clear by now.
    #[must_use]
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut clean = Vec::with_capacity(piece.len());
        for block in piece.chunks(BLOCK_BYTES) {
            let (Some(matcher), Some(scan)) = (self.redactor.matcher(), &mut self.scan) else {
                clean.extend_from_slice(block);
                continue;
            };
            self.held.extend_from_slice(block);
            let spans = &mut self.spans;
            scan.feed(matcher, block, &mut |found| {
                add(
                    spans,
                    Span {
                        start: found.start,
                        end: found.end,
                    },
                );
            });
            let settled = scan.settled(matcher);
            self.release(settled, &mut clean);
        }
        clean
    }

    /// Ends the text and returns the rest of it. The stream is then ready for
    /// another text.
    #[must_use]
    pub fn finish(&mut self) -> Vec<u8> {
        let mut clean = Vec::new();
        if let (Some(matcher), Some(scan)) = (self.redactor.matcher(), &mut self.scan) {
            let spans = &mut self.spans;
            scan.finish(matcher, &mut |found| {
                add(
                    spans,
                    Span {
                        start: found.start,
                        end: found.end,
                    },
                );
            });
            self.release(u64::MAX, &mut clean);
        }
        *self = self.fresh();
        clean
    }

    /// How many bytes are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Hands out the text up to `settled`, before which nothing more will be found.
    fn release(&mut self, settled: u64, clean: &mut Vec<u8>) {
        let ready = self
            .spans
            .iter()
            .take_while(|span| span.start <= settled)
            .count();
        let mut from = self.from;
        for span in self.spans.drain(..ready).collect::<Vec<_>>() {
            if span.start >= self.replaced {
                from = self.hand_out(from..span.start, clean);
                if !self.masks {
                    clean.extend_from_slice(REDACTED.as_bytes());
                }
            }
            if self.masks {
                let more = span.end.saturating_sub(span.start.max(self.replaced));
                clean.extend((0..more).map(|_| b'*'));
            }
            self.replaced = self.replaced.max(span.end);
        }
        from = self.hand_out(from..settled, clean);
        self.held.drain(..self.index(from));
        self.from = from;
    }

    /// Hands out a part of what is held, without what is replaced, and returns where
    /// it ends.
    fn hand_out(&self, part: Range<u64>, clean: &mut Vec<u8>) -> u64 {
        let held_to = self.from + self.held.len() as u64;
        let end = part.end.clamp(part.start, held_to);
        let start = self.replaced.clamp(part.start, end);
        clean.extend_from_slice(&self.held[self.index(start)..self.index(end)]);
        end
    }

    /// A place as an index into what is held, where it is.
    fn index(&self, place: u64) -> usize {
        usize::try_from(place - self.from).unwrap_or(usize::MAX)
    }
}

/// Adds a span, and makes one of those that overlap. They come nearly in order.
fn add(spans: &mut Vec<Span>, mut span: Span) {
    let after = spans
        .iter()
        .rev()
        .take_while(|other| other.start >= span.end)
        .count();
    let end = spans.len() - after;
    let start = span.start;
    let overlapping = spans[..end]
        .iter()
        .rev()
        .take_while(|other| other.end > start);
    let mut first = end;
    for other in overlapping {
        span.start = span.start.min(other.start);
        span.end = span.end.max(other.end);
        first -= 1;
    }
    spans.splice(first..end, [span]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_overlap_become_one_and_those_that_touch_do_not() {
        let mut spans = Vec::new();
        for (start, end) in [
            (0, 4),
            (10, 14),
            (4, 6),
            (13, 20),
            (5, 8),
            (30, 31),
            (7, 11),
        ] {
            add(&mut spans, Span { start, end });
        }
        let spans: Vec<_> = spans.iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(spans, [(0, 4), (4, 20), (30, 31)]);
    }
}
