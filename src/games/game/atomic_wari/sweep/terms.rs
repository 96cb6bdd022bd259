//! The terms of numbers of rows.

/// One more than the most seeds of a row.
pub(super) const SEEDS_END: usize = 33;

/// Binomial coefficients.
// PERF: rows of 64 numbers, since a number below 64 needs no check.
#[derive(Clone, Debug)]
pub(super) struct Terms(Box<[[u32; 64]; 64]>);

impl Terms {
    pub(super) fn new() -> Terms {
        let mut terms = Box::new([[0; 64]; 64]);
        for seeds in 1..=SEEDS_END {
            terms[0][seeds] = 1;
        }
        for pots in 1..=SEEDS_END {
            for seeds in 2..=SEEDS_END {
                terms[pots][seeds] = terms[pots][seeds - 1] + terms[pots - 1][seeds - 1];
            }
        }
        Terms(terms)
    }

    /// Returns C(seeds - 1, pots), for at most [`SEEDS_END`] seeds and pots.
    #[inline]
    pub(super) fn term(&self, pots: usize, seeds: usize) -> i64 {
        i64::from(self.0[pots % 64][seeds % 64])
    }

    /// Returns the number of rows of at most `seeds` seeds on a support of `pots` pots.
    pub(super) fn rows(&self, pots: usize, seeds: usize) -> i64 {
        self.term(pots, seeds + 1)
    }
}
