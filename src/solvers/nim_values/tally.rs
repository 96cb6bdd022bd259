//! The frequency and the first occurrence of each nim-value of a sequence.

/// Counts and first occurrences of nim-values, updated as values are added.
///
/// ```
/// use cgsolvers::nim_values::Tally;
///
/// // Kayles.
/// let mut tally = Tally::default();
/// tally.add(&[0, 1, 2, 3, 1, 4]);
/// tally.add(&[3, 2, 1]);
/// assert_eq!(tally.heaps(), 9);
/// assert_eq!(tally.counts(), [1, 3, 2, 2, 1]);
/// assert_eq!(tally.first(4), Some(5));
/// assert_eq!(tally.first(5), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    heaps: usize,
    counts: Vec<u64>,
    first: Vec<usize>,
}

impl Tally {
    /// Adds the values of the next heaps, starting with heap [`Tally::heaps`].
    pub fn add(&mut self, values: &[u16]) {
        for &value in values {
            let at = usize::from(value);
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
                self.first.resize(at + 1, 0);
            }
            if self.counts[at] == 0 {
                self.first[at] = self.heaps;
            }
            self.counts[at] += 1;
            self.heaps += 1;
        }
    }

    /// Returns the number of heaps added, including heap 0.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns the number of heaps with each value, from 0 to the largest that occurred.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the smallest heap with a value, if it occurred.
    pub fn first(&self, value: u16) -> Option<usize> {
        let at = usize::from(value);
        let came_up = self.counts.get(at).is_some_and(|&count| count > 0);
        came_up.then(|| self.first[at])
    }
}

/// Returns the P-positions, the heaps of value 0, among the heaps from `first` on with these
/// values.
///
/// ```
/// use cgsolvers::nim_values::p_positions;
///
/// let dawsons_kayles = [0, 0, 1, 1, 2, 0, 3, 1, 1, 0];
/// assert!(p_positions(0, &dawsons_kayles).eq([0, 1, 5, 9]));
/// assert!(p_positions(4, &dawsons_kayles[4..]).eq([5, 9]));
/// ```
pub fn p_positions(first: usize, values: &[u16]) -> impl Iterator<Item = usize> + '_ {
    let heaps = values.iter().enumerate();
    heaps.filter_map(move |(i, &value)| (value == 0).then_some(first + i))
}
