//! Which vectors the processor has, and how to read some.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256i, _mm256_lddqu_si256};

/// The vectors that kernels are written for, apart from none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    /// 512 bits, with whole numbers of 16 bits: AVX-512 F, BW, VL, DQ, VBMI2 and
    /// VPOPCNTDQ.
    Avx512,
    /// 256 bits, with whole numbers of 16 bits.
    Avx2,
    /// Whatever the compiler takes for granted.
    None,
}

impl Vectors {
    /// Returns the widest that there are; the processor is asked once.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn here() -> Vectors {
        let wide = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq");
        if wide {
            Vectors::Avx512
        } else if is_x86_feature_detected!("avx2") {
            Vectors::Avx2
        } else {
            Vectors::None
        }
    }
}

/// Reads 32 bytes.
///
/// PERF: of a plain read the compiler makes two of 16 bytes, since there are processors with AVX2 that read across lines of
/// the cache slowly.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn read(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are read from an array of as many, at no particular alignment.
    unsafe { _mm256_lddqu_si256(bytes.as_ptr().cast()) }
}

/// Reads half of 64 bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn read_half(bytes: &[u8; 64], half: usize) -> __m256i {
    read(&bytes.as_chunks().0[half])
}
