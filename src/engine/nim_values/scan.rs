//! Whether some two heaps with a given number of tokens together have a given nim-sum.
//!
//! The plain question, answered from all pairs; it decides where no quicker way does.

#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// How many pairs are looked at between looks whether one was found.
const CHUNK: usize = 256;

/// Returns whether `values[a] ^ values[l - a] == target` for some `a` from 1 to `pairs`.
///
/// Costs O(pairs), which is at most `l / 2`; the values of heaps up to `l - 1` must be known.
pub(super) fn has_pair(values: &[u16], l: usize, pairs: usize, target: u16) -> bool {
    if pairs == 0 {
        return false;
    }
    dispatch(&values[1..=pairs], &values[l - pairs..l], target)
}

/// Goes through the first heaps upwards and the second ones downwards.
#[inline(always)]
fn scan(up: &[u16], down: &[u16], target: u16) -> bool {
    up.chunks(CHUNK).zip(down.rchunks(CHUNK)).any(|(up, down)| {
        let pairs = up.iter().zip(down.iter().rev());
        // No early exit within a chunk, so that the comparison is made for many pairs at once.
        pairs.fold(u16::MAX, |least, (a, b)| least.min(a ^ b ^ target)) == 0
    })
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn avx512(up: &[u16], down: &[u16], target: u16) -> bool {
        super::scan(up, down, target)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(up: &[u16], down: &[u16], target: u16) -> bool {
        super::scan(up, down, target)
    }
}

/// Runs the scan with the widest vectors that the processor has.
fn dispatch(up: &[u16], down: &[u16], target: u16) -> bool {
    #[cfg(target_arch = "x86_64")]
    match Vectors::here() {
        // SAFETY: the processor has these vectors, as `here` has found.
        Vectors::Avx512 => return unsafe { vectors::avx512(up, down, target) },
        // SAFETY: the same.
        Vectors::Avx2 => return unsafe { vectors::avx2(up, down, target) },
        Vectors::None => {}
    }
    scan(up, down, target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_as_one_by_one() {
        let mut seed = 8u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        let values: Vec<u16> = (0..5000).map(|_| next(4096) as u16).collect();
        let mut found = 0;
        for _ in 0..400 {
            let l = 2 + next(4990) as usize;
            let pairs = next(l as u64 / 2 + 1) as usize;
            let target = next(4096) as u16;
            let slow = (1..=pairs).any(|a| values[a] ^ values[l - a] == target);
            found += u32::from(slow);
            assert_eq!(has_pair(&values, l, pairs, target), slow);
            if pairs > 0 {
                assert_eq!(
                    scan(&values[1..=pairs], &values[l - pairs..l], target),
                    slow
                );
            }
        }
        assert!((50..350).contains(&found), "{found}");
    }
}
