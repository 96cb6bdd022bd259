//! The summary of each set of rules.

use cggames::game::Play;

use super::summary::{COLUMNS, Summary, extend, summaries};
use super::{VariantRow, VariantsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::block;
use crate::report::table::{Cell, Table};
use crate::run::{Reading, Tabulated};

/// A column after the switches: its header, and its cell of a summary.
type Column = (&'static str, fn(&Summary) -> Cell);

const POSITIONS: Column = ("positions", |of| Cell::number(of.positions));
const VALUES: Column = ("values", |of| Cell::number(of.values.len()));
const NIMBER: Column = ("greatest nimber", |of| number(&of.nimber));
const NIMBER_AT: Column = ("nimber at", |of| position(&of.nimber));
const LOOPY: Column = ("loopy", |of| Cell::number(of.loopy));
const OPEN: Column = ("no value yet", |of| Cell::number(of.open));

const PARTISAN: &[Column] = &[
    POSITIONS,
    VALUES,
    ("dicotic", |of| Cell::number(of.dicotic)),
    ("hottest", |of| number(&of.hottest)),
    ("hottest at", |of| position(&of.hottest)),
    NIMBER,
    NIMBER_AT,
    LOOPY,
];

const IMPARTIAL: &[Column] = &[
    POSITIONS,
    ("nim-values", VALUES.1),
    NIMBER,
    NIMBER_AT,
    LOOPY,
];

impl Tabulated for VariantsTask {
    /// A line for each set of rules that has rows, with the switches that have several values.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        reading.check_count::<VariantRow>()?;
        let ranging = &self.rules.ranging;
        let wanted = Wanted::columns(COLUMNS.into_iter().chain(ranging.iter().copied()));
        let mut found = Vec::new();
        for later in reading.scan().batches(wanted, summaries)? {
            extend(&mut found, later?);
        }
        let columns = match self.positions.play {
            Play::Partisan => PARTISAN,
            Play::Impartial => IMPARTIAL,
        };
        let has_open = found.iter().any(|of| of.open > 0);
        let columns = columns.iter().chain(has_open.then_some(&OPEN));
        let columns: Vec<&Column> = columns.collect();
        let header = ranging.iter().chain(columns.iter().map(|(name, _)| name));
        let header: Vec<&str> = header.copied().collect();
        let line = |of: &Summary| {
            let switches = ranging
                .iter()
                .map(|name| Cell::label(of.switches.switch(name)));
            let cells = columns.iter().map(|(_, cell)| cell(of));
            switches.chain(cells).collect()
        };
        let lines = found.iter().map(line).collect();
        Ok(Table {
            notes: self.notes(&found),
            ..reading.table(vec![block(&header, lines)])
        })
    }
}

impl VariantsTask {
    /// Returns what the lines of a summary do not say.
    fn notes(&self, found: &[Summary]) -> Vec<String> {
        let mut notes = Vec::new();
        let (all, distinct) = (self.rules.combinations, self.rules.distinct.len());
        if distinct < all {
            notes.push(format!(
                "{} of the {all} combinations have the moves of an earlier one, and no line",
                all - distinct
            ));
        }
        let unknown: u64 = found.iter().map(|of| of.no_temperature).sum();
        if unknown > 0 {
            notes.push(format!(
                "the temperatures of {unknown} values are not known"
            ));
        }
        notes
    }
}

fn number<N: ToString>(greatest: &Option<(N, String)>) -> Cell {
    Cell::number_or_blank(greatest.as_ref().map(|(number, _)| number.to_string()))
}

fn position<N>(greatest: &Option<(N, String)>) -> Cell {
    let position = greatest.as_ref().map(|(_, position)| position.clone());
    position.map_or(Cell::Blank, Cell::Position)
}
