//! First plays of consecutive boards, without the boards.

use super::{BINS_MAX, TooLong, collect};

/// The number of nearest bins, whose contents repeat with [`PERIOD`].
const NEAR: usize = 9;

/// lcm(2, ..., 10): Corollary 2.3.
const PERIOD: usize = 2520;

/// The number of boards whose first plays are searched together: those that an index of 16 bits can
/// number.
const TOGETHER: usize = 1 << 16;

/// The number of bins that are passed at once if no board stops in them.
const SKIPPED: usize = 16;

/// The first plays of the boards of consecutive numbers of stones.
///
/// Nine boards of ten are first played in one of the bins 1 to 9, whose contents repeat every 2520
/// stones: these plays are copied from a table. Only at the other boards do the bins from 10 on
/// change, and only these bins are stored. At each bin a regular fraction of the boards that reach
/// it stop there. So n boards take about ln(n) steps each over a short list, and a sixteenth of a
/// step for each bin of the board.
///
/// ```
/// use cgsolvers::tchoukaillon::boards::FirstPlays;
///
/// let mut plays = [0; 6];
/// FirstPlays::starting_at(1)?.fill(&mut plays);
/// assert_eq!(plays, [1, 2, 1, 3, 1, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FirstPlays {
    /// The first play of n stones at index n mod 2520, or 0 if it is in bin 10 or beyond.
    nearest: Vec<u32>,
    /// The residues at which it is in bin 10 or beyond, ascending.
    far: Vec<usize>,
    /// The next number of stones modulo 2520.
    phase: usize,
    /// The bins from 10 on, of the board before the next one.
    bins: Vec<u32>,
    /// The boards whose first play is not found yet, as indices among those searched together.
    left: Vec<u16>,
    /// Whether the next board is the empty one, which has no predecessor.
    empty: bool,
}

impl FirstPlays {
    /// Starts with the board of this many stones; the empty board has the first play 0.
    ///
    /// # Errors
    ///
    /// [`TooLong`] beyond [`BINS_MAX`](super::BINS_MAX) bins, or when memory does not suffice.
    pub fn starting_at(stones: u128) -> Result<FirstPlays, TooLong> {
        let mut nearest = vec![0; PERIOD];
        let mut bins = [0u32; NEAR];
        // The period ends with n = 2520, whose first bins are empty like those of n = 0.
        for n in 1..=PERIOD {
            let empty = bins.iter().position(|&stones| stones == 0);
            for stones in &mut bins[..empty.unwrap_or(NEAR)] {
                *stones -= 1;
            }
            if let Some(index) = empty {
                bins[index] = index as u32 + 1;
                nearest[n % PERIOD] = bins[index];
            }
        }
        let far = (0..PERIOD).filter(|&n| nearest[n] == 0).collect();
        let mut before = collect(stones.saturating_sub(1))?;
        before.drain(..before.len().min(NEAR));
        Ok(FirstPlays {
            nearest,
            far,
            phase: (stones % PERIOD as u128) as usize,
            bins: before,
            left: Vec::new(),
            empty: stones == 0,
        })
    }

    /// Fills `plays` with the first plays of the next boards.
    pub fn fill(&mut self, mut plays: &mut [u32]) {
        if self.empty && !plays.is_empty() {
            plays[0] = 0;
            plays = &mut plays[1..];
            (self.empty, self.phase) = (false, 1);
        }
        for plays in plays.chunks_mut(TOGETHER) {
            self.fill_near(plays);
            self.fill_far(plays);
        }
    }

    /// Writes the first plays in the nearest bins, and lists the boards that they do not decide.
    fn fill_near(&mut self, plays: &mut [u32]) {
        let mut done = 0;
        while done < plays.len() {
            let count = (plays.len() - done).min(PERIOD - self.phase);
            plays[done..done + count]
                .copy_from_slice(&self.nearest[self.phase..self.phase + count]);
            let far = &self.far[self.far.partition_point(|&n| n < self.phase)..];
            let far = &far[..far.partition_point(|&n| n < self.phase + count)];
            let places = far.iter().map(|&n| (done + n - self.phase) as u16);
            self.left.extend(places);
            self.phase = (self.phase + count) % PERIOD;
            done += count;
        }
    }

    /// Moves the remaining boards from bin to bin until none is left.
    fn fill_far(&mut self, plays: &mut [u32]) {
        let mut index = 0;
        while !self.left.is_empty() {
            // PERF: all remaining boards pass most far bins. With this skip, 8,192 boards together
            // are found at 430 million a second around n = 9 x 10^7, on one thread; unplaying for
            // each undecided board reaches 90 million.
            while let Some(bins) = self.bins.get_mut(index..index + SKIPPED) {
                let count = self.left.len() as u32;
                if bins.iter().any(|&stones| stones < count) {
                    break;
                }
                for stones in bins {
                    *stones -= count;
                }
                index += SKIPPED;
            }
            let number = index + NEAR + 1;
            if index == self.bins.len() {
                assert!(number as u64 <= BINS_MAX, "bins are numbered in 32 bits");
                self.bins.push(0);
            }
            reach(number as u32, &mut self.bins[index], &mut self.left, plays);
            index += 1;
        }
    }
}

/// Lets boards reach a bin with `stones` stones, one after another: that number of boards pass it
/// and take one stone each, and the next board plays it and fills it again.
fn reach(number: u32, stones: &mut u32, left: &mut Vec<u16>, plays: &mut [u32]) {
    let count = left.len();
    let mut hit = *stones as usize;
    let mut passed = hit.min(count);
    while hit < count {
        plays[usize::from(left[hit])] = number;
        let next = hit + number as usize + 1;
        let passing = hit + 1..next.min(count);
        left.copy_within(passing.clone(), passed);
        passed += passing.len();
        hit = next;
    }
    // This number of further boards must come before one plays it.
    *stones = (hit - count) as u32;
    left.truncate(passed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tchoukaillon::boards::Boards;

    #[test]
    fn first_plays_are_those_of_the_boards() {
        let starts = [0u128, 1, 2, 9, 2519, 2520, 2521, 5040, 123_456, 1 << 40];
        for (start, size) in starts
            .into_iter()
            .zip([7, 100, 2520, 3000, 1, 70_000].into_iter().cycle())
        {
            let mut boards = Boards::starting_at(start).expect("a board that fits");
            let mut first_plays = FirstPlays::starting_at(start).expect("a board that fits");
            let mut plays = vec![0; size];
            for _ in 0..6000usize.div_ceil(size) {
                first_plays.fill(&mut plays);
                for &play in &plays {
                    let first = boards.first_play().unwrap_or(0);
                    assert_eq!(play as usize, first, "{}", boards.stones());
                    boards.advance();
                }
            }
        }
    }
}
