//! The interfaces of a kind of job that every kind implements itself, one for each of its users.

use std::any::Any;
use std::fmt;

use cggames::game::{Game, Play};
use cglaws::{Column, Material};

use super::estimate::{Estimate, Measured};
use super::session::Session;
use super::{Description, JobHeader, Options, Reading, RunError, Signals};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::page::{Figure, Sequence};
use crate::report::reference::Facts;
use crate::report::site::Occurrence;
use crate::report::table::Table;

/// A kind of job, with the parameters from one spec.
pub trait Described: Any + fmt::Debug + Send + Sync {
    /// Returns the words for the job.
    fn description(&self) -> Description;

    /// Returns the number of rows of the result, or of positions to search.
    fn rows(&self) -> u64;

    /// Returns a text that identifies the task. It is digested, so the text for an existing meaning
    /// must never change.
    fn meaning(&self) -> String;

    /// Returns a sentence that the law in the spec holds for all rows of the result, if there is a
    /// law. No run of the job finishes otherwise.
    fn law_held(&self) -> Option<String> {
        None
    }

    /// Returns whether runs read values from the store, and seal new ones in it.
    fn needs_store(&self) -> bool {
        false
    }

    /// Measures the task in its own way; returns `None` if a run of some seconds suffices.
    ///
    /// # Errors
    ///
    /// As [`measure`](super::measure).
    fn measure(
        &self,
        _: &JobHeader,
        _recorded: &Estimate,
        _: &Options,
        _: &Signals,
    ) -> Result<Option<Measured>, RunError> {
        Ok(None)
    }
}

/// A task whose result is laid out in tables and charts.
pub trait Tabulated {
    /// Lays out a result as the spec requests.
    ///
    /// # Errors
    ///
    /// If rows cannot be read, differ in number from the expectation, or are more than a table
    /// holds; [`ReportError::Unanswered`] if the result is not finished.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError>;

    /// Returns charts that a page shows of a result, beside those of its columns.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn charts(&self, _: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        Ok(Vec::new())
    }

    /// Returns the values of patterns along their one variable, which a page lists and draws.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn sequences(&self, _: &Reading<'_>) -> Result<Vec<Sequence>, ReportError> {
        Ok(Vec::new())
    }

    /// Passes the positions of a result whose values are games in notation, in the order of its rows.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn occurrences(
        &self,
        _: &Reading<'_>,
        _each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        Ok(())
    }

    /// Returns why a result with unfinished parts cannot be laid out; `None` if it can.
    fn needs_all(&self) -> Option<&'static str> {
        None
    }
}

/// A task whose result is compared with published facts.
pub trait Checked {
    /// Compares a result with published facts.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError>;

    /// Returns why no published fact applies to such a result; `None` if some may apply.
    fn is_not_checked(&self) -> Option<&'static str> {
        None
    }
}

/// A task whose result may be searched for laws.
pub trait Mined {
    /// Returns the variables of the columns of [`Mined::material`]; `None` if results of the task
    /// cannot be mined.
    fn mined_variables(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the game whose positions the rows are about, and the way of playing; `None` if they
    /// are about something else.
    fn played(&self) -> Option<(Game, Play)> {
        None
    }

    /// Returns the data of a result that are searched for laws.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    fn material(&self, _: &Reading<'_>) -> Result<Material, ReportError> {
        Ok(Material::default())
    }

    /// Returns the entry of a column of [`Mined::material`] at a place beyond the result. Returns
    /// `None` if there is none, or if the task can only compute entries in jobs.
    ///
    /// # Errors
    ///
    /// The reason why the evaluation stopped.
    fn entry(&self, _: &Column, _at: &[i64], _: &Session<'_>) -> Result<Option<String>, RunError> {
        Ok(None)
    }
}
