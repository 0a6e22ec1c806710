//! From what the model asks to the schema of the answer.

use schemars::JsonSchema;
use serde::Deserialize;
use toolhost_sdk::ToolError;
use toolhost_sdk::serde_json::{Map, Value, json};

use crate::answer;

/// The largest schema, as JSON: it is for a person to fill in.
const MAX_SCHEMA_BYTES: usize = 16 * 1024;

/// What the model may say about the answer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskQuestionArgs {
    /// The question, complete in itself: the user may not have seen what led to
    /// it.
    #[schemars(length(min = 1, max = 4000))]
    pub question: String,
    /// The answers to choose from, each a few words.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 300)))]
    pub options: Vec<String>,
    /// Whether the user may choose several options; the answer is a list then.
    #[serde(default)]
    pub multiple: bool,
    /// Whether the user may write an answer of their own instead of an option.
    #[serde(default)]
    pub allow_other: bool,
    /// JSON Schema of the answer, when it is neither text nor one of `options`;
    /// an object with `properties` makes a form.
    #[serde(default)]
    pub schema: Option<Map<String, Value>>,
}

impl AskQuestionArgs {
    /// JSON Schema of the answer; none when any text will do.
    ///
    /// # Errors
    /// When arguments contradict one another.
    pub fn answer_schema(&self) -> Result<Option<Value>, ToolError> {
        if self.question.trim().is_empty() {
            return Err(wrong(
                "the question is empty: write what the user is to answer",
            ));
        }
        if let Some(schema) = &self.schema {
            if !self.options.is_empty() || self.multiple || self.allow_other {
                let message =
                    "give `options` (with `multiple`, `allowOther`) or a `schema`, not both";
                return Err(wrong(message));
            }
            let schema = Value::Object(schema.clone());
            if schema.to_string().len() > MAX_SCHEMA_BYTES {
                let message =
                    format!("the schema has more than {MAX_SCHEMA_BYTES} bytes: ask for less");
                return Err(wrong(message));
            }
            check_types(&schema)?;
            return Ok(Some(schema));
        }
        if self.options.is_empty() {
            if self.multiple || self.allow_other {
                return Err(wrong(
                    "`multiple` and `allowOther` need `options` to choose from",
                ));
            }
            return Ok(None);
        }
        self.check_options()?;
        let options = json!({ "type": "string", "enum": self.options });
        let one = if self.allow_other {
            let other = json!({ "type": "string", "title": "Other", "minLength": 1 });
            json!({ "anyOf": [options, other] })
        } else {
            options
        };
        Ok(Some(if self.multiple {
            json!({ "type": "array", "items": one, "minItems": 1, "uniqueItems": true })
        } else {
            one
        }))
    }

    /// Whether the answer is one to the question: whoever continues the call may not
    /// have looked.
    ///
    /// # Errors
    /// When it is not.
    pub fn check_answer(&self, answer: &Value) -> Result<(), ToolError> {
        let schema = self.answer_schema()?;
        let schema = schema.unwrap_or_else(|| json!({ "type": "string" }));
        answer::check(&schema, answer).map_err(wrong)
    }

    fn check_options(&self) -> Result<(), ToolError> {
        for (index, option) in self.options.iter().enumerate() {
            if option.trim().is_empty() {
                return Err(wrong(format!("option {} is empty", index + 1)));
            }
            if self.options[..index].contains(option) {
                return Err(wrong(format!("the option `{option}` is there twice")));
            }
        }
        if self.options.len() == 1 && !self.allow_other {
            return Err(wrong(
                "one option is no choice: give another, or set `allowOther`",
            ));
        }
        Ok(())
    }
}

/// Words that stand for types; with another word nobody could answer.
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "object", "array", "null",
];

/// Looks at the types of the answer and of what is in it.
fn check_types(schema: &Value) -> Result<(), ToolError> {
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().collect(),
        Value::Null => Vec::new(),
        one => vec![one],
    };
    let is_known = |one: &&Value| one.as_str().is_some_and(|one| TYPES.contains(&one));
    if let Some(unknown) = types.iter().find(|one| !is_known(one)) {
        let types = TYPES.join("`, `");
        return Err(wrong(format!(
            "the schema has the type {unknown}; there are `{types}`"
        )));
    }
    let properties = schema["properties"].as_object();
    let inner = properties.into_iter().flat_map(Map::values);
    inner.chain(schema.get("items")).try_for_each(check_types)
}

