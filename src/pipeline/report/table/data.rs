//! Tables for programs: columns with distinct names, numbers as numbers, values in notation that can be
//! read back.
//!
//! An equation becomes a row with the columns `position`, the variables of the patterns, `value` and
//! perhaps `followers`. Rows are in the family's order, whatever the columns of the paper. A value
//! whose notation is too long for the result is left empty.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use super::cells::{Block, Cell, Table, ValueText};

/// One table.
#[derive(Debug, Serialize)]
pub(super) struct DataTable {
    pub(super) name: &'static str,
    pub(super) columns: Vec<String>,
    /// The fields of each row by column; an empty field is null.
    rows: Vec<BTreeMap<String, Json>>,
}

impl DataTable {
    fn new(name: &'static str, columns: Vec<String>) -> DataTable {
        let mut unique: Vec<String> = Vec::new();
        for (place, column) in columns.into_iter().enumerate() {
            let mut name = if column.is_empty() {
                format!("column {}", place + 1)
            } else {
                column.clone()
            };
            let mut copies = 1;
            while unique.contains(&name) {
                copies += 1;
                name = format!("{column} {copies}");
            }
            unique.push(name);
        }
        DataTable {
            name,
            columns: unique,
            rows: Vec::new(),
        }
    }

    fn push(&mut self, fields: impl IntoIterator<Item = Json>) {
        let fields = fields.into_iter().chain(std::iter::repeat(Json::Null));
        let row = self.columns.iter().cloned().zip(fields).collect();
        self.rows.push(row);
    }

    /// Returns the fields of each row as text, in the order of the columns.
    pub(super) fn texts(&self) -> impl Iterator<Item = Vec<String>> {
        self.rows.iter().map(|row| {
            let field = |column| match &row[column] {
                Json::Null => String::new(),
                Json::String(text) => text.clone(),
                other => other.to_string(),
            };
            self.columns.iter().map(field).collect()
        })
    }
}

/// Returns the tables of a result: one for each name of its blocks.
pub(super) fn tables(table: &Table) -> Vec<DataTable> {
    let blocks = |name| table.blocks.iter().filter(move |block| block.name == name);
    let names = table.names().into_iter();
    let of = |name| {
        let equations: Vec<&Cell> = blocks(name).flat_map(by_columns).collect();
        if equations.is_empty() {
            labelled(name, blocks(name))
        } else {
            list(name, &equations)
        }
    };
    names.map(of).collect()
}

fn labelled<'t>(name: &'static str, blocks: impl Iterator<Item = &'t Block> + Clone) -> DataTable {
    let Some(first) = blocks.clone().next() else {
        return DataTable::new(name, Vec::new());
    };
    let mut columns: Vec<String> = if first.header.is_empty() {
        first.keys.iter().map(|&key| key.to_owned()).collect()
    } else {
        first.header.iter().map(Cell::plain).collect()
    };
    columns.resize(first.width().max(columns.len()), String::new());
    let mut data = DataTable::new(name, columns);
    for row in blocks.flat_map(|block| &block.rows) {
        data.push(row.iter().map(field));
    }
    data
}

/// The equations of a block, column by column.
fn by_columns(block: &Block) -> impl Iterator<Item = &Cell> {
    let column = |place: usize| block.rows.iter().filter_map(move |row| row.get(place));
    let cells = (0..block.width()).flat_map(column);
    cells.filter(|cell| matches!(cell, Cell::Equation { .. }))
}

fn list(name: &'static str, equations: &[&Cell]) -> DataTable {
    let mut columns = vec!["position".to_owned()];
    let mut counted = false;
    for cell in equations {
        let Cell::Equation {
            variables,
            followers,
            ..
        } = cell
        else {
            continue;
        };
        counted |= followers.is_some();
        for (variable, _) in variables {
            if !columns.contains(variable) {
                columns.push(variable.clone());
            }
        }
    }
    let names = columns[1..].to_vec();
    columns.push("value".to_owned());
    columns.extend(counted.then(|| "followers".to_owned()));
    let mut data = DataTable::new(name, columns);
    for cell in equations {
        if let Cell::Equation {
            position,
            variables,
            value,
            followers,
        } = cell
        {
            let of = |name: &String| {
                let found = variables.iter().find(|(variable, _)| variable == name);
                Json::from(found.map(|(_, number)| *number))
            };
            let fields = [Json::from(position.clone())].into_iter();
            let fields = fields.chain(names.iter().map(of));
            data.push(fields.chain([notation(value), Json::from(*followers)]));
        }
    }
    data
}

fn field(cell: &Cell) -> Json {
    match cell {
        Cell::Blank => Json::Null,
        // A number that JSON readers would round stays text.
        Cell::Number(text) => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => Json::from(number),
            (_, Ok(number)) if text.contains('.') => Json::from(number),
            _ => Json::from(text.clone()),
        },
        Cell::Value(value) => notation(value),
        Cell::Label(_) | Cell::Position(_) | Cell::Equation { .. } => Json::from(cell.plain()),
    }
}

fn notation(value: &ValueText) -> Json {
    match value {
        ValueText::Notation(notation) | ValueText::Symbol { notation, .. } => {
            Json::from(notation.clone())
        }
        ValueText::Misere(text) => Json::from(text.clone()),
        ValueText::Digest(_) | ValueText::Missing(_) => Json::Null,
    }
}
