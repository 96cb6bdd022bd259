//! Bijective mixers, which make keys uniform without losing information.
//!
//! A lookup estimates a record's place from the top bits of its mixed key, so these must be uniform
//! whatever the ruleset packs into a key. A hash would do that too, but two keys could collide;
//! here `unmix(mix(key)) == key` for every key, so a segment holds full keys in mixed form.
//!
//! The mixers are part of the segment format: changing them needs a new format version.
//!
//! Source: the xor-shift-multiply finalizers of MurmurHash3 and SplitMix64; with shifts of at least
//! half the width each xor-shift is its own inverse.

/// An odd multiplier with well spread bits (from the `rrmxmx` family of 64-bit finalizers).
const MULTIPLIER_64: u64 = 0xd6e8_feb8_6659_fd93;
const INVERSE_64: u64 = inverse_64(MULTIPLIER_64);

/// The multiplier of the 128-bit PCG and MCG generators (L'Ecuyer 1999).
const MULTIPLIER_128: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
const INVERSE_128: u128 = inverse_128(MULTIPLIER_128);

/// Returns the uniform image of a 64-bit key.
#[inline]
pub(crate) fn mix64(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(MULTIPLIER_64);
    x ^= x >> 32;
    x = x.wrapping_mul(MULTIPLIER_64);
    x ^ (x >> 32)
}

/// Returns the key whose image under [`mix64`] this is.
#[inline]
pub(crate) fn unmix64(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(INVERSE_64);
    x ^= x >> 32;
    x = x.wrapping_mul(INVERSE_64);
    x ^ (x >> 32)
}

/// Returns the uniform image of a 128-bit key.
#[inline]
pub(crate) fn mix128(mut x: u128) -> u128 {
    x ^= x >> 64;
    x = x.wrapping_mul(MULTIPLIER_128);
    x ^= x >> 64;
    x = x.wrapping_mul(MULTIPLIER_128);
    x ^ (x >> 64)
}

/// Returns the key whose image under [`mix128`] this is.
#[inline]
pub(crate) fn unmix128(mut x: u128) -> u128 {
    x ^= x >> 64;
    x = x.wrapping_mul(INVERSE_128);
    x ^= x >> 64;
    x = x.wrapping_mul(INVERSE_128);
    x ^ (x >> 64)
}

/// Returns the inverse of an odd number modulo 2^64, by Newton's iteration: an odd number is its
/// own inverse modulo 8, and each step doubles the number of right bits (3, 6, 12, 24, 48, 96).
const fn inverse_64(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// Returns the inverse of an odd number modulo 2^128: one step more than [`inverse_64`].
const fn inverse_128(odd: u128) -> u128 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn multipliers_have_inverses() {
        assert_eq!(MULTIPLIER_64.wrapping_mul(INVERSE_64), 1);
        assert_eq!(MULTIPLIER_128.wrapping_mul(INVERSE_128), 1);
    }

    proptest! {
        #[test]
        fn unmix_inverts_mix(narrow: u64, wide: u128) {
            prop_assert_eq!(unmix64(mix64(narrow)), narrow);
            prop_assert_eq!(mix64(unmix64(narrow)), narrow);
            prop_assert_eq!(unmix128(mix128(wide)), wide);
            prop_assert_eq!(mix128(unmix128(wide)), wide);
        }
    }

    #[test]
    fn consecutive_and_shifted_keys_spread_over_all_top_bits() {
        // Rulesets use dense ranks and packed pots as keys. Of 4096 keys, 256 buckets should get 16
        // each; chi-square with 255 degrees of freedom exceeds 400 only once in 10^7.
        let families: [fn(u128) -> u128; 4] = [
            |i| i,
            |i| i << 24,
            |i| (i << 100) | (1 << 99),
            |i| (1 << 90) | (i << 40),
        ];
        for (family, key) in families.iter().enumerate() {
            for narrow in [true, false] {
                let mut counts = [0u32; 256];
                for i in 1..=4096u128 {
                    let key = key(i);
                    let top = match u64::try_from(key) {
                        Ok(key) if narrow => mix64(key) >> 56,
                        _ => (mix128(key) >> 120) as u64,
                    };
                    counts[top as usize] += 1;
                }
                let square: f64 = counts
                    .iter()
                    .map(|&n| (f64::from(n) - 16.0).powi(2) / 16.0)
                    .sum();
                assert!(
                    square < 400.0,
                    "family {family}, narrow {narrow}: chi-square {square}"
                );
            }
        }
    }

    #[test]
    fn mixers_are_those_of_format_1() {
        // Stored segments depend on exactly these numbers.
        assert_eq!(mix64(0), 0);
        assert_eq!(mix64(1), 0x4179_b061_e0c0_e0d0);
        assert_eq!(mix128(1 << 64), 0xf6a7_2ac7_926e_541d_5c3a_5434_ee64_bb41);
    }
}
