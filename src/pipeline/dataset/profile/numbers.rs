//! Numbers and how often they occur.

use std::collections::BTreeMap;

/// The most different numbers that are counted one by one.
///
/// Unit: numbers.
pub const NUMBERS_MAX: usize = 1 << 10;

/// The most intervals from the least number to the greatest.
const INTERVALS_MAX: i64 = 48;

/// The binary logarithm of the shortest interval of numbers that are no integers.
const FINEST: i32 = -20;

/// Multiples of the length are less than this in size: integers that floats hold exactly.
const MULTIPLE_MAX: f64 = (1u64 << 52) as f64;

/// How often numbers occur: each, while few are different, and in intervals of one length.
///
/// Intervals are the multiples of a power of 2: the least for which at most 48 of them reach from the
/// least number to the greatest, and which floats can count.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    is_integral: bool,
    count: u64,
    sum: f64,
    ends: Option<(f64, f64)>,
    /// By the bits that order numbers; none once they are too many.
    each: Option<BTreeMap<i64, u64>>,
    /// The binary logarithm of the length of an interval.
    exponent: i32,
    /// By the multiple of the length at which an interval begins.
    intervals: BTreeMap<i64, u64>,
}

/// How many numbers are in an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Where it begins.
    pub from: f64,
    /// The numbers in it.
    pub count: u64,
}

impl Numbers {
    /// Begins to count numbers; says whether all are integers.
    ///
    /// ```
    /// use seedbank::dataset::profile::Numbers;
    ///
    /// let mut numbers = Numbers::new(true);
    /// for n in 0..2000 {
    ///     numbers.add(f64::from(n % 100), 1);
    /// }
    /// assert_eq!(numbers.each().unwrap().count(), 100);
    /// let (length, intervals) = numbers.intervals();
    /// assert_eq!((length, intervals.len(), intervals[0].count), (4.0, 25, 80));
    /// assert_eq!((numbers.ends(), numbers.mean()), (Some((0.0, 99.0)), Some(49.5)));
    /// ```
    pub fn new(is_integral: bool) -> Numbers {
        Numbers {
            is_integral,
            count: 0,
            sum: 0.0,
            ends: None,
            each: Some(BTreeMap::new()),
            exponent: if is_integral { 0 } else { FINEST },
            intervals: BTreeMap::new(),
        }
    }

    /// Counts a number some times; one that is infinite or none is left out.
    pub fn add(&mut self, x: f64, times: u64) {
        if !x.is_finite() {
            return;
        }
        self.count += times;
        self.sum += x * times as f64;
        let is_within = self
            .ends
            .is_some_and(|(least, greatest)| least <= x && x <= greatest);
        if !is_within {
            let (least, greatest) = self.ends.unwrap_or((x, x));
            self.ends = Some((least.min(x), greatest.max(x)));
            self.widen();
        }
        if let Some(each) = &mut self.each {
            *each.entry(ordered(x)).or_default() += times;
            if each.len() > NUMBERS_MAX {
                self.each = None;
            }
        }
        let interval = self.multiple(x);
        *self.intervals.entry(interval).or_default() += times;
    }

    /// Counts those of others, too.
    pub fn merge(&mut self, others: Numbers) {
        let Some((least, greatest)) = others.ends else {
            return;
        };
        self.count += others.count;
        self.sum += others.sum;
        let ends = self.ends.unwrap_or((least, greatest));
        self.ends = Some((ends.0.min(least), ends.1.max(greatest)));
        self.each = match (self.each.take(), others.each) {
            (Some(mut each), Some(more)) => {
                for (x, count) in more {
                    *each.entry(x).or_default() += count;
                }
                Some(each).filter(|each| each.len() <= NUMBERS_MAX)
            }
            _ => None,
        };
        self.double_to(others.exponent);
        let shift = self.exponent - others.exponent;
        for (multiple, count) in others.intervals {
            *self.intervals.entry(shifted(multiple, shift)).or_default() += count;
        }
        self.widen();
    }

    /// Returns whether all are integers.
    pub fn is_integral(&self) -> bool {
        self.is_integral
    }

