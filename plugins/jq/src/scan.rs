//! Follows brackets and strings in JSON text, nothing more: whether the text is
//! JSON, the parser finds out.

use crate::json::MAX_DEPTH;

/// How far a text has been followed.
#[derive(Default)]
pub(crate) struct Scan {
    place: Place,
    depth: usize,
    deepest: usize,
    /// Anything but white space was seen.
    started: bool,
}

#[derive(Default, Clone, Copy)]
enum Place {
    #[default]
    Outside,
    InString,
    Escaped,
}

impl Scan {
    /// Follows the next piece of the text.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.place = match (self.place, byte) {
                (Place::InString, b'\\') => Place::Escaped,
                (Place::InString, b'"') => Place::Outside,
                (Place::Outside, b' ' | b'\t' | b'\r' | b'\n') => continue,
                (Place::InString | Place::Escaped, _) | (Place::Outside, b'"') => Place::InString,
                (Place::Outside, b'[' | b'{') => {
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                    Place::Outside
                }
                (Place::Outside, b']' | b'}') => {
                    self.depth = self.depth.saturating_sub(1);
                    Place::Outside
                }
                (Place::Outside, _) => Place::Outside,
            };
            self.started = true;
        }
    }

    /// Whether brackets nest deeper than a reader can follow.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.deepest > MAX_DEPTH
    }

    /// Whether the text so far holds whole values, and at least one.
    pub(crate) fn is_balanced(&self) -> bool {
        self.started && self.depth == 0 && matches!(self.place, Place::Outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_count() {
        let mut scan = Scan::default();
        scan.feed(b" \n");
        assert!(!scan.is_balanced());
        scan.feed(br#"{"]\"}": ["#);
        assert!(!scan.is_balanced());
        scan.feed(b"1]}");
        assert!(scan.is_balanced() && !scan.is_too_deep());
    }
}
