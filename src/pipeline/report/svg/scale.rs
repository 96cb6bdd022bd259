//! Axes: from numbers to pixels, and the round numbers beside them.

/// An axis: the numbers at its ends, and the pixels there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    pixels: [f64; 2],
}

impl Axis {
    /// Returns the axis from one number to a greater one. Equal numbers are moved apart.
    pub(super) fn new(from: f64, to: f64, pixels: [f64; 2]) -> Axis {
        let to = if to > from { to } else { from + 1.0 };
        Axis { from, to, pixels }
    }

    /// Returns the pixel of a number.
    pub(super) fn at(&self, x: f64) -> f64 {
        let [first, last] = self.pixels;
        first + (x - self.from) / (self.to - self.from) * (last - first)
    }

    /// Returns the number of labels that fit on the axis, given the width of a character; at most six.
    pub(super) fn labels(&self, character: f64) -> usize {
        let longest = [self.from, self.to].map(|x| tick(x.round()).chars().count());
        let width = longest[0].max(longest[1]) as f64 * character + 2.0 * character;
        let [first, last] = self.pixels;
        (((last - first).abs() / width) as usize).clamp(2, 6)
    }

    /// Returns about `wanted` round numbers on the axis, at equal distances.
    pub(super) fn ticks(&self, wanted: usize) -> Vec<f64> {
        let least = (self.to - self.from) / wanted.max(1) as f64;
        let power = 10f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|&step| step >= least * 0.999_999);
        let step = step.unwrap_or(power * 10.0);
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }
}

/// Returns a number for the label of an axis. Whole numbers have commas between thousands; small numbers
/// have more decimals than pixels.
pub(super) fn tick(x: f64) -> String {
    if x.abs() >= 1e15 || (x != 0.0 && x.abs() < 0.01) {
        return format!("{x:e}");
    }
    if x.fract() != 0.0 {
        // Numbers on an axis may differ in the fifth decimal.
        let text = format!("{x:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    grouped(x as i64)
}

/// Returns an integer with commas between thousands.
pub(super) fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::from(if n < 0 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let ticks = |from, to, wanted| Axis::new(from, to, [0.0, 100.0]).ticks(wanted);
        assert_eq!(ticks(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-1.5, 1.5, 3), [-1.0, 0.0, 1.0]);
        assert_eq!(ticks(3.0, 3.0, 1), [3.0, 4.0]);
        assert!(ticks(1.0, 1e7, 5).len() <= 6);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, -1234.0, 1e7, 0.25, 0.001, 1e20].map(tick);
        assert_eq!(texts, ["0", "-1,234", "10,000,000", "0.25", "1e-3", "1e20"]);
        // Those of an axis differ from one another.
        let ticks = Axis::new(1.0, 1.0002, [0.0, 100.0]).ticks(2);
        assert_eq!(
            ticks.into_iter().map(tick).collect::<Vec<_>>(),
            ["1", "1.0001", "1.0002"]
        );
    }

    #[test]
    fn long_labels_are_fewer() {
        let labels = |to| Axis::new(0.0, to, [0.0, 300.0]).labels(7.0);
        assert_eq!([labels(9.0), labels(1e6), labels(1e12)], [6, 3, 2]);
    }

    #[test]
    fn an_axis_may_descend() {
        let scale = Axis::new(0.0, 4.0, [100.0, 0.0]);
        assert_eq!([0.0, 1.0, 4.0].map(|x| scale.at(x)), [100.0, 75.0, 0.0]);
    }
}
