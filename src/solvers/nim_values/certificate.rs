//! Proved and observed periods of nim-values.
//!
//! With a saltus `s`, `G(n + p) = G(n) + s`. Without splits a value is at most the number of
//! options, so only the saltus 0 is possible in the long run. With splits, no theorem about a
//! saltus is used here: [`observe`] reports a regularity and its range, and proves nothing beyond
//! that.

use cggames::game::heap::HeapGame;

use crate::heaps::certificate::{Certificate, guy_smith_bound};

/// A regularity seen in finitely many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The first heap of the regularity.
    pub preperiod: usize,
    /// The period in tokens.
    pub period: usize,
    /// The growth of values from period to period.
    pub saltus: u16,
    /// The end of the range of heaps, exclusive.
    pub observed_to: usize,
}

impl Certificate {
    /// Finds a period that the values prove, which are those of the heaps from 0 on.
    ///
    /// Returns the least preperiod and period, or `None` if the values prove no period; the
    /// sequence may still have one. The last values, up to 65,536, are searched for among all
    /// others in O(values) time and little space. At each match the values before it are compared,
    /// too, as far as they agree.
    ///
    /// Dawson's Kayles has the period 34 from heap 53 on, and 175 values prove it:
    ///
    /// ```
    /// use cgsolvers::nim_values::{Certificate, reference};
    ///
    /// let game = "0.07".parse()?;
    /// let values: Vec<u16> = reference::nim_values(&game, 176).iter().map(|&v| v as u16).collect();
    /// let certificate = Certificate::find(&game, &values).expect("enough values");
    /// assert_eq!((certificate.preperiod, certificate.period), (53, 34));
    /// assert_eq!(certificate.needed(), 2 * (53 + 34) + 2);
    /// assert_eq!(Certificate::find(&game, &values[..175]), None);
    /// # Ok::<(), cggames::game::heap::HeapGameError>(())
    /// ```
    pub fn find(game: &HeapGame, values: &[u16]) -> Option<Certificate> {
        if matches!(game, HeapGame::Grundy) {
            return None;
        }
        // A period is proved only if at least this number of values agree with those a period
        // before.
        let needed =
            values.len() - values.len().saturating_sub(game.taken_max()) / game.splits_max();
        let length = needed.clamp(1, PATTERN_MAX).min(values.len());
        shifts(values, length).find_map(|period| {
            let earlier = &values[..values.len() - period];
            let differs = |&n: &usize| values[n] != values[n + period];
            let preperiod = (0..earlier.len()).rev().find(differs).map_or(0, |n| n + 1);
            let bound = guy_smith_bound(game, preperiod, period)?;
            (bound <= earlier.len()).then_some(Certificate {
                preperiod,
                period,
                bound,
                checked_to: earlier.len(),
            })
        })
    }
}

/// The most values that are searched for among the others.
const PATTERN_MAX: usize = 1 << 16;

/// Returns the distances at which the last `length >= 1` values recur: all `p >= 1`, ascending,
/// such that each of them equals the value `p` places before.
///
/// Uses the algorithm of Knuth, Morris and Pratt on the values read backwards.
fn shifts(values: &[u16], length: usize) -> impl Iterator<Item = usize> + '_ {
    let back = move |i: usize| values[values.len() - 1 - i];
    // For each prefix of the pattern, the length of its longest proper prefix that is also a
    // suffix.
    let mut border = vec![0usize; length + 1];
    let mut known = 0;
    for i in 1..length {
        while known > 0 && back(i) != back(known) {
            known = border[known];
        }
        known += usize::from(back(i) == back(known));
        border[i + 1] = known;
    }
    let mut agreed = 0;
    (1..values.len()).filter_map(move |i| {
        while agreed > 0 && (agreed == length || back(i) != back(agreed)) {
            agreed = border[agreed];
        }
        agreed += usize::from(back(i) == back(agreed));
        (agreed == length).then(|| i + 1 - length)
    })
}

/// Finds the shortest period with a saltus that holds to the end, for more than half of the values
/// and at least twice the period.
///
/// This proves nothing about further heaps. Costs O(values) time, and 12 bytes of memory for each.
///
/// ```
/// use cgsolvers::nim_values::observe;
///
/// let seen = observe(&[0, 5, 0, 1, 2, 3, 4, 5, 6, 7]).expect("it is plain to see");
/// assert_eq!((seen.preperiod, seen.period, seen.saltus), (2, 1, 1));
/// assert_eq!(observe(&[0, 1, 0, 2, 3, 0, 1]), None);
/// ```
pub fn observe(values: &[u16]) -> Option<Observation> {
    let steps: Vec<i32> = values
        .windows(2)
        .map(|pair| i32::from(pair[1]) - i32::from(pair[0]))
        .collect();
    let starts = starts(&steps);
    (1..steps.len()).find_map(|period| {
        let preperiod = starts[period];
        let held = values.len() - preperiod;
        let saltus = values
            .get(preperiod + period)?
            .checked_sub(values[preperiod])?;
        (held > values.len() / 2 && held > 2 * period).then_some(Observation {
            preperiod,
            period,
            saltus,
            observed_to: values.len(),
        })
    })
}

