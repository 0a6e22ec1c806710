//! Fewer points that look the same: a picture has no room for 100,000.

use crate::scene::Point;

/// Points of a line closer than this look like one, in pixels.
const APART: f64 = 1.0;

/// A line, in pixels and ordered by x, with at most two points for each column
/// of pixels, the lowest and the highest, besides its first and its last. Peaks
/// stay.
pub(crate) fn line(points: Vec<Point>) -> Vec<Point> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return points;
    };
    let mut thin = vec![first];
    let mut rest = points.as_slice();
    while let Some(point) = rest.first() {
        let column = point.0.floor();
        let end = rest
            .iter()
            .position(|point| point.0.floor() > column)
            .unwrap_or(rest.len());
        let (dense, after) = rest.split_at(end);
        for &point in extremes(dense) {
            if thin
                .last()
                .is_none_or(|last| distance(*last, point) >= APART)
            {
                thin.push(point);
            }
        }
        rest = after;
    }
    if thin.last() != Some(&last) {
        thin.push(last);
    }
    thin
}

/// The lowest and the highest of some points, as they follow each other; all of
/// one or two.
fn extremes(points: &[Point]) -> impl Iterator<Item = &Point> {
    let by_height = |a: &usize, b: &usize| points[*a].1.total_cmp(&points[*b].1);
    let lowest = (0..points.len()).min_by(by_height).unwrap_or(0);
    let highest = (0..points.len()).max_by(by_height).unwrap_or(0);
    let (early, late) = (lowest.min(highest), lowest.max(highest));
    let second = if early == late {
        None
    } else {
        points.get(late)
    };
    points.get(early).into_iter().chain(second)
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Dots, in pixels: one for each pixel, and at most `most` of those, evenly
/// picked.
pub(crate) fn dots(mut points: Vec<Point>, most: usize) -> Vec<Point> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "pixels of a bounded picture"
    )]
    let pixel = |point: &Point| (point.0.round() as i32, point.1.round() as i32);
    points.sort_by_key(pixel);
    points.dedup_by_key(|point| pixel(point));
    let every = points.len().div_ceil(most.max(1)).max(1);
    points.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dense_line_keeps_its_peaks() {
        let mut points: Vec<Point> = (0..100_000)
            .map(|n| (f64::from(n) / 1000.0, 50.0))
            .collect();
        points[54_321].1 = 0.0;
        let thin = line(points);
        assert!(thin.len() <= 202, "{}", thin.len());
        assert!(thin.contains(&(54.321, 0.0)));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn a_sparse_line_stays_as_it_is() {
        let points = vec![(0.0, 1.0), (10.0, 5.0), (10.4, 2.0), (30.0, 3.0)];
        assert_eq!(line(points.clone()), points);
    }

    #[test]
    fn dots_on_one_pixel_are_one() {
        let points: Vec<Point> = (0..1000)
            .map(|n| (f64::from(n % 10), f64::from(n % 7) + 0.1))
            .collect();
        assert_eq!(dots(points.clone(), 1000).len(), 70);
        assert_eq!(dots(points, 20).len(), 18);
    }
}
