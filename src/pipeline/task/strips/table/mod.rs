//! From rows to cells, one function for each layout.
//!
//! Rows come in the family's order, so a row's place in the table follows from its rank alone.

mod names;
mod sequences;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cggames::family::{Subfamily, Values};
use cgvalues::{Arena, Nimber};
use foldhash::fast::RandomState;

pub(in crate::task) use self::names::Names;
use self::names::SHOWN;
use self::sequences::as_pattern;
use super::{Layout, StripTask};
use crate::dataset::{PositionRow, Wanted};
use crate::report::ReportError;
use crate::report::page::Sequence;
use crate::report::site::Occurrence;
use crate::report::table::plain::{Grid, block, listed, unlabelled};
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for StripTask {
    /// Lays out the rows; the default is a list. Cells of ranks without a row stay blank.
    ///
    /// First-by-value needs only a row for each nim-value, and so takes results of any size. The other
    /// layouts show every row.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let list = Layout::List { columns_per_row: 1 };
        let (layout, names) = match &self.table {
            Some(spec) => (&spec.layout, &spec.names[..]),
            None => (&list, &[][..]),
        };
        if *layout != Layout::FirstByValue {
            reading.fits(self.family.len())?;
        }
        let arena = Arena::new();
        let mut names = Names::new(arena.calculator(), names)?;
        let rows = reading.counted(wanted(self, layout))?;
        let blocks = match layout {
            Layout::List { columns_per_row } => {
                vec![list_block(self, rows, *columns_per_row, &mut names)?]
            }
            Layout::Grid {
                rows: down,
                columns: across,
            } => vec![grid(self, rows, down, across, &mut names)?],
            Layout::Sequences {
                columns_per_row, ..
            } => sequences(self, reading.ranks, rows, *columns_per_row, &mut names)?,
            Layout::FirstByValue => vec![first_by_value(rows, &mut names)?],
        };
        Ok(Table {
            notes: names.notes(),
            ..reading.table(blocks)
        })
    }

    fn occurrences(
        &self,
        reading: &Reading<'_>,
        each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        reading.occurrences(each)
    }

    fn sequences(&self, reading: &Reading<'_>) -> Result<Vec<Sequence>, ReportError> {
        let arena = Arena::new();
        let mut names = Names::new(arena.calculator(), &[])?;
        sequences::sequences(self, reading, &mut names)
    }
}

/// Returns the columns and rows that a layout reads; for first-by-value, only the first position of
/// each nim-value.
fn wanted<'w>(task: &StripTask, layout: &Layout) -> Wanted<'w> {
    let shown = SHOWN;
    let variables = task.family.variables().iter().map(String::as_str);
    let with_variables = shown.into_iter().chain(variables);
    match layout {
        Layout::List { .. } | Layout::Sequences { .. } => {
            Wanted::columns(with_variables.chain(["followers"]))
        }
        Layout::Grid { .. } => Wanted::columns(with_variables),
        Layout::FirstByValue => {
            let columns = shown.into_iter().chain(["pots", "seeds", "nim_value"]);
            let first = Mutex::new(HashMap::default());
            Wanted::columns(columns).where_columns(&["nim_value"], move |first_row, columns| {
                firsts(&first, first_row, columns.int32("nim_value").iter())
            })
        }
    }
}

/// Returns which rows of a batch may be the first of their nim-value, given the first rows seen so
/// far.
///
/// Batches arrive in any order. Some rows that are not the first may therefore pass, but no first
/// row is left out.
fn firsts(
    first: &Mutex<HashMap<i32, u64, RandomState>>,
    first_row: u64,
    nim_values: impl Iterator<Item = Option<i32>>,
) -> Vec<bool> {
    let mut known = first.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut new = Vec::new();
    let kept = (first_row..)
        .zip(nim_values)
        .map(|(row, value)| {
            let Some(value) = value else {
                return false;
            };
            let known = known.entry(value).or_insert(u64::MAX);
            let earlier = row < *known;
            if earlier {
                *known = row;
                new.push((value, row));
            }
            earlier
        })
        .collect();
    if !new.is_empty() {
        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
        for (value, row) in new {
            let known = first.entry(value).or_insert(row);
            *known = row.min(*known);
        }
    }
    kept
}

/// Equations, one after another, filled downwards.
fn list_block(
    task: &StripTask,
    rows: impl Iterator<Item = Result<PositionRow, ReportError>>,
    columns: usize,
    names: &mut Names<'_>,
) -> Result<Block, ReportError> {
    let mut cells = Vec::new();
    for row in rows {
        let row = row?;
        cells.push(equation(task, row.position.clone(), &row, names)?);
    }
    Ok(listed(cells, columns))
}

