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

pub use cells::{Block, CELLS_MAX, Cell, Table, VALUE_WIDTH, ValueText};
pub use format::{Format, UnknownFormat};
pub(crate) use shades::{Shades, position_of};

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

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
}

/// The title and the source, with the name, the columns and the rows of each table.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_struct("Table", 3)?;
        table.serialize_field("title", &self.title)?;
        table.serialize_field("source", &self.source)?;
        table.serialize_field("tables", &data::tables(self))?;
        table.end()
    }
}
