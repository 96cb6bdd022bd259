//! N(l) for many consecutive lengths at once: one sequence of quotients, and offsets to it in
//! vector lanes.
//!
//! The quotients `q_t` of 128 consecutive lengths are close to each other. That of the first length
//! is stored as `base = d t - r` with `0 <= r < t`, the others as offsets `y` from it, in ascending
//! order. One step `q += ceil(q/t)` adds d to the base and `ceil((y - r)/t)` to an offset. The
//! latter is
//!
//! - 0 while no offset exceeds r: such steps are taken at once, by a division;
//! - 0 or 1 while no offset exceeds t: one comparison for each lane, in 32-bit integers;
//! - otherwise a rounding, which floating point does exactly, as [`round_lanes`] shows.
//!
//! So the cost is about `l^(2/3)` short steps for 128 lengths together. Ranges are independent:
//! they may be computed in any order, by any thread.

use std::array;

use super::shortest;

/// Lengths in one pass, a multiple of 16. PERF: near lengths of 6,000,000, with AVX2, one length
/// takes 8.6 us of processor time with 128; with 64 it takes 14, with 256 11, with 512 16.
const LANES: usize = 128;

/// Ranges up to this length are computed in lanes: bases then fit in 63 bits and bins in 31.
const LENGTH_MAX: u64 = 1 << 31;

/// Sets `out[j]` to N(first + j), the fewest stones of a winning board of that length.
///
/// Costs O(l^(2/3)) short steps for each 128 lengths; a slice whose length is not a multiple of 128
/// costs as much as the next multiple. Beyond lengths of 2^31 each N(l) is computed alone.
///
/// ```
/// use cgsolvers::tchoukaillon::lengths::fill;
///
/// let mut fewest = [0; 7];
/// fill(1, &mut fewest);
/// assert_eq!(fewest, [1, 2, 4, 6, 10, 12, 18]);
/// ```
///
/// # Panics
///
/// When the last length exceeds 64 bits.
pub fn fill(first: u64, out: &mut [u128]) {
    let end = first.checked_add(out.len() as u64);
    assert!(end.is_some(), "lengths are numbers of 64 bits");
    let mut from = first;
    for block in out.chunks_mut(LANES) {
        if from < LANES as u64 || from > LENGTH_MAX {
            for (l, fewest) in (from..).zip(&mut *block) {
                *fewest = shortest(l);
            }
        } else {
            let (base, offsets) = block_of(from);
            for (fewest, offset) in block.iter_mut().zip(offsets) {
                *fewest = u128::from(base) + offset as u128;
            }
        }
        from += block.len() as u64;
    }
}

/// [`descend`] with the widest registers of the processor.
fn block_of(first: u64) -> (u64, [f64; LANES]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512F, the only feature that the function requires.
        return unsafe { descend_avx512(first) };
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, the only feature that the function requires.
        return unsafe { descend_avx2(first) };
    }
    descend(first)
}

/// [`descend`], sixteen offsets to a register instead of four.
///
/// PERF: near lengths of 6,000,000 one length takes 5 us of processor time; with AVX2 7 us, with
/// neither 18.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn descend_avx512(first: u64) -> (u64, [f64; LANES]) {
    descend(first)
}

/// [`descend`], eight offsets to a register instead of four.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn descend_avx2(first: u64) -> (u64, [f64; LANES]) {
    descend(first)
}

/// Returns N(l) of the first length, and the differences of the next ones from it as integral
/// floats.
#[inline(always)]
fn descend(first: u64) -> (u64, [f64; LANES]) {
    // At bin t = first the quotients are 1, 2, 3, ...: each later length descends to it in steps of
    // 1, since its quotient is less than its bin.
    let mut offsets: [i32; LANES] = array::from_fn(|j| j as i32);
    let mut base = 1u64;
    let mut t = first - 1;
    let mut d = 1;
    let mut r = t - 1;
    while t > 0 {
        let most = offsets[LANES - 1] as u64;
        if most >= t {
            break;
        }
        let mut steps = 1;
        if r >= most {
            // Each step subtracts 2d from r, since d(t-1) - (base + d) = r - 2d.
            steps = if r - most < 2 * d {
                1
            } else {
                (r - most) / (2 * d) + 1
            };
        } else {
            let r = r as i32;
            for y in &mut offsets {
                *y += i32::from(*y > r);
            }
        }
        base += steps * d;
        t -= steps;
        let (fallen, taken) = (2 * d * steps, r);
        if fallen <= taken {
            r = taken - fallen;
        } else if t > 0 {
            let more = (fallen - taken).div_ceil(t);
            d += more;
            r = more * t - (fallen - taken);
        }
    }
    finish(base, offsets.map(f64::from), t)
}

