//! The tool as the model sees it.

use toolhost_sdk::{File, Image, Output, ToolError, tool};

use crate::chart::Chart;
use crate::request::Request;

/// Draws a line, bar or scatter chart or a histogram from numbers and returns it
/// as a PNG picture, an SVG file or both, with a summary in words. Use it to show
/// data to a person, or to look at it yourself.
#[tool(title = "Draw a chart", read_only, idempotent)]
pub(crate) fn chart(#[tool(args)] request: Request) -> Result<Output, ToolError> {
    let chart = Chart::draw(&request)?;
    let mut output = Output::new().content(chart.summary);
    if let Some(png) = chart.png {
        output = output.content(Image::png(png));
    }
    if let Some(svg) = chart.svg {
        // A file, since models that look at pictures do not look at SVG.
        output = output.content(File::new("chart.svg", "image/svg+xml", svg));
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::{Content, testing};

    use super::*;

    #[test]
    fn a_chart_is_words_and_a_picture() {
        let arguments =
            json!({ "type": "bar", "labels": ["a", "b"], "series": [{ "y": [1, 2.5] }] });
        let output = testing::call::<ChartTool>(arguments).unwrap();
        assert_eq!(output.text(), "bar chart; 2 values from 1 to 2.5");
        assert!(
            matches!(&output.content[..], [Content::Text(_), Content::Image(_)]),
            "{:?}",
            output.content.len()
        );
    }

    #[test]
    fn both_formats_come_when_asked_for() {
        let arguments =
            json!({ "type": "line", "series": [{ "y": [1, null, 3] }], "format": "both" });
        let output = testing::call::<ChartTool>(arguments).unwrap();
        assert!(matches!(
            &output.content[..],
            [Content::Text(_), Content::Image(_), Content::File(_)]
        ));
    }

    #[test]
    fn what_cannot_be_drawn_is_the_models_to_mend() {
        let arguments =
            json!({ "type": "line", "logY": true, "series": [{ "name": "a", "y": [0] }] });
        let error = testing::call::<ChartTool>(arguments).unwrap_err();
        assert_eq!(error.name, "InvalidSeriesError");
        assert!(
            error.message.contains("set `logY` to false"),
            "{}",
            error.message
        );
    }

    #[test]
    fn the_schema_tells_what_is_needed() {
        let schema = testing::definition::<ChartTool>().input_schema;
        assert_eq!(schema["required"], json!(["type", "series"]));
        assert_eq!(schema["properties"]["width"]["default"], 960);
        assert_eq!(schema["properties"]["format"]["default"], "png");
    }
}
