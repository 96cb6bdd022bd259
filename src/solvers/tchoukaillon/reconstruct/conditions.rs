//! Whether any board agrees with fixed bins: propagation of Theorem 4.5's conditions, then a
//! search.
//!
//! In numbering beta, `m_2, ..., m_k` are the first bins of a board if and only if for each i up to
//! k and each prime power d that properly divides i, the d bins that end with i together hold a
//! multiple of d. With open bins, those that are not fixed, there are two steps:
//!
//! 1. A condition with one open bin determines that bin's residue. If all such conditions leave the
//!    bin one value, it becomes known; if they leave none, no board agrees. This is repeated while
//!    it makes progress, and a [`Contradiction`] reports its steps.
//! 2. Otherwise open bins are filled by backtracking from the nearest on. The conditions whose last
//!    open bin is reached determine its residue; the remaining values are tried in ascending order.
//!    This search is complete: it ends with a board or with all choices exhausted.

use std::collections::{BTreeMap, BTreeSet};

use super::contradiction::{Clash, Condition, Contradiction, Forced};
use super::{FixedBins, Verdict};

/// The number of values tried before giving up. Over all fixed pairs and triples up to bin 8 no
/// search needs more than a few; a million takes about 0.1 s.
const ATTEMPTS_MAX: u64 = 1_000_000;

impl FixedBins {
    /// Returns whether any board agrees, by the conditions of Theorem 4.5.
    ///
    /// Bins at prime numbers of numbering beta always agree with a board (Corollary 4.7). The board
    /// found is the first in lexicographic order from the nearest bin on.
    ///
    /// ```
    /// use cggames::family::BinNumbering;
    /// use cgsolvers::tchoukaillon::reconstruct::FixedBins;
    ///
    /// // Remark 4.6, where m_9 would have to be 28 + 30r.
    /// let fixed = FixedBins::new(BinNumbering::Beta, [(6, 0), (7, 1), (8, 1), (10, 0)])?;
    /// assert_eq!(
    ///     fixed.examine().contradiction().expect("none").to_string(),
    ///     "m_9 must be 0 mod 2 (m_10 + m_9 must be even), 1 mod 3 (m_9 + m_8 + m_7 must be divisible \
    ///      by 3) and 3 mod 5 (m_10 + m_9 + m_8 + m_7 + m_6 must be divisible by 5), and no number \
    ///      from 0 to 8 is"
    /// );
    /// let fixed = FixedBins::new(BinNumbering::Beta, [(6, 0), (7, 1), (8, 1), (10, 1)])?;
    /// assert_eq!(fixed.examine().bins().expect("a board")[9 - 2], 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn examine(&self) -> Verdict {
        let fixed = self.stones.iter().map(|(&bin, &stones)| (bin + 1, stones));
        let mut drawn = Drawn {
            last: self.farthest() + 1,
            known: fixed.collect(),
            forced: Vec::new(),
        };
        if let Err(clash) = drawn.draw() {
            return Verdict::None(Contradiction::new(self.numbering, &drawn.forced, clash));
        }
        match drawn.fill() {
            Filled::Bins(bins) => Verdict::Exists(bins),
            Filled::Nothing { attempts } => {
                let clash = Clash::Exhausted { attempts };
                Verdict::None(Contradiction::new(self.numbering, &drawn.forced, clash))
            }
            Filled::GaveUp => Verdict::Undecided {
                attempts: ATTEMPTS_MAX,
            },
        }
    }
}

/// The known contents of the bins 2 to `last`.
struct Drawn {
    last: u64,
    known: BTreeMap<u64, u64>,
    forced: Vec<Forced>,
}

/// The result of filling the open bins.
enum Filled {
    Bins(Vec<u64>),
    Nothing { attempts: u64 },
    GaveUp,
}

