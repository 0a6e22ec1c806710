//! A value in a document together with the place where it is, so that an error
//! can name it. Paths are built for the few values that are looked at, not for
//! the whole document.

use serde_json::Value;

use super::{MAX_CALLS, MessageError};
use crate::Arguments;

/// A value and its JSON Pointer. No key that is followed needs escaping.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    pub(super) path: String,
}

impl<'a> Node<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        let path = String::new();
        Self { value, path }
    }

    /// The member `key`; a member that is `null` counts as absent, which is how
    /// these APIs write one that has nothing to say.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        let path = format!("{}/{key}", self.path);
        Some(Self { value, path })
    }

    /// The value at a JSON Pointer below this one.
    pub(super) fn walk(&self, pointer: &str) -> Option<Self> {
        let value = self.value.pointer(pointer)?;
        let path = format!("{}{pointer}", self.path);
        Some(Self { value, path })
    }

    pub(super) fn item(&self, index: usize) -> Option<Self> {
        let value = self.value.get(index)?;
        let path = format!("{}/{index}", self.path);
        Some(Self { value, path })
    }

    /// The items of an array that `keep` accepts. Stops at one more than a turn
    /// may have, which is enough to see that there are too many.
    pub(super) fn items(&self, keep: impl Fn(&Value) -> bool) -> Vec<Self> {
        let all = self.value.as_array().into_iter().flatten().enumerate();
        all.filter(|(_, value)| keep(value))
            .filter_map(|(index, _)| self.item(index))
            .take(MAX_CALLS + 1)
            .collect()
    }

    /// Those of an array's items, or else this value itself, that `keep` accepts:
    /// a list of one may come without its list.
    pub(super) fn items_or_self(&self, keep: impl Fn(&Value) -> bool) -> Vec<Self> {
        if self.value.is_array() {
            self.items(keep)
        } else if keep(self.value) {
            vec![self.clone()]
        } else {
            Vec::new()
        }
    }

    pub(super) fn array(self) -> Result<Self, MessageError> {
        if self.value.is_array() {
            Ok(self)
        } else {
            Err(self.wrong_type("an array"))
        }
    }

    pub(super) fn object(self) -> Result<Self, MessageError> {
        if self.value.is_object() {
            Ok(self)
        } else {
            Err(self.wrong_type("an object"))
        }
    }

    /// The object `key`, which every call has.
    pub(super) fn required(&self, key: &str) -> Result<Self, MessageError> {
        self.get(key).ok_or_else(|| self.missing(key))?.object()
    }

    /// The text `key`, which every call has.
    pub(super) fn required_text(&self, key: &str) -> Result<String, MessageError> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    /// The text `key`; `None` when it is absent or empty.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, MessageError> {
        let Some(node) = self.get(key) else {
            return Ok(None);
        };
        match node.value.as_str() {
            Some("") => Ok(None),
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(node.wrong_type("a string")),
        }
    }

    /// The arguments, under the first of `keys` that is there. Text stays text: the
    /// host judges it when the call runs. A blank text is what models send for a
    /// tool without parameters, and counts as absent.
    pub(super) fn arguments(&self, keys: &[&str]) -> Arguments {
        match keys.iter().find_map(|key| self.value.get(key)) {
            None => Arguments::Absent,
            Some(Value::String(text)) if text.trim().is_empty() => Arguments::Absent,
            Some(Value::String(text)) => Arguments::Text(text.clone()),
            Some(value) => Arguments::Value(value.clone()),
        }
    }

    pub(super) fn missing(&self, key: &str) -> MessageError {
        let path = format!("{}/{key}", self.path);
        MessageError::Missing { path }
    }

    pub(super) fn unusable(&self, reason: impl Into<String>) -> MessageError {
        MessageError::Unusable {
            path: self.path.clone(),
            reason: reason.into(),
        }
    }

    pub(super) fn wrong_type(&self, expected: &'static str) -> MessageError {
        let found = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        };
        MessageError::WrongType {
            path: self.path.clone(),
            expected,
            found,
        }
    }
}

/// Whether the member `key` of `value` is the text `text`.
pub(super) fn is(value: &Value, key: &str, text: &str) -> bool {
    value.get(key).and_then(Value::as_str) == Some(text)
}
