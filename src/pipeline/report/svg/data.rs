//! The data of pictures, for readers who want numbers.

/// The data of a chart as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartData {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows; each has one cell per column.
    pub rows: Vec<Vec<String>>,
}
