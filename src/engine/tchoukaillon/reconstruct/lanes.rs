//! The least quotients further in, for many quotients at once.

use crate::engine::tchoukaillon::quotient::raise;

/// Up to this many stones [`Chains`] works in floating point.
pub(super) const EXACT_MAX: u128 = 1 << 48;

/// Quotients that go through the steps together.
const TOGETHER: usize = 32;

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

    /// Returns for each quotient at bin `from` the least and the greatest quotient at bin `to`.
    ///
    /// `exact` says that no result exceeds [`EXACT_MAX`] by more than a few divisors, so that
    /// floating point is exact; else each is computed alone in 128 bits.
    pub(super) fn spans(
        &self,
        quotients: &[u128],
        from: u64,
        to: u64,
        exact: bool,
    ) -> Vec<(u128, u128)> {
        if from == to {
            return quotients.iter().map(|&q| (q, q)).collect();
        }
        if !exact {
            let span = |&q: &u128| (raise(q, from, to), raise(q + 1, from, to) - 1);
            return quotients.iter().map(span).collect();
        }
        let mut least: Vec<f64> = quotients.iter().map(|&q| q as u64 as f64).collect();
        let mut beyond: Vec<f64> = least.iter().map(|&q| q + 1.0).collect();
        self.raise_all(&mut least, from, to);
        self.raise_all(&mut beyond, from, to);
        let spans = least.iter().zip(&beyond);
        spans
            .map(|(&least, &beyond)| (u128::from(least as u64), u128::from(beyond as u64 - 1)))
            .collect()
    }

    /// Raises each quotient from bin `from` to bin `to`; the slow twin is [`raise`].
    fn raise_all(&self, quotients: &mut [f64], from: u64, to: u64) {
        let inverses = &self.inverses[to as usize..from as usize];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, which is all that the function asks for.
            unsafe { steps_avx2(quotients, inverses) };
            return;
        }
        steps(quotients, inverses);
    }
}

/// Takes all quotients through the steps whose inverse divisors are given, the last first.
///
/// `ceil(q/t)` is the whole number nearest to `q/t + 1/2 - 1/(2t)`, which is at least 1/(2t) from where
/// rounding turns. The roundings on the way err by less than `(q/t + 1) 2^-50`, so the steps are exact
/// while `q + t < 2^49`. Adding and subtracting 3/2 2^52 rounds to the nearest whole number.
#[inline(always)]
fn steps(quotients: &mut [f64], inverses: &[f64]) {
    let mut whole = quotients.chunks_exact_mut(TOGETHER);
    for some in &mut whole {
        let some: &mut [f64; TOGETHER] = some.try_into().expect("chunks have this length");
        for &inverse in inverses.iter().rev() {
            step(some, inverse);
        }
    }
    let rest = whole.into_remainder();
    for &inverse in inverses.iter().rev() {
        step(rest, inverse);
    }
}

/// One step of some quotients.
#[inline(always)]
fn step(quotients: &mut [f64], inverse: f64) {
    const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
    let shift = 0.5 - 0.5 * inverse;
    for q in quotients {
        *q += ((*q * inverse + shift) + WHOLE) - WHOLE;
    }
}

/// [`steps`], four quotients to a register instead of two.
///
/// PERF: the smallest n = 999,999,999,982 of bins 87, 88, 89, 91, 93 and 200 takes 2.6 s of processor time
/// instead of 4.4.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn steps_avx2(quotients: &mut [f64], inverses: &[f64]) {
    steps(quotients, inverses);
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let fast = chains.spans(&quotients, from, to, true);
            assert_eq!(
                fast,
                chains.spans(&quotients, from, to, false),
                "{from} to {to}"
            );
        }
    }
}
