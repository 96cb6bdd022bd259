//! Families: the positions of a job. A family knows its length, lists its members in a fixed order,
//! and finds any member by rank.
//!
//! A [`Family`] is one or more [`Subfamily`]s, one after another, all on one kind of board:
//! patterns bound to ranges ([`BoundPattern`]), all positions within bounds ([`AllPositions`],
//! [`Filled`]), rectangles with equal numbers of seeds in all pots ([`Rectangles`]), positions
//! written out, or a random [`Sample`]. Ranks count members from 0 through all subfamilies. The
//! invariant: `get(rank)` is a function of the family alone, so any process can make the rows of
//! any ranks.
//!
//! Three families have members other than positions on boards of pots: fixed bins of Tchoukaillon
//! boards ([`FixedFamily`]), sowing graphs ([`GraphSet`]) and sums of components ([`SumFamily`]).
//!
//! Families know the *shape* of a game's positions ([`Shape`](crate::board::Shape)) but neither
//! moves nor values. Members of a [`Family`] are positions as written: those of patterns and lists
//! need not be in normal form, and one position may be a member more than once.

mod all;
mod blocks;
mod bound;
mod filled;
mod fillings;
mod fixed;
mod graphs;
mod list;
mod pattern;
mod pattern_error;
mod pattern_parse;
mod pattern_text;
mod product;
mod progression;
mod rectangles;
mod sample;
mod subfamily;
mod sums;
mod values;

use std::ops::Range;

use thiserror::Error;

use self::all::Cursor;
pub use self::all::{
    ALL_POTS_MAX, ALL_SEEDS_MAX, AllPositions, Bound, Bounds, BoundsError, CellOfAll, Order,
};
pub use self::blocks::{NoBlocks, PatternBlock};
pub use self::bound::{BindError, BoundPattern};
pub use self::filled::{COLOURED_POTS_MAX, ColouredBounds, Filled, FilledError, GridBounds};
pub use self::fillings::TooManyFillings;
pub use self::fixed::{
    BinNumbering, FIXED_BIN_MAX, FIXED_MAX, Fixed, FixedFamily, FixedFamilyError, ParseFixedError,
    parse_fixed, written_fixed,
};
pub use self::graphs::{GRAPHS_MAX, GraphMember, GraphPart, GraphPartError, GraphSet, SHAPES_MAX};
pub use self::list::{FileError, LineError, read_lines, read_positions};
pub use self::pattern::{ExpandError, PATTERN_DEPTH_MAX, PATTERN_POTS_MAX, Pattern};
pub use self::pattern_error::PatternError;
pub use self::progression::{Number, Progression, ProgressionError};
pub use self::rectangles::Rectangles;
pub use self::sample::draw;
pub use self::sample::{Population, Sample};
pub use self::subfamily::Subfamily;
pub use self::sums::{SumFamily, SumFamilyError};
pub use self::values::{VARIABLE_MAX, Values, ValuesError};
use crate::board::AnyBoard;

/// More than 2^64 members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the subfamilies of the family together have more than 2^64 positions")]
pub struct TooManyMembers;

/// The positions of a job, in order.
///
/// ```
/// use cggames::family::{Family, Subfamily, BoundPattern};
///
/// let bound = |pattern: &str| {
///     BoundPattern::new(pattern.parse().unwrap(), vec![('n', "1..=3".parse().unwrap())]).unwrap()
/// };
/// let subfamilies = ["1^n", "e 1^n e"].map(|pattern| Subfamily::Pattern(bound(pattern)));
/// let family = Family::new(subfamilies.to_vec())?;
/// let rows: Vec<String> = family.iter().map(|member| member.position.to_string()).collect();
/// assert_eq!(rows, ["1", "11", "111", "e1e", "e11e", "e111e"]);
/// let member = family.get(4);
/// assert_eq!(family.pattern_text(&member), Some("e 1^n e"));
/// assert_eq!(member.variables, [Some(2)]);
/// assert_eq!(family.rank_ranges(4), [0..4, 4..6]);
/// # Ok::<(), cggames::family::TooManyMembers>(())
/// ```
#[derive(Clone, Debug)]
pub struct Family {
    subfamilies: Vec<Subfamily>,
    /// The rank of each subfamily's first member, and the length after the last.
    starts: Vec<u64>,
    /// Of all subfamilies, in order of first appearance.
    variables: Vec<String>,
    /// For each subfamily, the index of each of its variables in `variables`.
    columns: Vec<Vec<usize>>,
}

/// A position of a family and its rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its place in the family, counted from 0.
    pub rank: u64,
    /// The position as written.
    pub position: AnyBoard,
    /// The index in [`Family::subfamilies`] of the subfamily it comes from.
    pub source: usize,
    /// The value of each of [`Family::variables`], `None` where its subfamily lacks the variable.
    pub variables: Vec<Option<i64>>,
}

impl Family {
    /// Concatenates subfamilies.
    ///
    /// # Errors
    ///
    /// More than 2^64 members.
    pub fn new(subfamilies: Vec<Subfamily>) -> Result<Family, TooManyMembers> {
        let mut starts = vec![0u64];
        let mut variables: Vec<String> = Vec::new();
        let mut columns = Vec::with_capacity(subfamilies.len());
        for subfamily in &subfamilies {
            let start = starts[starts.len() - 1];
            starts.push(start.checked_add(subfamily.len()).ok_or(TooManyMembers)?);
            let column = |(name, _): (String, &Values)| {
                let known = variables.iter().position(|known| *known == name);
                known.unwrap_or_else(|| {
                    variables.push(name);
                    variables.len() - 1
                })
            };
            let of_subfamily = subfamily.variables().into_iter();
            columns.push(of_subfamily.map(column).collect());
        }
        Ok(Family {
            subfamilies,
            starts,
            variables,
            columns,
        })
    }

