//! The data of a chart, checked: from here on all numbers are finite and all
//! lengths agree.

use crate::failure;
use crate::limits::{MAX_BARS, MAX_MAGNITUDE, MAX_POINTS, MAX_SERIES, MAX_TEXT_CHARS};
use crate::request::{Kind, Request, Series};
use toolhost_sdk::ToolError;

/// Up to this many values without `x` and `labels` are numbered one by one.
const MAX_NUMBERED: usize = 50;

/// A series whose points can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    /// Its name; may be empty when it is the only one.
    pub(crate) name: String,
    /// Its points from left to right; without a y there is a gap.
    pub(crate) points: Vec<(f64, Option<f64>)>,
}

/// Series that go together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Data {
    /// The series, at least one with at least one value.
    pub(crate) series: Vec<Named>,
    /// The names of the places 0, 1, 2 …; `None` when x is a number.
    pub(crate) labels: Option<Vec<String>>,
}

impl Data {
    /// The data of `request`.
    ///
    /// # Errors
    /// When there is no value, too much, or something does not fit together;
    /// the message names the series and the place.
    pub(crate) fn read(request: &Request) -> Result<Self, ToolError> {
        check_amount(request)?;
        let labels = places(request)?;
        let mut series = Vec::new();
        for (index, given) in request.series.iter().enumerate() {
            let name = name(given, index, request.series.len());
            check(given, &name, request, labels.as_deref())?;
            series.push(Named {
                points: points(given, labels.is_some()),
                name,
            });
        }
        if series.iter().all(|named| named.values().next().is_none()) {
            return Err(failure::series(
                "no series has a value; put numbers into `y`",
            ));
        }
        Ok(Self { series, labels })
    }

    /// All values of y.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.series.iter().flat_map(Named::values)
    }

    /// Smallest and largest x of all points.
    pub(crate) fn x_range(&self) -> (f64, f64) {
        range(
            self.series
                .iter()
                .flat_map(|named| named.points.iter().map(|point| point.0)),
        )
    }

    /// Smallest and largest y of all points.
    pub(crate) fn y_range(&self) -> (f64, f64) {
        range(self.values())
    }
}

impl Named {
    /// The values of y.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.points.iter().filter_map(|point| point.1)
    }
}

/// Smallest and largest of `values`; 0 and 0 of none.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let fold = |bounds: Option<(f64, f64)>, value: f64| match bounds {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    };
    values.fold(None, fold).unwrap_or((0.0, 0.0))
}

fn check_amount(request: &Request) -> Result<(), ToolError> {
    let series = request.series.len();
    if series == 0 {
        return Err(failure::series(
            "`series` is empty; give at least one, such as `[{\"y\": [1, 2, 3]}]`",
        ));
    }
    if series > MAX_SERIES {
        return Err(failure::series(format!(
            "at most {MAX_SERIES} series can be told apart, got {series}; add up the small ones or draw several charts"
        )));
    }
    let points: usize = request.series.iter().map(|given| given.y.len()).sum();
    if points > MAX_POINTS {
        return Err(failure::series(format!(
            "at most {MAX_POINTS} values are taken, got {points}; take averages or every n-th value first"
        )));
    }
    let bars = request
        .series
        .iter()
        .map(|given| given.y.len())
        .max()
        .unwrap_or(0)
        * series;
    if request.kind == Kind::Bar && bars > MAX_BARS {
        return Err(failure::series(format!(
            "at most {MAX_BARS} bars can be drawn, got {bars}; keep the largest ones, or use `type` `line` or `histogram`"
        )));
    }
    Ok(())
}

