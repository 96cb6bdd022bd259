//! The section of a page about one job.

use super::figures::{Figure, Figures};
use super::sequences::Sequence;
use crate::dataset::LawRow;
use crate::report::colours::{LongValues, ValuesAs};
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
    /// What is known about values whose notation is too long for the result.
    pub long: LongValues,
    /// The beginning of the command that prints such a value whole, before the position.
    pub whole: Option<String>,
    /// The values of patterns along their one variable.
    pub sequences: Vec<Sequence>,
    /// Charts that the task draws of its result.
    pub charts: Vec<Figure>,
    /// A summary of the columns of the result.
    pub figures: Figures,
    /// The laws found in the result, or why there are none.
    pub laws: Result<Vec<LawRow>, Spared>,
    /// The law that the spec states, which holds on all rows.
    pub stated_law: Option<String>,
}

impl Section {
    /// Returns a section without contents.
    pub fn named(name: &str) -> Section {
        Section {
            name: name.to_owned(),
            title: None,
            source: None,
            about: Vec::new(),
            provenance: Vec::new(),
            spec: String::new(),
            table: Err(Spared::default()),
            values_as: ValuesAs::default(),
            long: LongValues::new(),
            whole: None,
            sequences: Vec::new(),
            charts: Vec::new(),
            figures: Figures::default(),
            laws: Ok(Vec::new()),
            stated_law: None,
        }
    }
}

/// Why something is not shown, in words, perhaps with advice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spared(pub String);