    /// Returns the subfamilies in order.
    pub fn subfamilies(&self) -> &[Subfamily] {
        &self.subfamilies
    }

    /// Returns the number of members.
    pub fn len(&self) -> u64 {
        self.starts[self.subfamilies.len()]
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the variables of all patterns, in order of first appearance.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Returns the pattern of each subfamily, `None` for a subfamily of another kind.
    pub fn patterns(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        self.subfamilies.iter().map(Subfamily::pattern_text)
    }

    /// Returns the pattern that a member comes from, if any.
    pub fn pattern_text(&self, member: &Member) -> Option<&str> {
        self.subfamilies.get(member.source)?.pattern_text()
    }

    /// Returns the member at `rank`.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`Family::len`].
    pub fn get(&self, rank: u64) -> Member {
        assert!(rank < self.len(), "the rank is below the number of members");
        let source = self.subfamily_of(rank);
        let (position, values) = self.subfamilies[source].get(rank - self.starts[source]);
        let mut variables = vec![None; self.variables.len()];
        for (&column, value) in self.columns[source].iter().zip(values) {
            variables[column] = Some(value);
        }
        Member {
            rank,
            position,
            source,
            variables,
        }
    }

    /// Returns the index of the subfamily that contains `rank`, which is never an empty subfamily.
    fn subfamily_of(&self, rank: u64) -> usize {
        self.starts.partition_point(|&start| start <= rank) - 1
    }

    /// Returns the least rank of a position as written, or `None` if it is not a member.
    ///
    /// Takes a lookup for [`Subfamily::All`] and a search through every other subfamily.
    pub fn rank(&self, position: &AnyBoard) -> Option<u64> {
        let mut subfamilies = std::iter::zip(&self.subfamilies, &self.starts);
        subfamilies.find_map(|(subfamily, start)| Some(start + subfamily.rank(position)?))
    }

    /// Returns all members in order of rank.
    pub fn iter(&self) -> Iter<'_> {
        self.iter_range(0..self.len())
    }

    /// Returns the members of these ranks in order, each found from the one before it.
    ///
    /// # Panics
    ///
    /// If the range ends beyond [`Family::len`].
    pub fn iter_range(&self, ranks: Range<u64>) -> Iter<'_> {
        assert!(
            ranks.end <= self.len(),
            "the ranks are below the number of members"
        );
        Iter {
            family: self,
            ranks,
            walk: None,
        }
    }

    /// Divides the ranks into consecutive ranges of `members_max` members; the last may have fewer.
    /// A length of 0 counts as 1.
    pub fn rank_ranges(&self, members_max: u64) -> Vec<Range<u64>> {
        let length = members_max.max(1);
        (0..self.len().div_ceil(length))
            .map(|index| {
                let start = index * length;
                start..start.saturating_add(length).min(self.len())
            })
            .collect()
    }

    /// Returns a text that two families share exactly if they list the same members for the same
    /// reasons: patterns with the values of their variables, bounds, seeds, rows. Digests of jobs
    /// are made of it, so its wording is part of the format.
    pub fn meaning(&self) -> String {
        let mut text = String::new();
        for subfamily in &self.subfamilies {
            subfamily.write_meaning(&mut text);
        }
        text
    }
}

/// The members of consecutive ranks.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    family: &'a Family,
    ranks: Range<u64>,
    /// The index of a subfamily and a cursor at the next member, while that belongs to the
    /// subfamily.
    walk: Option<(usize, Cursor<'a>)>,
}

impl Iter<'_> {
    /// The most positions that are skipped one by one: an estimate, not a measurement, of the cost
    /// of finding a member by rank.
    const STEPS_MAX: u64 = 16;

    /// Returns the member at `rank` and continues from there. A member soon after the last one is
    /// found by stepping.
    ///
    /// # Panics
    ///
    /// If `rank` is not below the end of the range.
    pub fn go_to(&mut self, rank: u64) -> Member {
        let steps = rank.checked_sub(self.ranks.start);
        let steps = steps.filter(|&steps| steps <= Self::STEPS_MAX);
        let steps_there = match (&mut self.walk, steps) {
            (Some((_, walk)), Some(steps)) => (0..steps).all(|_| walk.advance()),
            _ => false,
        };
        if !steps_there {
            self.walk = None;
        }
        self.ranks.start = rank;
        self.next()
            .expect("the rank is below the number of members")
    }
}

impl Iterator for Iter<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        let rank = self.ranks.next()?;
        if self.walk.is_none() {
            let source = self.family.subfamily_of(rank);
            let inner = rank - self.family.starts[source];
            let walk = self.family.subfamilies[source].walk(inner);
            self.walk = walk.map(|walk| (source, walk));
        }
        let Some((source, walk)) = &mut self.walk else {
            return Some(self.family.get(rank));
        };
        let member = Member {
            rank,
            position: walk.row().into(),
            source: *source,
            variables: vec![None; self.family.variables.len()],
        };
        if !walk.advance() {
            self.walk = None;
        }
        Some(member)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ranks.size_hint()
    }
}

impl<'a> IntoIterator for &'a Family {
    type Item = Member;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
