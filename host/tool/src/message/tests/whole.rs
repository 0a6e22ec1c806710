//! An agent hands over what it got, in whatever wrapping, and gets its calls.

use super::*;

#[test]
fn every_format_is_recognised_and_gives_the_same_calls() {
    for format in Format::ALL {
        for document in [message(format), response(format)] {
            let (found, calls) = read(&document, None);

            assert_eq!(found, format);
            assert_eq!(calls.len(), 2, "{format}");
            assert_eq!(calls[0].tool_call_id, "a");
            assert_eq!(calls[0].tool_name, "weather");
            match &calls[0].arguments {
                Arguments::Value(value) => assert_eq!(*value, json!({"city": "Oslo"})),
                Arguments::Text(text) => assert_eq!(text, "{\"city\": \"Oslo\"}"),
                Arguments::Absent => panic!("{format} lost its arguments"),
            }
            assert_eq!(
                calls[1],
                Call {
                    arguments: Arguments::Absent,
                    ..Call::new("b", "clock", Value::Null)
                }
            );
            assert_eq!(read(&document, Some(format)), (format, calls));
        }
    }
}

#[test]
fn the_results_of_what_was_read_are_in_the_shape_of_the_same_api() {
    for format in Format::ALL {
        let (_, calls) = read(&message(format), None);
        let results: Vec<ToolResult> = calls
            .iter()
            .map(|call| ToolResult {
                tool_call_id: &call.tool_call_id,
                tool_name: &call.tool_name,
                ..done("", vec![text("fine")])
            })
            .collect();
        let written = write_results(format, &results);
        assert_eq!(ids(&written), ["a", "b"], "{format}");

        // The API would see calls and results side by side, and nothing is left to do.
        let mut history = match message(format) {
            Value::Array(items) => items,
            message => vec![message],
        };
        match written {
            Value::Array(items) => history.extend(items),
            message => history.push(message),
        }
        if format != Format::Mcp {
            let answered = refused(&Value::Array(history), Some(format));
            assert!(
                answered.starts_with("all calls have been answered already, the last at `/"),
                "{answered}"
            );
        }
    }
}

#[test]
fn a_call_that_was_answered_elsewhere_is_not_run_again() {
    for format in Format::ALL {
        if format == Format::Mcp {
            continue;
        }
        let mut history = match message(format) {
            Value::Array(items) => items,
            message => vec![message],
        };
        match write_results(format, &[done("a", vec![text("fine")])]) {
            Value::Array(items) => history.extend(items),
            message => history.push(message),
        }
        let (_, calls) = read(&Value::Array(history), Some(format));
        assert_eq!(calls.len(), 1, "{format}");
        assert_eq!(calls[0].tool_call_id, "b");
    }
    let nameless = json!([
        {"role": "model", "parts": [{"functionCall": {"name": "one"}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "one", "response": {}}}]},
    ]);
    assert!(refused(&nameless, None).starts_with("all calls have been answered already"));
}

#[test]
fn of_a_list_of_messages_the_last_assistant_message_counts() {
    let user = json!({"role": "user", "content": "hi"});
    let history = |format, earlier: Value| match format {
        Format::Gemini => json!({"contents": [user, earlier, user, message(format)]}),
        _ => json!({"messages": [user, earlier, user, message(format)]}),
    };
    let chat = json!({"role": "assistant", "tool_calls": [
        {"id": "old", "type": "function", "function": {"name": "old", "arguments": "{}"}}]});
    let anthropic = json!({"role": "assistant", "content": [
        {"type": "tool_use", "id": "old", "name": "old", "input": {}}]});
    let gemini = json!({"role": "model", "parts": [{"functionCall": {"name": "old"}}]});
    let vercel = json!({"role": "assistant", "content": [
        {"type": "tool-call", "toolCallId": "old", "toolName": "old", "input": {}}]});
    for (format, earlier) in [
        (Format::OpenAiChat, chat),
        (Format::Anthropic, anthropic),
        (Format::Gemini, gemini),
        (Format::Vercel, vercel),
    ] {
        let named = history(format, earlier);
        let list = named.as_object().unwrap().values().next().unwrap();
        assert_eq!(read(&named, None), read(&message(format), None));
        assert_eq!(read(list, None), read(&message(format), None));
    }
}

