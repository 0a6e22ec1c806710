//! The issues of one value, as many as a model can use: an error takes long to put
//! into words, and a value can have hundreds of thousands.

use std::collections::HashSet;

use super::{Issue, show::shorten};

/// Issues that are listed; the rest is counted.
const MAX_ISSUES: usize = 32;

/// Errors that are put into words to find them, as many say the same.
const MAX_EXPLAINED: usize = 2 * MAX_ISSUES;

/// Characters of a message, whatever it is made of.
const MESSAGE_SHOWN: usize = 500;

/// Issues, each once.
#[derive(Default)]
pub(super) struct Issues {
    list: Vec<Issue>,
    met: HashSet<(String, String)>,
    explained: usize,
    more: usize,
}

impl Issues {
    /// Adds an issue unless there are enough; only then it is put into words.
    pub(super) fn add(&mut self, issue: impl FnOnce() -> Issue) {
        if self.is_full() {
            self.leave_out();
            return;
        }
        self.explained += 1;
        let Issue { path, message } = issue();
        let message = shorten(&message, MESSAGE_SHOWN);
        if self.met.insert((path.clone(), message.clone())) {
            self.list.push(Issue { path, message });
        }
    }

    /// Whether nothing more is listed.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() == MAX_ISSUES || self.explained == MAX_EXPLAINED
    }

    /// Counts an error that is not put into words.
    pub(super) fn leave_out(&mut self) {
        self.more += 1;
    }

    /// The message of the first.
    pub(super) fn into_first(self) -> Option<String> {
        self.list.into_iter().next().map(|issue| issue.message)
    }

    /// At least one issue; the last counts those that are not listed.
    pub(super) fn into_list(self) -> Vec<Issue> {
        let mut list = self.list;
        if list.is_empty() {
            list.push(Issue::whole("the value does not match its schema"));
        }
        if self.more > 0 {
            list.push(Issue::whole(format!("… and {} more", self.more)));
        }
        list
    }
}
