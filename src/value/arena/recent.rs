//! What one worker met of late, found again without a lock.

use super::ValueId;

/// How many forms are remembered.
// PERF: of the forms found again in Sowing 1^14 four in five are among these; of four times as many, six in seven.
const PLACES: usize = 1 << 14;

/// Some of the forms that one worker met, each at a place that its options' hash gives.
///
/// Interning mostly finds a form that is there already. Two workers that ask the shards each time slow each
/// other down: the lock, the table and its neighbours go from one processor's cache to the other's.
///
/// A place holds the upper half of the hash, which is with the place all but a few bits of it, above the raw id; 0
/// where nothing was noted. A table that was never used takes no memory, and one that is new none that is not touched.
#[derive(Default)]
pub(crate) struct Recent(Box<[u64]>);

impl Recent {
    /// Returns the form that was last noted with this hash, if any was.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<ValueId> {
        let &place = self.0.get(hash as usize % PLACES)?;
        // No raw id is 0, so that an empty place is that of no form even where the hash begins with zeros.
        (place >> 32 == hash >> 32 && place != 0).then(|| ValueId::from_raw(place as u32))
    }

    /// Notes a form in the place of another one.
    #[inline]
    pub(super) fn note(&mut self, hash: u64, id: ValueId) {
        if self.0.is_empty() {
            self.0 = vec![0; PLACES].into();
        }
        self.0[hash as usize % PLACES] = hash >> 32 << 32 | u64::from(id.to_raw());
    }
}
