//! A chart in words, for a model that does not look at pictures and for readers
//! who cannot.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::data::range;
use crate::font::Fonts;
use crate::number::plain;
use crate::plot::Plot;
use crate::request::Kind;

/// How many missing characters are named.
const MAX_NAMED: usize = 10;

/// What the picture cannot show, if there is such a thing.
pub(crate) fn missing_letters(plot: &Plot, fonts: &Fonts) -> Option<String> {
    let names = plot.data.series.iter().map(|named| &named.name);
    let labels = plot.data.labels.iter().flatten();
    let texts = [&plot.title, &plot.x_label, &plot.y_label]
        .into_iter()
        .chain(names)
        .chain(labels);
    let missing: BTreeSet<char> = texts.flat_map(|text| fonts.missing(text)).collect();
    let shown: String = missing.iter().take(MAX_NAMED).collect();
    (!shown.is_empty()).then(|| {
        format!("the letters of the PNG lack `{shown}`, shown as boxes; the SVG takes them from the reader's own fonts")
    })
}

/// Kind, title, and the range of each series.
pub(crate) fn summary(plot: &Plot) -> String {
    let kind = match plot.kind {
        Kind::Line => "line chart",
        Kind::Bar => "bar chart",
        Kind::Scatter => "scatter chart",
        Kind::Histogram => "histogram",
    };
    let mut out = String::from(kind);
    if !plot.title.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(out, " `{}`", plot.title);
    }
    for named in &plot.data.series {
        let values = named.values().count();
        let (low, high) = range(named.values());
        let name = if named.name.is_empty() {
            String::new()
        } else {
            format!("{}: ", named.name)
        };
        let plural = if values == 1 { "" } else { "s" };
        let _ = write!(
            out,
            "; {name}{} value{plural} from {} to {}",
            plain(values_f64(values)),
            plain(low),
            plain(high)
        );
    }
    if let Some(bins) = &plot.bins {
        let _ = write!(out, "; {} ranges of {}", bins.len(), plain(bins.width));
    }
    out
}

fn values_f64(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 200,000 values")]
    let count = count as f64;
    count
}
