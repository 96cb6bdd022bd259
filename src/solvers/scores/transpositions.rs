//! Bounds of the margins of positions, in a bounded amount of memory that threads share.
//!
//! A position is given by a bijective mixture of the bits of its rank. The lowest bits of the mixture
//! number a bucket, and an entry has the others, so keys are exact. An entry is one atomic word:
//!
//! | bits | content |
//! |---|---|
//! | 19.. | the rest of the key and 1; 0 in an empty entry |
//! | 14..19 | the binary logarithm of the positions searched |
//! | 7..14 | half of the least margin and the seeds |
//! | ..7 | half of the largest margin and the seeds |
//!
//! The table starts small, so a short search writes to little memory, and doubles as it fills.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytesize::ByteSize;
use seedbank_memory::prefetch;

use super::packed::RANK_BITS;

/// Bounds of a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl Bounds {
    /// Returns the bounds that hold whatever the moves.
    pub(super) fn of_seeds(seeds: i32) -> Bounds {
        Bounds {
            least: -seeds,
            most: seeds,
        }
    }
}

/// PERF: a bucket is one line of the cache.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

/// The bits that number a bucket of the smallest table, which takes 1 MiB.
const BITS_MIN: u32 = 14;

/// The bits of an entry without its key.
const CONTENT_BITS: u32 = 19;

const _: () = assert!(RANK_BITS - BITS_MIN + CONTENT_BITS < 64, "a key fits");

/// The table.
#[derive(Debug)]
pub(super) struct Transpositions {
    buckets: Vec<Bucket>,
    /// The logarithm of the number of buckets, now and at most.
    bits: u32,
    bits_max: u32,
}

impl Transpositions {
    /// Returns a table that grows up to `memory`, or to 1 MiB if that is less.
    pub(super) fn new(memory: ByteSize) -> Result<Transpositions, TryReserveError> {
        let buckets = memory.as_u64() / size_of::<Bucket>() as u64;
        let mut table = Transpositions {
            buckets: Vec::new(),
            bits: BITS_MIN,
            bits_max: buckets.checked_ilog2().unwrap_or(0).max(BITS_MIN),
        };
        table.extend()?;
        Ok(table)
    }

    fn extend(&mut self) -> Result<(), TryReserveError> {
        let buckets = 1 << self.bits;
        self.buckets
            .try_reserve_exact(buckets - self.buckets.len())?;
        self.buckets.resize_with(buckets, Bucket::default);
        Ok(())
    }

    /// Returns the number of entries.
    pub(super) fn entries(&self) -> u64 {
        8 << self.bits
    }

    /// Returns whether the table can grow.
    pub(super) fn grows(&self) -> bool {
        self.bits < self.bits_max
    }

    /// Doubles the table: the lowest bit of the rest of a key now numbers the bucket, too.
    pub(super) fn grow(&mut self) -> Result<(), TryReserveError> {
        let half = self.buckets.len();
        self.bits += 1;
        if let Err(error) = self.extend() {
            self.bits -= 1;
            return Err(error);
        }
        let (low, high) = self.buckets.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            for (low, high) in low.0.iter_mut().zip(&mut high.0) {
                let (low, high) = (low.get_mut(), high.get_mut());
                let Some(rest) = (*low >> CONTENT_BITS).checked_sub(1) else {
                    continue;
                };
                let content = *low & ((1 << CONTENT_BITS) - 1);
                let entry = ((rest >> 1) + 1) << CONTENT_BITS | content;
                (*low, *high) = if rest & 1 == 0 {
                    (entry, 0)
                } else {
                    (0, entry)
                };
            }
        }
        Ok(())
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// Prefetches the entries among which a position may be.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Returns the bounds of a position with `seeds` seeds.
    #[inline]
    pub(super) fn bounds(&self, key: u64, seeds: i32) -> Option<Bounds> {
        let rest = (key >> self.bits) + 1;
        let mut entries = self.bucket(key).0.iter().map(|entry| entry.load(Relaxed));
        let entry = entries.find(|entry| entry >> CONTENT_BITS == rest)?;
        Some(bounds(entry, seeds))
    }

    /// Adds bounds that took a search of `searched` positions. They replace those of least work if
    /// the bucket is full.
    pub(super) fn add(&self, key: u64, seeds: i32, found: Bounds, searched: u64) {
        let rest = (key >> self.bits) + 1;
        let Bounds {
            mut least,
            mut most,
        } = found;
        let (mut place, mut least_work) = (0, u64::MAX);
        let bucket = &self.bucket(key).0;
        for (i, entry) in bucket.iter().enumerate() {
            let entry = entry.load(Relaxed);
            if entry >> CONTENT_BITS == rest {
                let known = bounds(entry, seeds);
                least = least.max(known.least);
                most = most.min(known.most);
                place = i;
                break;
            }
            // The rest of a key lies above the work, and an empty entry is 0.
            let work = if entry == 0 {
                0
            } else {
                1 + (entry >> 14 & 31)
            };
            if work < least_work {
                (place, least_work) = (i, work);
            }
        }
        let work = u64::from(searched.max(1).ilog2().min(31));
        let half = |margin: i32| ((margin + seeds) / 2) as u64;
        let content = work << 14 | half(least) << 7 | half(most);
        bucket[place].store(rest << CONTENT_BITS | content, Relaxed);
    }
}

fn bounds(entry: u64, seeds: i32) -> Bounds {
    let margin = |half: u64| 2 * (half & 127) as i32 - seeds;
    Bounds {
        least: margin(entry >> 7),
        most: margin(entry),
    }
}

/// Returns the key of a rank: another number of [`RANK_BITS`] bits for each.
#[inline]
pub(super) fn key(rank: u64) -> u64 {
    const MASK: u64 = (1 << RANK_BITS) - 1;
    let mixed = rank.wrapping_mul(0x9e37_79b9_7f4a_7c15) & MASK;
    let mixed = mixed ^ mixed >> (RANK_BITS / 2);
    mixed.wrapping_mul(0x9fb2_1c65_1e98_df25) & MASK
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The margin of a position is exact here, and a function of its rank.
    fn margin(rank: u64) -> i32 {
        2 * (rank % 97) as i32 - 100
    }

    #[test]
    fn a_full_table_has_true_bounds_before_and_after_it_grows() {
        let mut table = Transpositions::new(ByteSize::mib(2)).unwrap();
        let ranks = (0..3 * table.entries()).map(|i| i * i * 0x10_0001);
        let ranks: Vec<u64> = ranks.collect();
        for &rank in &ranks {
            let (least, most) = (margin(rank), 100);
            table.add(key(rank), 100, Bounds { least, most }, rank);
            let (least, most) = (-100, margin(rank));
            table.add(key(rank), 100, Bounds { least, most }, rank);
        }
        for grows in [true, false] {
            let mut found = 0;
            for &rank in &ranks {
                let Some(bounds) = table.bounds(key(rank), 100) else {
                    continue;
                };
                assert_eq!((bounds.least, bounds.most), (margin(rank), margin(rank)));
                found += 1;
            }
            assert!(found > ranks.len() / 4, "{found}");
            assert_eq!(table.grows(), grows);
            if grows {
                table.grow().unwrap();
            }
        }
    }
}
