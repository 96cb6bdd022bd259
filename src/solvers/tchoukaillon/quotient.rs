//! Quotients of one board: `q_i` is the number of stones in bin i and beyond, divided by i.
//!
//! From `q_i` and `b_i <= i` follows `q_{i+1} = floor(i q_i / (i+1)) = q_i - ceil(q_i / (i+1))`
//! (Theorem 2.1). That step is not injective: [`raise`] takes the least preimage, which is Theorem
//! 3.5's rounding up to a multiple.
//!
//! Both directions subtract or add a `ceil(q/t)` that changes slowly where q is small compared with
//! t². A run of equal quotients then takes one multiplication. If q at bin l is 1, the quotients
//! from l down to about bin `l^(2/3)` form about `l^(2/3)` runs, and below that bin there are about
//! `l^(2/3)` single steps.

/// Up to this bound, quotients and bins are computed in 64 bits without overflow, since one run
/// adds less than twice the larger of them.
const NARROW: u128 = 1 << 62;

macro_rules! raise_in {
    ($name:ident, $int:ty, $doc:literal) => {
        #[doc = $doc]
        fn $name(
            mut q: $int,
            mut t: $int,
            to: $int,
            bound: $int,
            mut step: impl FnMut(),
        ) -> ($int, $int) {
            if t < to || q >= bound {
                return (q, t);
            }
            // A run of equal d = ceil(q/t) with r = dt - q: each step subtracts 2d from r, and the
            // run continues as long as r is not negative.
            let mut d = q.div_ceil(t);
            let mut r = d * t - q;
            while d <= t / 2 && q < bound {
                step();
                let run = (r / (2 * d) + 1).min(t - to + 1);
                q += run * d;
                t -= run;
                if t < to {
                    return (q, t);
                }
                let missing = 2 * d * run - r;
                let more = if missing <= t { 1 } else { missing.div_ceil(t) };
                d += more;
                r = more * t - missing;
            }
            while t >= to && q < bound {
                step();
                q += q.div_ceil(t);
                t -= 1;
            }
            (q, t)
        }
    };
}

raise_in!(
    raise_narrow,
    u64,
    "Steps `q += ceil(q/t)` for t down to `to`, in 64 bits."
);
raise_in!(
    raise_wide,
    u128,
    "Steps `q += ceil(q/t)` for t down to `to`, in 128 bits."
);

/// Returns the least `q_to` of all boards with the given `q_from`, for `1 <= to <= from`.
///
/// Every board with `q_from = q` has `q_to` from `raise(q, ..)` to `raise(q + 1, ..) - 1`, and all
/// of these occur. The caller must ensure that the result is below 2^126.
pub(super) fn raise(q: u128, from: u64, to: u64) -> u128 {
    raise_counted(q, from, to, || ())
}

/// As [`raise`], and calls `step` for each run of steps.
pub(super) fn raise_counted(q: u128, from: u64, to: u64, mut step: impl FnMut()) -> u128 {
    debug_assert!(1 <= to && to <= from);
    if q == 0 || from == to {
        return q;
    }
    let (mut q, mut t) = (q, u128::from(from - 1));
    if q < NARROW && t < NARROW {
        let (narrow, left) = raise_narrow(q as u64, t as u64, to, NARROW as u64, &mut step);
        (q, t) = (u128::from(narrow), u128::from(left));
    }
    raise_wide(q, t, u128::from(to), u128::MAX, &mut step).0
}

/// Returns the quotient `q_to` of the board with the given `q_from`, for `from <= to`; stops at 0.
/// O(to - from), without runs, since quotients are large here.
pub(super) fn lower(mut q: u128, from: u64, to: u64) -> u128 {
    let mut bin = from;
    while bin < to && q > 0 {
        q = match u64::try_from(q) {
            Ok(narrow) => u128::from(narrow - narrow.div_ceil(bin + 1)),
            Err(_) => q - q.div_ceil(u128::from(bin) + 1),
        };
        bin += 1;
    }
    q
}

