//! Walls as lists of corners in whole numbers, all in units of one `1/2^exponent`.

use super::Dyadic;

/// Temperature and value of a corner, or of another point of a wall.
pub(super) type Point = (i128, i128);

/// Numbers of this many bits are out of range, so that sums of a few numbers in range do not
/// overflow.
pub(super) const BITS_MAX: u32 = 120;

/// Buffers reused for one thermograph after another.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) left: Vec<Point>,
    pub(super) right: Vec<Point>,
    pub(super) walls: Walls,
}

/// Buffers for the maximum of several walls.
#[derive(Default)]
pub(super) struct Walls {
    pub(super) next: Vec<Point>,
    pub(super) merged: Vec<Point>,
}

/// Returns a number as a multiple of `1/2^exponent`, which it must be, unless it is out of range.
pub(super) fn scale(number: Dyadic, exponent: u32) -> Option<i128> {
    shift(number.numerator(), exponent - number.exponent())
}

/// Returns `n * 2^twos`, unless it is out of range.
pub(super) fn shift(n: i128, twos: u32) -> Option<i128> {
    let bits = i128::BITS - n.unsigned_abs().leading_zeros();
    match n {
        0 => Some(0),
        _ => (bits + twos <= BITS_MAX).then(|| n << twos),
    }
}

/// A cursor along a wall that only moves forward.
struct WallCursor<'w> {
    corners: &'w [Point],
    /// The number of corners at or before the current temperature.
    passed: usize,
}

impl<'w> WallCursor<'w> {
    fn new(corners: &'w [Point]) -> WallCursor<'w> {
        WallCursor { corners, passed: 0 }
    }

    /// Returns the temperature of the next corner, if there is one.
    fn next(&self) -> Option<i128> {
        Some(self.corners.get(self.passed)?.0)
    }

    /// Returns the value at a temperature between the last corner passed and the next one.
    fn between(&self, t: i128) -> i128 {
        let (from, value) = self.corners[self.passed - 1];
        match self.corners.get(self.passed) {
            Some(&(_, next)) => value + (next - value).signum() * (t - from),
            None => value,
        }
    }

    /// Moves to a temperature, and returns the value there.
    fn go_to(&mut self, t: i128) -> i128 {
        match self.corners.get(self.passed) {
            Some(&(at, value)) if at == t => {
                self.passed += 1;
                value
            }
            _ => self.between(t),
        }
    }
}

/// Returns the temperatures of the corners of either of two walls that begin together, with the
/// values of both.
fn both<'w>(a: &'w [Point], b: &'w [Point]) -> impl Iterator<Item = (i128, i128, i128)> + use<'w> {
    let (mut a, mut b) = (WallCursor::new(a), WallCursor::new(b));
    std::iter::from_fn(move || {
        let t = match (a.next(), b.next()) {
            (Some(of_a), Some(of_b)) => of_a.min(of_b),
            (of_a, of_b) => of_a.or(of_b)?,
        };
        Some((t, a.go_to(t), b.go_to(t)))
    })
}

/// Adds a point to a wall, replacing the last one if that lies on a straight line with it.
fn push(wall: &mut Vec<Point>, point: Point) {
    if let [.., a, b] = wall[..] {
        // Slopes are -1, 0 or 1, so equal signs mean equal slopes.
        if b.1.cmp(&a.1) == point.1.cmp(&b.1) {
            wall.pop();
        }
    }
    wall.push(point);
}

/// Ends a wall: it is constant beyond its last corner.
fn finish(wall: &mut Vec<Point>) {
    if let [.., a, b] = wall[..]
        && a.1 == b.1
    {
        wall.pop();
    }
}

/// Makes the greater of two walls of slopes 0 and 1, at each temperature.
pub(super) fn greater(a: &[Point], b: &[Point], wall: &mut Vec<Point>) {
    wall.clear();
    // The previous temperature, the difference of the two values there, and the greater of them.
    let mut last: (i128, i128, i128) = (0, 0, 0);
    for (t, of_a, of_b) in both(a, b) {
        let lead = of_a - of_b;
        let (before, lead_before, highest) = last;
        if lead_before.signum() * lead.signum() < 0 {
            // They cross in between, where the difference changes by one per degree: the higher one
            // does not rise.
            push(wall, (before + lead_before.abs(), highest));
        }
        last = (t, lead, of_a.max(of_b));
        push(wall, (t, last.2));
    }
    finish(wall);
}

/// Returns the least t with `left(t) + right(t) = 2t`, where all points are multiples of two units.
pub(super) fn meeting(left: &[Point], right: &[Point]) -> i128 {
    let mut last: Option<(i128, i128)> = None;
    for (t, of_left, of_right) in both(left, right) {
        let gap = of_left + of_right - 2 * t;
        match last {
            None => debug_assert!(gap >= 0, "the stops of no number cross"),
            Some((before, gap_before)) if gap < 0 => {
                // The gap falls by one or two per degree.
                let by_one = gap_before - gap == t - before;
                return before + if by_one { gap_before } else { gap_before / 2 };
            }
            Some(_) => {}
        }
        if gap == 0 {
            return t;
        }
        last = Some((t, gap));
    }
    // Beyond the last corner of both it falls by two.
    let (t, gap) = last.expect("a wall has corners");
    t + gap / 2
}

/// Taxes a wall by t up to a temperature, from which on it is constant.
pub(super) fn scaffold_below(wall: &mut Vec<Point>, temperature: i128) {
    let corners = wall.partition_point(|corner| corner.0 < temperature);
    let value = match corners {
        0 => wall[0].1,
        passed => {
            let along = WallCursor {
                corners: wall,
                passed,
            };
            along.between(temperature)
        }
    };
    wall.truncate(corners);
    wall.push((temperature, value));
    // Straight lines stay straight, except at the end, where the wall may continue straight.
    for (t, value) in &mut *wall {
        *value -= *t;
    }
    if let Some(last) = wall.pop() {
        push(wall, last);
    }
    finish(wall);
}
