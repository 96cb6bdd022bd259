//! Which tables a result set has.

use super::column::{Column, ColumnKind};
use super::layout::{FORMS, PARTS};
use super::row::TableRow;
use super::{
    BoardRow, CodeRow, FormRow, GraphRow, HeapRow, LengthRow, PositionRow, ReconstructionRow,
    positions,
};

/// The tables of a result set. The first has a row for each member of the job's family, in `parts/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tables {
    /// Table `positions`, and table `forms` of the canonical forms that it refers to.
    Positions {
        /// The names of the patterns' variables, in the order of their columns.
        variables: Vec<String>,
    },
    /// Table `heaps` alone.
    Heaps,
    /// Table `codes` alone.
    Codes,
    /// Table `boards` alone.
    Boards {
        /// Whether no bin that is listed holds more than 255 stones: then the bytes of the numbers are written apart.
        small_bins: bool,
    },
    /// Table `lengths` alone.
    Lengths,
    /// Table `reconstructions` alone.
    Reconstructions,
    /// Table `graphs` alone.
    Graphs,
}

/// One table of a result set: its name, the folder of its files, its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableLayout {
    pub(crate) name: &'static str,
    pub(crate) folder: &'static str,
    pub(crate) columns: Vec<Column>,
}

impl Tables {
    /// Returns the names of the tables, that of the first one first.
    ///
    /// ```
    /// use seedbank::dataset::Tables;
    ///
    /// let tables = Tables::Positions { variables: vec!["n".to_owned()] };
    /// assert_eq!(tables.names(), ["positions", "forms"]);
    /// ```
    pub fn names(&self) -> &'static [&'static str] {
        match self {
            Tables::Positions { .. } => &[PositionRow::TABLE, FormRow::TABLE],
            Tables::Heaps => &[HeapRow::TABLE],
            Tables::Codes => &[CodeRow::TABLE],
            Tables::Boards { .. } => &[BoardRow::TABLE],
            Tables::Lengths => &[LengthRow::TABLE],
            Tables::Reconstructions => &[ReconstructionRow::TABLE],
            Tables::Graphs => &[GraphRow::TABLE],
        }
    }

    /// Returns the names of the patterns' variables; none where no table has columns for them.
    pub fn variables(&self) -> &[String] {
        match self {
            Tables::Positions { variables } => variables,
            _ => &[],
        }
    }

    /// Returns where the tables are and what columns they have, or why they cannot be laid out.
    pub(crate) fn layouts(&self) -> Result<Vec<TableLayout>, String> {
        let layout = |name, folder, columns| TableLayout {
            name,
            folder,
            columns,
        };
        Ok(match self {
            Tables::Positions { variables } => vec![
                layout(PositionRow::TABLE, PARTS, positions::columns(variables)?),
                layout(FormRow::TABLE, FORMS, FormRow::columns(&[])),
            ],
            Tables::Heaps => vec![layout(HeapRow::TABLE, PARTS, HeapRow::columns(&[]))],
            Tables::Codes => vec![layout(CodeRow::TABLE, PARTS, CodeRow::columns(&[]))],
            Tables::Boards { small_bins } => {
                let mut columns = BoardRow::columns(&[]);
                let bins = columns.iter_mut();
                for bins in bins.filter(|column| column.kind == ColumnKind::Unsigned) {
                    bins.bytes_apart = *small_bins;
                }
                vec![layout(BoardRow::TABLE, PARTS, columns)]
            }
            Tables::Lengths => vec![layout(LengthRow::TABLE, PARTS, LengthRow::columns(&[]))],
            Tables::Reconstructions => {
                let columns = ReconstructionRow::columns(&[]);
                vec![layout(ReconstructionRow::TABLE, PARTS, columns)]
            }
            Tables::Graphs => vec![layout(GraphRow::TABLE, PARTS, GraphRow::columns(&[]))],
        })
    }
}
