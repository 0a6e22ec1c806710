//! What a chart is asked for with: the arguments of the tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Points joined in the order of x: how a value develops.
    #[default]
    Line,
    /// A bar for each label, side by side for several series: amounts compared.
    Bar,
    /// A dot for each pair of x and y: how two values relate.
    Scatter,
    /// How often the values in `y` fall into ranges of equal width.
    Histogram,
}

/// The file format of a chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A picture that models and people can look at.
    #[default]
    Png,
    /// A vector graphic for web pages and documents.
    Svg,
    /// One of each.
    Both,
}

/// Data that belongs together and has one colour.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// The name in the legend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The values. For `histogram` these are the values to count. `null` is a
    /// gap.
    pub y: Vec<Option<f64>>,
    /// Where each value of `y` is on the horizontal axis, for `line` and
    /// `scatter`; as many as there are in `y`. When left out it is `labels`, or
    /// 1, 2, 3 and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Vec<f64>>,
}

/// All that is known of a chart before it is drawn: the arguments of `chart`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// The kind of chart.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The data, such as `[{"name": "2025", "y": [3, 1, 4]}]`; at most 16 series
    /// with 200,000 values together.
    pub series: Vec<Series>,
    /// Names of the places on the horizontal axis, one for each value of `y`:
    /// categories, months, dates. For `bar` and `line`.
    #[serde(default)]
    pub labels: Option<Vec<String>>,
    /// The heading: what the chart is about.
    #[serde(default)]
    pub title: Option<String>,
    /// What the horizontal axis shows, with its unit.
    #[serde(default)]
    pub x_label: Option<String>,
    /// What the vertical axis shows, with its unit.
    #[serde(default)]
    pub y_label: Option<String>,
    /// Make the horizontal axis logarithmic; for `line` and `scatter` with `x`.
    #[serde(default)]
    pub log_x: bool,
    /// Make the vertical axis logarithmic.
    #[serde(default)]
    pub log_y: bool,
    /// How many ranges a `histogram` has; chosen by the data when left out.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub bins: Option<u32>,
    /// Width in pixels.
    #[serde(default = "default_width")]
    #[schemars(range(min = 200, max = 1600))]
    pub width: u32,
    /// Height in pixels.
    #[serde(default = "default_height")]
    #[schemars(range(min = 200, max = 1600))]
    pub height: u32,
    /// The file format.
    #[serde(default)]
    pub format: Format,
}

impl Default for Request {
    /// A line chart of nothing, 960 × 540 pixels, as PNG.
    fn default() -> Self {
        Self {
            kind: Kind::Line,
            series: Vec::new(),
            labels: None,
            title: None,
            x_label: None,
            y_label: None,
            log_x: false,
            log_y: false,
            bins: None,
            width: default_width(),
            height: default_height(),
            format: Format::Png,
        }
    }
}

fn default_width() -> u32 {
    960
}

fn default_height() -> u32 {
    540
}
