//! Tables as comma-separated values (RFC 4180): CRLF line ends, fields in quotes where they must be.
//!
//! Programs read this, so there are no titles, notes or blank lines. Cells that are equations come as
//! the columns `position` and `value` (and `followers`), one a line in the family's order, whatever
//! columns the paper has; digests come whole in the result itself.

use super::{Block, Cell, Table};

/// Returns the table as comma-separated values.
pub(super) fn render(table: &Table) -> String {
    let equations: Vec<&Cell> = table.blocks.iter().flat_map(by_columns).collect();
    if !equations.is_empty() {
        return list(&equations);
    }
    let mut text = String::new();
    for block in &table.blocks {
        let header = (!block.header.is_empty()).then_some(&block.header);
        for row in header.into_iter().chain(&block.rows) {
            let mut fields: Vec<String> = row.iter().map(Cell::plain).collect();
            fields.resize(block.width(), String::new());
            line(&mut text, &fields);
        }
    }
    text
}

/// The equations of a block, column by column.
fn by_columns(block: &Block) -> impl Iterator<Item = &Cell> {
    let column = |place: usize| block.rows.iter().filter_map(move |row| row.get(place));
    let cells = (0..block.width()).flat_map(column);
    cells.filter(|cell| matches!(cell, Cell::Equation { .. }))
}

fn list(equations: &[&Cell]) -> String {
    let counted = |cell: &&Cell| {
        matches!(
            cell,
            Cell::Equation {
                followers: Some(_),
                ..
            }
        )
    };
    let with_followers = equations.iter().any(counted);
    let mut header = vec!["position".to_owned(), "value".to_owned()];
    header.extend(with_followers.then(|| "followers".to_owned()));
    let mut text = String::new();
    line(&mut text, &header);
    for cell in equations {
        if let Cell::Equation {
            position,
            value,
            followers,
        } = cell
        {
            let mut fields = vec![position.clone(), value.plain()];
            let followers = followers.map(|n| n.to_string()).unwrap_or_default();
            fields.extend(with_followers.then_some(followers));
            line(&mut text, &fields);
        }
    }
    text
}

fn line(text: &mut String, fields: &[String]) {
    let quoted = |field: &String| match field.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    };
    let fields: Vec<String> = fields.iter().map(quoted).collect();
    text.push_str(&fields.join(","));
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let mut text = String::new();
        let fields = ["{0,*|v}", "a\"b", "two\nlines", "*2", ""];
        line(&mut text, &fields.map(str::to_owned));
        assert_eq!(text, "\"{0,*|v}\",\"a\"\"b\",\"two\nlines\",*2,\r\n");
    }
}
