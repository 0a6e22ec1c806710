//! The keys of an object that is read: whether one is given twice, and how they are
//! found again.

use super::{Document, Entry, SMALL_OBJECT};

/// The keys of an object so far, to find one that is given twice.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) len: u32,
    few: [u32; SMALL_OBJECT],
    /// All of them, once they are not few.
    many: Vec<u32>,
}

impl Keys {
    /// Adds a key. `false` when it is there already, as far as it is known yet.
    pub(super) fn add(&mut self, key: u32, document: &Document<'_>) -> bool {
        let len = self.len as usize;
        self.len += 1;
        let Some(place) = self.few.get_mut(len) else {
            if self.many.is_empty() {
                self.many.extend(self.few);
            }
            self.many.push(key);
            return true;
        };
        *place = key;
        let text = document.key(key as usize);
        let before = &self.few[..len];
        before.iter().all(|at| document.key(*at as usize) != text)
    }

    /// Adds the index of an object that is not small. `false` when a key is in it
    /// twice. Sorting takes the same time whatever keys a hostile text chose.
    pub(super) fn order(mut self, document: &mut Document<'_>) -> bool {
        self.many.sort_unstable_by(|one, other| {
            document
                .key(*one as usize)
                .cmp(document.key(*other as usize))
        });
        let same = |pair: &[u32]| document.key(pair[0] as usize) == document.key(pair[1] as usize);
        if self.many.windows(2).any(same) {
            return false;
        }
        let order = self.many.into_iter().map(Entry::Order);
        document.entries.extend(order);
        true
    }
}
