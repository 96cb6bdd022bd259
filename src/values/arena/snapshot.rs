//! Copies of an arena's records as words, so that a later run has the same forms under the same
//! ids.
//!
//! A stripe only ever appends, so its growth since an earlier extent is one range of words. Its
//! table is rebuilt from the records.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use seedbank_memory::lock;

use super::Arena;
use super::id::{CHUNK_WORDS, STRIPES, WHOLE_REGIONS};
use crate::Dyadic;

/// The end of the records in each stripe, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extent(Vec<usize>);

/// Both stops of a form whose record cannot hold them, by raw id: numerators and exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExactStops {
    id: u32,
    left: (i128, u32),
    right: (i128, u32),
}

impl Extent {
    /// Returns the empty extent, without even the form 0.
    pub fn nothing() -> Extent {
        // The first place of a stripe is not used.
        Extent(vec![1; STRIPES + WHOLE_REGIONS])
    }

    /// Returns the words of each stripe between this extent and a later one, or `None` where the
    /// other is not later.
    pub fn up_to(&self, later: &Extent) -> Option<Vec<Range<usize>>> {
        let pairs = self.0.iter().zip(&later.0);
        let ranges: Vec<Range<usize>> = pairs.map(|(&from, &to)| from..to).collect();
        let is_later = ranges.iter().all(|range| range.start <= range.end);
        let whole = [self, later]
            .iter()
            .all(|extent| extent.0.len() == STRIPES + WHOLE_REGIONS);
        (is_later && whole).then_some(ranges)
    }
}

impl Arena {
    /// Returns the current extent. It contains the options of every form that it contains.
    pub fn extent(&self) -> Extent {
        // All stripes are locked at once, since a form's options may be in any stripe.
        let stripes: Vec<_> = self.stripes.iter().map(|stripe| lock(&stripe.0)).collect();
        Extent(stripes.iter().map(|stripe| stripe.next).collect())
    }

    /// Returns the stops that are not in the records, including those of forms beyond any extent so
    /// far.
    pub fn exact_stops(&self) -> Vec<ExactStops> {
        let parts = |x: Dyadic| (x.numerator(), x.exponent());
        let stops = lock(&self.exact_stops);
        let stops = stops.iter().map(|(&id, &(left, right))| ExactStops {
            id,
            left: parts(left),
            right: parts(right),
        });
        stops.collect()
    }

    /// Passes the words of a stripe at some places to `each`, in runs.
    ///
    /// # Errors
    ///
    /// When `each` fails.
    pub fn words<E>(
        &self,
        stripe: usize,
        places: Range<usize>,
        each: &mut dyn FnMut(&[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut words = Vec::with_capacity(CHUNK_WORDS);
        let mut place = places.start;
        while place < places.end {
            let end = (place / CHUNK_WORDS + 1) * CHUNK_WORDS;
            let count = end.min(places.end) - place;
            let run = &self.chunks.mapped_from(self.first_word(stripe, place))[..count];
            words.clear();
            words.extend(run.iter().map(|word| word.load(Relaxed)));
            each(&words)?;
            place += count;
        }
        Ok(())
    }

    /// Puts words where they were in the arena that they come from, until
    /// [`restored`](Arena::restored) is called.
    ///
    /// The words must be those that [`words`](Arena::words) gave. Before then no other method may
    /// be called.
    pub fn put(&self, stripe: usize, place: usize, words: &[u32]) {
        let mut place = place;
        let mut words = words;
        while !words.is_empty() {
            let end = (place / CHUNK_WORDS + 1) * CHUNK_WORDS;
            let (now, rest) = words.split_at(words.len().min(end - place));
            let word = self.first_word(stripe, place);
            self.chunks.write(word, now.iter().copied());
            place += now.len();
            words = rest;
        }
    }

    /// Returns the words of the table of edges, including those that only forms beyond any extent so
    /// far have.
    pub fn edges(&self) -> Vec<u32> {
        self.chunks.edges.words()
    }

    /// Registers the forms whose words have been put, up to an extent; `edges` and `stops` were
    /// taken at that extent or later.
    pub fn restored(&self, extent: &Extent, edges: &[u32], stops: &[ExactStops]) {
        self.chunks.edges.restore(edges);
        for (stripe, &next) in self.stripes.iter().zip(&extent.0) {
            lock(&stripe.0).restore(&self.chunks, next);
        }
        let number = |(numerator, exponent)| Dyadic::new(numerator, exponent);
        let stops = stops.iter();
        let stops = stops.map(|stops| (stops.id, (number(stops.left), number(stops.right))));
        lock(&self.exact_stops).extend(stops);
    }

    /// Returns whether the arena holds only the form 0, like a new one.
    pub fn is_new(&self) -> bool {
        self.len() == 1
    }

    fn first_word(&self, stripe: usize, place: usize) -> usize {
        lock(&self.stripes[stripe].0).id(place).word()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Digester, samples};

    /// Copies the words that an arena gained between two extents.
    fn copy(from: &Arena, to: &Arena, since: &Extent, until: &Extent) {
        let ranges = since.up_to(until).expect("extents of one arena grow");
        for (stripe, places) in ranges.into_iter().enumerate() {
            let mut place = places.start;
            let put = &mut |words: &[u32]| {
                to.put(stripe, place, words);
                place += words.len();
                Ok::<(), std::convert::Infallible>(())
            };
            assert_eq!(from.words(stripe, places, put), Ok(()));
        }
    }

    #[test]
    fn a_restored_arena_has_the_same_forms_under_the_same_ids() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut made = Vec::new();
        let mut extents = vec![Extent::nothing(), arena.extent()];
        // The stops of the second one do not fit a record.
        let texts = ["1/1024", "{1/1048576|-1/1048576}", "3^<2>*5"];
        for text in texts {
            made.push(calculator.parse(text).expect("a value"));
            extents.push(arena.extent());
        }
        made.extend(samples::born_by(&mut calculator, 3));
        extents.push(arena.extent());
        for i in 0..made.len() {
            let other = made[i * 7919 % made.len()];
            made.push(calculator.sum(made[i], other).expect("a sum"));
        }
        extents.push(arena.extent());
        assert!(!arena.exact_stops().is_empty());

        let again = Arena::new();
        assert!(again.is_new() && !arena.is_new());
        for pair in extents.windows(2) {
            copy(&arena, &again, &pair[0], &pair[1]);
        }
        let until = &extents[extents.len() - 1];
        again.restored(until, &arena.edges(), &arena.exact_stops());
        assert_eq!((again.len(), again.extent()), (arena.len(), arena.extent()));
        let (mut digests, mut digests_again) = (Digester::new(&arena), Digester::new(&again));
        for &id in &made {
            assert_eq!(digests_again.digest(id), digests.digest(id));
            assert_eq!(again.left_stop(id), arena.left_stop(id));
            assert_eq!(again.right_stop(id), arena.right_stop(id));
        }
        // A known form is found again, and a new one gets an id of its own.
        let mut calculator = again.calculator();
        for (text, &id) in texts.iter().zip(&made) {
            assert_eq!(calculator.parse(text), Ok(id));
        }
        assert_eq!(again.len(), arena.len());
        let id = calculator.parse("{12345|-54321}").expect("a value");
        assert!(again.len() > arena.len() && !made.contains(&id));
        assert!(extents[2].up_to(&extents[1]).is_none());
    }
}
