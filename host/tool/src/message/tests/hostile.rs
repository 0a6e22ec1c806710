//! Messages that no API sends: each is refused as a whole, with the place and what
//! would help.

use super::*;

#[test]
fn what_is_no_json_is_refused_and_the_cause_says_where() {
    let error = read_calls("{\"tool_calls\": [", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the message cannot be read: pass the assistant message as one JSON document"
    );
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("line 1, column 17"), "{cause}");
}

#[test]
fn a_message_without_calls_is_told_from_one_of_another_format() {
    let chat = message(Format::OpenAiChat);
    assert_eq!(
        refused(&chat, Some(Format::Gemini)),
        "the message holds no `gemini` calls but `openai-chat` ones: name that format instead"
    );
    let plain = json!({"role": "assistant", "content": "hello"});
    assert_eq!(
        refused(&plain, Some(Format::Anthropic)),
        "the message holds no `anthropic` tool call: nothing to run"
    );
    for nothing in [
        plain,
        Value::Null,
        json!([]),
        json!({}),
        json!("hi"),
        json!([[1]]),
        json!([{"name": "weather", "inputSchema": {"type": "object"}}]),
    ] {
        let message = refused(&nothing, None);
        assert!(
            message.starts_with("no tool call was found: pass an assistant message"),
            "{message}"
        );
        assert!(
            message.ends_with("`openai-responses`, `vercel`"),
            "{message}"
        );
    }
}

#[test]
fn calls_of_two_formats_in_one_message_need_a_word_from_the_caller() {
    let mut both = message(Format::Anthropic);
    both["tool_calls"] = message(Format::OpenAiChat)["tool_calls"].clone();
    assert_eq!(
        refused(&both, None),
        "the message holds calls of more than one format (`openai-chat`, `anthropic`): name the \
         one that counts"
    );
    assert_eq!(read(&both, Some(Format::Anthropic)).1.len(), 2);
}

/// A message of `format` with `count` calls, of which each has the id that `id`
/// makes of its number.
fn many(format: Format, count: usize, id: impl Fn(usize) -> Value) -> Value {
    let calls: Vec<Value> = (0..count)
        .map(|number| match format {
            Format::Mcp => json!({"id": id(number), "name": "t"}),
            Format::OpenAiChat => json!({"id": id(number), "function": {"name": "t"}}),
            Format::OpenAiResponses => {
                json!({"type": "function_call", "call_id": id(number), "name": "t"})
            }
            Format::Anthropic => json!({"type": "tool_use", "id": id(number), "name": "t"}),
            Format::Gemini => json!({"functionCall": {"id": id(number), "name": "t"}}),
            Format::Vercel => {
                json!({"type": "tool-call", "toolCallId": id(number), "toolName": "t"})
            }
        })
        .collect();
    calls.into()
}

#[test]
fn a_thousand_calls_are_read_and_one_more_is_refused() {
    let id = |number: usize| json!(format!("id{number}"));
    for format in Format::ALL {
        assert_eq!(
            read(&many(format, 1_000, id), None).1.len(),
            1_000,
            "{format}"
        );
        assert_eq!(
            refused(&many(format, 1_001, id), None),
            "the message holds more than 1000 calls: split them over several messages"
        );
    }
}

#[test]
fn an_id_given_twice_is_refused_with_both_places() {
    for format in Format::ALL {
        let message = refused(
            &many(format, 3, |number| json!(format!("id{}", number % 2))),
            None,
        );
        let start = "the id `id0` is at `/0` and again at `/2`:";
        assert!(message.starts_with(start), "{format}: {message}");
    }
    let long = refused(&many(Format::Mcp, 2, |_| json!("x".repeat(100_000))), None);
    assert!(long.len() < 300, "{long}");
}

