//! The tool as the model sees it.

use schemars::JsonSchema;
use serde::Serialize;
use toolhost_sdk::serde_json::Value;
use toolhost_sdk::{Context, Outcome, Suspension, ToolError, tool};

use crate::form::AskQuestionArgs;

/// What the user said.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Answer {
    /// The question that was asked.
    pub question: String,
    /// The answer: text, one of the options, a list of them, or what the schema
    /// describes.
    pub answer: Value,
}

/// Asks the user a question and waits for the answer. Use it when you cannot go
/// on without a decision or a fact that only the user has; do not ask for what
/// you can find out, and ask one thing at a time. Give `options` whenever you
/// know the likely answers.
#[tool(title = "Ask the user", read_only, open_world = false)]
pub(crate) fn ask_question(
    #[tool(args)] args: AskQuestionArgs,
    ctx: &Context,
) -> Result<Outcome<Answer>, ToolError> {
    let schema = args.answer_schema()?;
    if let Some(answer) = ctx.resumption().and_then(|back| back.answer) {
        args.check_answer(&answer)?;
        let question = args.question;
        return Ok(Outcome::Done(Answer { question, answer }));
    }
    let question = Suspension::question(args.question);
    Ok(ctx.suspend(match schema {
        Some(schema) => question.answer_schema(schema),
        None => question,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::{Resumption, SuspensionKind, testing};

    use super::*;

    #[test]
    fn a_question_waits_and_comes_back_with_its_answer() {
        let arguments = json!({ "question": "Which?", "options": ["red", "blue"] });
        let ctx = Context::fake().build();
        let asked = testing::call_with::<AskQuestionTool>(&arguments, &ctx).unwrap();
        let kind = SuspensionKind::Question {
            prompt: "Which?".into(),
            schema: Some(json!({ "type": "string", "enum": ["red", "blue"] })),
        };
        assert_eq!(asked.suspension().unwrap().kind, kind);

        let resumption = Resumption {
            state: Vec::new(),
            answer: Some(json!("blue")),
        };
        let ctx = Context::fake().resumption(resumption).build();
        let told = testing::call_with::<AskQuestionTool>(&arguments, &ctx).unwrap();
        let Outcome::Done(output) = told else {
            panic!("it still waits: {told:?}");
        };
        let expected = json!({ "question": "Which?", "answer": "blue" });
        assert_eq!(output.structured.unwrap(), expected);
    }

    #[test]
    fn a_contradiction_is_told_before_anybody_is_asked() {
        let arguments = json!({ "question": "Which?", "options": ["red"] });
        let error = testing::call::<AskQuestionTool>(arguments).unwrap_err();
        assert_eq!(error.name, "QuestionError");
    }
}
