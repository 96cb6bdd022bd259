//! What one worker met of late, found again without a lock.

use super::ValueId;

/// How many forms are remembered.
// PERF: of the forms found again in Sowing 1^14 four in five are among these; of four times as many, five in six.
const PLACES: usize = 1 << 14;

/// Some of the forms that one worker met, each at a place that its options' hash gives.
///
/// Interning mostly finds a form that is there already. Two workers that ask the shards each time slow each
/// other down: the lock, the table and its neighbours go from one processor's cache to the other's.
#[derive(Default)]
pub(crate) struct Recent(Box<[Place]>);

#[derive(Clone, Copy, Default)]
struct Place {
    /// The upper half of the hash: with the place, all but a few bits of it.
    tag: u32,
    /// The raw id, 0 for none.
    raw: u32,
}

impl Recent {
    /// Returns the form that was last noted with this hash, if any was.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<ValueId> {
        let place = self.0.get(hash as usize % PLACES)?;
        (place.raw != 0 && place.tag == tag(hash)).then(|| ValueId::from_raw(place.raw))
    }

    /// Notes a form in the place of another one.
    #[inline]
    pub(super) fn note(&mut self, hash: u64, id: ValueId) {
        if self.0.is_empty() {
            self.0 = vec![Place::default(); PLACES].into();
        }
        self.0[hash as usize % PLACES] = Place {
            tag: tag(hash),
            raw: id.to_raw(),
        };
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
