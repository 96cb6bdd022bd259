//! The words of all records.

use std::alloc::Layout;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use seedbank_memory::{MmapMut, Refusal, prefetch, refused, zeroed};

use super::edge_table::EdgeTable;
use super::id::{LEVEL_WORDS, REGION_WORDS, REGIONS, ValueId};
use super::record::Form;

/// The words of all records, in regions that are mapped on demand and never move, and the edges
/// that they name.
pub(super) struct Chunks {
    regions: [OnceLock<Region>; REGIONS],
    pub(super) edges: EdgeTable,
}

/// A map of [`REGION_WORDS`] words.
struct Region(MmapMut);

impl Chunks {
    pub(super) fn new() -> Chunks {
        Chunks {
            regions: [const { OnceLock::new() }; REGIONS],
            edges: EdgeTable::new(),
        }
    }

    /// Returns the words from a place to the end of its region, if that is mapped.
    #[inline]
    fn from(&self, word: usize) -> Option<&[AtomicU32]> {
        let region = self.regions[word / REGION_WORDS].get()?;
        Some(&region.words()[word % REGION_WORDS..])
    }

    /// Returns the words from a place to the end of its region.
    pub(super) fn mapped_from(&self, word: usize) -> &[AtomicU32] {
        let region = self.regions[word / REGION_WORDS].get_or_init(Region::new);
        &region.words()[word % REGION_WORDS..]
    }

    #[inline]
    pub(super) fn form(&self, id: ValueId) -> Form<'_> {
        let words = self.from(id.word());
        Form::new(
            words.expect("an id refers to a stored form"),
            &self.edges,
            id,
        )
    }

    /// Returns the record at a place, or `None` where its stripe has moved to the next chunk.
    pub(super) fn record(&self, id: ValueId) -> Option<Form<'_>> {
        let words = self.from(id.word())?;
        // The edges of 0 have two numbers, as only one has a class, and all other forms a birthday, so
        // no record starts with an empty word.
        (words[0].load(Relaxed) != 0).then(|| Form::new(words, &self.edges, id))
    }

    /// Prefetches the record of a form.
    #[inline]
    pub(super) fn prefetch(&self, id: ValueId) {
        if let Some(words) = self.from(id.word()) {
            prefetch(words.as_ptr());
        }
    }

    /// Writes words to a place.
    pub(super) fn write(&self, word: usize, words: impl Iterator<Item = u32>) {
        for (place, word) in self.mapped_from(word).iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

impl Region {
    #[cold]
    fn new() -> Region {
        // PERF: with large pages, no boxes of 256 KiB and no table of 32,768 pointers to them, Sowing
        // 1^15 takes 9 to 14 % less time, 1^13 4 to 11 %. The first level keeps small pages, so that a
        // small arena stays small. All stripes fill a level at about the same time, so the large
        // pages of later levels fill up, too.
        match zeroed(4 * REGION_WORDS, 4 * LEVEL_WORDS) {
            Ok(map) => Region(map),
            Err(_) => refused(&Refusal::Memory(Layout::new::<[AtomicU32; REGION_WORDS]>())),
        }
    }

    #[inline]
    fn words(&self) -> &[AtomicU32; REGION_WORDS] {
        // SAFETY: the map is page-aligned, has this length since `new`, lives as long as the
        // borrow, and is never exposed otherwise; all bit patterns of an integer are valid.
        unsafe { &*self.0.as_ptr().cast() }
    }
}