impl Drawn {
    /// Propagates all conditions with at most one open bin.
    fn draw(&mut self) -> Result<(), Clash> {
        loop {
            let mut residues: BTreeMap<u64, Vec<(u64, Condition)>> = BTreeMap::new();
            for condition in self.nearly_known() {
                let bins = self.known.range(condition.start()..=condition.end);
                let values: Vec<u64> = bins.map(|(_, &stones)| stones).rev().collect();
                let total = values.iter().sum::<u64>() % condition.modulus;
                if values.len() as u64 == condition.modulus {
                    if total > 0 {
                        return Err(Clash::Sum(condition, values));
                    }
                    continue;
                }
                let mut bins = condition.start()..=condition.end;
                let open = bins.find(|bin| !self.known.contains_key(bin));
                let open = open.expect("the condition has an open bin");
                let residue = (condition.modulus - total) % condition.modulus;
                residues.entry(open).or_default().push((residue, condition));
            }
            let before = self.known.len();
            for (bin, residues) in residues {
                let merged = residues
                    .iter()
                    .try_fold(ResidueClass::ALL, |class, &(r, c)| {
                        class.and(r, c.modulus, bin)
                    });
                let Some(class) = merged.filter(|class| class.least < bin) else {
                    return Err(Clash::Bin(bin, residues));
                };
                if class.least + class.modulus >= bin {
                    self.known.insert(bin, class.least);
                    self.forced.push(Forced {
                        bin,
                        stones: class.least,
                        conditions: residues.into_iter().map(|(_, c)| c).collect(),
                    });
                }
            }
            if self.known.len() == before {
                return Ok(());
            }
        }
    }

    /// Returns the conditions with at most one open bin, those of few bins first.
    fn nearly_known(&self) -> Vec<Condition> {
        let mut found = Vec::new();
        let most = (self.known.len() as u64 + 1).min(self.last / 2);
        for modulus in (2..=most).filter(|&d| is_prime_power(d)) {
            let blocks = self.known.keys().map(|bin| bin.div_ceil(modulus));
            let blocks: BTreeSet<u64> = blocks.collect();
            for end in blocks.into_iter().filter(|&b| b > 1).map(|b| b * modulus) {
                let condition = Condition { end, modulus };
                let known = self.known.range(condition.start()..=end).count() as u64;
                if end <= self.last && known + 1 >= modulus {
                    found.push(condition);
                }
            }
        }
        found
    }

    /// Fills the open bins by backtracking, in ascending order of bins and stones.
    fn fill(&self) -> Filled {
        let last = self.last as usize;
        let known: Vec<Option<u64>> = (0..=self.last)
            .map(|b| self.known.get(&b).copied())
            .collect();
        let factor = least_factors(last);
        // The total stones of the bins 2 to i, for the filled bins.
        let mut sums = vec![0u64; last + 1];
        // For each filled open bin: the bin, its stones and the step to its next choice.
        let mut choices: Vec<(usize, u64, u64)> = Vec::new();
        let mut attempts = 0;
        let mut bin = 2;
        while bin <= last {
            if let Some(stones) = known[bin] {
                sums[bin] = sums[bin - 1] + stones;
                bin += 1;
                continue;
            }
            let class = allowed(bin, &known, &sums, &factor);
            let mut choice = class.map(|class| (bin, class.least, class.modulus));
            // Backtracks to the last bin with another choice.
            while choice.is_none_or(|(bin, stones, _)| stones >= bin as u64) {
                let Some((before, stones, step)) = choices.pop() else {
                    return Filled::Nothing { attempts };
                };
                choice = Some((before, stones + step, step));
            }
            let (chosen, stones, step) = choice.expect("the loop ends with a choice");
            attempts += 1;
            if attempts > ATTEMPTS_MAX + self.last {
                return Filled::GaveUp;
            }
            choices.push((chosen, stones, step));
            sums[chosen] = sums[chosen - 1] + stones;
            bin = chosen + 1;
        }
        Filled::Bins((2..=last).map(|bin| sums[bin] - sums[bin - 1]).collect())
    }
}

