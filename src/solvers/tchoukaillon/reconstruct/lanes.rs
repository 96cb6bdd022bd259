//! The least quotients at a nearer bin, for many quotients at once.

use crate::tchoukaillon::quotient::raise;

/// The most stones for which [`Chains`] computes in floating point.
pub(super) const EXACT_MAX: u128 = 1 << 48;

/// The number of quotients that take the steps together: eight registers of four, enough to hide
/// the latency of an operation.
const TOGETHER: usize = 32;

/// The same with registers of eight.
#[cfg(target_arch = "x86_64")]
const TOGETHER_AVX512: usize = 64;

/// Adding and subtracting this number rounds to the nearest integer.
pub(super) const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// Returns for each quotient at bin `from` the least and the greatest quotient at bin `to`.
pub(super) fn quotient_ranges(quotients: &[u128], from: u64, to: u64) -> Vec<(u128, u128)> {
    let span = |&q: &u128| (raise(q, from, to), raise(q + 1, from, to) - 1);
    quotients.iter().map(span).collect()
}

/// Chains of steps `q += ceil(q/t)` with a table of the inverses of all t.
pub(super) struct Chains {
    inverses: Vec<f64>,
}

impl Chains {
    /// Computes the inverses of the divisors up to `most`.
    pub(super) fn new(most: u64) -> Chains {
        let inverses = (0..=most).map(|t| 1.0 / (t.max(1)) as f64);
        Chains {
            inverses: inverses.collect(),
        }
    }

    /// Returns for each quotient at bin `from` the least quotient at bin `to`, and the least that
    /// belongs to the next quotient.
    ///
    /// No result may exceed [`EXACT_MAX`] by more than a few divisors, so that floating point is
    /// exact; the slow twin is [`quotient_ranges`].
    pub(super) fn exact_ranges(
        &self,
        quotients: &[u64],
        from: u64,
        to: u64,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut least: Vec<f64> = quotients.iter().map(|&q| q as f64).collect();
        let mut beyond: Vec<f64> = least.iter().map(|&q| q + 1.0).collect();
        self.raise_all(&mut least, from, to);
        self.raise_all(&mut beyond, from, to);
        (least, beyond)
    }

    /// Returns the quotients at bin `to`, for those at bin `from`, with which that bin holds
    /// `stones` stones: those that are -stones modulo to + 1. The same conditions as for
    /// [`Chains::exact_ranges`].
    pub(super) fn exact_members(
        &self,
        quotients: &[u64],
        from: u64,
        to: u64,
        stones: u64,
    ) -> Vec<u64> {
        let (least, beyond) = self.exact_ranges(quotients, from, to);
        let (modulus, stones) = ((to + 1) as f64, stones as f64);
        let inverse = 1.0 / modulus;
        // The least member of the class from `least` on, rounded up as in `step`.
        let member = |least: f64| {
            let near = (least + stones) * inverse + (0.5 - 0.5 * inverse);
            ((near + WHOLE) - WHOLE) * modulus - stones
        };
        let quotient_ranges = least.into_iter().zip(beyond);
        // No range is longer than that of 0, since ceil(a + b) <= ceil(a) + ceil(b). If none can
        // contain two members, a branch-free loop suffices.
        if raise(1, from, to) <= u128::from(to) + 1 {
            let mut members = vec![0; quotients.len()];
            let mut kept = 0;
            for (least, beyond) in quotient_ranges {
                let member = member(least);
                members[kept] = member as u64;
                kept += usize::from(member < beyond);
            }
            members.truncate(kept);
            return members;
        }
        let mut members = Vec::new();
        for (least, beyond) in quotient_ranges {
            let mut member = member(least);
            while member < beyond {
                members.push(member as u64);
                member += modulus;
            }
        }
        members
    }

    /// Raises each quotient from bin `from` to bin `to`; the slow twin is [`raise`].
    fn raise_all(&self, quotients: &mut [f64], from: u64, to: u64) {
        take::<true>(quotients, &self.inverses[to as usize..from as usize]);
    }

    /// Lowers each quotient from bin `from` to a farther bin `to`; the slow twin is [`lower`]. The
    /// same conditions as for [`Chains::exact_ranges`].
    ///
    /// [`lower`]: crate::tchoukaillon::quotient::lower
    pub(super) fn lower_all(&self, quotients: &mut [f64], from: u64, to: u64) {
        take::<false>(quotients, &self.inverses[from as usize + 1..=to as usize]);
    }
}

/// Applies steps to quotients with the processor's widest registers.
fn take<const RAISE: bool>(quotients: &mut [f64], inverses: &[f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512F, the only feature that the function requires.
        unsafe { steps_avx512::<RAISE>(quotients, inverses) };
        return;
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, the only feature that the function requires.
        unsafe { steps_avx2::<RAISE>(quotients, inverses) };
        return;
    }
    steps::<TOGETHER, false, RAISE>(quotients, inverses);
}