/// A value for each pair of values of two variables.
fn grid(
    task: &StripTask,
    rows: impl Iterator<Item = Result<PositionRow, ReportError>>,
    down: &str,
    across: &str,
    names: &mut Names<'_>,
) -> Result<Block, ReportError> {
    let variables = task
        .family
        .subfamilies()
        .iter()
        .flat_map(Subfamily::variables);
    let variables: BTreeMap<String, &Values> = variables.collect();
    let axis = |name: &str| -> Vec<i64> {
        let values = variables.get(name).into_iter();
        values.flat_map(|values| values.iter()).collect()
    };
    let (downs, acrosses) = (axis(down), axis(across));
    let place = |name: &str| {
        task.family
            .variables()
            .iter()
            .position(|known| known == name)
    };
    let places = (place(down), place(across));
    let corner = format_args!("{down}\\{across}");
    let labels = acrosses.iter().map(Cell::number);
    let mut grid = Grid::new(corner, downs.iter().map(Cell::number), labels);
    for row in rows {
        let row = row?;
        let value = |place: Option<usize>| row.variables.get(place?).copied().flatten();
        let at = |axis: &[i64], value: Option<i64>| axis.iter().position(|v| Some(*v) == value);
        let x = at(&downs, value(places.0));
        let y = at(&acrosses, value(places.1));
        if let (Some(x), Some(y)) = (x, y) {
            grid.set(x as u64, y as u64, Cell::Value(names.show(&row)?));
        }
    }
    Ok(grid.block())
}

/// A column for each pattern, with the values of its variable going down.
fn sequences(
    task: &StripTask,
    ranks: &[Range<u64>],
    mut rows: impl Iterator<Item = Result<PositionRow, ReportError>>,
    columns_per_row: usize,
    names: &mut Names<'_>,
) -> Result<Vec<Block>, ReportError> {
    let subfamilies = task.family.subfamilies();
    let mut columns: Vec<BTreeMap<i64, Cell>> = vec![BTreeMap::new(); subfamilies.len()];
    let mut subfamily = 0;
    let mut end = subfamilies.first().map_or(0, Subfamily::len);
    for (rank, row) in ranks.iter().cloned().flatten().zip(rows.by_ref()) {
        let row = row?;
        while rank >= end && subfamily + 1 < subfamilies.len() {
            subfamily += 1;
            end += subfamilies[subfamily].len();
        }
        let Some(bound) = subfamilies.get(subfamily).and_then(as_pattern) else {
            continue;
        };
        let value_of = |name: &char| {
            let place = task.family.variables();
            let place = place.iter().position(|known| known.chars().eq([*name]))?;
            *row.variables.get(place)?
        };
        let binding = bound.pattern().variables().iter().map(value_of);
        let Some(binding) = binding.collect::<Option<Vec<i64>>>() else {
            continue;
        };
        let Some(&number) = binding.first() else {
            continue;
        };
        let position = bound.pattern().instance(&binding);
        columns[subfamily].insert(number, equation(task, position, &row, names)?);
    }
    // A wrong number of rows is reported after the last one.
    rows.next().transpose()?;
    let blocks = columns.chunks(columns_per_row.max(1)).map(|columns| {
        let mut lines: BTreeMap<i64, Vec<Cell>> = BTreeMap::new();
        for (place, column) in columns.iter().enumerate() {
            for (number, cell) in column {
                let line = lines.entry(*number);
                line.or_insert_with(|| vec![Cell::Blank; columns.len()])[place] = cell.clone();
            }
        }
        unlabelled(lines.into_values().collect())
    });
    Ok(blocks.collect())
}

/// The first position of each nim-value; a line is blank where no position has the value.
fn first_by_value(
    rows: impl Iterator<Item = Result<PositionRow, ReportError>>,
    names: &mut Names<'_>,
) -> Result<Block, ReportError> {
    let mut first: BTreeMap<i32, PositionRow> = BTreeMap::new();
    for row in rows {
        let row = row?;
        if let Some(value) = row.value.as_ref().and_then(|value| value.nim_value) {
            first.entry(value).or_insert(row);
        }
    }
    let header = ["nim-value", "position", "pots", "seeds"];
    let mut lines = Vec::new();
    for value in 0..=first.keys().next_back().copied().unwrap_or(-1) {
        let Some(row) = first.get(&value) else {
            let mut line = vec![Cell::Blank; header.len()];
            line[0] = Cell::Label(Nimber(value as u32).to_string());
            lines.push(line);
            continue;
        };
        let seeds = row.features.seeds.map(Cell::number);
        lines.push(vec![
            Cell::Value(names.show(row)?),
            Cell::Position(row.position.clone()),
            Cell::number_or_blank(row.features.pots),
            seeds.unwrap_or_default(),
        ]);
    }
    Ok(block(&header, lines))
}

fn equation(
    task: &StripTask,
    position: String,
    row: &PositionRow,
    names: &mut Names<'_>,
) -> Result<Cell, ReportError> {
    let variables = task.family.variables().iter().zip(&row.variables);
    let variables = variables.filter_map(|(name, value)| Some((name.clone(), (*value)?)));
    Ok(Cell::Equation {
        position,
        variables: variables.collect(),
        value: names.show(row)?,
        followers: row.followers,
    })
}
