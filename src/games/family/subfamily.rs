//! The subfamilies of a family. Each lists its positions in an order of its own, by ranks from 0.

use std::fmt::Write as _;

use super::all::Cursor;
use super::{AllPositions, BoundPattern, Filled, Population, Rectangles, Sample, Values};
use crate::board::AnyBoard;

/// Positions of one kind.
#[derive(Clone, Debug)]
pub enum Subfamily {
    /// A pattern over the values of its variables.
    Pattern(BoundPattern),
    /// Every position within bounds, up to mirror image.
    All(AllPositions),
    /// Every position within bounds on boards other than rows of one colour, up to symmetry.
    Filled(Filled),
    /// Rectangles with equal numbers of seeds in all pots.
    Rectangles(Rectangles),
    /// Positions in the order written.
    List(Vec<AnyBoard>),
    /// Positions drawn at random.
    Sample(Sample),
}

impl Subfamily {
    /// Returns the number of members.
    pub fn len(&self) -> u64 {
        match self {
            Subfamily::Pattern(bound) => bound.len(),
            Subfamily::All(all) => all.len(),
            Subfamily::Filled(filled) => filled.len(),
            Subfamily::Rectangles(rectangles) => rectangles.len(),
            Subfamily::List(rows) => rows.len() as u64,
            Subfamily::Sample(sample) => sample.len(),
        }
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the member at a rank below [`Subfamily::len`], and the values of the variables.
    pub fn get(&self, rank: u64) -> (AnyBoard, Vec<i64>) {
        let row = match self {
            Subfamily::Pattern(bound) => return bound.get(rank),
            Subfamily::Rectangles(rectangles) => return rectangles.get(rank),
            Subfamily::All(all) => all.get(rank).into(),
            Subfamily::Filled(filled) => filled.get(rank),
            Subfamily::List(rows) => rows[rank as usize].clone(),
            Subfamily::Sample(sample) => sample.get(rank),
        };
        (row, Vec::new())
    }

    /// Returns the least rank of a position as written, or `None` if it is not a member.
    pub fn rank(&self, row: &AnyBoard) -> Option<u64> {
        match self {
            Subfamily::Pattern(bound) => bound.rank(row),
            Subfamily::All(all) => all.rank(row.row()?),
            Subfamily::Filled(filled) => filled.rank(row),
            Subfamily::Rectangles(rectangles) => rectangles.rank(row),
            Subfamily::List(rows) => rows.iter().position(|other| other == row).map(|i| i as u64),
            Subfamily::Sample(sample) => sample.rank(row),
        }
    }

    /// Returns the variables of its members, and the values of each.
    pub fn variables(&self) -> Vec<(String, &Values)> {
        match self {
            Subfamily::Pattern(bound) => {
                let variables = bound.pattern().variables().iter();
                let names = variables.map(char::to_string);
                names.zip(bound.values()).collect()
            }
            Subfamily::Rectangles(rectangles) => {
                let names = Rectangles::VARIABLES.map(str::to_owned).into_iter();
                names.zip(rectangles.values()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the pattern that its members come from, if any.
    pub(super) fn pattern_text(&self) -> Option<&str> {
        match self {
            Subfamily::Pattern(bound) => Some(bound.pattern_text()),
            _ => None,
        }
    }

    /// Returns a cursor at a rank, for a subfamily in which stepping is faster than finding by
    /// rank.
    pub(super) fn walk(&self, rank: u64) -> Option<Cursor<'_>> {
        match self {
            Subfamily::All(all) => Some(all.cursor(rank)),
            _ => None,
        }
    }

    /// Appends a text that two subfamilies share exactly if they list the same members for the same
    /// reasons. Digests of jobs are made of it, so its wording is part of the format.
    pub(super) fn write_meaning(&self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Subfamily::Pattern(bound) => write_bound(text, bound),
            Subfamily::All(all) => write_all(text, all),
            Subfamily::Filled(filled) => writeln!(text, "{}", filled.meaning()),
            Subfamily::Rectangles(rectangles) => writeln!(text, "{}", rectangles.meaning()),
            Subfamily::List(rows) => write_rows(text, rows),
            Subfamily::Sample(sample) => {
                let (count, seed) = (sample.len(), sample.seed());
                let _ = writeln!(text, "sample {count} seed {seed} splitmix64");
                match sample.of() {
                    Population::All(all) => write_all(text, all),
                    Population::Filled(filled) => writeln!(text, "{}", filled.meaning()),
                }
            }
        };
    }
}

fn write_bound(text: &mut String, bound: &BoundPattern) -> std::fmt::Result {
    write!(text, "pattern {}", bound.pattern_text())?;
    for (name, values) in bound.pattern().variables().iter().zip(bound.values()) {
        write!(text, "; {name} = {values}")?;
    }
    writeln!(text)
}

fn write_all(text: &mut String, all: &AllPositions) -> std::fmt::Result {
    let bounds = all.bounds();
    // A missing lower bound is 0.
    write!(
        text,
        "all pots_min {} seeds_min {}",
        bounds.pots_min.unwrap_or(0),
        bounds.seeds_min.unwrap_or(0)
    )?;
    for (name, bound) in [
        ("pots_max", bounds.pots_max),
        ("seeds_max", bounds.seeds_max),
        ("pot_seeds_max", bounds.pot_seeds_max),
    ] {
        if let Some(bound) = bound {
            write!(text, " {name} {bound}")?;
        }
    }
    writeln!(text, " order {}", all.order().name())
}

fn write_rows(text: &mut String, rows: &[AnyBoard]) -> std::fmt::Result {
    writeln!(text, "positions {}", rows.len())?;
    rows.iter().try_for_each(|row| writeln!(text, "{row}"))
}
