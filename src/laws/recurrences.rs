//! Linear recurrences of sequences of integers.
//!
//! The shortest recurrence with constant coefficients is found on the first two thirds of a
//! sequence, modulo the prime 2^61 - 1, by the algorithm of Berlekamp and Massey. Its coefficients
//! are then read as small integers, and it must give every entry exactly, including those held out.
//! It must also save bits: the cost of the entries that it gives, minus that of its coefficients.
//!
//! Source: Massey, *Shift-register synthesis and BCH decoding*, IEEE Transactions on Information
//! Theory 15, 1969.

use super::bits::{BITS_LEAST, of_integer};
use super::sought::Sought;
use super::sums::{Writing, shifted, sum, variable};

/// The most entries at the beginning that a recurrence may leave out.
const BEGINNINGS: usize = 4;

/// The most entries that a recurrence is found on.
const FOUND_MAX: usize = 2048;

/// The greatest coefficient.
const COEFFICIENT_MAX: u64 = 1 << 20;

const PRIME: u64 = (1 << 61) - 1;

/// `a(n) = coefficients[0] a(n-1) + coefficients[1] a(n-2) + ...` from some place on.
#[derive(Clone, Debug, PartialEq)]
pub struct Recurrence {
    /// The first place, counted from 0, that it gives.
    pub from: usize,
    /// The coefficients, beginning with that of the previous entry; the last is not 0.
    pub coefficients: Vec<i64>,
    /// The number of entries held out for testing.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
}

impl Recurrence {
    /// Returns the entry that follows the given ones, if there are enough and it fits.
    pub fn next(&self, before: &[i128]) -> Option<i128> {
        let terms = self.coefficients.iter().enumerate();
        terms
            .map(|(back, &coefficient)| {
                let at = before.len().checked_sub(back + 1)?;
                before[at].checked_mul(coefficient.into())
            })
            .try_fold(0i128, |sum, term| sum.checked_add(term?))
    }

    /// Returns entry n of a sequence whose first entries are these, one for each coefficient;
    /// `None` if an intermediate number takes more than 127 bits.
    ///
    /// Cost: O(coefficients^2) for each binary digit of n, by powers of x modulo the characteristic
    /// polynomial.
    pub fn at(&self, first: &[i128], n: u64) -> Option<i128> {
        let mut power = vec![1i128];
        for digit in (0..64 - n.leading_zeros()).rev() {
            let mut double = vec![0i128; 2 * power.len() - 1];
            for (i, a) in power.iter().enumerate() {
                for (j, b) in power.iter().enumerate() {
                    double[i + j] = double[i + j].checked_add(a.checked_mul(*b)?)?;
                }
            }
            if n >> digit & 1 == 1 {
                double.insert(0, 0);
            }
            power = self.reduced(double)?;
        }
        let terms = power.iter().zip(first);
        terms
            .map(|(a, b)| a.checked_mul(*b))
            .try_fold(0i128, |sum, term| sum.checked_add(term?))
    }

    /// Writes the recurrence: an entry in terms of earlier ones, as in `a(n) = 3 a(n-1) - 2
    /// a(n-2)`.
    pub fn text(&self, name: &str) -> String {
        self.written(name, Writing::Spaced)
    }

    /// Writes the recurrence as LaTeX mathematics.
    pub fn latex(&self, name: &str) -> String {
        self.written(name, Writing::Latex)
    }

    fn written(&self, name: &str, writing: Writing) -> String {
        let name = variable(name, writing);
        let terms = (1..).zip(&self.coefficients);
        let terms = terms.map(|(back, &coefficient)| {
            (coefficient.into(), format!("a({})", shifted(&name, -back)))
        });
        format!("a({name}) = {}", sum(terms, writing))
    }

    /// Returns a polynomial, its constant first, modulo the characteristic polynomial.
    fn reduced(&self, mut polynomial: Vec<i128>) -> Option<Vec<i128>> {
        while polynomial.len() > self.coefficients.len() {
            let leading = polynomial.pop()?;
            for (place, &coefficient) in polynomial.iter_mut().rev().zip(&self.coefficients) {
                *place = place.checked_add(leading.checked_mul(coefficient.into())?)?;
            }
        }
        Some(polynomial)
    }
}

