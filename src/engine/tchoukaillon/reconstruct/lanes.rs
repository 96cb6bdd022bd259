//! The least quotients further in, for many quotients at once.

use crate::engine::tchoukaillon::quotient::raise;

/// Up to this many stones [`Chains`] works in floating point.
pub(super) const EXACT_MAX: u128 = 1 << 48;

/// Quotients that go through the steps together: eight registers of four, as many as hide how long an operation takes.
const TOGETHER: usize = 32;

/// The same with registers of eight.
#[cfg(target_arch = "x86_64")]
const TOGETHER_AVX512: usize = 64;

/// Added to a number and taken off again, it leaves the nearest whole one.
const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// Returns for each quotient at bin `from` the least and the greatest quotient at bin `to`.
pub(super) fn spans(quotients: &[u128], from: u64, to: u64) -> Vec<(u128, u128)> {
    let span = |&q: &u128| (raise(q, from, to), raise(q + 1, from, to) - 1);
    quotients.iter().map(span).collect()
}

/// Chains of steps `q += ceil(q/t)` with the inverses of all t at hand.
pub(super) struct Chains {
    inverses: Vec<f64>,
}

impl Chains {
    /// Prepares for divisors below `bins`.
    pub(super) fn new(bins: u64) -> Chains {
        let inverses = (0..bins).map(|t| 1.0 / (t.max(1)) as f64);
        Chains {
            inverses: inverses.collect(),
        }
    }

    /// Returns for each quotient at bin `from` the least quotient at bin `to` and the least that belongs to a greater one.
    ///
    /// No result may exceed [`EXACT_MAX`] by more than a few divisors, so that floating point is exact; the slow twin is
    /// [`spans`].
    pub(super) fn exact_spans(
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

    /// Returns the quotients at bin `to`, of those at bin `from`, with which that bin holds so many stones: those that are
    /// -stones modulo to + 1. The same conditions as for [`Chains::exact_spans`].
    pub(super) fn exact_members(
        &self,
        quotients: &[u64],
        from: u64,
        to: u64,
        stones: u64,
    ) -> Vec<u64> {
        let (least, beyond) = self.exact_spans(quotients, from, to);
        let (modulus, stones) = ((to + 1) as f64, stones as f64);
        let inverse = 1.0 / modulus;
        let mut members = Vec::new();
        for (least, beyond) in least.into_iter().zip(beyond) {
            // The class's least member from `least` on: rounded up as in `step`.
            let near = (least + stones) * inverse + (0.5 - 0.5 * inverse);
            let mut member = ((near + WHOLE) - WHOLE) * modulus - stones;
            while member < beyond {
                members.push(member as u64);
                member += modulus;
            }
        }
        members
    }

    /// Raises each quotient from bin `from` to bin `to`; the slow twin is [`raise`].
    fn raise_all(&self, quotients: &mut [f64], from: u64, to: u64) {
        let inverses = &self.inverses[to as usize..from as usize];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512F, which is all that the function asks for.
            unsafe { steps_avx512(quotients, inverses) };
            return;
        } else if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, which is all that the function asks for.
            unsafe { steps_avx2(quotients, inverses) };
            return;
        }
        steps::<TOGETHER, false>(quotients, inverses);
    }
}

/// Takes all quotients through the steps whose inverse divisors are given, the last first.
///
/// `ceil(q/t)` is the whole number nearest to `q/t + 1/2 - 1/(2t)`, which is at least 1/(2t) from where
/// rounding turns. The roundings on the way err by less than `(q/t + 1) 2^-50`, so the steps are exact
/// while `q + t < 2^49`. Adding and subtracting 3/2 2^52 rounds to the nearest whole number. `FUSED` asks for one
/// instruction that multiplies and adds, with a rounding less; without it in the processor that is a slow call.
#[inline(always)]
fn steps<const TOGETHER: usize, const FUSED: bool>(quotients: &mut [f64], inverses: &[f64]) {
    let mut whole = quotients.chunks_exact_mut(TOGETHER);
    for some in &mut whole {
        let some: &mut [f64; TOGETHER] = some.try_into().expect("chunks have this length");
        for &inverse in inverses.iter().rev() {
            step::<FUSED>(some, inverse);
        }
    }
    let rest = whole.into_remainder();
    for &inverse in inverses.iter().rev() {
        step::<FUSED>(rest, inverse);
    }
}

