//! Unions of rows of bits, with each width of vectors.

use super::window::{Bits, WORDS};

/// How many bytes of a row a block takes.
pub(super) const READ: usize = 8 * WORDS;

/// How many it takes where it may begin at any bit of the first one.
pub(super) const READ_MOVED: usize = READ + 8;

/// A union of rows of a block, with one width of vectors.
pub(super) trait Union {
    /// Makes a union of bits.
    fn of(bits: &Bits) -> Self;

    /// Unites with a block.
    fn add(&mut self, bytes: &[u8; READ]);

    /// Unites with the block whose first bit is bit `moved`, below 8, of as many bytes as are read.
    fn add_moved(&mut self, moved: u32, bytes: &[u8; READ_MOVED]);

    /// Returns the union.
    fn bits(&self) -> Bits;
}

impl Union for Bits {
    fn of(bits: &Bits) -> Bits {
        *bits
    }

    fn add(&mut self, bytes: &[u8; READ]) {
        let words = bytes.as_chunks::<8>().0;
        for (union, word) in self.iter_mut().zip(words) {
            *union |= u64::from_le_bytes(*word);
        }
    }

    fn add_moved(&mut self, moved: u32, bytes: &[u8; READ_MOVED]) {
        let words = bytes.as_chunks::<8>().0;
        for i in 0..WORDS {
            let low = u64::from_le_bytes(words[i]);
            let high = u64::from_le_bytes(words[i + 1]);
            // In two steps, since a word cannot be moved by 64 bits.
            self[i] |= low >> moved | high << 1 << (63 - moved);
        }
    }

    fn bits(&self) -> Bits {
        *self
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod vectors {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_cvtsi32_si128, _mm256_loadu_si256, _mm256_or_si256, _mm256_sll_epi64,
        _mm256_srl_epi64, _mm512_loadu_si512, _mm512_or_si512, _mm512_set1_epi64,
        _mm512_shrdv_epi64,
    };

    use super::{Bits, READ, READ_MOVED, Union, WORDS};

    /// The union in vectors of AVX-512; made only where the processor has them.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Wide([__m512i; WORDS / 8]);

    impl Union for Wide {
        #[inline(always)]
        fn of(bits: &Bits) -> Wide {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { Wide(std::mem::transmute::<Bits, [__m512i; WORDS / 8]>(*bits)) }
        }

        #[inline(always)]
        fn add(&mut self, bytes: &[u8; READ]) {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            let read: [__m512i; WORDS / 8] = unsafe { std::mem::transmute(*bytes) };
            for (union, read) in self.0.iter_mut().zip(read) {
                // SAFETY: AVX-512 F is there, since whoever makes these unions asks its caller for it.
                *union = unsafe { _mm512_or_si512(*union, read) };
            }
        }

        #[inline(always)]
        fn add_moved(&mut self, moved: u32, bytes: &[u8; READ_MOVED]) {
            for (i, union) in self.0.iter_mut().enumerate() {
                // SAFETY: 64 bytes each are read from an array of 8 more than all unions have, from byte 64 i
                // and 8 bytes after it on, at no particular alignment; AVX-512 F and VBMI2 are there, since whoever makes these unions asks its caller for them.
                unsafe {
                    let low = _mm512_loadu_si512(bytes.as_ptr().add(64 * i).cast());
                    let high = _mm512_loadu_si512(bytes.as_ptr().add(64 * i + 8).cast());
                    let block = _mm512_shrdv_epi64(low, high, _mm512_set1_epi64(i64::from(moved)));
                    *union = _mm512_or_si512(*union, block);
                }
            }
        }

        #[inline(always)]
        fn bits(&self) -> Bits {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { std::mem::transmute(self.0) }
        }
    }

    /// The union in vectors of AVX2; made only where the processor has them.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Narrow([__m256i; WORDS / 4]);

    impl Union for Narrow {
        #[inline(always)]
        fn of(bits: &Bits) -> Narrow {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { Narrow(std::mem::transmute::<Bits, [__m256i; WORDS / 4]>(*bits)) }
        }

        #[inline(always)]
        fn add(&mut self, bytes: &[u8; READ]) {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            let read: [__m256i; WORDS / 4] = unsafe { std::mem::transmute(*bytes) };
            for (union, read) in self.0.iter_mut().zip(read) {
                // SAFETY: AVX2 is there, since whoever makes these unions asks its caller for it.
                *union = unsafe { _mm256_or_si256(*union, read) };
            }
        }

        #[inline(always)]
        fn add_moved(&mut self, moved: u32, bytes: &[u8; READ_MOVED]) {
            for (i, union) in self.0.iter_mut().enumerate() {
                // SAFETY: 32 bytes each are read from an array of 8 more than all unions have, from byte
                // 32 i and 8 bytes after it on, at no particular alignment; AVX2 is there, since whoever makes these unions asks its caller for it.
                unsafe {
                    let low = _mm256_loadu_si256(bytes.as_ptr().add(32 * i).cast());
                    let high = _mm256_loadu_si256(bytes.as_ptr().add(32 * i + 8).cast());
                    let low = _mm256_srl_epi64(low, _mm_cvtsi32_si128(moved as i32));
                    let high = _mm256_sll_epi64(high, _mm_cvtsi32_si128(64 - moved as i32));
                    *union = _mm256_or_si256(*union, _mm256_or_si256(low, high));
                }
            }
        }

        #[inline(always)]
        fn bits(&self) -> Bits {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { std::mem::transmute(self.0) }
        }
    }
}
