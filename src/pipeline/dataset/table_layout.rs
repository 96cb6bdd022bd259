//! The folder of a table in a result set, and its columns.

use super::column::Column;

/// One table of a result set: its name, the folder of its files, its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableLayout {
    pub(crate) name: &'static str,
    pub(crate) folder: &'static str,
    pub(crate) columns: Vec<Column>,
}

impl TableLayout {
    /// Returns the name of a part's file, below the directory.
    pub(crate) fn file(&self, part: u32) -> String {
        format!("{}/part-{part:05}.parquet", self.folder)
    }
}