fn wrong(message: impl Into<String>) -> ToolError {
    ToolError::new("QuestionError", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(arguments: &Value) -> Result<Option<Value>, String> {
        let args: AskQuestionArgs =
            toolhost_sdk::serde_json::from_value(arguments.clone()).unwrap();
        args.answer_schema().map_err(|error| error.message)
    }

    #[test]
    fn a_question_alone_is_answered_in_words() {
        assert_eq!(schema(&json!({ "question": "Why?" })), Ok(None));
    }

    #[test]
    fn options_become_a_choice() {
        let mut question = json!({ "question": "Which?", "options": ["red", "blue"] });
        let choice = json!({ "type": "string", "enum": ["red", "blue"] });
        assert_eq!(schema(&question), Ok(Some(choice.clone())));
        question["multiple"] = json!(true);
        let several = schema(&question).unwrap().unwrap();
        assert_eq!(
            (&several["items"], &several["minItems"]),
            (&choice, &json!(1))
        );
        question["allowOther"] = json!(true);
        let open = schema(&question).unwrap().unwrap();
        assert_eq!(open["items"]["anyOf"][0], choice);
        assert_eq!(open["items"]["anyOf"][1]["title"], "Other");
    }

    #[test]
    fn any_other_shape_is_a_schema() {
        let form = json!({ "type": "object", "properties": { "people": { "type": "integer" } } });
        let question = json!({ "question": "For whom?", "schema": form });
        assert_eq!(schema(&question), Ok(Some(form)));
    }

    #[test]
    fn an_answer_is_one_of_the_options() {
        let check = |arguments: Value, answer: Value| {
            let args: AskQuestionArgs = toolhost_sdk::serde_json::from_value(arguments).unwrap();
            args.check_answer(&answer).map_err(|error| error.message)
        };
        let one = json!({ "question": "?", "options": ["a", "b"] });
        assert_eq!(check(one.clone(), json!("b")), Ok(()));
        for answer in [json!("c"), json!(1), json!(["a"])] {
            let said = check(one.clone(), answer).unwrap_err();
            assert!(said.ends_with("none of the options: `a`, `b`"), "{said}");
        }
        let words = json!({ "question": "?" });
        assert_eq!(check(words.clone(), json!("anything")), Ok(()));
        for answer in [json!(null), json!(7), json!({ "a": 1 })] {
            assert!(check(words.clone(), answer).is_err());
        }
        let form = json!({ "question": "?", "schema": { "type": "integer" } });
        assert_eq!(check(form.clone(), json!(4)), Ok(()));
        assert!(check(form, json!("four")).is_err());
        let several = json!({ "question": "?", "options": ["a", "b"], "multiple": true });
        assert_eq!(check(several.clone(), json!(["a", "b"])), Ok(()));
        for answer in [json!(["a", "c"]), json!("a"), json!([]), json!(["a", "a"])] {
            assert!(check(several.clone(), answer).is_err());
        }
        let open = json!({ "question": "?", "options": ["a"], "allowOther": true });
        assert_eq!(check(open.clone(), json!("anything")), Ok(()));
        assert!(check(open.clone(), json!("")).is_err());
        assert!(check(open, json!(7)).is_err());
    }

    #[test]
    fn contradictions_are_told() {
        for (arguments, said) in [
            (json!({ "question": " " }), "is empty"),
            (
                json!({ "question": "?", "options": ["a"], "schema": {} }),
                "not both",
            ),
            (
                json!({ "question": "?", "schema": {}, "multiple": true }),
                "not both",
            ),
            (
                json!({ "question": "?", "multiple": true }),
                "need `options`",
            ),
            (
                json!({ "question": "?", "options": ["a", "a"] }),
                "`a` is there twice",
            ),
            (
                json!({ "question": "?", "options": ["a", " "] }),
                "option 2 is empty",
            ),
            (json!({ "question": "?", "options": ["a"] }), "no choice"),
            (
                json!({ "question": "?", "schema": { "title": "x".repeat(17_000) } }),
                "ask for less",
            ),
        ] {
            let message = schema(&arguments).unwrap_err();
            assert!(message.contains(said), "{message}");
        }
    }
}