/// Returns the shortest recurrence of a sequence, in O(f^2 + f entries), where it is found on f
/// entries, at most 2,048.
///
/// ```
/// use cglaws::{Sought, recurrence};
///
/// let totals: Vec<i128> = (1..20).map(|k| (1 << k) - 1).collect();
/// let Sought::Found(found) = recurrence(&totals) else { panic!("none") };
/// assert_eq!((found.from, found.coefficients), (2, vec![3, -2]));
/// ```
pub fn recurrence(sequence: &[i128]) -> Sought<Recurrence> {
    let found_on = (2 * sequence.len() / 3).min(FOUND_MAX);
    let mut sought = Sought::None;
    for begin in 0..=BEGINNINGS.min(found_on) {
        let known: Vec<u64> = sequence[begin..found_on]
            .iter()
            .map(|&entry| residue(entry))
            .collect();
        let coefficients = shortest(&known);
        let order = coefficients.len();
        // Any 2k entries have some recurrence of order k.
        if order == 0 || 2 * order + 2 > known.len() {
            continue;
        }
        let small = coefficients.into_iter().map(|coefficient| {
            let negative = PRIME - coefficient;
            match (coefficient <= COEFFICIENT_MAX, negative <= COEFFICIENT_MAX) {
                (true, _) => Some(coefficient as i64),
                (_, true) => Some(-(negative as i64)),
                _ => None,
            }
        });
        let Some(coefficients) = small.collect::<Option<Vec<i64>>>() else {
            continue;
        };
        let mut found = Recurrence {
            from: begin + order,
            coefficients,
            tested: sequence.len() - found_on,
            bits: 0.0,
        };
        let gives = |n: usize| found.next(&sequence[begin..n]) == Some(sequence[n]);
        if !(found.from..found_on).all(gives) {
            continue;
        }
        if !(found_on..sequence.len()).all(gives) {
            sought = Sought::Failed(found);
            continue;
        }
        let given: f64 = sequence[found.from..]
            .iter()
            .map(|&entry| of_integer(entry))
            .sum();
        let written: f64 = found
            .coefficients
            .iter()
            .map(|&coefficient| of_integer(coefficient.into()))
            .sum();
        found.bits = given - written - 2.0 * (begin as f64 + 1.0).log2();
        return if found.bits >= BITS_LEAST {
            Sought::Found(found)
        } else {
            Sought::None
        };
    }
    sought
}

fn residue(entry: i128) -> u64 {
    entry.rem_euclid(PRIME.into()) as u64
}

fn product(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    let (mut power, mut inverse, mut left) = (a, 1, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            inverse = product(inverse, power);
        }
        power = product(power, power);
        left >>= 1;
    }
    inverse
}

/// Returns the least number of first entries from which a recurrence modulo 2^61 - 1 gives all the
/// others. For a random sequence it is near half the number of entries.
///
/// Cost: O(entries^2).
pub(super) fn order(sequence: &[i128]) -> usize {
    let residues: Vec<u64> = sequence.iter().map(|&entry| residue(entry)).collect();
    synthesis(&residues).len()
}

/// Returns the coefficients of the shortest recurrence modulo the prime; the last is not 0.
fn shortest(sequence: &[u64]) -> Vec<u64> {
    let mut coefficients = synthesis(sequence);
    while coefficients.last() == Some(&0) {
        coefficients.pop();
    }
    coefficients
}