#[test]
fn of_a_list_of_items_the_unanswered_calls_count() {
    let history = json!({"input": [
        {"role": "user", "content": "hi"},
        {"type": "function_call", "call_id": "old", "name": "old", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "old", "output": "done"},
        {"type": "function_call", "call_id": "new", "name": "new", "arguments": "{}"},
    ]});
    let (format, calls) = read(&history, None);
    assert_eq!(format, Format::OpenAiResponses);
    assert_eq!(calls, [Call::from_text("new", "new", "{}")]);
}

#[test]
fn gemini_calls_without_ids_get_some_that_are_not_sent_back() {
    let message = json!({"role": "model", "parts": [
        {"functionCall": {"name": "one", "args": {}}},
        {"functionCall": {"id": "call_0", "name": "two", "args": {}}},
        {"functionCall": {"name": "three", "args": {}}},
    ]});
    let (_, calls) = read(&message, None);
    let ids: Vec<&str> = calls
        .iter()
        .map(|call| call.tool_call_id.as_str())
        .collect();
    assert_eq!(ids, ["call_1", "call_0", "call_2"]);
    assert_eq!(read(&message, None).1, calls);
    assert!(is_made_up_id("call_17"));
    assert!(!is_made_up_id("call_"));
    assert!(!is_made_up_id("call_9aXk2"));

    let written = write_results(Format::Gemini, &[done("call_1", vec![text("ok")])]);
    assert_eq!(
        written,
        json!({"role": "user", "parts": [
            {"functionResponse": {"name": "shot", "response": {"output": "ok"}}}]})
    );
}

#[test]
fn arguments_stay_as_they_were_sent() {
    let argument = |arguments: Value| {
        let message = json!({"tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "t", "arguments": arguments}}]});
        read(&message, None).1.remove(0).arguments
    };
    // Broken text is for the host's own parser to explain to the model.
    assert_eq!(
        argument(json!("{\"a\": ")),
        Arguments::Text("{\"a\": ".into())
    );
    assert_eq!(argument(json!("")), Arguments::Absent);
    assert_eq!(argument(json!(" \n")), Arguments::Absent);
    assert_eq!(argument(json!("null")), Arguments::Text("null".into()));
    assert_eq!(argument(Value::Null), Arguments::Value(Value::Null));
    assert_eq!(argument(json!({"a": 1})), Arguments::Value(json!({"a": 1})));
}

#[test]
fn the_calls_of_a_protocol_request_and_of_this_crate_are_read() {
    let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "clock", "arguments": {"zone": "UTC"}}});
    let call = Call::new("7", "clock", json!({"zone": "UTC"}));
    assert_eq!(read(&request, None), (Format::Mcp, vec![call]));

    let own = [
        Call::new("x", "clock", json!({})),
        Call::from_text("y", "clock", "{}"),
    ];
    let (format, calls) = read(&serde_json::to_value(&own).unwrap(), None);
    assert_eq!((format, calls), (Format::Mcp, own.to_vec()));

    let parameters = json!({"name": "clock"});
    assert_eq!(read(&parameters, None).1[0].tool_call_id, "call_0");
}

#[test]
fn older_and_newer_parts_of_the_vercel_sdk_are_read() {
    let version_4 = json!({"role": "assistant", "content": "", "toolInvocations": [
        {"state": "result", "toolCallId": "z", "toolName": "old", "args": {}, "result": 1},
        {"state": "call", "toolCallId": "a", "toolName": "clock", "args": {"zone": "UTC"}},
    ]});
    let wrapped = json!({"role": "assistant", "parts": [{"type": "step-start"},
        {"type": "tool-invocation", "toolInvocation":
            {"state": "call", "toolCallId": "a", "toolName": "clock", "args": {"zone": "UTC"}}}]});
    let typed = json!({"id": "m", "role": "assistant", "parts": [
        {"type": "tool-old", "toolCallId": "z", "state": "output-available", "input": {}, "output": 1},
        {"type": "tool-clock", "toolCallId": "a", "state": "input-available", "input": {"zone": "UTC"}},
    ]});
    let dynamic = json!([{"id": "m", "role": "assistant", "parts": [
        {"type": "dynamic-tool", "toolName": "clock", "toolCallId": "a",
         "state": "input-available", "input": {"zone": "UTC"}}]}]);
    let generated = json!({"text": "", "toolCalls": [
        {"type": "tool-call", "toolCallId": "a", "toolName": "clock", "input": {"zone": "UTC"}}]});
    for document in [version_4, wrapped, typed, dynamic, generated] {
        let call = Call::new("a", "clock", json!({"zone": "UTC"}));
        assert_eq!(
            read(&document, None),
            (Format::Vercel, vec![call]),
            "{document}"
        );
    }
}
