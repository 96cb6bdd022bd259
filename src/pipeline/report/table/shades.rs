//! The shades of numbers in a table, and the parts of a cell that pictures need.

use super::cells::{Block, Cell, ValueText};
use crate::report::svg::heat_map::{Shade, Shading};

/// The shading of the numbers of a block.
pub(crate) enum Shades {
    /// One shading for all columns, which are values of a variable.
    Whole(Shading),
    /// A shading for each column; none if it is a label or counts the rows.
    Columns(Vec<Option<Shading>>),
}

impl Shades {
    /// Returns the shading of the numbers of a block.
    pub(crate) fn of(block: &Block) -> Shades {
        let first = usize::from(block.labelled);
        let is_number = |cell: &Cell| cell.plain().parse::<i64>().is_ok();
        let header = block.header.get(first..).unwrap_or_default();
        if header.len() > 1 && header.iter().all(is_number) {
            let cells = block.rows.iter().flat_map(|row| row.iter().skip(first));
            return Shades::Whole(Shading::of(cells.filter_map(number)));
        }
        let shading = |place: usize| {
            let cells = || block.rows.iter().filter_map(move |row| row.get(place));
            let numbers: Vec<f64> = cells().filter_map(number).collect();
            let counts_rows = numbers.is_sorted_by(|a, b| a < b) && place == 0;
            (place >= first && numbers.len() > 1 && !counts_rows).then(|| Shading::of(numbers))
        };
        Shades::Columns((0..block.width()).map(shading).collect())
    }

    /// Returns the shade of a cell in a column; `None` if it holds no number.
    pub(crate) fn class(&self, place: usize, cell: &Cell) -> Option<Shade> {
        let number = number(cell)?;
        match self {
            Shades::Whole(shading) => shading.shade(number),
            Shades::Columns(columns) => columns.get(place)?.as_ref()?.shade(number),
        }
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// Returns the position of a cell, or its label.
pub(crate) fn position_of(cell: &Cell) -> Option<&str> {
    match cell {
        Cell::Equation { position, .. } | Cell::Position(position) => Some(position),
        Cell::Label(text) => Some(text),
        _ => None,
    }
}

/// Returns the notation of a cell's value, if it has one.
pub(super) fn value_of(cell: &Cell) -> Option<&str> {
    let (Cell::Value(value) | Cell::Equation { value, .. }) = cell else {
        return None;
    };
    match value {
        ValueText::Notation(text) | ValueText::Symbol { notation: text, .. } => Some(text),
        ValueText::Digest(_) | ValueText::Missing(_) | ValueText::Misere(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_under_numbers_share_a_scale_and_others_do_not() {
        let line = |cells: [&str; 3]| cells.map(|n| Cell::Number(n.to_owned())).to_vec();
        let block = |header: [&str; 3]| Block {
            header: header.map(|text| Cell::Label(text.to_owned())).to_vec(),
            labelled: true,
            rows: vec![line(["1", "0", "80"]), line(["2", "4", "160"])],
            ..Block::default()
        };
        let class = |block: &Block, row: usize, place: usize| {
            let shade = Shades::of(block).class(place, &block.rows[row][place]);
            shade.map(Shade::class)
        };
        let whole = block(["pits", "1", "2"]);
        assert_eq!(class(&whole, 1, 1).as_deref(), Some("s0"));
        assert_eq!(class(&whole, 0, 2).as_deref(), Some("s4"));
        let columns = block(["l", "N", "d"]);
        assert_eq!(class(&columns, 1, 1).as_deref(), Some("s8"));
        assert_eq!(class(&columns, 1, 0), None);
    }
}