/// Returns the possible contents of an open bin when all nearer bins are filled: by the conditions
/// that end with it, and by those that end with a known bin after it without another open bin
/// between.
///
/// For the powers of one prime the greatest suffices: the others follow from it and the conditions
/// on earlier bins.
fn allowed(
    bin: usize,
    known: &[Option<u64>],
    sums: &[u64],
    factor: &[usize],
) -> Option<ResidueClass> {
    let mut class = ResidueClass::ALL;
    let mut beyond = 0;
    for end in bin..known.len() {
        if end > bin {
            let Some(stones) = known[end] else { break };
            beyond += stones;
        }
        let mut rest = end;
        while rest > 1 {
            let prime = factor[rest];
            let mut power = 1;
            while rest.is_multiple_of(prime) {
                rest /= prime;
                power *= prime;
            }
            if power == end {
                power /= prime;
            }
            if power > 1 && power > end - bin {
                let modulus = power as u64;
                let others = sums[bin - 1] - sums[end - power] + beyond;
                let residue = (modulus - others % modulus) % modulus;
                class = class.and(residue, modulus, bin as u64)?;
            }
        }
    }
    Some(class)
}

/// A residue class, given by its least number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ResidueClass {
    least: u64,
    modulus: u64,
}

impl ResidueClass {
    const ALL: ResidueClass = ResidueClass {
        least: 0,
        modulus: 1,
    };

    /// Returns the common numbers with `residue` modulo `modulus`; `None` when there is none below
    /// `bound`.
    ///
    /// The result is exact for numbers below the bound; the modulus stays below the bound times the
    /// greatest modulus.
    fn and(self, residue: u64, modulus: u64, bound: u64) -> Option<ResidueClass> {
        let gcd = super::remainders::gcd(u128::from(self.modulus), u128::from(modulus)) as u64;
        if self.least % gcd != residue % gcd {
            return None;
        }
        // least + self.modulus * steps = residue modulo `modulus`, divided by the common divisor.
        let apart = (residue % modulus + modulus - self.least % modulus) % modulus;
        let narrowed = modulus / gcd;
        let steps = apart / gcd * inverse(self.modulus / gcd % narrowed, narrowed) % narrowed;
        let least = self.least + self.modulus * steps;
        if least >= bound {
            return None;
        }
        let modulus = match least + self.modulus {
            // No other number is below the bound, so the modulus no longer matters.
            next if next >= bound => self.modulus.max(bound),
            _ => self.modulus / gcd * modulus,
        };
        Some(ResidueClass { least, modulus })
    }
}

/// Returns the inverse of a number modulo a coprime one; 0 modulo 1. By Euclid's algorithm.
fn inverse(number: u64, modulus: u64) -> u64 {
    let (mut a, mut b) = (number as i64, modulus as i64);
    // a = x * number and b = y * number modulo `modulus`.
    let (mut x, mut y) = (1, 0);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    x.rem_euclid(modulus as i64) as u64
}

/// Returns the least prime factor of each number to `last`.
fn least_factors(last: usize) -> Vec<usize> {
    let mut factor: Vec<usize> = (0..=last).collect();
    let mut prime = 2;
    while prime * prime <= last {
        if factor[prime] == prime {
            for multiple in (prime * prime..=last).step_by(prime) {
                if factor[multiple] == multiple {
                    factor[multiple] = prime;
                }
            }
        }
        prime += 1;
    }
    factor
}

/// Returns whether a number from 2 on is a power of a prime.
fn is_prime_power(number: u64) -> bool {
    let prime = (2..)
        .take_while(|p| p * p <= number)
        .find(|&p| number.is_multiple_of(p));
    let Some(prime) = prime else { return true };
    let mut rest = number;
    while rest.is_multiple_of(prime) {
        rest /= prime;
    }
    rest == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_meet_where_both_are() {
        for bound in 1..40 {
            for (a, b) in [(1, 4), (4, 6), (6, 4), (5, 7), (8, 2), (3, 3), (12, 18)] {
                for (r, s) in (0..a).flat_map(|r| (0..b).map(move |s| (r, s))) {
                    let one = ResidueClass::ALL.and(r, a, bound);
                    let both = one.and_then(|class| class.and(s, b, bound));
                    let mut common = (0..bound).filter(|n| n % a == r && n % b == s);
                    let mut of_class = both
                        .into_iter()
                        .flat_map(|class| (class.least..bound).step_by(class.modulus as usize));
                    assert!(
                        common.by_ref().eq(of_class.by_ref()),
                        "{r} mod {a}, {s} mod {b}"
                    );
                }
            }
        }
    }
}
