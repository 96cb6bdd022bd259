//! The tables of a result set.

use super::column::Column;
use super::folder::{FORMS, PARTS};
use super::row::TableRow;
use super::table_layout::TableLayout;
use super::{Digest, FormRow, PositionRow, PositionTable, positions};

/// The tables of a result set. The first has a row for each member of the job's family, in
/// `parts/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    names: Vec<&'static str>,
    variables: Vec<String>,
    /// The folders and columns of the tables, or why they are invalid.
    layouts: Result<Vec<TableLayout>, String>,
    /// Whether a job with another family can keep the rows.
    pub(crate) may_grow: bool,
    /// The digest of the file of moves that the rows are about, if they are about one.
    pub(super) moves_digest: Option<Digest>,
}

impl Tables {
    /// Returns a single table.
    ///
    /// ```
    /// use seedbank::dataset::Tables;
    /// use seedbank::task::heaps::HeapRow;
    ///
    /// assert_eq!(Tables::of::<HeapRow>().names(), ["heaps"]);
    /// ```
    pub fn of<R: TableRow>() -> Tables {
        let layout = TableLayout {
            name: R::TABLE,
            folder: PARTS,
            columns: R::columns(&[]),
        };
        Tables {
            names: vec![R::TABLE],
            variables: Vec::new(),
            layouts: Ok(vec![layout]),
            may_grow: false,
            moves_digest: None,
        }
    }

    /// Returns a single table with a column for each of these variables. Their names must differ
    /// from each other and from the other columns.
    ///
    /// ```
    /// use seedbank::dataset::Tables;
    /// use seedbank::task::sums::SumRow;
    ///
    /// let tables = Tables::with_variables::<SumRow>(vec!["i".to_owned()]);
    /// assert_eq!((tables.names(), tables.variables()), (&["sums"][..], &["i".to_owned()][..]));
    /// ```
    pub fn with_variables<R: TableRow>(variables: Vec<String>) -> Tables {
        let layout = TableLayout {
            name: R::TABLE,
            folder: PARTS,
            columns: R::columns(&variables),
        };
        Tables {
            names: vec![R::TABLE],
            variables,
            layouts: Ok(vec![layout]),
            may_grow: false,
            moves_digest: None,
        }
    }

    /// Changes how columns are stored.
    pub(crate) fn stored(mut self, mut change: impl FnMut(&mut Column)) -> Tables {
        let layouts = self.layouts.iter_mut().flatten();
        layouts
            .flat_map(|layout| &mut layout.columns)
            .for_each(&mut change);
        self
    }

    /// Returns table `positions`, with a column for each of the patterns' variables, and table
    /// `forms` of the canonical forms that it refers to.
    pub fn of_positions(variables: Vec<String>) -> Tables {
        Tables::with_forms::<PositionRow>(variables)
    }

    /// Returns a table about positions as [`Tables::of_positions`] does, with other columns.
    pub fn with_forms<R: PositionTable>(variables: Vec<String>) -> Tables {
        let layout = |name, folder, columns| TableLayout {
            name,
            folder,
            columns,
        };
        let layouts = positions::columns::<R>(&variables).map(|columns| {
            vec![
                layout(R::TABLE, PARTS, columns),
                layout(FormRow::TABLE, FORMS, FormRow::columns(&[])),
            ]
        });
        Tables {
            names: vec![R::TABLE, FormRow::TABLE],
            variables,
            layouts,
            may_grow: false,
            moves_digest: None,
        }
    }

    /// Names the file of moves that the rows are about, by its digest.
    pub(crate) fn of_moves(self, digest: Digest) -> Tables {
        Tables {
            moves_digest: Some(digest),
            ..self
        }
    }

    /// Returns the names of the tables, in order.
    ///
    /// ```
    /// use seedbank::dataset::Tables;
    ///
    /// let tables = Tables::of_positions(vec!["n".to_owned()]);
    /// assert_eq!(tables.names(), ["positions", "forms"]);
    /// ```
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Returns the names of the patterns' variables; empty if no table has columns for them.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Returns the columns of the first table; none if the tables are invalid.
    pub fn columns(&self) -> &[Column] {
        let layouts = self.layouts.as_deref().unwrap_or_default();
        layouts.first().map_or(&[], |layout| &layout.columns)
    }

    /// Returns the folders and columns of the tables, or why they are invalid.
    pub(crate) fn layouts(&self) -> Result<Vec<TableLayout>, String> {
        self.layouts.clone()
    }
}