/// One step of some quotients.
#[inline(always)]
fn step<const FUSED: bool>(quotients: &mut [f64], inverse: f64) {
    let shift = 0.5 - 0.5 * inverse;
    for q in quotients {
        let near = match FUSED {
            true => q.mul_add(inverse, shift),
            false => *q * inverse + shift,
        };
        *q += (near + WHOLE) - WHOLE;
    }
}

/// [`steps`], eight quotients to a register, with fused multiplication, which AVX-512F includes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn steps_avx512(quotients: &mut [f64], inverses: &[f64]) {
    steps::<TOGETHER_AVX512, true>(quotients, inverses);
}

/// [`steps`], four quotients to a register instead of two.
///
/// PERF: the smallest n = 999,999,999,982 of bins 87, 88, 89, 91, 93 and 200 takes 2.6 s of processor time
/// instead of 4.4.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn steps_avx2(quotients: &mut [f64], inverses: &[f64]) {
    steps::<TOGETHER, false>(quotients, inverses);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_registers_agree() {
        let chains = Chains::new(300);
        let quotients: Vec<f64> = (0..1000u64).map(|q| (q * q * 1_000_003) as f64).collect();
        let inverses = &chains.inverses[7..300];
        let mut expected = quotients.clone();
        steps::<1, false>(&mut expected, inverses);
        let mut found = quotients.clone();
        steps::<TOGETHER, false>(&mut found, inverses);
        assert_eq!(found, expected);
        let mut found = quotients.clone();
        steps::<TOGETHER, true>(&mut found, inverses);
        assert_eq!(found, expected);
        let mut found = quotients.clone();
        chains.raise_all(&mut found, 300, 7);
        assert_eq!(found, expected);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            let mut found = quotients.clone();
            // SAFETY: the processor has AVX2.
            unsafe { steps_avx2(&mut found, inverses) };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn floating_point_agrees_with_whole_numbers() {
        let chains = Chains::new(3000);
        let mut seed = 1u64;
        for (from, to) in [(1, 1), (2, 1), (9, 4), (100, 1), (3000, 1), (3000, 2700)] {
            let mut quotients: Vec<u128> = (0..40).collect();
            for bits in 10..48 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let scaled = u128::from(seed >> (64 - bits)) / u128::from(from);
                quotients.extend([
                    scaled,
                    (EXACT_MAX / u128::from(from)).saturating_sub(scaled),
                ]);
            }
            let slow = spans(&quotients, from, to);
            let narrow: Vec<u64> = quotients.iter().map(|&q| q as u64).collect();
            let (least, beyond) = chains.exact_spans(&narrow, from, to);
            let fast = least.iter().zip(&beyond);
            let fast: Vec<_> = fast.map(|(&a, &b)| (a as u128, b as u128 - 1)).collect();
            assert_eq!(fast, slow, "{from} to {to}");
            for stones in [0, 1, to / 2, to] {
                let modulus = u128::from(to) + 1;
                let is_member = |q: &u128| (q + u128::from(stones)).is_multiple_of(modulus);
                // Spans far out hold up to 3000 numbers.
                let members = slow
                    .iter()
                    .flat_map(|&(least, most)| (least..=most).filter(is_member));
                let members: Vec<u64> = members.map(|q| q as u64).collect();
                assert_eq!(chains.exact_members(&narrow, from, to, stones), members);
            }
        }
    }
}
