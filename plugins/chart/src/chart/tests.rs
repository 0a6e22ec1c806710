//! Whole charts, from the request to pixels.

use super::*;
use crate::request::Series;

fn series(name: &str, y: &[f64]) -> Series {
    Series {
        name: Some(name.to_owned()),
        y: y.iter().copied().map(Some).collect(),
        x: None,
    }
}

fn request(kind: Kind, series: Vec<Series>) -> Request {
    Request {
        kind,
        series,
        format: Format::Both,
        ..Request::default()
    }
}

fn draw(request: &Request) -> (Picture, String) {
    let chart = Chart::draw(request).unwrap();
    (Picture::read(&chart.png.unwrap()), chart.svg.unwrap())
}

/// A PNG, decoded.
struct Picture {
    size: (u32, u32),
    rgb: Vec<u8>,
}

impl Picture {
    fn read(png: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        Self {
            size: (info.width, info.height),
            rgb,
        }
    }

    /// How many pixels are blue, the colour of the first series.
    fn blue(&self) -> usize {
        self.rgb
            .chunks(3)
            .filter(|pixel| *pixel == [0x00, 0x72, 0xB2])
            .count()
    }
}

#[test]
fn each_kind_draws_its_data() {
    let x = Some(vec![1.0, 2.0, 5.0]);
    for (kind, x, least) in [
        (Kind::Line, None, 500),
        (Kind::Bar, None, 20_000),
        (Kind::Scatter, x, 3),
        (Kind::Histogram, None, 20_000),
    ] {
        let mut request = request(
            kind,
            vec![Series {
                x,
                ..series("", &[4.0, 9.0, 6.0])
            }],
        );
        // A single dot or range is see-through.
        if matches!(kind, Kind::Scatter | Kind::Histogram) {
            request.series[0].name = Some("named, so that the legend is solid".to_owned());
        }
        let (picture, svg) = draw(&request);
        assert_eq!(picture.size, (960, 540));
        let least = if kind == Kind::Histogram { 100 } else { least };
        assert!(
            picture.blue() >= least,
            "{kind:?}: {} blue pixels",
            picture.blue()
        );
        assert!(
            svg.contains("#0072b2") && svg.ends_with("</svg>\n"),
            "{kind:?}"
        );
    }
}

#[test]
fn a_bar_is_as_high_as_its_value() {
    let height = |value: f64| {
        let (picture, _) = draw(&request(Kind::Bar, vec![series("", &[value, 100.0])]));
        let width = picture.size.0 as usize;
        let column = width * 2 / 7;
        picture
            .rgb
            .chunks(3)
            .skip(column)
            .step_by(width)
            .filter(|pixel| *pixel == [0x00, 0x72, 0xB2])
            .count()
    };
    let (low, high) = (height(25.0), height(75.0));
    assert!(low > 50 && high.abs_diff(low * 3) <= 3, "{low} and {high}");
}

#[test]
fn what_the_request_says_is_in_the_svg_and_escaped() {
    let mut request = request(Kind::Line, vec![series("a<b", &[1.0, 2.0])]);
    request.title = Some("R&D \"costs\"".to_owned());
    request.labels = Some(vec!["<i>".to_owned(), "Ж".to_owned()]);
    request.y_label = Some("1,000 €".to_owned());
    let (_, svg) = draw(&request);
    for text in [
        ">a&lt;b<",
        ">R&amp;D &quot;costs&quot;<",
        ">&lt;i&gt;<",
        ">Ж<",
        ">1,000 €<",
    ] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
}

#[test]
fn a_great_many_values_make_a_small_result() {
    let noise = |n: usize| f64::from(u32::try_from(n * 7919 % 10_007).unwrap());
    let many: Vec<f64> = (0..200_000).map(noise).collect();
    let x = Some((0..200_000).map(|n| noise(n * 31 + 7)).collect());
    for kind in [Kind::Line, Kind::Scatter, Kind::Histogram] {
        let x = if kind == Kind::Histogram {
            None
        } else {
            x.clone()
        };
        let mut request = request(
            kind,
            vec![Series {
                x,
                ..series("", &many)
            }],
        );
        if kind == Kind::Scatter {
            (request.width, request.height) = (1600, 1600);
        }
        let chart = Chart::draw(&request).unwrap();
        let bytes = chart.png.unwrap().len() + chart.svg.unwrap().len();
        assert!(bytes < MAX_OUTPUT_BYTES, "{kind:?}: {bytes} bytes");
    }
}

