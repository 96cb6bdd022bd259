//! Tables as pictures: a heat map in SVG.

use super::cells::{Block, Cell, Table};
use super::shades::{Shades, value_of};
use crate::report::colours::{DistinctValues, LongValues, ValuesAs};
use crate::report::svg::heat_map::{HeatCell, HeatMap, Shade};

/// Returns the blocks of a table as one heat map. Numbers are shaded by size. DistinctValues are shaded by the
/// quantity that distinguishes most of them: mean, temperature, atomic weight or nim-value.
pub(super) fn render(table: &Table, values_as: ValuesAs) -> String {
    let mut values = DistinctValues::default();
    let cells = || {
        table
            .blocks
            .iter()
            .flat_map(|block| block.rows.iter().flatten())
    };
    for text in cells().filter_map(value_of) {
        values.place(text);
    }
    let known = values.known(values_as, &LongValues::new());
    // A picture has no legend, so colours for outcomes, which have no order, would have no meaning.
    let scale = known.scales.iter().find(|scale| scale.name != "outcome");
    let mut values = DistinctValues::default();
    let mut shade = |cell: &Cell| {
        let place = values.place(value_of(cell)?);
        Shade::of_class(scale?.classes.get(place)?)
    };
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    let mut corner = String::new();
    for block in table.blocks.iter().filter(|block| block.width() > 0) {
        let first = usize::from(block.labelled);
        let header: Vec<String> = block.header.iter().skip(first).map(Cell::plain).collect();
        if rows.is_empty() {
            corner = block.header.first().map(Cell::plain).unwrap_or_default();
            columns = header;
            columns.resize(block.width() - first, String::new());
        } else {
            let text = |text| HeatCell { text, shade: None };
            rows.push((String::new(), header.into_iter().map(text).collect()));
        }
        let numbers = Shades::of(block);
        for row in &block.rows {
            let cell = |(place, cell): (usize, &Cell)| HeatCell {
                text: cell.plain(),
                shade: shade(cell).or_else(|| numbers.class(place, cell)),
            };
            let cells = row.iter().enumerate().skip(first).map(cell).collect();
            rows.push((label(block, row), cells));
        }
    }
    // The corner of a grid names both variables: x\\y.
    let (row_name, column_name) = corner.split_once('\\').unwrap_or((&corner, ""));
    HeatMap {
        title: table.caption().unwrap_or_default(),
        names: [row_name.to_owned(), column_name.to_owned()],
        columns,
        rows,
    }
    .svg()
    .document()
}

fn label(block: &Block, row: &[Cell]) -> String {
    match (block.labelled, row.first()) {
        (true, Some(cell)) => cell.plain(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::ValueText;
    use super::*;

    #[test]
    fn a_grid_is_a_heat_map_with_the_names_of_its_variables() {
        let value = |text: &str| Cell::Value(ValueText::Notation(text.to_owned()));
        let number = |text: &str| Cell::Number(text.to_owned());
        let table = Table {
            title: Some("Two pots".to_owned()),
            blocks: vec![Block {
                header: vec![Cell::Label("x\\y".to_owned()), number("1"), number("2")],
                labelled: true,
                rows: vec![
                    vec![number("1"), value("0"), value("^")],
                    vec![number("2"), value("v"), value("0")],
                ],
                ..Block::default()
            }],
            ..Table::default()
        };
        let picture = render(&table, ValuesAs::Games);
        assert!(picture.contains("<title>Two pots</title>"), "{picture}");
        // Atomic weights from -1 to 1.
        for cell in [
            "<title>x 1, y 1: 0</title>",
            "<title>x 1, y 2: ^</title>",
            "cell d0",
            "cell d4",
            "cell d8",
        ] {
            assert!(picture.contains(cell), "{cell}: {picture}");
        }
    }
}