#[test]
fn an_id_is_a_text_and_only_gemini_and_mcp_do_without() {
    for format in Format::ALL {
        let listed = many(format, 1, |_| json!({"not": "a text"}));
        assert!(
            refused(&listed, None).contains("must be a string, not an object"),
            "{format}"
        );

        let without = read_calls_value(&many(format, 1, |_| Value::Null), None);
        if matches!(format, Format::Gemini | Format::Mcp) {
            assert_eq!(without.unwrap().1[0].tool_call_id, "call_0");
        } else {
            let message = without.unwrap_err().to_string();
            assert!(
                message.ends_with("is missing or empty: every call of this format has it"),
                "{message}"
            );
        }
    }
}

#[test]
fn a_broken_call_is_named_by_its_place() {
    let cases = [
        (
            json!({"tool_calls": {"id": "a"}}),
            "`/tool_calls` must be an array, not an object",
        ),
        (
            json!({"tool_calls": [7]}),
            "`/tool_calls/0/function` is missing or empty",
        ),
        (
            json!({"tool_calls": [{"id": "a", "function": {"name": ""}}]}),
            "`/tool_calls/0/function/name` is missing or empty",
        ),
        (
            json!({"tool_calls": [{"id": "a", "function": "weather"}]}),
            "`/tool_calls/0/function` must be an object, not a string",
        ),
        (
            json!({"tool_calls": [{"id": "a", "type": "custom", "custom": {"name": "x"}}]}),
            "the call at `/tool_calls/0` cannot run: only tools of type `function` run here",
        ),
        (
            json!({"role": "assistant", "function_call": {"name": "x", "arguments": "{}"}}),
            "the call at `/function_call` cannot run: `function_call` is the old form",
        ),
        (
            json!({"output": [{"type": "custom_tool_call", "call_id": "a", "name": "x"}]}),
            "the call at `/output/0` cannot run: only tools of type `function` run here",
        ),
        (
            json!({"content": [{"type": "tool_use", "id": "a", "name": 7}]}),
            "`/content/0/name` must be a string, not a number",
        ),
        (
            json!({"candidates": [{"content": {"parts": [{"functionCall": []}]}}]}),
            "`/candidates/0/content/parts/0/functionCall` must be an object, not an array",
        ),
        (
            json!({"parts": [{"type": "tool-x", "toolCallId": "a", "state": "input-streaming"}]}),
            "the call at `/parts/0` cannot run: its `state` must be `call` or `input-available`",
        ),
        (
            json!([{"name": "a"}, {"id": "1"}]),
            "`/1/name` is missing or empty",
        ),
        (
            json!([{"name": "a"}, 7]),
            "`/1` must be an object, not a number",
        ),
        (
            json!({"method": "tools/call", "id": 1}),
            "`/params` is missing or empty",
        ),
    ];
    for (document, start) in cases {
        let message = refused(&document, None);
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn an_unknown_format_is_answered_with_the_known_ones() {
    let error = "openai_chat".parse::<Format>().unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no message format `openai_chat`, did you mean `openai-chat`?: take one of \
         `anthropic`, `gemini`, `mcp`, `openai-chat`, `openai-responses`, `vercel`"
    );
    for format in Format::ALL {
        assert_eq!(format.name().parse::<Format>(), Ok(format));
    }
}

#[test]
fn a_value_of_any_depth_is_refused_and_not_walked() {
    let deep = (0..200).fold(json!({"name": "t"}), |inner, _| json!([inner]));
    assert!(matches!(
        read_calls_value(&deep, None),
        Err(MessageError::Json(_))
    ));
}

/// A small generator of numbers, the same in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    /// JSON made of the words that the formats know, so that the readers get past
    /// their first look.
    fn document(&mut self, depth: usize) -> Value {
        let sides = if depth == 0 { 4 } else { 8 };
        match self.roll(sides) {
            0 => Value::Null,
            1 => json!(self.roll(3)),
            2 => json!(true),
            3 => json!(WORDS[self.roll(WORDS.len())]),
            4 | 5 => (0..self.roll(4))
                .map(|_| self.document(depth - 1))
                .collect(),
            _ => {
                let mut object = Map::new();
                for _ in 0..self.roll(6) {
                    let key = WORDS[self.roll(WORDS.len())].to_owned();
                    object.insert(key, self.document(depth - 1));
                }
                object.into()
            }
        }
    }

    /// A message with something in it replaced, moved or taken away.
    fn damaged(&mut self, value: &mut Value) {
        match value {
            Value::Object(members) if !members.is_empty() && self.roll(4) > 0 => {
                let key = members
                    .keys()
                    .nth(self.roll(members.len()))
                    .unwrap()
                    .clone();
                if self.roll(5) == 0 {
                    members.remove(&key);
                } else {
                    self.damaged(&mut members[&key]);
                }
            }
            Value::Array(items) if !items.is_empty() && self.roll(4) > 0 => {
                let index = self.roll(items.len());
                if self.roll(5) == 0 {
                    items.push(items[index].clone());
                } else {
                    self.damaged(&mut items[index]);
                }
            }
            value => *value = self.document(2),
        }
    }
}

