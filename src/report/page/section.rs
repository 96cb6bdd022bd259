//! What a page has of one job.

use super::figures::{Figure, Figures};
use crate::dataset::LawRow;
use crate::report::colours::ValuesAs;
use crate::report::table::Table;

/// What a page has of one job.
#[derive(Clone, Debug)]
pub struct Section {
    /// The job's name.
    pub name: String,
    /// What it is about.
    pub title: Option<String>,
    /// The publication that it reproduces or extends.
    pub source: Option<String>,
    /// The game and the size of the result: names and what they stand for.
    pub about: Vec<(&'static str, String)>,
    /// Where the result comes from: names and what they stand for.
    pub provenance: Vec<(&'static str, String)>,
    /// The text of the spec.
    pub spec: String,
    /// The result in the paper's layout, or why it is not laid out.
    pub table: Result<Table, Spared>,
    /// How the values in the table are read.
    pub values_as: ValuesAs,
    /// Charts that the task draws of its result.
    pub charts: Vec<Figure>,
    /// The columns of the result, in sum.
    pub figures: Figures,
    /// The laws found in the result, or why there are none.
    pub laws: Result<Vec<LawRow>, Spared>,
    /// The law that the spec states, which holds on all rows.
    pub stated_law: Option<String>,
}

/// Why something is not shown, in words, such as what to do instead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spared(pub String);