#[test]
fn the_hardest_numbers_are_drawn_or_refused_but_never_panic() {
    let hard = [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        1e-300,
        1.0,
        1e15,
        1e300,
        -1e300,
        1e308,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
    ];
    for kind in [Kind::Line, Kind::Bar, Kind::Scatter, Kind::Histogram] {
        for log in [false, true] {
            for a in hard {
                for b in hard {
                    let x = matches!(kind, Kind::Line | Kind::Scatter).then(|| vec![b, a]);
                    let mut request = request(
                        kind,
                        vec![Series {
                            x,
                            ..series("", &[a, b])
                        }],
                    );
                    (request.width, request.height, request.format) = (200, 200, Format::Svg);
                    (request.log_y, request.log_x) = (log, log && kind == Kind::Scatter);
                    match Chart::draw(&request) {
                        Ok(chart) => {
                            let svg = chart.svg.unwrap();
                            assert!(
                                !svg.contains("NaN") && !svg.contains("inf"),
                                "{kind:?} {log} {a:?} {b:?}: {svg}"
                            );
                        }
                        Err(error) => assert!(error.message.len() > 20, "{error:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn endless_texts_are_cut_to_fit() {
    let long = "endless ".repeat(100_000);
    let request = Request {
        title: Some(long.clone()),
        x_label: Some(long.clone()),
        y_label: Some(long.clone()),
        labels: Some(vec![long.clone(), "x".repeat(1_000_000)]),
        ..request(Kind::Bar, vec![series(&long, &[1.0, 2.0])])
    };
    let chart = Chart::draw(&request).unwrap();
    assert!(chart.svg.unwrap().len() < 10_000);
    assert!(chart.summary.len() < 1000, "{}", chart.summary);
}

#[test]
fn a_picture_too_small_for_its_texts_says_so() {
    let many = (0..16)
        .map(|n| series(&format!("series number {n}"), &[1.0, 2.0]))
        .collect();
    let request = Request {
        width: 200,
        height: 200,
        ..request(Kind::Line, many)
    };
    let error = Chart::draw(&request).unwrap_err();
    assert!(
        error.message.contains("raise `width` and `height`"),
        "{}",
        error.message
    );
    let huge = Request {
        width: 100_000,
        ..request
    };
    assert!(
        Chart::draw(&huge)
            .unwrap_err()
            .message
            .contains("from 200 to 1600")
    );
}

#[test]
fn letters_that_the_picture_lacks_are_told() {
    let mut request = request(Kind::Line, vec![series("日本", &[1.0, 2.0])]);
    let summary = Chart::draw(&request).unwrap().summary;
    assert!(summary.contains("lack `日本`"), "{summary}");
    request.format = Format::Svg;
    assert!(!Chart::draw(&request).unwrap().summary.contains("lack"));
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let data = || vec![series("", &[1.0, 2.0])];
    for (request, said) in [
        (
            Request {
                bins: Some(3),
                ..request(Kind::Line, data())
            },
            "for `type` `histogram`",
        ),
        (
            Request {
                log_x: true,
                ..request(Kind::Histogram, data())
            },
            "logarithms",
        ),
        (
            Request {
                log_x: true,
                ..request(Kind::Bar, data())
            },
            "needs numbers in `x`",
        ),
        (
            Request {
                labels: Some(vec![]),
                ..request(Kind::Histogram, data())
            },
            "`type` `bar`",
        ),
    ] {
        let error = Chart::draw(&request).unwrap_err();
        assert!(error.message.contains(said), "{said}: {}", error.message);
    }
}

#[test]
fn an_only_series_without_a_name_is_called_the_series() {
    let error = Chart::draw(&request(Kind::Line, vec![series("", &[1e308])])).unwrap_err();
    assert!(
        error.message.starts_with("the series has 1e308 at `y[0]`"),
        "{}",
        error.message
    );
}