/// Returns the coefficients of the shortest recurrence modulo the prime, one for each entry that it
/// does not give.
fn synthesis(sequence: &[u64]) -> Vec<u64> {
    // The recurrence; the one before its last lengthening, the discrepancy of that one, and how
    // long ago that was.
    let (mut current, mut before): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let (mut off_before, mut ago) = (1, 1);
    let mut length = 0;
    for (n, &entry) in sequence.iter().enumerate() {
        let mut given = 0;
        for (back, &coefficient) in current.iter().enumerate() {
            given = (given + product(coefficient, sequence[n - 1 - back])) % PRIME;
        }
        let off = (entry + PRIME - given) % PRIME;
        if off == 0 {
            ago += 1;
            continue;
        }
        let scale = product(off, inverse(off_before));
        let mut next = current.clone();
        next.resize(current.len().max(before.len() + ago), 0);
        next[ago - 1] = (next[ago - 1] + scale) % PRIME;
        for (back, &coefficient) in before.iter().enumerate() {
            let place = &mut next[ago + back];
            *place = (*place + PRIME - product(scale, coefficient)) % PRIME;
        }
        if 2 * length <= n {
            (before, off_before, ago) = (current, off, 1);
            length = n + 1 - length;
            next.resize(length, 0);
        } else {
            ago += 1;
        }
        current = next;
    }
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first entries of a recurrence, given coefficients and initial entries.
    fn sequence(coefficients: &[i64], first: &[i128], entries: usize) -> Vec<i128> {
        let recurrence = Recurrence {
            from: 0,
            coefficients: coefficients.to_vec(),
            tested: 0,
            bits: 0.0,
        };
        let mut sequence = first.to_vec();
        while sequence.len() < entries {
            sequence.push(recurrence.next(&sequence).unwrap());
        }
        sequence
    }

    #[test]
    fn recurrences_are_found_where_they_begin() {
        for (coefficients, first) in [
            (vec![1, 1], vec![0, 1]),
            (vec![3, -2], vec![1, 3]),
            (vec![3, -3, 1], vec![5, 2, 9]),
            (vec![0, 0, 2], vec![1, 4, 7]),
        ] {
            for begin in [vec![], vec![100], vec![7, -3, 12]] {
                let mut entries: Vec<i128> = begin.clone();
                entries.extend(sequence(&coefficients, &first, 40));
                let Sought::Found(found) = recurrence(&entries) else {
                    panic!("{coefficients:?}");
                };
                assert_eq!(found.coefficients, coefficients);
                assert_eq!(found.from, begin.len() + coefficients.len());
                assert_eq!(found.next(&entries[begin.len()..30]), Some(entries[30]));
                let (first, rest) = (&entries[begin.len()..found.from], begin.len()..40);
                for (n, place) in (0..).zip(rest) {
                    assert_eq!(found.at(first, n), Some(entries[place]));
                }
            }
        }
    }

    #[test]
    fn recurrences_are_written() {
        let law = |coefficients: &[i64]| Recurrence {
            from: 0,
            coefficients: coefficients.to_vec(),
            tested: 0,
            bits: 0.0,
        };
        for (coefficients, text) in [
            (vec![3, -2], "a(n) = 3 a(n-1) - 2 a(n-2)"),
            (vec![-1, 0, 1], "a(n) = -a(n-1) + a(n-3)"),
            (vec![], "a(n) = 0"),
        ] {
            assert_eq!(law(&coefficients).text("n"), text);
            assert_eq!(law(&coefficients).latex("n"), text);
        }
        let latex = law(&[2]).latex("pots");
        assert_eq!(latex, "a(\\mathit{pots}) = 2 a(\\mathit{pots}-1)");
    }

    #[test]
    fn orders_count_the_entries_that_are_not_given() {
        for (entries, least) in [
            (vec![], 0),
            (vec![0, 0, 0, 0, 0], 0),
            (vec![4, 4, 4, 4, 4], 1),
            (vec![9, 4, 4, 4, 4, 4], 2),
            (vec![0, 1, 1, 2, 3, 5, 8], 2),
            (vec![0, 0, 0, 0, 0, 7], 6),
        ] {
            assert_eq!(order(&entries), least, "{entries:?}");
        }
    }

    #[test]
    fn what_fails_in_tests_is_no_recurrence() {
        let mut entries = sequence(&[1, 1], &[0, 1], 40);
        entries[36] += 1;
        assert!(matches!(recurrence(&entries), Sought::Failed(_)));
    }

    #[test]
    fn random_and_shuffled_sequences_have_none() {
        let mut generator = fastrand::Rng::with_seed(4);
        let powers: Vec<i128> = (0..30).map(|n| 1 << n).collect();
        for round in 0..20_000 {
            let mut entries = powers.clone();
            match round % 2 {
                0 => generator.shuffle(&mut entries),
                _ => {
                    let length = generator.usize(6..60);
                    let most = 1 << generator.u32(1..40);
                    entries = (0..length).map(|_| generator.i128(-most..=most)).collect();
                }
            }
            let found = recurrence(&entries);
            assert!(!matches!(found, Sought::Found(_)), "{entries:?} {found:?}");
        }
    }
}
