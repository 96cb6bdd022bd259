//! Which tables a result set has.

use super::column::{Column, ColumnKind};
use super::layout::{FORMS, PARTS};
use super::{boards, codes, forms, graphs, heaps, lengths, positions, reconstructions};

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
            Tables::Positions { .. } => &[positions::TABLE, forms::TABLE],
            Tables::Heaps => &[heaps::TABLE],
            Tables::Codes => &[codes::TABLE],
            Tables::Boards { .. } => &[boards::TABLE],
            Tables::Lengths => &[lengths::TABLE],
            Tables::Reconstructions => &[reconstructions::TABLE],
            Tables::Graphs => &[graphs::TABLE],
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
                layout(positions::TABLE, PARTS, positions::columns(variables)?),
                layout(forms::TABLE, FORMS, forms::columns()),
            ],
            Tables::Heaps => vec![layout(heaps::TABLE, PARTS, heaps::columns())],
            Tables::Codes => vec![layout(codes::TABLE, PARTS, codes::columns())],
            Tables::Boards { small_bins } => {
                let mut columns = boards::columns();
                let bins = columns.iter_mut();
                for bins in bins.filter(|column| column.kind == ColumnKind::Unsigned) {
                    bins.bytes_apart = *small_bins;
                }
                vec![layout(boards::TABLE, PARTS, columns)]
            }
            Tables::Lengths => vec![layout(lengths::TABLE, PARTS, lengths::columns())],
            Tables::Reconstructions => {
                let columns = reconstructions::columns();
                vec![layout(reconstructions::TABLE, PARTS, columns)]
            }
            Tables::Graphs => vec![layout(graphs::TABLE, PARTS, graphs::columns())],
        })
    }
}