const WORDS: [&str; 37] = [
    "role",
    "assistant",
    "model",
    "tool",
    "content",
    "parts",
    "type",
    "tool_use",
    "id",
    "name",
    "input",
    "tool_calls",
    "function",
    "arguments",
    "function_call",
    "call_id",
    "output",
    "functionCall",
    "args",
    "candidates",
    "choices",
    "message",
    "messages",
    "contents",
    "tool-call",
    "toolCallId",
    "toolName",
    "toolInvocations",
    "toolInvocation",
    "tool-invocation",
    "state",
    "call",
    "method",
    "params",
    "tools/call",
    "calls",
    "",
];

/// Reads `document` in every way; what is read must be usable.
fn probe(document: &Value) -> usize {
    let mut read = 0;
    for format in Format::ALL.into_iter().map(Some).chain([None]) {
        match read_calls_value(document, format) {
            Ok((found, calls)) => {
                let results: Vec<_> = calls
                    .iter()
                    .map(|call| ToolResult {
                        tool_call_id: &call.tool_call_id,
                        tool_name: &call.tool_name,
                        ..done("", vec![text("x"), ContentBlock::Image(bytes("image/png"))])
                    })
                    .collect();
                let expected: Vec<&str> = calls
                    .iter()
                    .map(|call| call.tool_call_id.as_str())
                    .collect();
                let unique: std::collections::HashSet<_> = expected.iter().collect();
                assert_eq!(unique.len(), calls.len(), "{document}");
                assert!(
                    calls.iter().all(|call| !call.tool_name.is_empty()),
                    "{document}"
                );
                // Gemini is sent no made-up ids; MCP's list shows the order for it.
                let shown = if found == Format::Gemini {
                    Format::Mcp
                } else {
                    found
                };
                assert_eq!(ids(&write_results(shown, &results)), expected, "{document}");
                read += 1;
            }
            Err(error) => assert!(error.to_string().len() < 2_000),
        }
    }
    read
}

#[test]
fn whatever_comes_nothing_panics_and_every_call_gets_one_result_in_its_place() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut read = 0;
    for round in 0..3_000 {
        read += probe(&dice.document(5));
        let format = Format::ALL[round % Format::ALL.len()];
        let mut message = if dice.roll(2) == 0 {
            message(format)
        } else {
            response(format)
        };
        for _ in 0..=dice.roll(3) {
            dice.damaged(&mut message);
        }
        read += probe(&message);
        let text = message.to_string();
        let cut = (0..=dice.roll(text.len()))
            .rev()
            .find(|&at| text.is_char_boundary(at));
        let _ = read_calls(&text[..cut.unwrap_or(0)], None);
    }
    assert!(
        read > 1_000,
        "the documents are too broken to show anything: {read}"
    );
}
