//! Rows of pots, as families list them.

use std::fmt::Write as _;

use super::all::Cursor;
use super::{AllPositions, Members, Sample, Sweep, Walk};
use crate::board::row::Row;

/// Rows of pots of one kind.
#[derive(Clone, Debug)]
pub enum Part {
    /// A pattern over the values of its variables.
    Pattern(Sweep),
    /// Every position within bounds, up to mirror image.
    All(AllPositions),
    /// Positions in the order written.
    List(Vec<Row>),
    /// Positions drawn at random.
    Sample(Sample),
}

impl Members for Part {
    type Board = Row;
    type Walk<'a> = Cursor<'a>;

    fn len(&self) -> u64 {
        match self {
            Part::Pattern(sweep) => sweep.len(),
            Part::All(all) => all.len(),
            Part::List(rows) => rows.len() as u64,
            Part::Sample(sample) => sample.len(),
        }
    }

    fn get(&self, rank: u64) -> (Row, Vec<i64>) {
        let row = match self {
            Part::Pattern(sweep) => return sweep.get(rank),
            Part::All(all) => all.get(rank),
            Part::List(rows) => rows[rank as usize].clone(),
            Part::Sample(sample) => sample.get(rank),
        };
        (row, Vec::new())
    }

    fn rank(&self, row: &Row) -> Option<u64> {
        match self {
            Part::Pattern(sweep) => sweep.rank(row),
            Part::All(all) => all.rank(row),
            Part::List(rows) => rows.iter().position(|other| other == row).map(|i| i as u64),
            Part::Sample(sample) => sample.rank(row),
        }
    }

    fn variables(&self) -> &[char] {
        match self {
            Part::Pattern(sweep) => sweep.pattern().variables(),
            _ => &[],
        }
    }

    fn pattern_text(&self) -> Option<&str> {
        match self {
            Part::Pattern(sweep) => Some(sweep.pattern_text()),
            _ => None,
        }
    }

    fn walk(&self, rank: u64) -> Option<Cursor<'_>> {
        match self {
            Part::All(all) => Some(all.cursor(rank)),
            _ => None,
        }
    }

    fn write_meaning(&self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Part::Pattern(sweep) => write_sweep(text, sweep),
            Part::All(all) => write_all(text, all),
            Part::List(rows) => write_rows(text, rows),
            Part::Sample(sample) => {
                let (count, seed) = (sample.len(), sample.seed());
                let _ = writeln!(text, "sample {count} seed {seed} splitmix64");
                write_all(text, sample.of())
            }
        };
    }
}

impl Walk<Row> for Cursor<'_> {
    fn position(&self) -> Row {
        self.row()
    }

    fn advance(&mut self) -> bool {
        Cursor::advance(self)
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
    // A least number that is not given is 0.
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

fn write_rows(text: &mut String, rows: &[Row]) -> std::fmt::Result {
    writeln!(text, "positions {}", rows.len())?;
    rows.iter().try_for_each(|row| writeln!(text, "{row}"))
}
