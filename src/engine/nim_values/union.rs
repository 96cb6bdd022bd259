//! Unions of rows of bits, with each width of vectors.

use super::window::{Bits, WORDS};

/// How many bytes of a row a block takes.
pub(super) const READ: usize = 8 * WORDS;

/// How many it takes where it may begin at any bit of the first one.
pub(super) const READ_MOVED: usize = READ + 8;

/// Bytes in a line of the cache of their own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u8; 64]);

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

    /// Makes eight copies of 64 bytes, each moved by one bit more.
    #[inline(always)]
    fn copy(bytes: &[u8; 72], copies: [&mut Line; 8]) {
        let words = |from: usize| -> [u64; 8] {
            let words = bytes[from..from + 64].as_chunks::<8>().0;
            std::array::from_fn(|i| u64::from_le_bytes(words[i]))
        };
        let (low, high) = (words(0), words(8));
        for (moved, copy) in copies.into_iter().enumerate() {
            let to = copy.0.as_chunks_mut::<8>().0;
            for i in 0..8 {
                // In two steps, since a word cannot be moved by 64 bits.
                to[i] = (low[i] >> moved | high[i] << 1 << (63 - moved)).to_le_bytes();
            }
        }
    }
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
        __m256i, __m512i, _mm_cvtsi32_si128, _mm256_or_si256, _mm256_sll_epi64, _mm256_srl_epi64,
        _mm256_store_si256, _mm512_loadu_si512, _mm512_or_si512, _mm512_set1_epi64,
        _mm512_shrdv_epi64,
    };

    use super::super::vectors;
    use super::{Bits, Line, READ, READ_MOVED, Union, WORDS};

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

    /// Returns the 32 bytes from a byte on, and those from eight bytes after it on.
    ///
    /// # Panics
    ///
    /// Where there are not as many.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn read_both(bytes: &[u8], from: usize) -> [__m256i; 2] {
        let both = [&bytes[from..], &bytes[from + 8..]];
        both.map(|bytes| vectors::read(bytes.first_chunk().expect("as many as are read")))
    }

    /// Returns the first of both moved by some bits, below 8.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn moved_by([low, high]: [__m256i; 2], moved: u32) -> __m256i {
        let low = _mm256_srl_epi64(low, _mm_cvtsi32_si128(moved as i32));
        // Of a word that is moved by 64 bits nothing is left.
        let high = _mm256_sll_epi64(high, _mm_cvtsi32_si128(64 - moved as i32));
        _mm256_or_si256(low, high)
    }

    impl Union for Narrow {
        #[inline(always)]
        fn of(bits: &Bits) -> Narrow {
            // SAFETY: these are as many words in as many bytes; AVX2 is there, since whoever makes these unions asks its
            // caller for it.
            unsafe {
                let bytes: &[[u8; 32]; WORDS / 4] = &*std::ptr::from_ref(bits).cast();
                Narrow(std::array::from_fn(|i| vectors::read(&bytes[i])))
            }
        }

        #[inline(always)]
        fn add(&mut self, bytes: &[u8; READ]) {
            for (union, read) in self.0.iter_mut().zip(bytes.as_chunks().0) {
                // SAFETY: AVX2 is there, since whoever makes these unions asks its caller for it.
                *union = unsafe { _mm256_or_si256(*union, vectors::read(read)) };
            }
        }

        #[inline(always)]
        fn add_moved(&mut self, moved: u32, bytes: &[u8; READ_MOVED]) {
            for (i, union) in self.0.iter_mut().enumerate() {
                // SAFETY: AVX2 is there, since whoever makes these unions asks its caller for it.
                *union =
                    unsafe { _mm256_or_si256(*union, moved_by(read_both(bytes, 32 * i), moved)) };
            }
        }

        #[inline(always)]
        fn bits(&self) -> Bits {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { std::mem::transmute(self.0) }
        }

        #[inline(always)]
        fn copy(bytes: &[u8; 72], mut copies: [&mut Line; 8]) {
            for half in 0..2 {
                // SAFETY: AVX2 is there, since whoever makes these unions asks its caller for it.
                let both = unsafe { read_both(bytes, 32 * half) };
                for (moved, copy) in (0..).zip(&mut copies) {
                    let to = &mut copy.0.as_chunks_mut::<32>().0[half];
                    // SAFETY: 32 bytes are written to half a line, which is aligned to as many; AVX2 as above.
                    unsafe { _mm256_store_si256(to.as_mut_ptr().cast(), moved_by(both, moved)) };
                }
            }
        }
    }
}
