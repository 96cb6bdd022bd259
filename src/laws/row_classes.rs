//! Rows of pots with the classes of their values, and the enumeration of rows.
//!
//! Empty pots at the ends of a row never matter: a row has the class of the row without them.
//! Nothing here knows a game: the caller numbers the values and adds mirror images.

use std::collections::HashMap;
use std::iter::successors;

/// All rows of a bounded number of pots, each with the class of its value; a few may be unknown.
#[derive(Clone, Debug)]
pub struct RowClasses {
    pub(super) symbols: usize,
    pub(super) pots_max: usize,
    /// Classes by rows without empty ends.
    classes: HashMap<Vec<u8>, u32>,
}

impl RowClasses {
    /// Creates an empty table for pots of fewer than `symbols` seeds, at most 256, and rows of at
    /// most `pots_max` pots.
    pub fn new(symbols: usize, pots_max: usize) -> RowClasses {
        RowClasses {
            symbols: symbols.clamp(1, 256),
            pots_max,
            classes: HashMap::new(),
        }
    }

    /// Adds a row; rows beyond the bounds are ignored.
    pub fn insert(&mut self, pots: &[u8], class: u32) {
        let pots = without_empty_ends(pots);
        let is_within = pots.iter().all(|&pot| usize::from(pot) < self.symbols);
        if pots.len() <= self.pots_max && is_within {
            self.classes.insert(pots.to_vec(), class);
        }
    }

    /// Returns the class of a row; `None` if it is unknown.
    pub fn class(&self, pots: &[u8]) -> Option<u32> {
        self.classes.get(without_empty_ends(pots)).copied()
    }

    /// Returns the rows with outputs in place of classes.
    pub(super) fn with_outputs(&self, output: impl Fn(u32) -> u32) -> RowClasses {
        let classes = self.classes.iter();
        RowClasses {
            classes: classes
                .map(|(pots, &c)| (pots.clone(), output(c)))
                .collect(),
            ..*self
        }
    }

    /// Returns whether at least half of the rows within the bounds are known.
    pub(super) fn are_mostly_known(&self) -> bool {
        let symbols = self.symbols as f64;
        let all = match self.pots_max {
            0 => 1.0,
            pots => 1.0 + (symbols - 1.0) * symbols.powf(pots as f64 - 1.0),
        };
        2.0 * self.classes.len() as f64 >= all
    }

    /// Returns the known rows, the shortest first.
    pub(super) fn known(&self) -> Vec<(&[u8], u32)> {
        let classes = self.classes.iter();
        let mut known: Vec<(&[u8], u32)> = classes.map(|(pots, &c)| (&pots[..], c)).collect();
        known.sort_by_key(|(pots, _)| (pots.len(), *pots));
        known
    }

    /// Returns a predicate for the known rows that count: all of them or, if every row has the
    /// class of its mirror image, one of each such pair.
    pub(super) fn is_counted(&self) -> impl Fn(&[u8]) -> bool {
        let image = |pots: &[u8]| pots.iter().rev().copied().collect::<Vec<u8>>();
        let mut classes = self.classes.iter();
        let is_symmetric = classes.all(|(pots, c)| {
            self.classes
                .get(&image(pots))
                .is_none_or(|class| class == c)
        });
        move |pots| {
            let image = image(pots);
            !is_symmetric || pots <= &image[..] || !self.classes.contains_key(&image)
        }
    }
}

pub(super) fn without_empty_ends(pots: &[u8]) -> &[u8] {
    let Some(begin) = pots.iter().position(|&pot| pot > 0) else {
        return &[];
    };
    let end = pots.iter().rposition(|&pot| pot > 0).unwrap_or(begin);
    &pots[begin..=end]
}

/// Returns all words of `pots` pots, in lexicographic order.
pub(super) fn words(symbols: usize, pots: usize) -> impl Iterator<Item = Vec<u8>> {
    let place = move |n: usize, i: usize| (n / symbols.pow(i as u32) % symbols) as u8;
    (0..symbols.pow(pots as u32)).map(move |n| (0..pots).rev().map(|i| place(n, i)).collect())
}

/// Returns the rows with given numbers of pots and seeds, without empty ends and with at most
/// `most` seeds in a pot, in lexicographic order.
pub(super) fn rows_of(pots: usize, seeds: usize, most: u8) -> impl Iterator<Item = Vec<u8>> {
    // The least row has its seeds as far to the right as possible.
    let fill = move |row: &mut [u8], mut seeds: usize| {
        for pot in row.iter_mut().rev() {
            let more = seeds.min(usize::from(most - *pot));
            *pot += more as u8;
            seeds -= more;
        }
        seeds == 0
    };
    let first = move || {
        let mut row = vec![0; pots];
        let rest = match row.first_mut() {
            Some(pot) => {
                *pot = 1;
                seeds.checked_sub(1)?
            }
            None => seeds,
        };
        (fill(&mut row, rest) && row.last() != Some(&0)).then_some(row)
    };
    successors(first(), move |row| {
        let mut row = row.clone();
        let mut behind = 0;
        for i in (0..row.len()).rev() {
            // One seed moves from a later pot to this one, and one must remain in the last pot.
            if behind >= 2 && row[i] < most {
                row[i] += 1;
                row[i + 1..].fill(0);
                fill(&mut row[i + 1..], behind - 1);
                return Some(row);
            }
            behind += usize::from(row[i]);
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_ends_do_not_matter_and_rows_beyond_the_bounds_are_ignored() {
        let mut rows = RowClasses::new(3, 4);
        for (pots, class) in [
            (&[0, 1, 0, 2, 0, 0][..], 5),
            (&[3], 6),
            (&[1, 0, 0, 0, 1], 7),
        ] {
            rows.insert(pots, class);
        }
        assert_eq!(rows.known(), [(&[1, 0, 2][..], 5)]);
        assert_eq!(rows.class(&[1, 0, 2, 0]), Some(5));
        assert_eq!((rows.class(&[]), rows.class(&[3])), (None, None));
    }

    #[test]
    fn rows_of_some_pots_and_seeds_are_all_in_order() {
        for (pots, most) in [(0, 2), (1, 3), (2, 1), (3, 2), (4, 3), (5, 2)] {
            let mut all: Vec<Vec<u8>> = words(usize::from(most) + 1, pots).collect();
            all.retain(|row| without_empty_ends(row).len() == pots);
            let sum = |row: &Vec<u8>| row.iter().map(|&pot| usize::from(pot)).sum::<usize>();
            all.sort_by_key(|row| (sum(row), row.clone()));
            let seeds = 0..=pots * usize::from(most);
            let rows: Vec<Vec<u8>> = seeds.flat_map(|n| rows_of(pots, n, most)).collect();
            assert_eq!(rows, all);
        }
    }

    #[test]
    fn mirror_images_count_once_if_all_have_the_same_class() {
        let mut rows = RowClasses::new(3, 3);
        rows.insert(&[1, 2], 1);
        rows.insert(&[2, 1], 1);
        let counted = |rows: &RowClasses| [&[1, 2][..], &[2, 1]].map(rows.is_counted());
        assert_eq!(counted(&rows), [true, false]);
        rows.insert(&[1, 1, 2], 1);
        assert_eq!(counted(&rows), [true, false]);
        rows.insert(&[2, 1, 1], 2);
        assert_eq!(counted(&rows), [true, true]);
    }
}
