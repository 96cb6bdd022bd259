//! Where values occur among the positions of results.

use std::collections::BTreeSet;

/// A value among the positions of a result.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a> {
    /// The value, in notation.
    pub value: &'a str,
    /// A position that has it.
    pub position: &'a str,
    /// The pots of the position, if it has any.
    pub pots: Option<i64>,
    /// Its seeds, or the tokens of a heap; `None` if their number is unknown.
    pub seeds: Option<i64>,
    /// The number of positions that it stands for.
    pub count: u64,
}

/// The positions of a game that have a value, in sum.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The positions in all results together; one in several results counts once in each.
    pub(super) count: u64,
    /// The jobs.
    pub(super) jobs: BTreeSet<usize>,
    /// The first position by seeds, and of those with as many seeds by pots.
    pub(super) by_seeds: Option<Position>,
    /// The first position by pots, and of those with as many pots by seeds.
    pub(super) by_pots: Option<Position>,
}

/// A position and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) text: String,
    pub(super) pots: Option<i64>,
    pub(super) seeds: Option<i64>,
}

/// The place of a position in an order. A size that is unknown comes last; equally large positions have a fixed order.
type Key<'k> = (i64, i64, usize, &'k str);

/// An order of positions.
type Order = for<'k> fn(&'k str, Option<i64>, Option<i64>) -> Key<'k>;

fn by_seeds<'k>(text: &'k str, pots: Option<i64>, seeds: Option<i64>) -> Key<'k> {
    let [pots, seeds] = [pots, seeds].map(|size| size.unwrap_or(i64::MAX));
    (seeds, pots, text.len(), text)
}

fn by_pots<'k>(text: &'k str, pots: Option<i64>, seeds: Option<i64>) -> Key<'k> {
    by_seeds(text, seeds, pots)
}

impl Places {
    pub(super) fn enter(&mut self, job: usize, found: &Occurrence<'_>) {
        self.count += found.count;
        self.jobs.insert(job);
        let &Occurrence {
            position,
            pots,
            seeds,
            ..
        } = found;
        for (first, key) in [
            (&mut self.by_seeds, by_seeds as Order),
            (&mut self.by_pots, by_pots),
        ] {
            let is_earlier = |first: &Position| {
                key(position, pots, seeds) < key(&first.text, first.pots, first.seeds)
            };
            if first.as_ref().is_none_or(is_earlier) {
                *first = Some(Position {
                    text: position.to_owned(),
                    pots,
                    seeds,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_by_seeds_may_not_be_the_first_by_pots() {
        let mut places = Places::default();
        let positions = [
            ("9", Some(1), Some(9)),
            ("101", Some(3), Some(2)),
            ("11", Some(2), Some(2)),
            ("e1", Some(2), None),
            ("8", Some(1), Some(8)),
        ];
        for (position, pots, seeds) in positions {
            let found = Occurrence {
                value: "*",
                position,
                pots,
                seeds,
                count: 2,
            };
            places.enter(0, &found);
        }
        let text = |first: &Option<Position>| first.as_ref().map(|first| first.text.clone());
        assert_eq!(text(&places.by_seeds).as_deref(), Some("11"));
        assert_eq!(text(&places.by_pots).as_deref(), Some("8"));
        assert_eq!(places.count, 10);
    }
}