/// Returns, for each `p` below the number of values, the least `n0` such that all values from `n0`
/// on equal those `p` places later, as far as these exist.
///
/// Uses the Z-algorithm on the values read backwards, which finds the length of the agreement of
/// the values with themselves shifted by `p`.
fn starts<T: PartialEq>(values: &[T]) -> Vec<usize> {
    let length = values.len();
    let back = |i: usize| &values[length - 1 - i];
    let mut agree = vec![0; length];
    // The range `left..right` is known to agree with the beginning.
    let (mut left, mut right) = (0, 0usize);
    for p in 1..length {
        let mut known = match right.checked_sub(p) {
            Some(rest) => rest.min(agree[p - left]),
            None => 0,
        };
        while p + known < length && back(known) == back(p + known) {
            known += 1;
        }
        if p + known > right {
            (left, right) = (p, p + known);
        }
        agree[p] = known;
    }
    for (p, agree) in agree.iter_mut().enumerate() {
        *agree = length - p - *agree;
    }
    agree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nim_values::reference;

    fn values(game: &HeapGame, heaps: usize) -> Vec<u16> {
        let values = reference::nim_values(game, heaps);
        values.into_iter().map(|v| v as u16).collect()
    }

    #[test]
    fn starts_are_those_found_one_by_one() {
        let mut random = fastrand::Rng::with_seed(5);
        for length in 0..60 {
            for _ in 0..20 {
                let values: Vec<u8> = (0..length)
                    .map(|i| {
                        if i < length / 3 {
                            random.u8(..4)
                        } else {
                            (i % 3) as u8
                        }
                    })
                    .collect();
                for (p, &start) in starts(&values).iter().enumerate().skip(1) {
                    let fails = |n: &usize| values[*n] != values[n + p];
                    let slow = (0..length - p).rev().find(fails).map_or(0, |n| n + 1);
                    assert_eq!(start, slow);
                }
            }
        }
    }

    #[test]
    fn shifts_and_certificates_are_those_found_one_by_one() {
        let mut random = fastrand::Rng::with_seed(6);
        let (mut with, mut without) = (0, 0);
        for length in 1..70usize {
            for code in ["0.3", "0.07", "0.333", "0.8", "0.0007", "4.0"] {
                let game: HeapGame = code.parse().expect("a code");
                let period = 1 + length % 5;
                let values: Vec<u16> = (0..length)
                    .map(|i| {
                        if i < length / 4 {
                            random.u16(..4)
                        } else {
                            (i % period) as u16
                        }
                    })
                    .collect();
                for pattern in [1, 2, length.div_ceil(2), length] {
                    let pattern = pattern.min(length);
                    let slow = (1..length).filter(|p| {
                        p + pattern <= length
                            && (length - pattern..length).all(|n| values[n] == values[n - p])
                    });
                    assert!(shifts(&values, pattern).eq(slow));
                }
                let starts = starts(&values);
                let slow = (1..length).find_map(|p| {
                    let bound = guy_smith_bound(&game, starts[p], p)?;
                    (bound + p <= length).then_some((starts[p], p, bound))
                });
                let found = Certificate::find(&game, &values);
                assert_eq!(found.map(|c| (c.preperiod, c.period, c.bound)), slow);
                *if slow.is_some() {
                    &mut with
                } else {
                    &mut without
                } += 1;
            }
        }
        assert!(with > 50 && without > 50, "{with} {without}");
    }

    /// The last exceptions and periods of Kayles, Dawson's Chess and others in *Winning Ways*,
    /// chapter 4.
    #[test]
    fn published_periods_are_proved() {
        for (code, preperiod, period) in [
            ("0.77", 71, 12),
            ("0.137", 52, 34),
            ("0.07", 53, 34),
            ("0.3", 0, 2),
            ("0.15", 1, 10),
        ] {
            let game = code.parse().expect("a code");
            let found = Certificate::find(&game, &values(&game, 300)).expect(code);
            assert_eq!(
                (found.preperiod, found.period),
                (preperiod, period),
                "{code}"
            );
        }
    }

    #[test]
    fn certificates_hold_far_beyond_what_proves_them() {
        let codes = (0..64).map(|d| format!("0.{}{}", d / 8, d % 8));
        let hexadecimal = ["0.8", "0.9", "0.1B", "0.39"].map(String::from);
        let mut proved = 0;
        for code in codes.chain(hexadecimal) {
            let game = code.parse().expect("a code");
            let far = values(&game, 250);
            if let Some(found) = Certificate::find(&game, &far[..120]) {
                proved += 1;
                for heap in 0..far.len() {
                    assert_eq!(far[found.same_heap(heap)], far[heap], "{code}");
                }
            }
        }
        assert!(proved > 30, "{proved}");
    }

    /// The largest number of tokens taken matters: here all values before it are 0.
    #[test]
    fn a_late_digit_is_not_overlooked() {
        let code = format!("0.{}7", "0".repeat(99));
        let game = code.parse().expect("a code");
        let all = values(&game, 400);
        assert!(all[..100].iter().all(|&value| value == 0) && all[100] == 1);
        assert_eq!(Certificate::find(&game, &all[..100]), None);
    }

    #[test]
    fn nothing_is_proved_of_grundys_game() {
        assert_eq!(Certificate::find(&HeapGame::Grundy, &[0; 50]), None);
    }
}