/// Returns the last bin whose quotient is not 0, given `q_1 = n`.
pub(super) fn last_bin(n: u128) -> u128 {
    last_bin_counted(n, || ())
}

/// As [`last_bin`], and calls `step` for each run of steps.
pub(super) fn last_bin_counted(n: u128, mut step: impl FnMut()) -> u128 {
    // t is the next divisor, i + 1, and d = ceil(q/t) stays the same for k steps as long as q -
    // (k-1)d > (d-1)(t + k - 1).
    let (mut q, mut t) = (n, 2u128);
    while q > 0 {
        if let Ok(narrow) = u64::try_from(q) {
            return last_bin_narrow(narrow, t, step);
        }
        step();
        let d = q.div_ceil(t);
        let run = ((q - (d - 1) * (t - 1)) + d - 1) / (2 * d - 1);
        q -= run * d;
        t += run;
    }
    t - 2
}

/// [`last_bin`] once the quotient fits in 64 bits; then the remaining bins fit, too.
fn last_bin_narrow(mut q: u64, t: u128, mut step: impl FnMut()) -> u128 {
    let Ok(mut t) = u64::try_from(t) else {
        // With q < t each step subtracts one.
        return t + u128::from(q) - 2;
    };
    while q > 0 {
        step();
        let d = q.div_ceil(t);
        if d == 1 {
            return u128::from(t) + u128::from(q) - 2;
        }
        let run = ((q - (d - 1) * (t - 1)) + (d - 1)) / (2 * d - 1);
        q -= run * d;
        t += run;
    }
    u128::from(t) - 2
}

/// The definition of [`raise`], one rounding for each bin; the specification of the fast version.
#[cfg(test)]
pub(super) fn raise_slowly(mut q: u128, from: u64, to: u64) -> u128 {
    for t in (to..from).rev() {
        let stones = q * (u128::from(t) + 1);
        q = stones.div_ceil(u128::from(t));
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_agree_with_single_steps() {
        for from in 1..60 {
            for to in 1..=from {
                for q in 0..200 {
                    assert_eq!(raise(q, from, to), raise_slowly(q, from, to));
                }
            }
        }
        for (q, from, to) in [
            (1, 5000, 1),
            (1, 5000, 17),
            (1 << 61, 3000, 1),
            (1 << 100, 90, 2),
        ] {
            assert_eq!(raise(q, from, to), raise_slowly(q, from, to));
            assert_eq!(
                raise((1 << 63) + q, from, to),
                raise_slowly((1 << 63) + q, from, to)
            );
        }
    }

    #[test]
    fn lowering_undoes_raising() {
        for from in 2..40u64 {
            for q in 1..300u128 {
                let least = raise(q, from, 1);
                assert_eq!(lower(least, 1, from), q);
                assert_eq!(lower(least - 1, 1, from), q - 1);
            }
        }
        let least = raise(1 << 70, 1000, 1);
        assert_eq!(lower(least, 1, 1000), 1 << 70);
        assert_eq!(lower(least - 1, 1, 1000), (1 << 70) - 1);
    }

    #[test]
    fn the_last_bin_is_where_quotients_end() {
        let slow = |n: u128| {
            let (mut q, mut bin) = (n, 1);
            while q > 0 {
                bin += 1;
                q = q * (bin - 1) / bin;
            }
            bin - 1
        };
        for n in (0..5000).chain([1 << 40, (1 << 40) + 12345]) {
            assert_eq!(last_bin(n), slow(n), "{n}");
        }
        // N(l) is the first number of stones of its length, on both sides of 64 bits.
        for l in [10u64, 1 << 20, 1 << 33] {
            let least = raise(1, l, 1);
            assert_eq!(last_bin(least), u128::from(l));
            assert_eq!(last_bin(least - 1), u128::from(l) - 1);
        }
    }
}
