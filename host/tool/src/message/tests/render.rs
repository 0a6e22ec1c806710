//! One result of every kind, in every format.

use super::*;

/// The one result in what `format` writes: the item, block or part.
fn written(format: Format, result: ToolResult<'_>) -> Value {
    match write_results(format, &[result]) {
        Value::Array(mut items) => items.remove(0),
        mut message => match format {
            Format::Gemini => message["parts"][0]["functionResponse"].take(),
            _ => message["content"][0].take(),
        },
    }
}

fn error() -> CallError {
    CallError::new(
        ErrorKind::Execution,
        "NoSuchCity",
        "shot",
        "there is no such city",
    )
}

const ERROR: &str = r#"{"error":"NoSuchCity","toolName":"shot","message":"there is no such city","kind":"execution"}"#;

#[test]
fn a_text() {
    let result = || done("a", vec![text("rain"), text("later sun")]);
    assert_eq!(
        written(Format::Mcp, result()),
        json!({"toolCallId": "a", "toolName": "shot", "isError": false, "content": [
            {"type": "text", "text": "rain"}, {"type": "text", "text": "later sun"}]})
    );
    assert_eq!(
        written(Format::OpenAiChat, result()),
        json!({"role": "tool", "tool_call_id": "a", "content": "rain\nlater sun"})
    );
    assert_eq!(
        written(Format::OpenAiResponses, result()),
        json!({"type": "function_call_output", "call_id": "a", "output": "rain\nlater sun"})
    );
    assert_eq!(
        written(Format::Anthropic, result()),
        json!({"type": "tool_result", "tool_use_id": "a", "content": [
            {"type": "text", "text": "rain"}, {"type": "text", "text": "later sun"}]})
    );
    assert_eq!(
        written(Format::Gemini, result()),
        json!({"id": "a", "name": "shot", "response": {"output": "rain\nlater sun"}})
    );
    assert_eq!(
        written(Format::Vercel, result()),
        json!({"type": "tool-result", "toolCallId": "a", "toolName": "shot",
            "output": {"type": "text", "value": "rain\nlater sun"}})
    );
}

#[test]
fn json_with_or_without_the_same_as_text() {
    let value = json!({"degrees": 7});
    for content in [vec![], vec![text("{\"degrees\":7}")]] {
        let result = || ToolResult {
            structured: Some(&value),
            ..done("a", content.clone())
        };
        let mcp = written(Format::Mcp, result());
        assert_eq!(
            mcp["content"],
            json!([{"type": "text", "text": "{\"degrees\":7}"}])
        );
        assert_eq!(mcp["structuredContent"], value);
        assert_eq!(
            written(Format::OpenAiChat, result())["content"],
            "{\"degrees\":7}"
        );
        assert_eq!(
            written(Format::OpenAiResponses, result())["output"],
            "{\"degrees\":7}"
        );
        assert_eq!(
            written(Format::Anthropic, result())["content"],
            json!([{"type": "text", "text": "{\"degrees\":7}"}])
        );
        assert_eq!(
            written(Format::Gemini, result())["response"],
            json!({"output": value})
        );
        assert_eq!(
            written(Format::Vercel, result())["output"],
            json!({"type": "json", "value": value})
        );
    }
}

#[test]
fn what_the_model_sees_goes_before_the_json() {
    let value = json!(["not", "an", "object"]);
    let result = || ToolResult {
        structured: Some(&value),
        ..done("a", vec![text("three words")])
    };
    let mcp = written(Format::Mcp, result());
    assert_eq!(
        mcp["content"],
        json!([{"type": "text", "text": "three words"}])
    );
    assert_eq!(
        mcp.get("structuredContent"),
        None,
        "the protocol allows objects alone"
    );
    assert_eq!(
        written(Format::OpenAiChat, result())["content"],
        "three words"
    );
    assert_eq!(
        written(Format::Gemini, result())["response"]["output"],
        "three words"
    );
    assert_eq!(
        written(Format::Vercel, result())["output"]["value"],
        "three words"
    );
}