/// Applies to all quotients the steps with these inverse divisors: up, the last divisor first, or
/// down, the first divisor first.
///
/// `ceil(q/t)` is the integer nearest to `q/t + 1/2 - 1/(2t)`, which is at least 1/(2t) from any
/// half-integer. The intermediate roundings err by less than `(q/t + 1) 2^-50`, so the steps are
/// exact while `q + t < 2^49`. Adding and subtracting 3/2 2^52 rounds to the nearest integer.
/// `FUSED` selects the fused multiply-add, with one rounding less; on a processor without it that
/// is a slow call.
#[inline(always)]
fn steps<const TOGETHER: usize, const FUSED: bool, const RAISE: bool>(
    quotients: &mut [f64],
    inverses: &[f64],
) {
    let inverse = |at: usize| {
        if RAISE {
            inverses[inverses.len() - 1 - at]
        } else {
            inverses[at]
        }
    };
    let mut whole = quotients.chunks_exact_mut(TOGETHER);
    for some in &mut whole {
        let some: &mut [f64; TOGETHER] = some.try_into().expect("chunks have this length");
        for at in 0..inverses.len() {
            step::<FUSED, RAISE>(some, inverse(at));
        }
    }
    let rest = whole.into_remainder();
    for at in 0..inverses.len() {
        step::<FUSED, RAISE>(rest, inverse(at));
    }
}

/// Applies one step to some quotients.
#[inline(always)]
fn step<const FUSED: bool, const RAISE: bool>(quotients: &mut [f64], inverse: f64) {
    let shift = 0.5 - 0.5 * inverse;
    for q in quotients {
        let near = if FUSED {
            q.mul_add(inverse, shift)
        } else {
            *q * inverse + shift
        };
        let rounded = (near + WHOLE) - WHOLE;
        *q += if RAISE { rounded } else { -rounded };
    }
}

/// [`steps`], eight quotients to a register, with fused multiplication, which AVX-512F includes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn steps_avx512<const RAISE: bool>(quotients: &mut [f64], inverses: &[f64]) {
    steps::<TOGETHER_AVX512, true, RAISE>(quotients, inverses);
}

/// [`steps`], four quotients to a register instead of two.
///
/// PERF: the smallest n = 999,999,999,982 of bins 87, 88, 89, 91, 93 and 200 takes 2.6 s of
/// processor time instead of 4.4.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn steps_avx2<const RAISE: bool>(quotients: &mut [f64], inverses: &[f64]) {
    steps::<TOGETHER, false, RAISE>(quotients, inverses);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tchoukaillon::quotient::lower;

    #[test]
    fn all_registers_agree() {
        let chains = Chains::new(300);
        let quotients: Vec<f64> = (0..1000u64).map(|q| (q * q * 1_000_003) as f64).collect();
        let inverses = &chains.inverses[7..300];
        let mut expected = quotients.clone();
        steps::<1, false, true>(&mut expected, inverses);
        let mut found = quotients.clone();
        steps::<TOGETHER, false, true>(&mut found, inverses);
        assert_eq!(found, expected);
        let mut found = quotients.clone();
        steps::<TOGETHER, true, true>(&mut found, inverses);
        assert_eq!(found, expected);
        let mut found = quotients.clone();
        chains.raise_all(&mut found, 300, 7);
        assert_eq!(found, expected);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            let mut found = quotients.clone();
            // SAFETY: the processor has AVX2.
            unsafe { steps_avx2::<true>(&mut found, inverses) };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn floating_point_agrees_with_whole_numbers() {
        let chains = Chains::new(3000);
        let mut random = fastrand::Rng::with_seed(1);
        for (from, to) in [(1, 1), (2, 1), (9, 4), (100, 1), (3000, 1), (3000, 2700)] {
            let mut quotients: Vec<u128> = (0..40).collect();
            for bits in 10..48 {
                let scaled = u128::from(random.u64(..1 << bits)) / u128::from(from);
                quotients.extend([
                    scaled,
                    (EXACT_MAX / u128::from(from)).saturating_sub(scaled),
                ]);
            }
            let mut lowered: Vec<f64> = quotients.iter().map(|&q| q as f64).collect();
            chains.lower_all(&mut lowered, to, from);
            let slowly = quotients.iter().map(|&q| lower(q, to, from));
            assert!(
                lowered.iter().map(|&q| q as u128).eq(slowly),
                "{to} to {from}"
            );
            let slow = quotient_ranges(&quotients, from, to);
            let narrow: Vec<u64> = quotients.iter().map(|&q| q as u64).collect();
            let (least, beyond) = chains.exact_ranges(&narrow, from, to);
            let fast = least.iter().zip(&beyond);
            let fast: Vec<_> = fast.map(|(&a, &b)| (a as u128, b as u128 - 1)).collect();
            assert_eq!(fast, slow, "{from} to {to}");
            for stones in [0, 1, to / 2, to] {
                let modulus = u128::from(to) + 1;
                let is_member = |q: &u128| (q + u128::from(stones)).is_multiple_of(modulus);
                // Ranges at far bins contain up to 3000 numbers.
                let members = slow
                    .iter()
                    .flat_map(|&(least, most)| (least..=most).filter(is_member));
                let members: Vec<u64> = members.map(|q| q as u64).collect();
                assert_eq!(chains.exact_members(&narrow, from, to, stones), members);
            }
        }
    }
}
