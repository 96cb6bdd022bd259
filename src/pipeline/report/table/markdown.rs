//! Tables as GitHub's Markdown, whose tables always have a header.

use super::cells::{Block, Cell, Table, one_line};

/// Returns the table as Markdown.
pub(super) fn render(table: &Table) -> String {
    let mut sections = Vec::new();
    if let Some(caption) = table.caption() {
        sections.push(format!("**{}**\n", escape(&caption)));
    }
    let blocks = table.blocks.iter().filter(|block| block.width() > 0);
    sections.extend(blocks.map(block));
    if !table.notes.is_empty() {
        let notes = table
            .notes
            .iter()
            .map(|note| format!("- {}\n", escape(note)));
        sections.push(notes.collect());
    }
    sections.join("\n")
}

fn block(block: &Block) -> String {
    let mut header = block.header.clone();
    header.resize(block.width(), Cell::Blank);
    let mut text = line(&header);
    text.push('|');
    text.push_str(&" --- |".repeat(block.width()));
    text.push('\n');
    for row in &block.rows {
        text.push_str(&line(row));
    }
    text
}

fn line(cells: &[Cell]) -> String {
    let mut text = "|".to_owned();
    for cell in cells {
        let cell = match cell {
            Cell::Blank => String::new(),
            cell => format!(" {}", escape(&cell.plain())),
        };
        text.push_str(&cell);
        text.push_str(" |");
    }
    text.push('\n');
    text
}

/// Escapes the characters with a meaning in Markdown.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in one_line(text).chars() {
        if "\\`*_{}[]<>|~#&$^".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