#[test]
fn an_error_with_or_without_the_same_as_text() {
    let error = error();
    let object: Value = serde_json::from_str(ERROR).unwrap();
    let value = json!({"partial": true});
    for content in [vec![], vec![text(ERROR)]] {
        let result = || ToolResult {
            is_error: true,
            structured: Some(&value),
            error: Some(&error),
            ..done("a", content.clone())
        };
        assert_eq!(
            written(Format::Mcp, result()),
            json!({"toolCallId": "a", "toolName": "shot", "isError": true,
                "content": [{"type": "text", "text": ERROR}]})
        );
        assert_eq!(written(Format::OpenAiChat, result())["content"], ERROR);
        assert_eq!(written(Format::OpenAiResponses, result())["output"], ERROR);
        assert_eq!(
            written(Format::Anthropic, result()),
            json!({"type": "tool_result", "tool_use_id": "a", "is_error": true,
                "content": [{"type": "text", "text": ERROR}]})
        );
        assert_eq!(
            written(Format::Gemini, result())["response"],
            json!({"error": object})
        );
        assert_eq!(
            written(Format::Vercel, result())["output"],
            json!({"type": "error-json", "value": object})
        );
    }
}

#[test]
fn an_error_in_the_tools_own_words_is_marked_where_the_api_has_no_mark() {
    let result = || ToolResult {
        is_error: true,
        ..done(
            "a",
            vec![text("no"), ContentBlock::Image(bytes("image/png"))],
        )
    };
    let note = "[image of type `image/png`, 3 bytes, not shown]";
    let chat = write_results(Format::OpenAiChat, &[result()]);
    assert!(
        chat[0]["content"]
            .as_str()
            .unwrap()
            .starts_with("the tool failed\nno\n")
    );
    assert_eq!(
        written(Format::OpenAiResponses, result())["output"][0],
        json!({"type": "input_text", "text": "the tool failed"})
    );
    // Anthropic refuses an error with media, the SDK has no form for one.
    assert_eq!(
        written(Format::Anthropic, result())["content"],
        json!([{"type": "text", "text": "no"}, {"type": "text", "text": note}])
    );
    assert_eq!(
        written(Format::Vercel, result())["output"],
        json!({"type": "error-text", "value": format!("no\n{note}")})
    );
}