/// Continues with the steps for divisors t, t - 1, ..., 1 in floating point.
#[inline(always)]
fn finish(mut base: u64, mut wide: [f64; LANES], mut t: u64) -> (u64, [f64; LANES]) {
    // Single precision first, while it holds all offsets and divisors.
    let mut narrow = wide.map(|y| y as f32);
    while t > 0 && wide_enough(narrow[LANES - 1], t) {
        let d = base.div_ceil(t);
        let r = d * t - base;
        round_lanes_narrow(&mut narrow, r as f32, t as f32);
        base += d;
        t -= 1;
    }
    wide = narrow.map(f64::from);
    while t > 0 {
        let d = base.div_ceil(t);
        let r = d * t - base;
        round_lanes(&mut wide, r as f64, t as f64);
        base += d;
        t -= 1;
    }
    (base, wide)
}

/// Returns whether single precision is exact for offsets up to `most` and divisor t.
fn wide_enough(most: f32, t: u64) -> bool {
    // 2^20 is half of the bound from the argument of `round_lanes` with 24 bits.
    (most as u64) + t < 1 << 20
}

/// Adds `ceil((y - r)/t)` to each lane, where `0 <= r < t` and all are integers.
///
/// The ceiling is the integer nearest to `y/t + (1/2 - (r + 1/2)/t)`, which is at least 1/(2t) away
/// from any half-integer. As `r < t`, the intermediate roundings, of 1/t, of the constant and of
/// the product and the sum, together err by less than `(y/t + 1) 2^-50`. So the result is exact
/// while `y + t < 2^48`. Lengths up to 2^31 stay far below, since an offset is less than 128 times
/// the length. Adding and subtracting 3/2 2^52 rounds to the nearest integer.
#[inline(always)]
fn round_lanes(offsets: &mut [f64; LANES], r: f64, t: f64) {
    const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
    let inverse = 1.0 / t;
    let shift = 0.5 - (r + 0.5) * inverse;
    for y in offsets {
        let near = *y * inverse + shift;
        *y += (near + WHOLE) - WHOLE;
    }
}

/// [`round_lanes`] in single precision, exact while `y + t < 2^20`: the roundings err by less than
/// `(y/t + 1) 2^-21` there.
#[inline(always)]
fn round_lanes_narrow(offsets: &mut [f32; LANES], r: f32, t: f32) {
    const WHOLE: f32 = 1.5 * (1u32 << 23) as f32;
    let inverse = 1.0 / t;
    let shift = 0.5 - (r + 0.5) * inverse;
    for y in offsets {
        let near = *y * inverse + shift;
        *y += (near + WHOLE) - WHOLE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_agree_with_single_lengths() {
        let mut all = vec![0; 5001];
        fill(0, &mut all);
        for (l, &fewest) in (0..).zip(&all) {
            assert_eq!(fewest, shortest(l), "{l}");
        }
        for first in [
            127,
            128,
            129,
            9_999,
            250_007,
            3_000_001,
            40_000_003,
            LENGTH_MAX - 300,
        ] {
            let mut some = [0; 131];
            fill(first, &mut some);
            for (l, &fewest) in (first..).zip(&some) {
                assert_eq!(fewest, shortest(l), "{l}");
            }
        }
        let mut none = [];
        fill(5, &mut none);
    }

    #[test]
    fn all_registers_agree() {
        for first in [128, 1_001, 77_777, 1_234_567] {
            let expected = descend(first);
            assert_eq!(block_of(first), expected);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                assert_eq!(unsafe { descend_avx2(first) }, expected);
            }
        }
    }

    #[test]
    fn rounding_is_exact_at_the_edges() {
        for t in [1u64, 2, 3, 7, 1000, 65_537, (1 << 19) - 1] {
            for r in [0, t / 2, t - 1] {
                for multiple in [0, 1, 2, 5, 100] {
                    for near in [-1i64, 0, 1] {
                        let z = (multiple * t) as i64 + near;
                        let y = z + r as i64;
                        if y < 0 || z <= -(t as i64) {
                            continue;
                        }
                        let exact =
                            y + z.div_euclid(t as i64) + i64::from(z.rem_euclid(t as i64) > 0);
                        let mut wide = [y as f64; LANES];
                        round_lanes(&mut wide, r as f64, t as f64);
                        assert_eq!(wide[0], exact as f64);
                        if (y as u64) + t < 1 << 20 {
                            let mut narrow = [y as f32; LANES];
                            round_lanes_narrow(&mut narrow, r as f32, t as f32);
                            assert_eq!(narrow[0], exact as f32);
                        }
                    }
                }
            }
        }
    }
}
