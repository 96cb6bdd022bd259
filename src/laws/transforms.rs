//! Relations between sequences of integers: shifts, sections, differences, partial sums and affine
//! images.
//!
//! A relation is found on the first two thirds of the places at which both sequences have entries,
//! and must give every entry exactly, including the held-out third. It must also save
//! [bits](super::bits): the cost of the target's entries, written the cheapest way without it,
//! minus the name of the source and the numbers of the relation. A recurrence of the target is one
//! such way, so a law of the target alone makes its entries cheap.
//!
//! A polynomial of low degree, or a sequence with a recurrence of order 1 or 2, has many relations,
//! all of which follow from its own law. Such sequences are no targets, nor are sequences that
//! seldom change.

use std::ops::Range;

use super::bits::BITS_LEAST;
use super::column::{Column, Entries};
use super::relation::{Relation, RelationKind};
use super::targets::{cost, differences, is_simple};

/// The most entries of a column that are used.
const ENTRIES_MAX: usize = 4096;

/// The least number of entries that a relation gives.
const ENTRIES_LEAST: usize = 8;

/// Entries at consecutive places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// A description of the entries, as in `followers of 1^n`.
    pub name: String,
    /// The variable.
    pub variable: String,
    /// The place of the first entry.
    pub first: i64,
    /// The entries.
    pub entries: Vec<i128>,
}

impl Sequence {
    /// Returns the first 4,096 entries of a column of integers at consecutive places; `None` for
    /// other columns.
    pub fn of(column: &Column) -> Option<Sequence> {
        let (first, words) = column.sequence()?;
        if column.entries != Entries::Integers {
            return None;
        }
        let entries = words.iter().take(ENTRIES_MAX);
        let entries = entries.map(|&word| column.texts()[word].parse().ok());
        Some(Sequence {
            name: column.subject.to_string(),
            variable: column.variables[0].clone(),
            first,
            entries: entries.collect::<Option<_>>()?,
        })
    }
}

/// The result of the search for relations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relations {
    /// The relations.
    pub found: Vec<Relation>,
    /// The number of relations, over all ordered pairs, that saved enough on the entries they were
    /// found on and failed on the rest.
    pub failed: usize,
}

/// Returns, for every ordered pair of sequences, the simplest relation that gives all entries at
/// their shared places. Of two equivalent relations, such as differences one way and partial sums
/// the other way, it returns the one with the longer target; of two affine images, the one with
/// simpler numbers.
///
/// Cost: for each pair 43 candidates of O(entries), most of which fail at an early entry, and
/// O(entries^2) for each that holds.
///
/// ```
/// use cglaws::{Sequence, relations};
///
/// let sequence = |name: &str, entries: &[i128]| Sequence {
///     name: name.to_owned(),
///     variable: "n".to_owned(),
///     first: 1,
///     entries: entries.to_vec(),
/// };
/// let primes = sequence("p", &[2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]);
/// let totals = sequence("q", &[2, 5, 10, 17, 28, 41, 58, 77, 100, 129, 160, 197]);
/// let relations = relations(&[primes, totals]).found;
/// assert_eq!(relations.len(), 1);
/// assert_eq!(relations[0].text(), "q at n = partial sums of p up to n");
/// ```
pub fn relations(sequences: &[Sequence]) -> Relations {
    let sources: Vec<Source> = sequences.iter().map(Source::new).collect();
    // The bits of the name of a source.
    let naming = (sequences.len() as f64).log2();
    let mut relations = Relations::default();
    for (i, left) in sequences.iter().enumerate() {
        for (j, right) in sequences.iter().enumerate().skip(i + 1) {
            let mut between = |source: &Source<'_>, target: &Sequence| {
                simplest(source, target, naming, &mut relations.failed)
            };
            let one = between(&sources[i], right);
            let other = between(&sources[j], left);
            let (one, other) = match (one, other) {
                (Some(one), Some(other)) if one.kind.is_inverse_of(&other.kind) => {
                    if rank(right, &one) >= rank(left, &other) {
                        (Some(one), None)
                    } else {
                        (None, Some(other))
                    }
                }
                both => both,
            };
            relations.found.extend(one);
            relations.found.extend(other);
        }
    }
    relations
}

/// Ranks a relation among two equivalent ones: by the length of its target; affine images first by
/// the simplicity of their numbers.
fn rank(target: &Sequence, relation: &Relation) -> (f64, usize, usize) {
    let bits = match relation.kind {
        RelationKind::Affine { .. } => relation.kind.bits(),
        _ => 0.0,
    };
    (-bits, target.entries.len(), relation.entries)
}

/// The entries of a sequence, or of one derived from it, from some place on.
struct Derived {
    first: i128,
    entries: Vec<i128>,
}

/// A sequence, its differences and its partial sums, as far as they fit.
struct Source<'a> {
    sequence: &'a Sequence,
    itself: Derived,
    differences: Derived,
    sums: Derived,
}

