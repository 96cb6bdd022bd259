//! The section of a page about one job.

use super::figures::{Figure, Figures};
use crate::dataset::LawRow;
use crate::report::colours::ValuesAs;
use crate::report::table::Table;

/// The contents of a page about one job.
#[derive(Clone, Debug)]
pub struct Section {
    /// The job's name.
    pub name: String,
    /// The job's title.
    pub title: Option<String>,
    /// The publication that it reproduces or extends.
    pub source: Option<String>,
    /// The game and the size of the result, each with a name.
    pub about: Vec<(&'static str, String)>,
    /// The provenance of the result, each entry with a name.
    pub provenance: Vec<(&'static str, String)>,
    /// The text of the spec.
    pub spec: String,
    /// The result in the paper's layout, or why it is not laid out.
    pub table: Result<Table, Spared>,
    /// The way to read the values in the table.
    pub values_as: ValuesAs,
    /// Charts that the task draws of its result.
    pub charts: Vec<Figure>,
    /// A summary of the columns of the result.
    pub figures: Figures,
    /// The laws found in the result, or why there are none.
    pub laws: Result<Vec<LawRow>, Spared>,
    /// The law that the spec states, which holds on all rows.
    pub stated_law: Option<String>,
}

/// Why something is not shown, in words, perhaps with advice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spared(pub String);
