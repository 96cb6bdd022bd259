//! Whether some two heaps with a given number of tokens together have a given nim-sum.
//!
//! The plain question, answered from all pairs; it decides where no quicker way does.

#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// How many pairs are looked at between looks whether one was found.
const CHUNK: usize = 512;

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
        pairs.fold(0u16, |found, (a, b)| found | u16::from(a ^ b == target)) != 0
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
