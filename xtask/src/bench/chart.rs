//! The chart: each call beside its floor, on a logarithmic scale.

use std::fmt::Write as _;

use super::Call;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 270.0;
const ROW: f64 = 46.0;
const TOP: f64 = 44.0;

/// The chart as SVG.
pub(super) fn svg(calls: &[Call]) -> String {
    let rows: Vec<(&str, f64, Option<f64>)> = calls
        .iter()
        .filter(|call| call.case.charted)
        .filter_map(|Call { case, result, .. }| {
            let pipeline = result["pipeline"]["us"]["p50"].as_f64()?;
            Some((
                case.name.as_str(),
                pipeline,
                result["floor"]["us"]["p50"].as_f64(),
            ))
        })
        .collect();
    let most = rows
        .iter()
        .map(|(_, pipeline, _)| *pipeline)
        .fold(10.0, f64::max);
    let decades = most.log10().ceil();
    let scale = |time: f64| (time.max(1.0).log10() / decades) * (WIDTH - LEFT - 70.0);
    let mut svg = String::new();
    // Writing into a text does not fail.
    let _ = draw(&mut svg, &rows, decades, scale);
    svg
}

fn draw(
    svg: &mut String,
    rows: &[(&str, f64, Option<f64>)],
    decades: f64,
    scale: impl Fn(f64) -> f64,
) -> std::fmt::Result {
    let height = rows.iter().fold(TOP + 20.0, |height, _| height + ROW);
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="#222">"##
    )?;
    writeln!(svg, r##"<rect width="100%" height="100%" fill="#fff"/>"##)?;
    writeln!(
        svg,
        r#"<text x="10" y="22" font-size="15">One call in a fresh sandbox, median (logarithmic)</text>"#
    )?;
    let mut time = 1.0;
    for _ in 0..=whole(decades) {
        let x = LEFT + scale(time);
        writeln!(
            svg,
            r##"<line x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{:.1}" stroke="#ddd"/><text x="{x:.1}" y="{:.1}" fill="#777" text-anchor="middle">{}</text>"##,
            height - 20.0,
            height - 6.0,
            shown(time),
        )?;
        time *= 10.0;
    }
    let mut y = TOP;
    for (name, pipeline, floor) in rows {
        let name = name
            .replace('`', "")
            .replace('&', "&amp;")
            .replace('<', "&lt;");
        writeln!(
            svg,
            r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{name}</text>"#,
            LEFT - 10.0,
            y + 24.0
        )?;
        bar(
            svg,
            y + 6.0,
            scale(*pipeline),
            "#2b6cb0",
            &format!("{} pipeline", shown(*pipeline)),
        )?;
        if let Some(floor) = floor {
            bar(
                svg,
                y + 22.0,
                scale(*floor),
                "#a0aec0",
                &format!("{} floor", shown(*floor)),
            )?;
        }
        y += ROW;
    }
    writeln!(svg, "</svg>")
}

fn bar(svg: &mut String, y: f64, length: f64, colour: &str, label: &str) -> std::fmt::Result {
    writeln!(
        svg,
        r#"<rect x="{LEFT}" y="{y:.1}" width="{length:.1}" height="14" fill="{colour}"/><text x="{:.1}" y="{:.1}" font-size="11">{label}</text>"#,
        LEFT + length + 5.0,
        y + 11.0,
    )
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few decades"
)]
fn whole(number: f64) -> usize {
    number as usize
}

fn shown(microseconds: f64) -> String {
    if microseconds >= 1_000.0 {
        format!("{} ms", (microseconds / 100.0).round() / 10.0)
    } else {
        format!("{microseconds:.0} µs")
    }
}