/// The labels of the horizontal axis, if its places are named.
fn places(request: &Request) -> Result<Option<Vec<String>>, ToolError> {
    let with_x = request.series.iter().position(|given| given.x.is_some());
    let longest = request
        .series
        .iter()
        .map(|given| given.y.len())
        .max()
        .unwrap_or(0);
    match (request.kind, &request.labels, with_x) {
        (Kind::Histogram, Some(_), _) => Err(failure::settings(
            "a histogram has no `labels`: it counts the values in `y`; to show given amounts use `type` `bar`",
        )),
        (Kind::Bar | Kind::Histogram, _, Some(index)) => Err(failure::settings(format!(
            "series {index} has `x`, which bars do not use; name the bars with `labels`, or use `type` `line` or `scatter`"
        ))),
        (_, Some(_), Some(index)) => Err(failure::settings(format!(
            "series {index} has `x` and there are `labels` too; give one of them"
        ))),
        (Kind::Scatter, Some(_), _) => Err(failure::settings(
            "a scatter chart takes numbers in `x` of each series instead of `labels`",
        )),
        (_, Some(labels), None) => Ok(Some(labels.iter().map(|label| short(label)).collect())),
        (Kind::Bar, None, None) => Ok(Some(numbered(longest))),
        (Kind::Line, None, None) if longest <= MAX_NUMBERED => Ok(Some(numbered(longest))),
        (_, None, _) => Ok(None),
    }
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| number.to_string()).collect()
}

/// Checks one series against the request.
fn check(
    given: &Series,
    name: &str,
    request: &Request,
    labels: Option<&[String]>,
) -> Result<(), ToolError> {
    let values = given.y.len();
    if let Some(x) = &given.x
        && x.len() != values
    {
        return Err(failure::series(format!(
            "{} has {} values in `x` and {values} in `y`; give as many",
            called(name),
            x.len()
        )));
    }
    if let Some(labels) = labels
        && request.labels.is_some()
        && labels.len() != values
    {
        let places = labels.len();
        return Err(failure::series(format!(
            "{} has {values} values for {places} labels; give as many, with null where one is missing",
            called(name)
        )));
    }
    let y = given
        .y
        .iter()
        .copied()
        .enumerate()
        .filter_map(|(at, value)| Some((at, value?)));
    check_numbers(
        y,
        "y",
        name,
        request.log_y && request.kind != Kind::Histogram,
    )?;
    let x = given.x.iter().flatten().copied().enumerate();
    check_numbers(x, "x", name, request.log_x)
}

/// A series as messages call it: an only one may be without a name.
fn called(name: &str) -> String {
    if name.is_empty() {
        "the series".into()
    } else {
        format!("series `{name}`")
    }
}

fn check_numbers(
    values: impl Iterator<Item = (usize, f64)>,
    field: &str,
    name: &str,
    log: bool,
) -> Result<(), ToolError> {
    for (at, value) in values {
        let place = || format!("{} has {value:?} at `{field}[{at}]`", called(name));
        if !value.is_finite() {
            return Err(failure::series(format!(
                "{}, which is no number; leave it out or give null in `y`",
                place()
            )));
        }
        if log && value <= 0.0 {
            let setting = if field == "x" { "logX" } else { "logY" };
            return Err(failure::series(format!(
                "{}, but a logarithmic axis has only positive numbers; leave it out, or set `{setting}` to false",
                place()
            )));
        }
        if !log && value.abs() > MAX_MAGNITUDE {
            return Err(failure::series(format!(
                "{}, and a linear axis ends at {MAX_MAGNITUDE:e}; use a smaller unit",
                place()
            )));
        }
    }
    Ok(())
}