#[test]
fn an_image() {
    let result = || {
        done(
            "a",
            vec![text("look"), ContentBlock::Image(bytes("image/PNG; x=y"))],
        )
    };
    assert_eq!(
        written(
            Format::Mcp,
            done("a", vec![ContentBlock::Image(bytes("image/png"))])
        )["content"],
        json!([{"type": "image", "data": "AQID", "mimeType": "image/png"}])
    );
    assert_eq!(
        write_results(Format::OpenAiChat, &[result(), done("b", vec![text("ok")])]),
        json!([
            {"role": "tool", "tool_call_id": "a",
             "content": "look\n[the media of this result follow in the next user message]"},
            {"role": "tool", "tool_call_id": "b", "content": "ok"},
            {"role": "user", "content": [
                {"type": "text", "text": "[media of the result of tool `shot`, call `a`]"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AQID"}}]},
        ])
    );
    assert_eq!(
        written(Format::OpenAiResponses, result())["output"],
        json!([{"type": "input_text", "text": "look"},
            {"type": "input_image", "image_url": "data:image/png;base64,AQID"}])
    );
    assert_eq!(
        written(Format::Anthropic, result())["content"],
        json!([{"type": "text", "text": "look"}, {"type": "image", "source":
            {"type": "base64", "media_type": "image/png", "data": "AQID"}}])
    );
    assert_eq!(
        written(Format::Gemini, result()),
        json!({"id": "a", "name": "shot", "response": {"output": "look"},
            "parts": [{"inlineData": {"mimeType": "image/png", "data": "AQID"}}]})
    );
    assert_eq!(
        written(Format::Vercel, result())["output"],
        json!({"type": "content", "value": [{"type": "text", "text": "look"},
            {"type": "image-data", "data": "AQID", "mediaType": "image/png"}]})
    );
}

#[test]
fn audio_goes_where_it_is_heard_and_is_noted_elsewhere() {
    let result = || done("a", vec![ContentBlock::Audio(bytes("audio/wav"))]);
    let note = "[audio of type `audio/wav`, 3 bytes, not shown]";
    assert_eq!(
        written(Format::Mcp, result())["content"],
        json!([{"type": "audio", "data": "AQID", "mimeType": "audio/wav"}])
    );
    let chat = write_results(Format::OpenAiChat, &[result()]);
    assert_eq!(
        chat[1]["content"][1],
        json!({"type": "input_audio", "input_audio": {"data": "AQID", "format": "wav"}})
    );
    assert_eq!(written(Format::OpenAiResponses, result())["output"], note);
    assert_eq!(
        written(Format::Anthropic, result())["content"],
        json!([{"type": "text", "text": note}])
    );
    assert_eq!(
        write_results(Format::Gemini, &[result()])["parts"],
        json!([
            {"functionResponse": {"id": "a", "name": "shot", "response": {"output": ""}}},
            {"text": "[media of the result of `shot`]"},
            {"inlineData": {"mimeType": "audio/wav", "data": "AQID"}},
        ])
    );
    assert_eq!(
        written(Format::Vercel, result())["output"]["value"],
        json!([{"type": "file-data", "data": "AQID", "mediaType": "audio/wav"}])
    );
}

fn file(name: Option<&str>, media: Media) -> Vec<ContentBlock> {
    let name = name.map(str::to_owned);
    vec![ContentBlock::File { name, media }]
}

#[test]
fn a_pdf_file() {
    let result = || done("a", file(Some("my report.pdf"), bytes("application/pdf")));
    assert_eq!(
        written(Format::Mcp, result())["content"],
        json!([{"type": "resource", "resource": {
            "uri": "tool-result:/a/0/my%20report.pdf", "mimeType": "application/pdf",
            "blob": "AQID"}}])
    );
    let data = "data:application/pdf;base64,AQID";
    assert_eq!(
        write_results(Format::OpenAiChat, &[result()])[1]["content"][1],
        json!({"type": "file", "file": {"filename": "my report.pdf", "file_data": data}})
    );
    assert_eq!(
        written(Format::OpenAiResponses, result())["output"],
        json!([{"type": "input_file", "filename": "my report.pdf", "file_data": data}])
    );
    assert_eq!(
        written(Format::Anthropic, result())["content"],
        json!([{"type": "document", "title": "my report.pdf", "source":
            {"type": "base64", "media_type": "application/pdf", "data": "AQID"}}])
    );
    assert_eq!(
        written(Format::Gemini, result())["parts"],
        json!([{"inlineData": {"mimeType": "application/pdf", "data": "AQID"}}])
    );
    assert_eq!(
        written(Format::Vercel, result())["output"]["value"],
        json!([{"type": "file-data", "data": "AQID", "mediaType": "application/pdf",
            "filename": "my report.pdf"}])
    );
    let nameless = done("a", file(None, bytes("application/pdf")));
    assert_eq!(
        written(Format::OpenAiResponses, nameless)["output"][0]["filename"],
        "file.pdf"
    );
}

#[test]
fn a_video_and_a_file_of_unknown_bytes_are_noted_where_they_cannot_go() {
    let result = || {
        let mut content = file(Some("clip.mp4"), bytes("video/mp4"));
        content.extend(file(None, bytes("application/zip")));
        done("a", content)
    };
    let video = "[video `clip.mp4` of type `video/mp4`, 3 bytes, not shown]";
    let archive = "[file of type `application/zip`, 3 bytes, not shown]";
    let both = format!("{video}\n{archive}");
    assert_eq!(written(Format::OpenAiChat, result())["content"], both);
    assert_eq!(written(Format::OpenAiResponses, result())["output"], both);
    assert_eq!(
        written(Format::Anthropic, result())["content"],
        json!([{"type": "text", "text": video}, {"type": "text", "text": archive}])
    );
    let gemini = write_results(Format::Gemini, &[result()]);
    assert_eq!(
        gemini["parts"][0]["functionResponse"]["response"]["output"],
        archive
    );
    assert_eq!(gemini["parts"][2]["inlineData"]["mimeType"], "video/mp4");
}

#[test]
fn a_text_file_is_read_to_the_model() {
    let csv = || Media {
        mime_type: "text/csv".into(),
        source: MediaSource::Bytes {
            data: b"a,b".to_vec(),
        },
    };
    for format in Format::ALL {
        let written = written(format, done("a", file(Some("t.csv"), csv()))).to_string();
        assert!(written.contains("a,b"), "{format}: {written}");
    }
    let broken = Media {
        mime_type: "text/plain".into(),
        source: MediaSource::Bytes { data: vec![0xff] },
    };
    assert_eq!(
        written(Format::OpenAiChat, done("a", file(None, broken)))["content"],
        "[file of type `text/plain`, 1 byte, not shown]"
    );
}

#[test]
fn an_address_is_named_and_never_handed_on_to_be_fetched() {
    let at = |uri: &str| Media {
        mime_type: "image/png".into(),
        source: MediaSource::Uri { uri: uri.into() },
    };
    let uri = "https://example.org/x.png?secret=1";
    for format in Format::ALL {
        for content in [vec![ContentBlock::Image(at(uri))], file(None, at(uri))] {
            let written = written(format, done("a", content)).to_string();
            if format == Format::Mcp {
                assert!(written.contains(r#""type":"resource_link","uri":"https://"#));
            } else {
                assert!(
                    written.contains(&format!(" of type `image/png` at `{uri}`]")),
                    "{written}"
                );
            }
        }
    }
    let mcp = written(Format::Mcp, done("a", file(None, at("file:///tmp/x.png"))));
    assert_eq!(
        mcp["content"],
        json!([{"type": "resource_link", "uri": "file:///tmp/x.png", "name": "x.png",
            "mimeType": "image/png"}])
    );
}

#[test]
fn kinds_that_this_version_does_not_know_are_told_as_text() {
    let chart = ContentBlock::Other {
        kind: "chart".into(),
        data: json!({"bars": [1, 2]}),
    };
    let ticket = ContentBlock::Image(Media {
        mime_type: "image/png".into(),
        source: MediaSource::Other {
            source: "ticket 7".into(),
        },
    });
    for format in Format::ALL {
        let written = write_results(format, &[done("a", vec![chart.clone(), ticket.clone()])]);
        let written = written.to_string();
        assert!(
            written.contains(r#"[content of kind `chart`] {\"bars\":[1,2]}"#),
            "{written}"
        );
        assert!(
            written.contains("[image of type `image/png` from `ticket 7`]"),
            "{written}"
        );
    }
}

#[test]
fn nothing_to_show_breaks_no_api() {
    let blank = || done("a", vec![text(" \n")]);
    assert_eq!(
        written(Format::Anthropic, blank()),
        json!({"type": "tool_result", "tool_use_id": "a"})
    );
    let empty_image = done(
        "a",
        vec![ContentBlock::Image(Media {
            mime_type: "image/png".into(),
            source: MediaSource::Bytes { data: vec![] },
        })],
    );
    assert_eq!(
        written(Format::Anthropic, empty_image)["content"][0]["text"],
        "[image of type `image/png`, 0 bytes, not shown]"
    );
    let failed = || ToolResult {
        is_error: true,
        ..done("a", vec![])
    };
    assert_eq!(
        written(Format::Anthropic, failed())["content"],
        json!([{"type": "text", "text": "the tool failed"}])
    );
    assert_eq!(
        written(Format::OpenAiChat, failed())["content"],
        "the tool failed"
    );
    assert_eq!(
        written(Format::OpenAiResponses, failed())["output"],
        "the tool failed"
    );
    assert_eq!(
        written(Format::Mcp, failed())["content"][0]["text"],
        "the tool failed"
    );
    assert_eq!(
        written(Format::OpenAiChat, done("a", vec![]))["content"],
        ""
    );
}
