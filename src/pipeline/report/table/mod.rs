//! A job's result in the layout of the papers' tables.
//!
//! Each kind of job lays out its rows as typed cells. A [`Table`] of these renders itself in any [`Format`]; each format has its
//! own file. A layout does not know the formats, nor a format the layouts.

mod cells;
mod csv;
mod data;
mod format;
mod latex;
mod markdown;
mod picture;
pub(crate) mod plain;
mod shades;
mod text;
mod vega_lite;

pub use cells::{Block, CELLS_MAX, Cell, Table, ValueText};
pub use format::{Format, UnknownFormat};
pub(crate) use shades::{Shades, position_of, value_of};

use crate::report::colours::ValuesAs;

impl Table {
    /// Returns the table in a format, with a line break at its end. Pictures colour values by facts about
    /// them, which depend on the way to read the values.
    ///
    /// CSV and Vega-Lite have one equation a line in the family's order. They have only one table: the
    /// first, if there are [several](Table::names).
    pub fn render(&self, format: Format, values_as: ValuesAs) -> String {
        match format {
            Format::Text => text::render(self),
            Format::Markdown => markdown::render(self),
            Format::Latex => latex::render(self),
            Format::Csv => csv::render(self),
            Format::Svg => picture::render(self, values_as),
            Format::VegaLite => vega_lite::render(self),
        }
    }

    /// Returns the title and the source as JSON, with the name, the columns and the rows of each table.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "title": self.title,
            "source": self.source,
            "tables": data::tables(self),
        })
    }
}
