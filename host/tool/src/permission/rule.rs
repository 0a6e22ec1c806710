//! One rule: which calls it speaks about, and what it says.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ArgumentPointer, CallFacts, Glob};

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The call runs unasked.
    Allow,
    /// A person is asked.
    Ask,
    /// The call does not run.
    Deny,
}

/// What a rule does about an argument that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenAbsent {
    /// It counts as a match. The default of `ask` and `deny`.
    Match,
    /// The rule does not apply. The default of `allow`.
    Skip,
}

/// A rule: calls of tools whose name fits `tool` and whose arguments fit all of
/// `arguments`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Rule {
    /// What it says.
    pub action: Action,
    /// The tools it is about.
    pub tool: Glob,
    /// Patterns for values in the arguments. Empty: every call.
    pub arguments: BTreeMap<ArgumentPointer, Glob>,
    /// What it does about an argument that is not there.
    pub when_absent: WhenAbsent,
    /// Why, for the person who is asked or the model that is refused.
    pub reason: Option<String>,
}

/// Why a rule cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// No tool can have a name that fits.
    #[error(
        "`{pattern}` can match no tool: names have letters, digits, `_` and `-` only, not {letter:?}"
    )]
    NoSuchName {
        /// The pattern.
        pattern: String,
        /// The character that no name has.
        letter: char,
    },
}

/// The rule as it is written.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Written {
    action: Action,
    tool: Glob,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    arguments: BTreeMap<ArgumentPointer, Glob>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when_absent: Option<WhenAbsent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl TryFrom<Written> for Rule {
    type Error = RuleError;

    fn try_from(written: Written) -> Result<Self, RuleError> {
        let Written {
            action,
            tool,
            arguments,
            when_absent,
            reason,
        } = written;
        // A deny rule for `fs.write` would sit there and never match anything.
        let mut letters = tool.letters();
        let foreign =
            letters.find(|letter| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '-'));
        drop(letters);
        if let Some(letter) = foreign {
            let pattern = tool.into();
            return Err(RuleError::NoSuchName { pattern, letter });
        }
        Ok(Self {
            action,
            tool,
            arguments,
            when_absent: when_absent.unwrap_or(WhenAbsent::of(action)),
            reason,
        })
    }
}

impl From<Rule> for Written {
    fn from(rule: Rule) -> Self {
        let Rule {
            action,
            tool,
            arguments,
            when_absent,
            reason,
        } = rule;
        Self {
            action,
            tool,
            arguments,
            when_absent: (when_absent != WhenAbsent::of(action)).then_some(when_absent),
            reason,
        }
    }
}

impl WhenAbsent {
    /// The safe side: what is not there is never a reason to allow, and never a
    /// way around a refusal.
    fn of(action: Action) -> Self {
        match action {
            Action::Allow => Self::Skip,
            Action::Ask | Action::Deny => Self::Match,
        }
    }
}

impl Rule {
    /// Whether the rule speaks about the call.
    pub(super) fn matches(&self, facts: &CallFacts) -> bool {
        self.tool.matches(facts.tool_name)
            && self.arguments.iter().all(|(pointer, pattern)| {
                let value = pointer.find(facts.arguments);
                match value.map_or(Fit::Nothing, |value| self.fit(pattern, value)) {
                    Fit::Yes => true,
                    Fit::No => false,
                    Fit::Nothing => self.when_absent == WhenAbsent::Match,
                }
            })
    }

    /// Why the rule refuses the call it matches.
    pub(super) fn denial(&self, facts: &CallFacts) -> String {
        if let Some(reason) = &self.reason {
            return reason.clone();
        }
        let mut absent = self.arguments.iter().filter(|(pointer, pattern)| {
            let value = pointer.find(facts.arguments);
            value.is_none_or(|value| self.fit(pattern, value) == Fit::Nothing)
        });
        match absent.next() {
            Some((pointer, _)) => format!(
                "a rule denies the call; its argument `{pointer}` is absent, which counts as a \
                 match unless the rule says `when-absent = \"skip\"`"
            ),
            None => "a rule denies the call".into(),
        }
    }

    /// How a value fits a pattern. One bad path in a list is enough to refuse, and
    /// one good path is not enough to allow.
    fn fit(&self, pattern: &Glob, value: &Value) -> Fit {
        let mut fits = leaves(value).map(|leaf| pattern.matches(&leaf)).peekable();
        if fits.peek().is_none() {
            return Fit::Nothing;
        }
        let fits = match self.action {
            Action::Allow => fits.all(|fit| fit),
            Action::Ask | Action::Deny => fits.any(|fit| fit),
        };
        if fits { Fit::Yes } else { Fit::No }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Yes,
    No,
    Nothing,
}

/// The texts of a value: its own, or of what is inside it. Walks with a stack of
/// its own, because the depth of the value is the model's choice.
fn leaves(value: &Value) -> impl Iterator<Item = Cow<'_, str>> {
    let mut open = vec![value];
    std::iter::from_fn(move || {
        loop {
            match open.pop()? {
                Value::Array(items) => open.extend(items),
                Value::Object(members) => open.extend(members.values()),
                Value::String(text) => return Some(text.into()),
                Value::Number(number) => return Some(number_text(number).into()),
                Value::Bool(true) => return Some("true".into()),
                Value::Bool(false) => return Some("false".into()),
                Value::Null => return Some("null".into()),
            }
        }
    })
}

/// One text for one number: `10`, `10.0` and `1e1` must not be three ways around a
/// rule.
fn number_text(number: &serde_json::Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => {
            // Adding zero turns the negative zero into the other one.
            let float = float + 0.0;
            // `Display` of a float has no exponent and no trailing `.0`.
            float.to_string()
        }
        _ => number.to_string(),
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            Action::Allow => "allow",
            Action::Ask => "ask",
            Action::Deny => "deny",
        };
        write!(f, "{action} `{}`", self.tool)?;
        for (place, (pointer, pattern)) in self.arguments.iter().enumerate() {
            let word = if place == 0 { "where" } else { "and" };
            write!(f, " {word} `{pointer}` is `{pattern}`")?;
        }
        Ok(())
    }
}