impl<'a> Source<'a> {
    fn new(sequence: &'a Sequence) -> Source<'a> {
        let first = i128::from(sequence.first);
        let entries = |first, entries| Derived { first, entries };
        let sums = sequence.entries.iter().scan(0i128, |sum, &entry| {
            *sum = sum.checked_add(entry)?;
            Some(*sum)
        });
        Source {
            sequence,
            itself: entries(first, sequence.entries.clone()),
            differences: entries(first + 1, differences(&sequence.entries)),
            sums: entries(first, sums.collect()),
        }
    }
}

/// Returns the relation of a pair with the fewest bits; of several, the one with the most entries.
fn simplest(
    source: &Source<'_>,
    target: &Sequence,
    naming: f64,
    failed: &mut usize,
) -> Option<Relation> {
    let mut best: Option<Relation> = None;
    for kind in RelationKind::all() {
        let (read, step, offset) = match kind {
            RelationKind::Equal | RelationKind::Affine { .. } => (&source.itself, 1, 0),
            RelationKind::Shift { shift } => (&source.itself, 1, shift),
            RelationKind::Section { step, offset } => (&source.itself, step, offset),
            RelationKind::Differences { shift } => (&source.differences, 1, shift),
            RelationKind::Sums { shift, .. } => (&source.sums, 1, shift),
        };
        let places = places(read, step.into(), offset.into(), target);
        // An empty range may end before it starts.
        let count = usize::try_from(places.end - places.start).unwrap_or(0);
        let Ok(from) = i64::try_from(places.start) else {
            continue;
        };
        if count < ENTRIES_LEAST {
            continue;
        }
        let pairs = places.clone().map(|n| {
            let at = i128::from(step) * n + i128::from(offset) - read.first;
            let place = n - i128::from(target.first);
            (read.entries[at as usize], target.entries[place as usize])
        });
        let found_on = 2 * count / 3;
        let Some(kind) = kind.through(pairs.clone().take(found_on)) else {
            continue;
        };
        let gives = |(x, y): (i128, i128)| kind.image(x) == Some(y);
        if !pairs.clone().take(found_on).all(gives) {
            continue;
        }
        let written = naming + kind.bits();
        let saved = |entries: &[i128]| {
            if is_simple(entries) {
                0.0
            } else {
                cost(entries) - written
            }
        };
        let given: Vec<i128> = pairs.clone().map(|(_, y)| y).collect();
        if !pairs.skip(found_on).all(gives) {
            *failed += usize::from(saved(&given[..found_on]) >= BITS_LEAST);
            continue;
        }
        let bits = saved(&given);
        let rank = |relation: &Relation| (relation.kind.bits(), -(relation.entries as f64));
        let is_better = |best: &Relation| (kind.bits(), -(count as f64)) < rank(best);
        if bits >= BITS_LEAST && best.as_ref().is_none_or(is_better) {
            let variables = [&target.variable, &source.sequence.variable];
            best = Some(Relation {
                target: target.name.clone(),
                source: source.sequence.name.clone(),
                variables: variables.map(String::clone),
                source_first: source.sequence.first,
                kind,
                from,
                entries: count,
                tested: count - found_on,
                bits,
            });
        }
    }
    best
}

/// Returns the places n of the target for which there is an entry at `step n + offset`.
fn places(read: &Derived, step: i128, offset: i128, target: &Sequence) -> Range<i128> {
    let first = i128::from(target.first);
    let end = first + target.entries.len() as i128;
    let (read_first, read_end) = (read.first, read.first + read.entries.len() as i128);
    let up = |x: i128| -(-x).div_euclid(step);
    first.max(up(read_first - offset))..end.min(up(read_end - offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(name: &str, first: i64, entries: &[i128]) -> Sequence {
        Sequence {
            name: name.to_owned(),
            variable: "n".to_owned(),
            first,
            entries: entries.to_vec(),
        }
    }

    /// Entries without a law: a random walk upwards.
    fn walk(generator: &mut fastrand::Rng, count: usize) -> Vec<i128> {
        let steps = (0..count).map(|_| generator.i128(1..30));
        let walk = steps.scan(0, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        walk.collect()
    }

    #[test]
    fn every_kind_is_found_as_it_was_made() {
        let mut generator = fastrand::Rng::with_seed(2);
        for _ in 0..50 {
            let a = walk(&mut generator, 60);
            let sums = (0..60).map(|n| 7 + a[..n].iter().sum::<i128>()).collect();
            let plus = format!("a at n = partial sums of b up to n plus {}", a[0]);
            let image = |factor, constant| a.iter().map(|x| factor * x + constant).collect();
            let section = |step, from| a.iter().skip(from).step_by(step).copied().collect();
            let cases: [(i64, Vec<i128>, &str); 9] = [
                (3, a.clone(), "b at n = a at n"),
                (3, a[4..].to_vec(), "a at n = b at n-4"),
                (8, a[..55].to_vec(), "a at n = b at n+5"),
                (1, section(2, 1), "b at n = a at 2*n+2"),
                (2, section(4, 3), "b at n = a at 4*n-2"),
                (4, differences(&a), &plus),
                (3, sums, "b at n = partial sums of a up to n-1 plus 7"),
                (3, image(3, -2), "b at n = 3 times a at n minus 2"),
                (3, image(-1, 10), "b at n = -1 times a at n plus 10"),
            ];
            for (first, entries, text) in cases {
                let pair = [sequence("a", 3, &a), sequence("b", first, &entries)];
                let found = relations(&pair);
                let texts: Vec<String> = found.found.iter().map(Relation::text).collect();
                assert_eq!(texts, [text]);
                assert_eq!(found.failed, 0);
            }
        }
    }

    #[test]
    fn relations_of_known_sequences_are_found() {
        // Sums of Fibonacci numbers; the numbers themselves follow from two before them.
        let mut fibonacci = vec![1, 1];
        for n in 2..20 {
            fibonacci.push(fibonacci[n - 1] + fibonacci[n - 2]);
        }
        let sums: Vec<i128> = (1..=20).map(|n| fibonacci[..n].iter().sum()).collect();
        let mut sequences = [sequence("f", 1, &fibonacci), sequence("s", 1, &sums)];
        sequences[0].variable = "m".to_owned();
        let found = relations(&sequences).found;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text(), "s at n = partial sums of f up to m = n");
        assert_eq!(found[0].latex(), "b(n) = \\sum_{k=1}^n a(k)");
        let counts = (found[0].from, found[0].entries, found[0].tested);
        assert_eq!(counts, (1, 20, 7));
    }

    #[test]
    fn simple_short_and_broken_pairs_have_none() {
        let mut generator = fastrand::Rng::with_seed(5);
        let a = walk(&mut generator, 30);
        let of = |entry: &dyn Fn(i128) -> i128| (0..30).map(entry).collect::<Vec<_>>();
        let simple = [
            of(&|_| 7),
            of(&|n| 3 * n + 1),
            of(&|n| n * (n + 1) * (n + 2) / 6),
            of(&|n| (1 << n) - 1),
            of(&|n| n / 10),
        ];
        let nothing = Relations::default();
        for entries in &simple {
            let sequences = [sequence("a", 0, entries), sequence("b", 1, entries)];
            assert_eq!(relations(&sequences), nothing);
        }
        let seven = [sequence("a", 0, &a[..7]), sequence("b", 0, &a[..7])];
        assert_eq!(relations(&seven), nothing);
        let apart = [sequence("a", 0, &a), sequence("b", 100, &a)];
        assert_eq!(relations(&apart), nothing);
        let mut broken = a.clone();
        broken[28] += 1;
        let found = relations(&[sequence("a", 0, &a), sequence("b", 0, &broken)]);
        // Both ways.
        assert_eq!((found.found.len(), found.failed), (0, 2));
    }

    #[test]
    fn random_and_shuffled_sequences_have_none() {
        let mut generator = fastrand::Rng::with_seed(77);
        for round in 0..12_000 {
            let count = generator.usize(8..50);
            let most = 1 << generator.u32(0..12);
            let mut pair = ["a", "b"].map(|name| {
                let mut entries: Vec<i128> = (0..count).map(|_| generator.i128(0..=most)).collect();
                match round % 5 {
                    0 => {}
                    1 => entries.sort(),
                    2 => entries = (1..=count).map(|n| entries[..n].iter().sum()).collect(),
                    3 => {
                        entries = (0..count).map(|n| 1 << n).collect();
                        generator.shuffle(&mut entries);
                    }
                    // Runs of 0 and 1.
                    _ => {
                        let mut last = 0;
                        entries.fill_with(|| {
                            last = if generator.u8(0..4) == 0 {
                                1 - last
                            } else {
                                last
                            };
                            last
                        });
                    }
                }
                sequence(name, generator.i64(0..3), &entries)
            });
            if round % 7 == 0 {
                pair[1].entries = pair[0].entries.clone();
                generator.shuffle(&mut pair[1].entries);
            }
            let found = relations(&pair).found;
            assert!(found.is_empty(), "{found:?} {pair:?}");
        }
    }

    #[test]
    fn extreme_numbers_do_no_harm() {
        let mut generator = fastrand::Rng::with_seed(1);
        let extremes = [i128::MIN, i128::MIN + 1, -1, 0, 1, i128::MAX];
        for round in 0..2000 {
            let firsts = [i64::MIN, i64::MAX, 0, i64::MAX - 6];
            let pair = ["a", "b"].map(|name| {
                let entries: Vec<i128> = (0..20).map(|_| extremes[generator.usize(0..6)]).collect();
                sequence(name, firsts[round % 4], &entries)
            });
            for x in relations(&pair).found {
                assert!(!x.text().is_empty() && !x.latex().is_empty());
            }
        }
        let powers: Vec<i128> = (0..40).map(|n| (1 << (3 * n)) / 7).collect();
        let pair = [sequence("a", 0, &powers), sequence("b", 0, &powers)];
        assert_eq!(relations(&pair), Relations::default());
    }
}
