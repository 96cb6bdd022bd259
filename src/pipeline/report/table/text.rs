//! Tables as text: columns aligned by display width, two blanks between them, nothing at line ends.

use unicode_width::UnicodeWidthStr;

use super::cells::{Block, Cell, Table, one_line};

const GAP: usize = 2;

/// Returns the table as text.
pub(super) fn render(table: &Table) -> String {
    let mut sections = Vec::new();
    if let Some(caption) = table.caption() {
        sections.push(format!("{}\n", one_line(&caption)));
    }
    sections.extend(
        table
            .blocks
            .iter()
            .map(block)
            .filter(|text| !text.is_empty()),
    );
    if !table.notes.is_empty() {
        let notes = table.notes.iter().map(|note| one_line(note) + "\n");
        sections.push(notes.collect());
    }
    sections.join("\n")
}

fn block(block: &Block) -> String {
    let header = (!block.header.is_empty()).then_some(&block.header);
    let lines: Vec<Vec<Shown>> = (header.into_iter().chain(&block.rows))
        .map(|row| row.iter().map(Shown::new).collect())
        .collect();
    // Equations are aligned at their signs, as in print.
    let column = |place: usize| {
        let cells = lines.iter().filter_map(move |line| line.get(place));
        cells.fold((0, 0), |(before, whole), cell| {
            (before.max(cell.before()), whole.max(cell.width()))
        })
    };
    let columns: Vec<(usize, usize)> = (0..block.width()).map(column).collect();
    let aligned = |place: usize| {
        let (before, whole) = columns[place];
        let cells = lines.iter().filter_map(move |line| line.get(place));
        let after = cells.map(|cell| cell.width() - cell.before()).max();
        if before > 0 {
            before + after.unwrap_or(0)
        } else {
            whole
        }
    };
    let widths: Vec<usize> = (0..columns.len()).map(aligned).collect();
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let mut written = String::new();
        let mut end = 0;
        for (place, cell) in line.iter().enumerate() {
            let indent = if cell.before() > 0 {
                columns[place].0 - cell.before()
            } else {
                0
            };
            if !cell.text.is_empty() {
                let column = written_width(&written);
                written.push_str(&" ".repeat((end + indent).saturating_sub(column)));
                written.push_str(&cell.text);
            }
            end += widths[place] + GAP;
        }
        text.push_str(written.trim_end());
        text.push('\n');
        if number == 0 && header.is_some() {
            let width = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
            text.push_str(&"-".repeat(width));
            text.push('\n');
        }
    }
    text
}

/// A cell's text, and the place of its equality sign.
struct Shown {
    text: String,
    before: usize,
}

impl Shown {
    fn new(cell: &Cell) -> Shown {
        let before = match cell {
            Cell::Equation { position, .. } => written_width(position),
            _ => 0,
        };
        Shown {
            text: one_line(&cell.plain()),
            before,
        }
    }

    /// The width before the equality sign; 0 if there is none.
    fn before(&self) -> usize {
        self.before
    }

    fn width(&self) -> usize {
        written_width(&self.text)
    }
}

/// Returns the number of columns of a terminal that the text takes.
fn written_width(text: &str) -> usize {
    text.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_is_counted_in_columns_not_bytes() {
        assert_eq!(written_width("↑²*"), 3);
        assert_eq!(written_width("v\u{305}"), 1);
        assert_eq!(written_width("石"), 2);
    }
}