fn points(given: &Series, on_places: bool) -> Vec<(f64, Option<f64>)> {
    let y = given.y.iter().copied();
    let mut points: Vec<(f64, Option<f64>)> = if let Some(x) = &given.x {
        x.iter().copied().zip(y).collect()
    } else {
        // The first of named places is 0; numbers that people see begin with 1.
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 values")]
        let x = (usize::from(!on_places)..).map(|place| place as f64);
        x.zip(y).collect()
    };
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

fn name(given: &Series, index: usize, count: usize) -> String {
    match given.name.as_deref().map(str::trim) {
        Some(name) if !name.is_empty() => short(name),
        _ if count == 1 => String::new(),
        _ => format!("series {}", index + 1),
    }
}

/// `text` on one line and no longer than is ever shown.
pub(crate) fn short(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut characters = text.trim().chars();
    let mut short: String = characters
        .by_ref()
        .take(MAX_TEXT_CHARS)
        .map(plain)
        .collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(y: &[f64]) -> Series {
        Series {
            y: y.iter().copied().map(Some).collect(),
            ..Series::default()
        }
    }

    fn request(kind: Kind, series: Vec<Series>) -> Request {
        Request {
            kind,
            series,
            ..Request::default()
        }
    }

    fn refused(request: &Request) -> String {
        Data::read(request).unwrap_err().message
    }

    #[test]
    fn a_few_values_are_numbered_and_many_are_measured() {
        let few = Data::read(&request(Kind::Line, vec![series(&[5.0, 6.0])])).unwrap();
        assert_eq!(few.labels.unwrap(), ["1", "2"]);
        let many = Data::read(&request(Kind::Line, vec![series(&[1.0; 60])])).unwrap();
        assert_eq!(
            (many.labels, many.series[0].points[59]),
            (None, (60.0, Some(1.0)))
        );
    }

    #[test]
    fn points_are_ordered_by_x() {
        let given = Series {
            x: Some(vec![3.0, 1.0, 2.0]),
            ..series(&[30.0, 10.0, 20.0])
        };
        let data = Data::read(&request(Kind::Line, vec![given])).unwrap();
        assert_eq!(
            data.series[0].points,
            [(1.0, Some(10.0)), (2.0, Some(20.0)), (3.0, Some(30.0))]
        );
    }

    #[test]
    fn what_does_not_fit_together_is_named() {
        let lengths = Series {
            name: Some("a".into()),
            x: Some(vec![1.0]),
            ..series(&[1.0, 2.0])
        };
        assert!(
            refused(&request(Kind::Line, vec![lengths]))
                .contains("series `a` has 1 values in `x` and 2 in `y`")
        );
        let labels = Request {
            labels: Some(vec!["q1".into()]),
            ..request(Kind::Bar, vec![series(&[1.0, 2.0])])
        };
        assert!(refused(&labels).contains("2 values for 1 labels"));
        let both = Request {
            labels: Some(vec!["q1".into()]),
            ..request(
                Kind::Line,
                vec![Series {
                    x: Some(vec![1.0]),
                    ..series(&[1.0])
                }],
            )
        };
        assert!(refused(&both).contains("give one of them"));
    }

    #[test]
    fn numbers_that_cannot_be_drawn_are_pointed_at() {
        assert!(
            refused(&request(Kind::Line, vec![series(&[1.0, f64::NAN])])).contains("NaN at `y[1]`")
        );
        assert!(
            refused(&request(Kind::Scatter, vec![series(&[f64::INFINITY])]))
                .contains("inf at `y[0]`")
        );
        assert!(
            refused(&request(Kind::Bar, vec![series(&[1e308])]))
                .contains("1e308 at `y[0]`, and a linear axis ends")
        );
        let log = Request {
            log_y: true,
            ..request(Kind::Line, vec![series(&[1.0, -3.0])])
        };
        assert!(refused(&log).contains("-3.0 at `y[1]`, but a logarithmic axis"));
    }

    #[test]
    fn amounts_are_bounded() {
        assert!(refused(&request(Kind::Line, vec![])).contains("`series` is empty"));
        assert!(refused(&request(Kind::Line, vec![series(&[])])).contains("no series has a value"));
        assert!(refused(&request(Kind::Line, vec![series(&[1.0]); 17])).contains("got 17"));
        assert!(
            refused(&request(Kind::Line, vec![series(&[1.0; 200_001])])).contains("got 200001")
        );
        assert!(refused(&request(Kind::Bar, vec![series(&[1.0; 300]); 2])).contains("got 600"));
    }
}
