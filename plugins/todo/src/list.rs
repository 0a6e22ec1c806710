//! A list of things to do, and how one list follows another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::{ToolError, serde_json::json};

/// Most items of a list: a plan that is longer is no plan.
pub const MAX_ITEMS: usize = 200;

/// The longest text of an item, in characters.
pub const MAX_CONTENT: usize = 1000;

/// The longest id, in bytes.
const MAX_ID: usize = 64;

/// How far an item is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing is done yet.
    #[default]
    Pending,
    /// It is worked on; one item at most.
    InProgress,
    /// It is done.
    Completed,
    /// It will not be done.
    Cancelled,
}

/// An item as a model writes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewItem {
    /// Its id, as the result of the last call gave it; left out for new items.
    #[serde(default)]
    #[schemars(length(min = 1, max = 64))]
    pub id: Option<String>,
    /// What is to be done, in a few words.
    #[schemars(length(min = 1, max = 1000))]
    pub content: String,
    /// How far it is.
    #[serde(default)]
    pub status: Status,
}

/// An item of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Stays the same for as long as the item is in the list.
    pub id: String,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: Status,
}

/// How many items are how far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// All items.
    pub total: usize,
    /// Nothing is done yet.
    pub pending: usize,
    /// Worked on; 0 or 1.
    pub in_progress: usize,
    /// Done.
    pub completed: usize,
    /// Will not be done.
    pub cancelled: usize,
}

/// A list, as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// The number of the next new item. No number is given twice, so that an
    /// old id never means a new item.
    next: u64,
    /// The items, in the order of the model.
    items: Vec<Item>,
}

impl List {
    /// The items.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// How many items are how far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts {
            total: self.items.len(),
            ..Counts::default()
        };
        for item in &self.items {
            match item.status {
                Status::Pending => counts.pending += 1,
                Status::InProgress => counts.in_progress += 1,
                Status::Completed => counts.completed += 1,
                Status::Cancelled => counts.cancelled += 1,
            }
        }
        counts
    }

    /// The list that takes the place of this one. An item that has no id and the
    /// text of an old one is that one; any other gets a new id. [`check`] says
    /// whether the new items make a list.
    #[must_use]
    pub fn replaced_by(&self, new: &[NewItem]) -> Self {
        let mut taken: Vec<String> = new.iter().filter_map(|item| item.id.clone()).collect();
        let mut list = Self {
            next: self.next.max(1),
            items: Vec::with_capacity(new.len()),
        };
        for item in new {
            let content = item.content.trim().to_owned();
            let known = item.id.clone();
            let known = known.or_else(|| self.id_of(&content, &taken));
            let id = known.unwrap_or_else(|| list.new_id(&self.items, &taken));
            taken.push(id.clone());
            list.items.push(Item {
                id,
                content,
                status: item.status,
            });
        }
        list
    }

    /// The id of an item with that text which no other item has taken.
    fn id_of(&self, content: &str, taken: &[String]) -> Option<String> {
        let mut same = self.items.iter().filter(|item| item.content == content);
        let free = same.find(|item| !taken.contains(&item.id))?;
        Some(free.id.clone())
    }

    fn new_id(&mut self, old: &[Item], taken: &[String]) -> String {
        loop {
            let id = self.next.to_string();
            // A model may have made up any id itself.
            self.next = self.next.saturating_add(1);
            if !taken.contains(&id) && old.iter().all(|item| item.id != id) {
                return id;
            }
        }
    }

    /// The list as a model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        if self.items.is_empty() {
            return "the list is empty".into();
        }
        let mut lines: Vec<String> = self
            .items
            .iter()
            .map(|item| {
                let mark = match item.status {
                    Status::Pending => ' ',
                    Status::InProgress => '>',
                    Status::Completed => 'x',
                    Status::Cancelled => '-',
                };
                format!("[{mark}] {}: {}", item.id, item.content)
            })
            .collect();
        let counts = self.counts();
        lines.push(format!(
            "{} of {} completed, {} in progress, {} pending",
            counts.completed, counts.total, counts.in_progress, counts.pending
        ));
        lines.join("\n")
    }
}

/// Whether the items make a list.
///
/// # Errors
/// When there are too many, they contradict one another, or say nothing.
pub fn check(new: &[NewItem]) -> Result<(), ToolError> {
    if new.len() > MAX_ITEMS {
        let message = format!("{} items are too many: keep {MAX_ITEMS} at most", new.len());
        return Err(wrong(message));
    }
    for (index, item) in new.iter().enumerate() {
        let number = index + 1;
        let length = item.content.chars().count();
        if item.content.trim().is_empty() {
            return Err(wrong(format!(
                "item {number} has no `content`: say what is to be done"
            )));
        }
        if length > MAX_CONTENT {
            return Err(wrong(format!(
                "the `content` of item {number} has {length} characters: keep {MAX_CONTENT} at most"
            )));
        }
        let Some(id) = &item.id else { continue };
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if id.is_empty() || id.len() > MAX_ID || !id.chars().all(fits) {
            return Err(wrong(format!(
                "the `id` of item {number} is not one of this list: leave it out for a new item"
            )));
        }
        let mut before = new[..index].iter();
        if before.any(|other| other.id.as_ref() == Some(id)) {
            return Err(wrong(format!(
                "the id `{id}` is there twice: each item has its own"
            )));
        }
    }
    check_progress(new)
}

fn check_progress(new: &[NewItem]) -> Result<(), ToolError> {
    let busy = new.iter().filter(|item| item.status == Status::InProgress);
    let busy: Vec<&str> = busy.map(|item| item.content.as_str()).collect();
    if busy.len() < 2 {
        return Ok(());
    }
    let message = format!(
        "{} items are `in_progress`, and one at most may be: keep one and set the others to \
         `pending` or `completed`",
        busy.len()
    );
    Err(wrong(message).details(json!({ "inProgress": busy })))
}

fn wrong(message: impl Into<String>) -> ToolError {
    ToolError::new("TodoListError", message)
}

#[cfg(test)]
mod tests;