    /// Returns how many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the least and the greatest.
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.ends
    }

    /// Returns their mean.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Returns each number with how often it occurs, ascending; `None` where more than [`NUMBERS_MAX`] are
    /// different.
    pub fn each(&self) -> Option<impl Iterator<Item = (f64, u64)>> {
        let each = self.each.as_ref()?;
        Some(each.iter().map(|(&bits, &count)| (unordered(bits), count)))
    }

    /// Returns the length of an interval, and the intervals from the least number to the greatest.
    pub fn intervals(&self) -> (f64, Vec<Interval>) {
        let length = f64::from(self.exponent).exp2();
        let ends = self
            .intervals
            .keys()
            .next()
            .zip(self.intervals.keys().next_back());
        let Some((&first, &last)) = ends else {
            return (length, Vec::new());
        };
        let interval = |multiple| Interval {
            from: multiple as f64 * length,
            count: self.intervals.get(&multiple).copied().unwrap_or(0),
        };
        (length, (first..=last).map(interval).collect())
    }

    fn multiple(&self, x: f64) -> i64 {
        (x * f64::from(-self.exponent).exp2()).floor() as i64
    }

    /// Makes intervals longer until at most [`INTERVALS_MAX`] reach from the least number to the greatest.
    fn widen(&mut self) {
        let Some((least, greatest)) = self.ends else {
            return;
        };
        let mut exponent = self.exponent;
        let multiple = |x: f64, exponent: i32| (x * f64::from(-exponent).exp2()).floor();
        let (mut first, mut last) = (multiple(least, exponent), multiple(greatest, exponent));
        while last - first >= INTERVALS_MAX as f64 || last.max(-first) >= MULTIPLE_MAX {
            exponent += 1;
            (first, last) = (multiple(least, exponent), multiple(greatest, exponent));
        }
        self.double_to(exponent);
    }

    fn double_to(&mut self, exponent: i32) {
        let shift = exponent - self.exponent;
        if shift <= 0 {
            return;
        }
        self.exponent = exponent;
        let mut wider = BTreeMap::new();
        for (&multiple, &count) in &self.intervals {
            *wider.entry(shifted(multiple, shift)).or_default() += count;
        }
        self.intervals = wider;
    }
}

/// Returns the multiple of a length that is longer by a power of 2.
fn shifted(multiple: i64, shift: i32) -> i64 {
    multiple >> shift.clamp(0, 63)
}

/// Returns an integer in whose order numbers are.
fn ordered(x: f64) -> i64 {
    // 0 and -0 are one number.
    let bits = (x + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

fn unordered(bits: i64) -> f64 {
    f64::from_bits((bits ^ (((bits >> 63) as u64) >> 1) as i64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_arrival_and_the_batches_change_nothing() {
        let xs: Vec<f64> = (0..3000)
            .map(|n| f64::from(n * n % 997) / 8.0 - 40.0)
            .collect();
        let counted = |xs: &[f64]| {
            let mut numbers = Numbers::new(false);
            xs.iter().for_each(|&x| numbers.add(x, 1));
            numbers
        };
        let all = counted(&xs);
        let mut merged = Numbers::new(false);
        for some in xs.chunks(70).rev() {
            merged.merge(counted(some));
        }
        assert_eq!(all.intervals(), merged.intervals());
        assert_eq!(all.ends(), merged.ends());
        let each = |numbers: &Numbers| numbers.each().unwrap().collect::<Vec<_>>();
        assert_eq!(each(&all), each(&merged));
        assert!(each(&all).is_sorted_by(|a, b| a.0 < b.0));
        let (_, intervals) = all.intervals();
        assert!(intervals.len() <= INTERVALS_MAX as usize && intervals.len() > 20);
        assert_eq!(
            intervals.iter().map(|interval| interval.count).sum::<u64>(),
            3000
        );
    }

    #[test]
    fn far_numbers_share_long_intervals() {
        let mut numbers = Numbers::new(false);
        for x in [-1e300, 0.0, -0.0, 1e300, f64::NAN] {
            numbers.add(x, 1);
        }
        let each: Vec<_> = numbers.each().unwrap().collect();
        assert_eq!(each, [(-1e300, 1), (0.0, 2), (1e300, 1)]);
        assert!(numbers.intervals().1.len() <= INTERVALS_MAX as usize);
    }
}
