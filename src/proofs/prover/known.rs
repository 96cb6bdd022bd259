//! The values of small rows, each found once.

use std::collections::HashMap;
use std::error::Error;

use cggames::board::AnyBoard;
use cggames::board::row::{self, Row};
use cggames::game::reading::{FULL, Pot};
use cgvalues::ValueId;

use crate::proof::Rows;

/// The most pots of a row whose value a search uses.
pub const ROW_POTS_MAX: usize = 40;

/// A function that returns the value of a row; `None` if that takes too long.
pub(super) type Evaluate<'a> =
    dyn FnMut(&AnyBoard) -> Result<Option<ValueId>, Box<dyn Error + Send + Sync>> + 'a;

/// A row's counts and its value.
pub(super) type Entry = (Vec<i64>, ValueId);

/// A cache of the values of rows.
pub(super) struct Known<'a> {
    evaluate: &'a mut Evaluate<'a>,
    found: HashMap<(Vec<Pot>, [Pot; 2]), Option<ValueId>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(evaluate: &'a mut Evaluate<'a>) -> Known<'a> {
        let found = HashMap::new();
        Known { evaluate, found }
    }

    /// Returns the value of a row; `None` if that takes too long.
    pub(super) fn value(
        &mut self,
        row: &[Pot],
        ends: [Pot; 2],
    ) -> Result<Option<ValueId>, Box<dyn Error + Send + Sync>> {
        let row = stripped(row, ends);
        if row.len() > ROW_POTS_MAX {
            return Ok(None);
        }
        let key = (row.to_vec(), ends);
        if let Some(found) = self.found.get(&key) {
            return Ok(*found);
        }
        let found = (self.evaluate)(&board(row, ends))?;
        self.found.insert(key, found);
        Ok(found)
    }

    /// Returns the number of rows whose values take too long.
    pub(super) fn unknown(&self) -> usize {
        self.found.values().filter(|value| value.is_none()).count()
    }

    /// Returns the values of a family's small rows, the shortest first, up to the first that takes
    /// too long: PERF: longer ones, which as a rule do, too, would take most of a search's time.
    pub(super) fn entries(
        &mut self,
        rows: &Rows,
    ) -> Result<Vec<Entry>, Box<dyn Error + Send + Sync>> {
        let mut entries = Vec::new();
        for counts in small(rows, 3) {
            let Some(value) = self.value(&rows.row(&counts), rows.ends)? else {
                break;
            };
            entries.push((counts, value));
        }
        Ok(entries)
    }
}

/// Returns a row as a board.
pub(super) fn board(row: &[Pot], ends: [Pot; 2]) -> AnyBoard {
    let pot = |&pot: &Pot| match pot {
        FULL => row::Pot::Full,
        seeds => row::Pot::Seeds(seeds.into()),
    };
    let [endless_left, endless_right] = ends.map(|end| end == FULL);
    let mut pots: Vec<row::Pot> = row.iter().map(pot).collect();
    if pots.is_empty() && !endless_left && !endless_right {
        pots.push(row::Pot::Seeds(0));
    }
    Row {
        pots,
        endless_left,
        endless_right,
    }
    .into()
}

/// Returns a row without outer pots that equal those beyond its ends.
pub(super) fn stripped(row: &[Pot], ends: [Pot; 2]) -> &[Pot] {
    let start = row.iter().position(|&pot| pot != ends[0]);
    let start = start.unwrap_or(row.len());
    let end = row.iter().rposition(|&pot| pot != ends[1]);
    &row[start..end.map_or(start, |end| start.max(end + 1))]
}

/// Returns the counts of small rows, the shortest rows first. Each count takes some values from its
/// least on, fewer if there are more counts.
pub(super) fn small(rows: &Rows, size: i64) -> Vec<Vec<i64>> {
    let least = rows.least();
    let more = match least.len() {
        0 | 1 => size + 2,
        2 => size,
        3 => 2.min(size),
        _ => 1,
    };
    let mut all = vec![Vec::new()];
    for &least in &least {
        let with = |counts: &Vec<i64>, count| [&counts[..], &[count]].concat();
        let next = all
            .iter()
            .flat_map(|counts| (least..=least + more).map(move |count| with(counts, count)));
        all = next.collect();
    }
    all.sort_by_key(|counts| rows.row(counts).len());
    all
}
