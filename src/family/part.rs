//! The parts of a family. Each part lists its positions in an order of its own, by ranks from 0.

use std::fmt::Write as _;

use super::all::Cursor;
use super::{AllPositions, Filled, Population, Rectangles, Sample, Sweep, Values};
use crate::board::AnyBoard;

/// Positions of one kind.
#[derive(Clone, Debug)]
pub enum Part {
    /// A pattern over the values of its variables.
    Pattern(Sweep),
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

impl Part {
    /// Returns the number of members.
    pub fn len(&self) -> u64 {
        match self {
            Part::Pattern(sweep) => sweep.len(),
            Part::All(all) => all.len(),
            Part::Filled(filled) => filled.len(),
            Part::Rectangles(rectangles) => rectangles.len(),
            Part::List(rows) => rows.len() as u64,
            Part::Sample(sample) => sample.len(),
        }
    }

    /// Returns whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the member at a rank below [`Part::len`], and the values of the variables.
    pub fn get(&self, rank: u64) -> (AnyBoard, Vec<i64>) {
        let row = match self {
            Part::Pattern(sweep) => return sweep.get(rank),
            Part::Rectangles(rectangles) => return rectangles.get(rank),
            Part::All(all) => all.get(rank).into(),
            Part::Filled(filled) => filled.get(rank),
            Part::List(rows) => rows[rank as usize].clone(),
            Part::Sample(sample) => sample.get(rank),
        };
        (row, Vec::new())
    }

    /// Returns the least rank of a position as written, or `None` if it is not a member.
    pub fn rank(&self, row: &AnyBoard) -> Option<u64> {
        match self {
            Part::Pattern(sweep) => sweep.rank(row),
            Part::All(all) => all.rank(row.row()?),
            Part::Filled(filled) => filled.rank(row),
            Part::Rectangles(rectangles) => rectangles.rank(row),
            Part::List(rows) => rows.iter().position(|other| other == row).map(|i| i as u64),
            Part::Sample(sample) => sample.rank(row),
        }
    }

    /// Returns the variables of its members, and the values of each.
    pub fn variables(&self) -> Vec<(String, &Values)> {
        match self {
            Part::Pattern(sweep) => {
                let variables = sweep.pattern().variables().iter();
                let names = variables.map(char::to_string);
                names.zip(sweep.values()).collect()
            }
            Part::Rectangles(rectangles) => {
                let names = Rectangles::VARIABLES.map(str::to_owned).into_iter();
                names.zip(rectangles.values()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the pattern that its members come from, if any.
    pub(super) fn pattern_text(&self) -> Option<&str> {
        match self {
            Part::Pattern(sweep) => Some(sweep.pattern_text()),
            _ => None,
        }
    }

    /// Returns a cursor at a rank, for a part in which stepping is faster than finding by rank.
    pub(super) fn walk(&self, rank: u64) -> Option<Cursor<'_>> {
        match self {
            Part::All(all) => Some(all.cursor(rank)),
            _ => None,
        }
    }

    /// Appends a text that two parts share exactly if they list the same members for the same
    /// reasons. Digests of jobs are made of it, so its wording is part of the format.
    pub(super) fn write_meaning(&self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Part::Pattern(sweep) => write_sweep(text, sweep),
            Part::All(all) => write_all(text, all),
            Part::Filled(filled) => writeln!(text, "{}", filled.meaning()),
            Part::Rectangles(rectangles) => writeln!(text, "{}", rectangles.meaning()),
            Part::List(rows) => write_rows(text, rows),
            Part::Sample(sample) => {
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

fn write_sweep(text: &mut String, sweep: &Sweep) -> std::fmt::Result {
    write!(text, "pattern {}", sweep.pattern_text())?;
    for (name, values) in sweep.pattern().variables().iter().zip(sweep.values()) {
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
