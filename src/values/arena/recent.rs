//! A worker's cache of recent forms, which needs no lock.

use super::ValueId;

/// The number of forms in the cache.
// PERF: in Sowing 1^14 four in five of the forms found again are in the cache; with four times the
// places, six in seven.
const PLACES: usize = 1 << 14;

/// Some of the forms that one worker met, each at the place given by the hash of its options.
///
/// Interning mostly finds an existing form. Two workers that visit the stripes each time slow each
/// other down: the lock, the table and its neighbours move between the processors' caches.
///
/// A place holds the upper half of the hash above the raw id, or 0 if it is empty. The upper half
/// and the place together determine all but a few bits of the hash. An unused table takes no
/// memory, and a new one only the pages that it touches.
#[derive(Default)]
pub(crate) struct Recent(Box<[u64]>);

impl Recent {
    /// Returns the form that was last noted with this hash, if any was.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<ValueId> {
        let &place = self.0.get(hash as usize % PLACES)?;
        // No raw id is 0, so an empty place matches no form, even where the hash begins with zeros.
        (place >> 32 == hash >> 32 && place != 0).then(|| ValueId::from_raw(place as u32))
    }

    /// Stores a form, replacing any other at its place.
    #[inline]
    pub(super) fn note(&mut self, hash: u64, id: ValueId) {
        if self.0.is_empty() {
            self.0 = vec![0; PLACES].into();
        }
        self.0[hash as usize % PLACES] = hash >> 32 << 32 | u64::from(id.to_raw());
    }
}
