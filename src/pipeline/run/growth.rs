//! The growth of work: a power law between its estimated [cost](super::cost) and the positions that
//! it takes, fitted to the finished part and continued to the whole.
//!
//! An estimate orders rows better than it sizes them, and rows share followers. So the positions for
//! rows in the order of their cost grow like a power of the cost so far, with an exponent of the
//! game's own.

/// The growth of the cost from a point to the next but one. Points that lie closer are replaced.
pub(crate) const STEP: f64 = 0.25;

/// Growth is fitted to the points after which at least one in this many of the final positions was
/// reached.
const LATE: f64 = 100.0;

/// The cost and the positions of finished work, and what they say about the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growth {
    points: Vec<(f64, f64)>,
}

impl Growth {
    /// Adds the cost and the positions of all work so far.
    pub(crate) fn add(&mut self, cost: f64, positions: f64) {
        if let [.., (before, _), _] = self.points[..]
            && cost <= before * (1.0 + STEP)
        {
            self.points.pop();
        }
        self.points.push((cost, positions));
    }

    /// Returns the number of positions at a cost, by the power law that fits the last points (least
    /// squares of logarithms); `None` if there are fewer than two.
    pub(crate) fn positions(&self, cost: f64) -> Option<f64> {
        let &(last_cost, last) = self.points.last()?;
        let late: Vec<(f64, f64)> = (self.points.iter())
            .filter(|(_, positions)| *positions >= 1.0 && *positions >= last / LATE)
            .map(|(cost, positions)| (cost.ln(), positions.ln()))
            .collect();
        let slope = slope(&late)?.clamp(0.3, 2.0);
        Some(last * (cost / last_cost).powf(slope))
    }
}

/// Returns the slope of the least-squares line through the points; `None` if it is undefined.
pub(crate) fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (x, y) = (sum(|p| p.0), sum(|p| p.1));
    let (xx, xy) = (sum(|p| p.0 * p.0), sum(|p| p.0 * p.1));
    let spread = n * xx - x * x;
    (points.len() > 1 && spread > 1e-9).then(|| (n * xy - x * y) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_laws_are_continued() {
        let mut growth = Growth::default();
        for n in 1..20 {
            growth.add(2f64.powi(n), 3.0 * 1.5f64.powi(n));
        }
        let found = growth.positions(2f64.powi(30)).unwrap();
        let expected = 3.0 * 1.5f64.powi(30);
        assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
        let mut one = Growth::default();
        one.add(10.0, 50.0);
        assert_eq!(one.positions(100.0), None);
    }

    #[test]
    fn points_are_few_and_the_last_one_counts() {
        let mut growth = Growth::default();
        for cost in 1..=1_000_000 {
            growth.add(f64::from(cost), 2.0 * f64::from(cost));
        }
        assert!(growth.points.len() < 128, "{}", growth.points.len());
        let found = growth.positions(1e6).unwrap();
        assert!((found / 2e6 - 1.0).abs() < 1e-9, "{found}");
    }
}
